/**
 * The proof before the switch, in the API. Examples are masked everywhere except in the answer of
 * `showDifferenceValues`, which is a POST because the audit log records who has asked.
 */
import { z } from 'zod';
import { csvFile } from '../../csv-list.ts';
import { differenceColumns } from '../../../../features/cutover/parity/shown.ts';
import { byCause } from '../../../../features/admin/cutover/parity.ts';
import { whyUncompared } from '../../../../features/cutover/parity/findings.ts';
import { causes } from '../../../../features/cutover/parity/difference.ts';
import {
  parityModes,
  parityVerdicts,
  type JudgedGroup,
  type ParityReport,
} from '../../../../features/cutover/parity/model.ts';
import { markOf } from '../../../../features/cutover/parity/signature.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { count, perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';
import { printed } from './printed.ts';

const score = { reads: count, compared: count, alike: count };

const differenceSchema = z.strictObject({
  key: z.string().describe('By which it is accepted'),
  mark: z.string().describe('Another one as soon as the difference changes'),
  api: z.string().describe('Empty for reads that were not compared'),
  method: z.string(),
  path: z.string(),
  cause: z.enum(causes),
  undecided: z.boolean().describe('The value may merely have changed since the baseline'),
  count,
  example: z.string().describe('Letters and digits masked; of reads that were not compared, why'),
  accepted: perhaps(
    z.strictObject({
      name: z.string(),
      reason: z.string(),
      at: moment,
      everywhere: z.boolean().describe('For all accounts'),
    }),
  ),
  lastSeen: perhaps(moment).describe(
    'Time of the comparison that found it, if its reads could not be compared since; null: the last comparison found it',
  ),
  void: z.boolean().describe('It was accepted, and has changed since'),
});

const paritySchema = z.strictObject({
  mode: z.enum(parityModes).describe('CAUSEWAY_PARITY'),
  verdict: z.enum(parityVerdicts),
  words: z.string(),
  comparison: perhaps(
    z.strictObject({
      at: moment,
      ...score,
      different: count,
      undecided: count,
      live: count.describe('Reads compared with V1 itself'),
      baseline: count.describe('Reads compared with what V1 answered before'),
      changed: count.describe('Values that changed between two answers'),
      noise: count.describe('Values that change by themselves'),
      unfinished: z.boolean(),
      uncompared: z.array(
        z.strictObject({
          method: z.string(),
          reads: count,
          why: z.string(),
          temporary: z.boolean().describe('They are tried again'),
        }),
      ),
    }),
  ).describe('null: nothing was compared yet'),
  causes: z
    .array(
      z.strictObject({
        cause: z.enum(causes),
        words: z.string(),
        count,
        differences: z.array(differenceSchema),
      }),
    )
    .describe('Differences, and reads that were not compared, by their cause'),
  trend: z.array(z.strictObject({ at: moment, ...score })).describe('Comparisons, oldest first'),
});

const differenceOf = (group: JudgedGroup): z.infer<typeof differenceSchema> => {
  const {
    key,
    api,
    method,
    path,
    cause,
    isUndecided,
    count: times,
    example,
    accepted,
    isVoid,
    lastSeen,
  } = group;
  return {
    mark: markOf(group),
    ...{ key, api, method, path, cause, undecided: isUndecided, count: times, example, void: isVoid },
    lastSeen: lastSeen === undefined ? null : iso(lastSeen),
    accepted:
      accepted === undefined
        ? null
        : {
            name: accepted.name,
            reason: accepted.reason,
            at: iso(accepted.at),
            everywhere: accepted.accountId === undefined,
          },
  };
};

function parityOf(report: ParityReport): z.infer<typeof paritySchema> {
  const { mode, verdict, words, comparison, trend } = report;
  return {
    ...{ mode, verdict, words },
    comparison: comparison === undefined ? null : comparisonOf(comparison),
    causes: byCause(report).map(({ differences, ...one }) => ({
      ...one,
      differences: differences.map(differenceOf),
    })),
    trend: trend.map(({ at, ...rest }) => ({ at: iso(at), ...rest })),
  };
}

