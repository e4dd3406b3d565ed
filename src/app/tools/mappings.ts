import { readFileSync } from 'node:fs';
import { loadMapping } from '../../mapping/compile/compile.ts';
import { callsToV3, describe, losses } from '../../mapping/compile/describe.ts';
import { MappingFaults } from '../../mapping/compile/fault.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import { CannotTry, tryMapping } from '../../proxy/mapping-trial.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import type { MappingSample, MappingTrial } from '../../mapping/mapping-trial.ts';
import type { MethodCard } from '../../mapping/method-card.ts';
import { nearest } from '../../lib/text/nearest.ts';
import { loadProfile } from '../settings/profiles.ts';

/** Examines mapping files without a bridge: the row of a method, and its result for a sample. */
export class MappingAdmin {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Throws `Refusal` for an unknown method, with similar ones. */
  show(id: string): MethodCard {
    const mapping = this.#read();
    const method = mapping.methods.find((candidate) => candidate.id === id);
    if (method === undefined) throw unknownMethod(mapping, id);
    return { ...describe(method), losses: losses(method), toV3: callsToV3(method) };
  }

  /** Throws `Refusal`. */
  async try(id: string, sample: MappingSample): Promise<MappingTrial> {
    const mapping = this.#read();
    if (!mapping.methods.some((candidate) => candidate.id === id)) throw unknownMethod(mapping, id);
    const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
    if (!('v2' in profile)) throw new Refusal(profile.join('; '));
    try {
      return await tryMapping(mapping, profile, id, sample);
    } catch (error) {
      throw error instanceof CannotTry ? new Refusal(error.message) : error;
    }
  }

  #read(): Mapping {
    try {
      return loadMapping(this.#folder);
    } catch (error) {
      if (!(error instanceof MappingFaults)) throw error;
      throw new Refusal(`the mappings cannot be used:\n${error.message}`);
    }
  }
}

/** Names the closest method, since the id was most likely mistyped. */
function unknownMethod({ methods }: Mapping, id: string): Refusal {
  const near = nearest(
    id,
    methods.map((method) => method.id),
  );
  const hint =
    near.length === 0 ? 'docs/reference/methods.md lists them all' : `did you mean ${near.join(' or ')}?`;
  return new Refusal(`there is no method ${JSON.stringify(id)}; ${hint}`);
}
