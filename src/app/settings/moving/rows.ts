import { given } from '../row.ts';
import { onOff, wholeNumber } from '../types.ts';
import { cutoverMode, parityMode, proofMode, snapshotMode } from './types.ts';

/** When accounts move, and what is recorded of their calls before and after. */
export const movingRows = {
  CAUSEWAY_CUTOVER: given(cutoverMode, 'auto', {
    meaning:
      'auto: an account moves as soon as its checks pass after consent; manual: it moves with `causeway cutover`',
  }),
  CAUSEWAY_PARITY: given(parityMode, 'report', {
    meaning:
      'Comparison before an account moves: V3’s replies to the reads its programs make are compared with V1’s (docs/campaign/parity.md). required: no move without it; report: an automatic move waits for an operator if there is a difference, or a read that could not be compared, that nobody has accepted; off: nothing is compared',
  }),
  CAUSEWAY_CONSENT_PROOF: given(proofMode, 'required', {
    meaning:
      'What is needed to connect an account without an operator. required: proof that the organisation belongs to it; name: a similar name is also enough',
  }),
  CAUSEWAY_SNAPSHOT: given(snapshotMode, 'structure', {
    meaning:
      'Before an account moves, store the data that only V1 has and V2 cannot hold, sealed, so that the V2 route can return it. structure: nothing about a person; all: personal values as well, such as dates of birth; off: nothing is stored or returned',
  }),
  CAUSEWAY_USAGE: given(onOff, 'on', {
    meaning:
      'Count the methods, query parameters and elements that the programs of each account use: names and counts, never values (docs/campaign/usage.md). `causeway usage off` turns it off for one account',
  }),
  CAUSEWAY_WATCH_DAYS: given(wholeNumber(0, 28), '7', {
    meaning:
      'Number of days for which an account is watched after its move (docs/campaign/parity.md). 0: not at all',
  }),
  CAUSEWAY_DRIFT_ACCOUNTS: given(wholeNumber(0, 1_000), '3', {
    meaning:
      'Number of accounts that must see a change in the service’s replies before it raises an alarm (docs/campaign/drift.md). 0: replies are not observed',
  }),
  CAUSEWAY_SAMPLING: given(onOff, 'on', {
    meaning:
      'Keep samples of V1’s replies to the reads of each account, sealed and with personal and free text hashed, for the comparison with V3 before it moves (docs/campaign/parity.md). `causeway samples off` turns it off for one account',
  }),
  CAUSEWAY_SAMPLES_DAYS: given(wholeNumber(1, 400), '30', {
    meaning:
      'Number of days for which a sample is kept; a sample of a call that is still made is replaced sooner',
  }),
  CAUSEWAY_SAMPLES_MB: given(wholeNumber(1, 100_000), '512', {
    meaning: 'Maximum size of all samples in the database, in megabytes; above it the oldest are deleted',
  }),
} as const;
