/**
 * The status report: its schema, and the codes in it with their texts.
 * The schema is the published form of the JSON (docs/reference/migration-status.schema.json is generated from it),
 * hence the descriptions. Command line, console and API show nothing else. Codes and fields are stable;
 * `version` would change with them.
 */
import { z } from 'zod';
import {
  inviteNeedNames,
  invitationStates,
  mailStateNames,
  nextActionNames,
  shownStages,
  stuckReasonNames,
} from './codes.ts';
import { products } from '../../upstream/organisation.ts';
import { readinessStates } from '../usage/readiness/readiness.ts';
import { shownWatchSchema } from '../cutover/watch/shown.ts';
import { waveStates } from '../campaign/waves/model.ts';
import { shownWaveSchema } from '../campaign/waves/shown.ts';
import { shownParitySchema } from '../cutover/parity/shown.ts';
import { lossReasons } from '../../tokens/grant.ts';
import { moment } from '../../lib/time/iso.ts';

const day = z.iso.date().describe('UTC');
const count = z.int().nonnegative();

const stageCounts = z.strictObject({
  legacy: count,
  'awaiting-operator': count,
  consented: count,
  migrated: count,
  lost: count,
  exported: count,
  closed: count,
});

const apiVerdict = z.strictObject({
  state: z.enum(readinessStates),
  missed: count.describe('Number of things its programs would miss'),
  words: z.string().nullable().describe('The most frequent of them; null: none'),
  assumed: count.describe('Methods it uses whose row in the mapping is an assumption'),
  verified: count.optional().describe('Methods it uses that causeway verify has proven; left out: none'),
});

/** One account in the report. */
export const reportedAccountSchema = z.strictObject({
  ...{ id: z.string(), name: z.string() },
  product: z.enum(products),
  application: z.string().describe('Name of the OAuth application by which it is connected'),
  language: z.string().describe('Of its e-mails'),
  tags: z.array(z.string()),
  stage: z.enum(shownStages),
  since: moment,
  daysInStage: count,
  lostReason: z.enum(lossReasons).nullable(),
  organisation: z.string().nullable(),
  invitation: z.strictObject({
    state: z.enum(invitationStates),
    issuedAt: moment.nullable(),
    expiresAt: moment.nullable(),
  }),
  mail: z.enum(mailStateNames).describe('What became of the e-mails to it'),
  inviteReady: z
    .strictObject({ ready: z.boolean(), lacks: z.array(z.enum(inviteNeedNames)) })
    .nullable()
    .describe('Whether everything an invitation should wait for is known; null: nobody has to consent'),
  wave: z
    .strictObject({
      name: z.string(),
      state: z.enum(waveStates),
      start: z.string().nullable().describe("Not before this time on the clock of the customer's zone"),
    })
    .nullable()
    .describe('The wave it went out with, or the next planned one that would invite it; null: none'),
  reminders: count.describe('Reminders sent in the present run of the campaign'),
  stuck: z
    .strictObject({
      reason: z.enum(stuckReasonNames),
      words: z.string(),
      detail: z.string().nullable().describe('What exactly was met, in words'),
    })
    .nullable(),
  next: z
    .strictObject({
      action: z.enum(nextActionNames),
      by: z.enum(['operator', 'bridge', 'customer']),
      words: z.string(),
      at: moment.nullable().describe('When; null: as soon as somebody does it'),
    })
    .nullable(),
  lastCallAt: moment.nullable(),
  calls24h: count,
  errors24h: count,
  v1Calls24h: count.describe('Calls of the last 24 hours that V1 still answered'),
  refused24h: count.describe(
    'Calls of the last 24 hours with its account key that were refused because its API key was missing or a different one, or because it is closed, as far as they are kept; anybody may have sent them, and no other figure includes them',
  ),
  sinceMove: z
    .strictObject({ calls: count, errors: count })
    .nullable()
    .describe(
      'Calls of the last 24 hours since its move, of which too many errors are a problem: those that are refused on any route, such as a call for an unknown record, are not among the errors, in the first week only up to twice the share that V1 refused before, if that is known from 20 calls or more; of a lost account, since its last move; null: it has not moved',
    ),
  grant: z
    .strictObject({
      state: z.enum(['held', 'unresolved', 'lost']),
      renewedAt: moment,
      ageDays: count,
      expiresAt: moment.describe('A refresh token ends this long after its last use'),
      daysToExpiry: z.int(),
    })
    .nullable(),
  unlearned: count.describe('Records whose V1 numbers are not known'),
  readiness: z
    .strictObject({ v3: apiVerdict, v2: apiVerdict })
    .nullable()
    .describe('Whether V3 and V2 would serve it as its programs are used to; null: nothing was counted'),
  forecast: z
    .strictObject({
      from: moment,
      to: moment,
      minutes: count.describe('Minutes in which a call would have waited for the rate limit'),
      waited: count.describe('Calls that would have waited'),
      longestSeconds: count,
      refused: count.describe('Calls that would have been answered 429'),
      words: z.string(),
    })
    .nullable()
    .describe('Its calls of the last days, played through the rate limit of V3; null: not worked out'),
  parity: shownParitySchema
    .nullable()
    .describe('V3 compared with V1 for the reads its programs make; null: nothing was compared'),
  watch: shownWatchSchema.nullable().describe('What differs since its move; null: it is not watched'),
});
/** One account in the report. */
export type ReportedAccount = z.infer<typeof reportedAccountSchema>;

