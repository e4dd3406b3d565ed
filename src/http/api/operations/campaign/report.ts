/** The weekly status report by e-mail: its recipients, the outcome of the last one, and sending one now. */
import { z } from 'zod';
import { saidOf, type ReportSent } from '../../../../features/status/weekly/weekly-report.ts';
import { weeklyTimeWords } from '../../../../features/status/weekly/weekly-time.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const sentSchema = z.array(
  z.strictObject({
    address: z.string(),
    verdict: z
      .enum(['sent', 'postponed', 'refused', 'unknown'])
      .describe('`unknown`: the mail server did not answer, and the message may have been sent'),
    said: z.string().describe('What the mail server said, or why nothing is known'),
  }),
);

const sentOf = (sent: readonly ReportSent[]): z.infer<typeof sentSchema> =>
  sent.map(({ address, verdict }) => ({ address, verdict: verdict.verdict, said: saidOf(verdict) }));

const show = endpoint({
  id: 'showReport',
  verb: 'GET',
  path: '/report',
  area: 'Campaign',
  summary: 'Shows who receives the weekly status report by e-mail, and the outcome of the last one',
  scope: 'read',
  reply: {
    name: 'ReportPlan',
    schema: z.strictObject({
      mails: z.boolean().describe('Whether a mail server is configured'),
      to: z.array(z.string()).describe('`CAUSEWAY_REPORT_TO`'),
      at: z.string().describe('Such as `Monday 08:00`, on the clock of `zone`'),
      zone: z.string(),
      last: perhaps(
        z.strictObject({
          at: moment,
          by: z.string().describe('Who sent it; `bridge`: it was sent on the weekly schedule'),
          sent: sentSchema,
        }),
      ).describe('null: none has been sent'),
    }),
  },
  async handle({ admin }) {
    const { mails, to, at, zone, last } = await admin.report.show();
    const left = last && { at: iso(last.at), by: last.by, sent: sentOf(last.sent) };
    return { mails, to: [...to], at: weeklyTimeWords(at), zone, last: left ?? null };
  },
});

const send = endpoint({
  id: 'sendReport',
  verb: 'POST',
  path: '/report/send',
  area: 'Campaign',
  summary: 'Sends the status report by e-mail now; the weekly report is still sent as usual',
  scope: 'operate',
  body: {
    name: 'ReportRecipients',
    schema: z.strictObject({
      to: z
        .array(z.string().max(254))
        .min(1)
        .max(20)
        .optional()
        .describe('Plain addresses; by default those in `CAUSEWAY_REPORT_TO`'),
    }),
  },
  reply: { name: 'ReportSent', schema: z.strictObject({ sent: sentSchema }) },
  handle: async ({ admin, body, who }) => ({ sent: sentOf(await admin.report.send(body.to, who)) }),
});

export const reportOperations: readonly Endpoint[] = [show, send];
