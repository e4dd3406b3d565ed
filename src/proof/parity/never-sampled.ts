import { GENERIC } from '../../features/usage/names/account-use.ts';
import type { Uncompared, UsedRead } from '../../features/cutover/parity/model.ts';
import type { KeptSample } from '../../features/samples/packed.ts';

/** The replies to an account's programs, by method. */
export type UsedReads = ReadonlyMap<string, UsedRead>;

const NO_SAMPLE = 'never compared: no sample';
const BY_RULE = 'served by the generic rule, never compared';

/** Methods that programs use, but that have no sample to compare; of reads without a row there never is one. */
export function neverSampled(samples: readonly KeptSample[], used: UsedReads): readonly Uncompared[] {
  const sampled = new Set(samples.map(({ method }) => method));
  const whyOf = (method: string): string => (method === GENERIC ? BY_RULE : NO_SAMPLE);
  return Array.from(used, ([method, use]) => ({ method, reads: 1, why: whyOf(method), used: use }))
    .filter(({ method }) => !sampled.has(method))
    .toSorted((a, b) => (a.method < b.method ? -1 : 1));
}
