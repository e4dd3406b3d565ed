/** The watch since the move as one line of the status report. */
import { z } from 'zod';
import { findingWords, openFindings, type Watch } from './model.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

/** The watch of one account. */
export const shownWatchSchema = z.strictObject({
  until: moment,
  flaggedAt: moment.nullable().describe('null: not flagged'),
  words: z.string().nullable().describe('Differences that nobody has dismissed; null: none'),
  findings: z.array(
    z
      .strictObject({ words: z.string(), dismissed: z.boolean() })
      .describe('Differences from before the move'),
  ),
  dismissed: z
    .strictObject({ by: z.string(), reason: z.string(), at: moment })
    .nullable()
    .describe('Who dismissed the latest findings'),
});
type ShownWatch = z.infer<typeof shownWatchSchema>;

/** In the form of the report. */
export function watchShown(watch: Watch): ShownWatch {
  const { until, flaggedAt, findings, dismissed } = watch;
  const open = openFindings(watch);
  return {
    until: iso(until),
    flaggedAt: flaggedAt === undefined ? null : iso(flaggedAt),
    words: flaggedAt === undefined || open.length === 0 ? null : findingWords(open),
    findings: findings.map((one) => ({ words: one.words, dismissed: !open.includes(one) })),
    dismissed:
      dismissed === undefined ? null : { by: dismissed.by, reason: dismissed.reason, at: iso(dismissed.at) },
  };
}
