/**
 * Waves of invitations, and the plan backwards from V1's end. Every change returns all waves, because one that
 * continues may release another.
 */
import { z } from 'zod';
import { csvFile } from '../../csv-list.ts';
import { shownWaveSchema, waveColumns } from '../../../../features/campaign/waves/shown.ts';
import { waveDeedNames } from '../../../../features/admin/campaign/waves.ts';
import { AdminRefusal } from '../../../../features/admin/refusal.ts';
import type { AdminService } from '../../../../features/admin/admin.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { count, orNull, perhaps } from '../../shapes.ts';

const listSchema = z.strictObject({ waves: z.array(shownWaveSchema) });
const reply = { name: 'WaveList', schema: listSchema };
const replyOf = async ({ waves }: AdminService): Promise<z.infer<typeof listSchema>> => ({
  waves: [...(await waves.list())],
});

/** For display only: nothing here waits for the brake. */
const list = endpoint({
  id: 'listWaves',
  verb: 'GET',
  path: '/waves',
  area: 'Campaign',
  summary: 'Lists the waves in the order in which they go out, with their state and the reason for it',
  scope: 'read',
  reply,
  handle: ({ admin }) => replyOf(admin),
});

const percent = z.int().min(0).max(100).optional();

const csv = csvFile({
  ...{ id: 'listWavesCsv', path: '/waves.csv', area: 'Campaign', name: 'WaveCsv', file: 'waves.csv' },
  columns: waveColumns,
  rows: ({ admin }) => admin.waves.list(),
});

/** A wave that has been sent is refused as a conflict, and so is an existing name without `replace`. */
const save = endpoint({
  id: 'saveWave',
  verb: 'PUT',
  path: '/waves/{name}',
  area: 'Campaign',
  summary: 'Plans a wave, or with `replace` changes one that has not gone out',
  scope: 'operate',
  body: {
    name: 'Wave',
    schema: z.strictObject({
      query: z
        .string()
        .max(2_000)
        .default('')
        .describe('Filters for the accounts in the wave: `tag=north&ready=yes`'),
      most: z.int().positive().optional().describe('At most this many, those with the fewest calls first'),
      start: z
        .string()
        .max(20)
        .optional()
        .describe("`2026-11-30T09:00` on the clock of each customer's zone"),
      holdHours: z.int().min(0).max(2_000).optional().describe('48 unless said'),
      mostErrorPercent: percent.describe('2 unless said'),
      mostTroubledPercent: percent.describe(
        'Of its accounts: flagged since their move, different, or moved and lost their connection since; 5 unless said',
      ),
      replace: z
        .boolean()
        .default(false)
        .describe('Replaces the planned wave of this name; without it an existing wave is a conflict'),
    }),
  },
  reply,
  async handle({ admin, path, body, who }) {
    await admin.waves.save({ ...body, name: path.name ?? '' }, who);
    return replyOf(admin);
  },
});

/** Accounts invited with the wave stay invited. */
const remove = endpoint({
  id: 'removeWave',
  verb: 'DELETE',
  path: '/waves/{name}',
  area: 'Campaign',
  summary: 'Deletes a wave and withdraws its unsent invitations; its accounts are not changed',
  scope: 'operate',
  reply,
  async handle({ admin, path, who }) {
    await admin.waves.remove(path.name ?? '', who);
    return replyOf(admin);
  },
});

/**
 * A person's decision in place of the brake. The accounts to invite are stored; the bridge invites them one after the
 * other.
 */
const act = endpoint({
  id: 'actOnWave',
  verb: 'POST',
  path: '/waves/{name}/{deed}',
  area: 'Campaign',
  summary: 'Starts a planned wave, stops one that is out, resumes a stopped one, or continues after it',
  notes: `Deeds: ${waveDeedNames.join(', ')}. E-mails of a stopped wave that have not left (\`queued\`) are held back until it is resumed, goes on, or is removed. \`resume\` puts the wave out again, under the same limits; \`go-on\` counts it as good. A wave that is started ahead of its \`start\` goes out now, without waiting for those before it, and its e-mails leave at that time on each customer's clock.`,
  scope: 'operate',
  reply,
  async handle({ admin, path, who }) {
    const deed = waveDeedNames.find((one) => one === path.deed);
    if (deed === undefined) throw new AdminRefusal('unknown', 'there is no such deed');
    await admin.waves.act(path.name ?? '', deed, who);
    return replyOf(admin);
  },
});

/** The figures of the sentence in the console. */
const pace = endpoint({
  id: 'showPace',
  verb: 'GET',
  path: '/campaign/pace',
  area: 'Campaign',
  summary:
    'Shows how many invitations a day are needed before V1 ends, based on measured answers, and how many accounts will otherwise miss the end',
  scope: 'read',
  reply: {
    name: 'Pace',
    schema: z.strictObject({
      uninvited: count,
      answerRate: perhaps(z.number().min(0).max(1)),
      answerDays: count.describe('Days within which nine out of ten answers came'),
      isAssumed: z.boolean().describe('Whether they are assumed, because too few have answered'),
      perDay: z.number().describe('Accounts invited on an average day of the last week'),
      lastDay: perhaps(z.iso.date()),
      neededPerDay: perhaps(count),
      missing: count,
      words: z.string(),
    }),
  },
  async handle({ admin }) {
    const plan = await admin.waves.pace();
    return {
      ...plan,
      answerRate: orNull(plan.answerRate),
      lastDay: orNull(plan.lastDay),
      neededPerDay: orNull(plan.neededPerDay),
    };
  },
});

export const waveOperations: readonly Endpoint[] = [list, csv, save, remove, act, pace];