const pace = z.strictObject({
  days: z
    .number()
    .positive()
    .describe('Days it was measured over: fewer than requested where the history is shorter'),
  moved: z.int().describe('Accounts that moved, less those that were lost'),
  perDay: z.number(),
  leadsTo: day.nullable().describe('When nothing is left at this pace; null: never'),
});

/** The whole report. */
export const statusReportSchema = z
  .strictObject({
    version: z.literal(1),
    generatedAt: moment,
    zone: z.string().optional().describe('The zone in which people see times; times here are UTC'),
    totals: z.strictObject({
      accounts: count,
      stages: stageCounts,
      invitations: z.strictObject({
        none: count,
        unsent: count,
        issued: count,
        opened: count,
        accepted: count,
        declined: count,
        expired: count,
        withdrawn: count,
      }),
      stuck: count,
      stuckBy: z
        .array(z.strictObject({ reason: z.enum(stuckReasonNames), words: z.string(), accounts: count }))
        .describe('Every reason that was met, the most frequent first'),
      calls24h: count,
      errors24h: count,
      v1Calls24h: count,
      unlearned: count,
      inviteReady: z
        .strictObject({
          of: count,
          ready: count,
          lacks: z.array(
            z.strictObject({ need: z.enum(inviteNeedNames), words: z.string(), accounts: count }),
          ),
        })
        .describe('Accounts that nobody has been invited for, and what is missing before somebody can be'),
    }),
    funnel: z
      .strictObject({ accounts: count, invited: count, opened: count, consented: count, migrated: count })
      .describe(
        'Each step counts every account that got this far or further; an account whose connection was lost begins again, and closed and exported accounts are left out',
      ),
    progress: z.strictObject({
      of: count.describe('Accounts that are neither closed nor exported'),
      done: count,
      left: count,
      share: z.number().min(0).max(1).describe('done of all; 0 where there is none'),
      last7Days: pace,
      last28Days: pace,
      v1End: z
        .strictObject({
          day,
          daysLeft: z.int(),
          inTime: z
            .boolean()
            .nullable()
            .describe('At both paces; false: at neither; null: no pace yet, or the paces disagree (verdict)'),
          verdict: z
            .enum(['in-time', 'at-risk', 'too-late'])
            .nullable()
            .describe('at-risk: in time at one of the two paces; null: no pace yet'),
          neededPerDay: z.number().nullable().describe('null: the day has passed'),
        })
        .nullable(),
    }),
    waves: z.array(shownWaveSchema).describe('In the order in which they go out'),
    history: z.array(z.strictObject({ day, ...stageCounts.shape })),
    accounts: z.array(reportedAccountSchema),
  })
  .describe('The state of the migration: every account, totals, pace and history');
/** The whole report. */
export type StatusReport = z.infer<typeof statusReportSchema>;
