import type { Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import type { Write } from '../model.ts';
import type { WriteStep } from '../steps.ts';

/** As stored in the row of a write; undefined if there are none. */
export const sealSteps = (seal: Seal, id: string, steps: readonly WriteStep[]): string | undefined =>
  steps.length === 0 ? undefined : seal.seal(new Secret(JSON.stringify(steps)), id, sealedAs.writeSteps);

/** The steps of a write; none if it takes one call. Throws `SealBroken`. */
export function openSteps(
  seal: Pick<Seal, 'open'>,
  { id, stepsSealed }: Pick<Write, 'id' | 'stepsSealed'>,
): readonly WriteStep[] {
  if (stepsSealed === undefined) return [];
  return JSON.parse(seal.open(stepsSealed, id, sealedAs.writeSteps).reveal()) as readonly WriteStep[];
}
