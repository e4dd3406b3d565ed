import type { Seal } from '../../../lib/secret/seal.ts';
import { openJson, sealJson } from '../../../lib/secret/sealed-json.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import type { Write } from '../model.ts';
import type { WriteStep } from '../steps.ts';

/** As stored in the row of a write; undefined if there are none. */
export const sealSteps = (seal: Seal, id: string, steps: readonly WriteStep[]): string | undefined =>
  steps.length === 0 ? undefined : sealJson(seal, steps, id, sealedAs.writeSteps);

/** The steps of a write; none if it takes one call. Throws `SealBroken`. */
export function openSteps(
  seal: Pick<Seal, 'open'>,
  { id, stepsSealed }: Pick<Write, 'id' | 'stepsSealed'>,
): readonly WriteStep[] {
  if (stepsSealed === undefined) return [];
  return openJson(seal, stepsSealed, id, sealedAs.writeSteps) as readonly WriteStep[];
}

/** The same, for people; empty also if no key of this bridge opens them. */
export function readableSteps(...parts: Parameters<typeof openSteps>): readonly WriteStep[] {
  try {
    return openSteps(...parts);
  } catch {
    return [];
  }
}