function comparisonOf(
  comparison: NonNullable<ParityReport['comparison']>,
): z.infer<typeof paritySchema>['comparison'] {
  const { at, reads, alike, different, undecided, live, baseline, changed, noise } = comparison;
  return {
    ...{ at: iso(at), reads, compared: live + baseline, alike, different, undecided },
    ...{ live, baseline, changed, noise, unfinished: comparison.isUnfinished },
    uncompared: comparison.uncompared.map((one) => ({
      ...{ method: one.method, reads: one.reads, why: whyUncompared(one) },
      temporary: one.isTemporary === true,
    })),
  };
}

const reply = { name: 'AccountParity', schema: paritySchema };

const show = endpoint({
  id: 'showParity',
  verb: 'GET',
  path: '/accounts/{account}/parity',
  area: 'Accounts',
  summary:
    'Shows the last comparison of V3 with V1 before the account’s move, with the differences by cause, masked',
  scope: 'read',
  reply,
  async handle({ admin, path }) {
    return parityOf(await admin.parity.show(await admin.accounts.find(accountIn(path))));
  },
});

const csv = csvFile({
  ...{ id: 'listDifferencesCsv', path: '/accounts/{account}/parity.csv', area: 'Accounts' },
  ...{ name: 'DifferenceCsv', file: 'differences.csv', columns: differenceColumns },
  rows: async ({ admin, path }) =>
    (await admin.parity.show(await admin.accounts.find(accountIn(path)))).groups,
});

const print = printed(
  {
    id: 'printParity',
    path: '/accounts/{account}/parity/report',
    summary: 'The comparison as a printable page to give to the customer, without any values',
    ...{ name: 'ParityPage', file: 'comparison.html' },
  },
  (admin, account) => admin.parity.html(account),
);

const start = endpoint({
  id: 'startComparison',
  verb: 'POST',
  path: '/accounts/{account}/parity/comparison',
  area: 'Accounts',
  summary: 'Starts a comparison unless one is in progress; it continues after the reply',
  scope: 'operate',
  reply,
  async handle({ admin, path, who }) {
    return parityOf(await admin.parity.start(await admin.accounts.find(accountIn(path)), who));
  },
});

const accept = endpoint({
  id: 'acceptDifferences',
  verb: 'POST',
  path: '/accounts/{account}/parity/acceptances',
  area: 'Accounts',
  summary: 'Accepts the current differences; the acceptance ends when they change',
  scope: 'operate',
  body: {
    name: 'DifferenceAcceptance',
    schema: z.strictObject({
      differences: z
        .array(z.string())
        .min(1)
        .optional()
        .describe(
          'Their keys; by default all that have not been accepted, except reads that will be retried',
        ),
      seen: z
        .array(z.string())
        .optional()
        .describe(
          'The marks of the differences that were shown: if another one would be accepted, because it has changed since, nothing is. By default they are accepted as they are',
        ),
      everywhere: z
        .boolean()
        .optional()
        .describe('For all accounts with the same difference, in any number of records'),
      name: z.string().max(100).describe('Who accepts them'),
      reason: z.string().max(500),
    }),
  },
  reply,
  async handle({ admin, path, who, body: { differences: keys, everywhere = false, ...given } }) {
    const account = await admin.accounts.find(accountIn(path));
    await admin.parity.accept(account, { ...given, keys, forAll: everywhere }, who);
    return parityOf(await admin.parity.show(account));
  },
});

const values = endpoint({
  id: 'showDifferenceValues',
  verb: 'POST',
  path: '/accounts/{account}/parity/values',
  area: 'Accounts',
  summary:
    'Shows example values of each difference from the customer’s records; the audit log records who has seen them',
  scope: 'operate',
  reply: {
    name: 'DifferenceValues',
    schema: z.strictObject({
      values: z
        .array(
          z.strictObject({
            key: z.string(),
            record: z.string().describe('The records it is in, by their identifiers'),
            before: z.string().describe('Of V1'),
            after: z.string(),
          }),
        )
        .describe('Values stored as hashes are shown as hashes; empty: none are kept any longer'),
    }),
  },
  async handle({ admin, path, who }) {
    const kept = await admin.parity.values(await admin.accounts.find(accountIn(path)), who);
    return { values: kept.map((one) => ({ ...one })) };
  },
});

export const parityOperations: readonly Endpoint[] = [show, csv, print, start, accept, values];
