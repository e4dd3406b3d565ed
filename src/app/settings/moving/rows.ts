import { given } from '../row.ts';
import { onOff, wholeNumber } from '../types.ts';
import { cutoverMode, parityMode, proofMode, snapshotMode } from './types.ts';

/** When accounts move, and what is recorded of their calls before and after. */
export const movingRows = {
  CAUSEWAY_CUTOVER: given(cutoverMode, 'auto', {
    meaning: 'auto: an account moves as soon as its checks pass after consent; manual: by `causeway cutover`',
  }),
  CAUSEWAY_PARITY: given(parityMode, 'report', {
    meaning:
      'Proof before an account moves: what V3 answers to the reads its programs make is compared with what V1 answers (docs/campaign/parity.md). required: no move without it; report: a difference, or a read that could not be compared, that nobody accepted makes an automatic move wait for a person; off: nothing is compared',
  }),
  CAUSEWAY_CONSENT_PROOF: given(proofMode, 'required', {
    meaning:
      'What connects an account without the operator. required: proof that the organisation is its own; name: a similar name is enough, too',
  }),
  CAUSEWAY_SNAPSHOT: given(snapshotMode, 'structure', {
    meaning:
      'What only V1 knows and V2 has no place for is kept before an account moves, sealed, and given back by the V2 route. structure: nothing about a person; all: personal values too, such as dates of birth; off: nothing is kept or given back',
  }),
  CAUSEWAY_USAGE: given(onOff, 'on', {
    meaning:
      'Count which methods, query parameters and elements the programs of each account use: names and counts, never values (docs/campaign/usage.md). `causeway usage off` for one account',
  }),
  CAUSEWAY_WATCH_DAYS: given(wholeNumber(0, 28), '7', {
    meaning: 'How long an account is watched after its move (docs/campaign/parity.md). 0: not at all',
  }),
  CAUSEWAY_DRIFT_ACCOUNTS: given(wholeNumber(0, 1_000), '3', {
    meaning:
      'How many accounts have to be shown a change of the service’s answers before it is an alarm (docs/campaign/drift.md). 0: nothing is learned of the answers',
  }),
  CAUSEWAY_SAMPLING: given(onOff, 'on', {
    meaning:
      'Keep samples of the replies that V1 gives to the reads of each account, sealed and with personal and free text as hashes, to compare them with V3 before it moves (docs/campaign/parity.md). `causeway samples off` for one account',
  }),
  CAUSEWAY_SAMPLES_DAYS: given(wholeNumber(1, 400), '30', {
    meaning: 'How long a sample is kept; one of a call that is still made is replaced before',
  }),
  CAUSEWAY_SAMPLES_MB: given(wholeNumber(1, 100_000), '512', {
    meaning:
      'How much all samples together may take in the database, in megabytes; beyond it the oldest are deleted',
  }),
} as const;
