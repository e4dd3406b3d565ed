/** Brown-outs in the API: the plan in advance, the announcement, the stop, and the effects of each. */
import { z } from 'zod';
import type { AdminService } from '../../../../features/admin/admin.ts';
import { csvFile } from '../../csv-list.ts';
import {
  brownoutColumns,
  brownoutShown,
  shownBrownoutSchema,
} from '../../../../features/campaign/brownouts/shown.ts';
import type { BrownoutPlan } from '../../../../features/admin/campaign/brownouts.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { count } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const listSchema = z.strictObject({ brownouts: z.array(shownBrownoutSchema) });
const reply = { name: 'BrownoutList', schema: listSchema };
const replyOf = async ({ brownouts }: AdminService): Promise<z.infer<typeof listSchema>> => ({
  brownouts: (await brownouts.list()).map(brownoutShown),
});

const body = {
  name: 'Brownout',
  schema: z.strictObject({
    query: z
      .string()
      .max(2_000)
      .describe('Filters for the accounts whose reads are refused: `tag=developers`'),
    start: z.string().max(20).describe("`2026-11-30T09:00` in the installation's zone, in 24 hours or later"),
    minutes: z.int().min(5).max(240),
  }),
};

const planSchema = z.strictObject({
  query: z.string(),
  from: moment,
  to: moment,
  accounts: count.describe('Those that still use V1 and have no other brown-out ahead'),
  calls24h: count.describe('Calls of these that V1 answered in the last 24 hours'),
  untold: count.describe(
    'Of these, accounts that cannot be reached by e-mail: only their programs are notified',
  ),
  leftAlone: count.describe(
    'The other accounts matching the filters: consented, moved, closed, never on V1, or with another brown-out ahead',
  ),
});
const planReply = { name: 'BrownoutPlan', schema: planSchema };
const planOf = (plan: BrownoutPlan): z.infer<typeof planSchema> => ({
  query: plan.query,
  from: iso(plan.from),
  to: iso(plan.to),
  accounts: plan.accounts,
  calls24h: plan.calls24h,
  untold: plan.untold,
  leftAlone: plan.leftAlone,
});

const list = endpoint({
  id: 'listBrownouts',
  verb: 'GET',
  path: '/brownouts',
  area: 'Campaign',
  summary:
    'Lists brown-outs (announced hours in which reads on V1 are refused), newest first, with the effect of each',
  scope: 'read',
  reply,
  handle: ({ admin }) => replyOf(admin),
});

const csv = csvFile({
  ...{ id: 'listBrownoutsCsv', path: '/brownouts.csv', area: 'Campaign' },
  ...{ name: 'BrownoutCsv', file: 'brownouts.csv', columns: brownoutColumns },
  rows: async ({ admin }) => (await admin.brownouts.list()).map(brownoutShown),
});

const preview = endpoint({
  id: 'previewBrownout',
  verb: 'POST',
  path: '/brownouts/preview',
  area: 'Campaign',
  summary: 'Shows what a brown-out would affect; nothing is announced',
  scope: 'read',
  body,
  reply: planReply,
  handle: async ({ admin, body: given }) => planOf(await admin.brownouts.preview(given)),
});

const plan = endpoint({
  id: 'planBrownout',
  verb: 'POST',
  path: '/brownouts',
  area: 'Campaign',
  summary: 'Announces a brown-out: from now on replies and e-mails mention it; writes are never refused',
  scope: 'administer',
  body,
  reply: planReply,
  handle: async ({ admin, body: given, who }) => planOf(await admin.brownouts.plan(given, who)),
});

const stop = endpoint({
  id: 'stopBrownout',
  verb: 'POST',
  path: '/brownouts/{brownout}/stop',
  area: 'Campaign',
  summary: 'Stops an announced or current brown-out at once',
  scope: 'administer',
  reply,
  async handle({ admin, path, who }) {
    await admin.brownouts.stop(path.brownout ?? '', who);
    return replyOf(admin);
  },
});

export const brownoutOperations: readonly Endpoint[] = [list, csv, preview, plan, stop];
