import { MINUTE } from '../domain/clock.ts';
import { Failure } from '../domain/failure.ts';
import type { Crosswalk, Kind } from '../domain/identifier.ts';
import type { V3Lane } from '../domain/upstream.ts';
import { statusOf, type ReadReply } from './reading.ts';

export interface ProofParts {
  readonly crosswalk: Crosswalk;
  readonly v3: V3Lane;
  readonly read: ReadReply;
  /** Records of this kind are asked for, by `segments` and the UUID behind them. */
  readonly kind: Kind;
  readonly segments: readonly string[];
}

/**
 * `same`: V3 shows a record of the account under this organisation. `different`: it knows none of them.
 * `unknown`: nothing was learned that could be compared. `later`: V3 could not be asked.
 */
export type Proof = 'same' | 'different' | 'unknown' | 'later';

/** So many records are asked for before an organisation counts as another one: some may have been deleted. */
const SAMPLE = 5;
const TIME = MINUTE;

/**
 * Is the organisation that was connected the one the account's keys belong to? An account moved to V3 cannot move
 * back, so what V1 has shown under the keys is looked for on V3 under the new token, before anything is bound.
 */
export class OrganisationProof {
  readonly #parts: ProofParts;

  constructor(parts: ProofParts) {
    this.#parts = parts;
  }

  async of(to: Parameters<V3Lane['send']>[0]): Promise<Proof> {
    const sample = await this.#youngest(to.accountId);
    if (sample.length === 0) return 'unknown';
    try {
      for (const uuid of sample) if (await this.#shows(to, uuid)) return 'same';
      return 'different';
    } catch (error) {
      if (error instanceof Failure) return 'later';
      throw error;
    }
  }

  /** The youngest records are the least likely to be gone. */
  async #youngest(accountId: string): Promise<readonly string[]> {
    const uuids: string[] = [];
    for await (const { kind, uuid } of this.#parts.crosswalk.export(accountId)) {
      if (kind !== this.#parts.kind) continue;
      uuids.push(uuid);
      if (uuids.length > SAMPLE) uuids.shift();
    }
    return uuids.reverse();
  }

  async #shows(to: Parameters<V3Lane['send']>[0], uuid: string): Promise<boolean> {
    const { v3, read, segments } = this.#parts;
    const signal = AbortSignal.timeout(TIME);
    const answer = await v3.send(to, { verb: 'GET', segments: [...segments, uuid], query: [], signal });
    switch (await statusOf(read, answer)) {
      case 'ok':
        return true;
      case 'refused':
        return false;
      case 'unreadable':
        throw new Failure('upstreamAnswer');
    }
  }
}
