/** The proof before the move as one line of the status report. */
import { fields, type Columns } from '../../../lib/text/columns.ts';
import { z } from 'zod';
import { judged, openIn, parityWords, verdictOf } from './judging.ts';
import { causeWords } from './difference.ts';
import { parityVerdicts, type JudgedGroup, type KnownParity } from './model.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const count = z.int().nonnegative();

/** The proof of one account. */
export const shownParitySchema = z.strictObject({
  at: moment,
  verdict: z.enum(parityVerdicts),
  words: z.string(),
  reads: count.describe('Reads that its programs make'),
  compared: count,
  alike: count,
  open: count.describe(
    'Differences, including undecided ones, and methods with uncompared reads that nobody has accepted',
  ),
  trend: z.array(z.strictObject({ at: moment, compared: count, alike: count })).describe('Oldest first'),
});
type ShownParity = z.infer<typeof shownParitySchema>;

/** Judged on every read: an acceptance for all accounts applies at once, and to every one of them. */
export function parityShown({ summary, acceptances, trend }: KnownParity): ShownParity {
  const groups = summary.groups.map((group) => judged(group, acceptances));
  const open = Object.values(openIn(groups)).reduce((sum, one) => sum + one, 0);
  const { at, reads, compared, alike } = summary;
  return {
    ...{ at: iso(at), verdict: verdictOf(summary, groups), words: parityWords(summary, groups) },
    ...{ reads, compared, alike, open },
    trend: trend.map((one) => ({ at: iso(one.at), compared: one.compared, alike: one.alike })),
  };
}

/** The columns of the list of differences; it contains no value. */
export const differenceColumns: Columns<JudgedGroup> = {
  ...fields<JudgedGroup>('key', 'api', 'method', 'path'),
  cause: ({ cause }) => causeWords(cause),
  undecided: ({ isUndecided }) => (isUndecided ? 'yes' : 'no'),
  times: ({ count }) => count,
  ...fields<JudgedGroup>('example'),
  state: ({ accepted, isVoid }) =>
    accepted !== undefined ? 'accepted' : isVoid ? 'was accepted, and has changed since' : 'open',
  accepted_by: ({ accepted }) => accepted?.name,
  accepted_reason: ({ accepted }) => accepted?.reason,
  accepted_at: ({ accepted }) => accepted && iso(accepted.at),
  last_seen: ({ lastSeen }) => (lastSeen === undefined ? undefined : iso(lastSeen)),
};
