/** Rehearsals of the move in the API: the last one, its report to print, and a new one. Examples are masked. */
import { z } from 'zod';
import { causes } from '../../../../features/cutover/parity/difference.ts';
import { rehearsalVerdicts, type Rehearsal } from '../../../../features/cutover/rehearsal/model.ts';
import { rehearsalStates, type KnownRehearsal } from '../../../../features/cutover/rehearsal/rehearsals.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { checkSchema, count, perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';
import { printed } from './printed.ts';

const waySchema = z.strictObject({
  way: z.enum(['v3', 'v2']),
  steps: z.array(
    z.strictObject({ step: z.string(), outcome: z.enum(['done', 'failed']), words: z.string() }),
  ),
  checks: z.array(checkSchema).describe('As they are made before a real cut-over'),
  methods: z.array(
    z.strictObject({
      method: z.string(),
      calls: count,
      alike: count.describe('As V1 answers, but for what the mapping declares'),
      requests: count.describe('To the service'),
      served: count
        .optional()
        .describe('Calls that reached this API; of the others, V3 or no API served them'),
    }),
  ),
  differences: z.array(
    z.strictObject({
      method: z.string(),
      path: z.string(),
      cause: z.enum(causes),
      count,
      example: z.string().describe('Letters and digits masked'),
    }),
  ),
});

const reportSchema = z.strictObject({
  at: moment,
  millis: z.number().nonnegative(),
  verdict: z.enum(rehearsalVerdicts),
  words: z.string(),
  records: z.record(z.string(), count).describe('Records the sandbox was seeded with, by list'),
  reads: count.describe('Reads of V1 that it took'),
  missing: z.array(z.string()).describe('What could not be read, or not be seeded'),
  calls: count.describe('Calls of its programs that were played'),
  faithful: count.describe('Calls that the sandbox answered before the move just as V1 does'),
  unplayed: z.array(z.strictObject({ method: z.string(), calls: count, why: z.string() })),
  ways: z.array(waySchema),
});

const rehearsalSchema = z.strictObject({
  state: z
    .enum(rehearsalStates)
    .describe('State of the last rehearsal started. interrupted: its process has ended'),
  attempt: perhaps(
    z.strictObject({
      at: moment,
      who: z.string(),
      words: z.string().describe('What is being done, or why it failed'),
      done: count,
      of: count,
    }),
  ),
  report: perhaps(reportSchema).describe('Report of the last rehearsal that finished'),
});

const reportOf = ({ at, ways, missing, unplayed, ...report }: Rehearsal): z.infer<typeof reportSchema> => {
  const { millis, verdict, words, records, reads, calls, faithful } = report;
  return {
    ...{ at: iso(at), millis, verdict, words, records, reads, calls, faithful },
    missing: [...missing],
    unplayed: unplayed.map((one) => ({ ...one })),
    ways: ways.map(({ way, steps, checks, methods, differences }) => ({
      way,
      steps: steps.map((one) => ({ ...one })),
      checks: checks.map((one) => ({ ...one })),
      methods: methods.map((one) => ({ ...one })),
      differences: differences.map((one) => {
        const { method, path, cause, count: times, example } = one;
        return { method, path, cause, count: times, example };
      }),
    })),
  };
};

function rehearsalOf({ state, attempt, report }: KnownRehearsal): z.infer<typeof rehearsalSchema> {
  return {
    state,
    attempt: attempt === undefined ? null : attemptOf(attempt),
    report: report === undefined ? null : reportOf(report),
  };
}

const attemptOf = ({ begunAt, who, words, done, of }: NonNullable<KnownRehearsal['attempt']>) => ({
  ...{ at: iso(begunAt), who, words, done, of },
});

const reply = { name: 'AccountRehearsal', schema: rehearsalSchema };

const show = endpoint({
  id: 'showRehearsal',
  verb: 'GET',
  path: '/accounts/{account}/rehearsal',
  area: 'Accounts',
  summary:
    'Shows the last rehearsal of the account’s move on a sandbox: its progress or its findings, masked',
  scope: 'read',
  reply,
  async handle({ admin, path }) {
    return rehearsalOf(await admin.rehearsal.show(await admin.accounts.find(accountIn(path))));
  },
});

const print = printed(
  {
    id: 'printRehearsal',
    path: '/accounts/{account}/rehearsal/report',
    summary: 'The last rehearsal report as a printable page, without any values',
    ...{ name: 'RehearsalPage', file: 'rehearsal.html' },
  },
  (admin, account) => admin.rehearsal.html(account),
);

const start = endpoint({
  id: 'startRehearsal',
  verb: 'POST',
  path: '/accounts/{account}/rehearsal',
  area: 'Accounts',
  summary:
    'Rehearses the account’s move on a sandbox, one account at a time; the rehearsal continues after the reply',
  scope: 'operate',
  reply,
  async handle({ admin, path, who }) {
    const account = await admin.accounts.find(accountIn(path));
    return rehearsalOf(await admin.rehearsal.start(account, who));
  },
});

export const rehearsalOperations: readonly Endpoint[] = [show, print, start];
