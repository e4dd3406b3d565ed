import { GENERIC, GENERIC_WRITE } from '../../features/usage/names/account-use.ts';
import type { UsedReads } from '../parity/never-sampled.ts';
import type { CallNote } from './order.ts';

const BY_RULE = 'the mapping has no row for it: the generic rule serves it';

/** Calls of methods without a row in the mapping: no sample of them is kept, so none is played. */
export const unplayedByRule = (used: UsedReads): readonly CallNote[] =>
  [GENERIC, GENERIC_WRITE].flatMap((method) => {
    const calls = used.get(method)?.calls ?? 0;
    return calls === 0 ? [] : [{ method, calls, why: BY_RULE }];
  });
