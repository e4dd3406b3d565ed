import { z } from 'zod';
import type { Pair } from '../../domain/identifier.ts';
import { endpoint, Flow, type Endpoint } from './endpoint.ts';
import { count, iso, moment } from './shapes.ts';

const id = (path: Readonly<Record<string, string>>): string => path.account ?? '';

const exportPairs = endpoint({
  id: 'exportCrosswalk',
  verb: 'GET',
  path: '/accounts/{account}/crosswalk/export',
  area: 'Accounts',
  summary: 'Every pair of numbers and UUIDs as CSV, as importing takes them',
  notes: 'Written while it is read; a connection that is cut says that it is not whole.',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject({ kind: z.string().max(60).optional().describe('Only pairs of this kind') }),
  reply: {
    name: 'CrosswalkExport',
    schema: z.string().describe('The header kind,number,uuid and a line for each pair'),
  },
  async handle({ desk, path, query }) {
    const account = await desk.accounts.find(id(path));
    const pairs = await desk.accounts.pairs(account.id, query.kind);
    return new Flow(lines(pairs), `crosswalk-${account.id}.csv`);
  },
});

async function* lines(pairs: AsyncIterable<Pair>): AsyncGenerator<string> {
  yield 'kind,number,uuid\r\n';
  for await (const { kind, number, uuid } of pairs) yield `${kind},${number},${uuid}\r\n`;
}

const learnSchema = z.strictObject({
  outcome: z
    .enum(['learned', 'refused', 'absent', 'failed', 'running'])
    .describe(
      'refused: V1 does not take the keys. absent: there is no V1, or the API key is not known. failed: V1 could not be read now. running: it takes longer and goes on; the timeline says what comes of it',
    ),
  added: count,
  known: count,
  conflicts: count,
  complete: z.array(z.string()).describe('Kinds that were read to their end'),
  incomplete: z.array(z.strictObject({ kind: z.string(), reason: z.string() })),
});

const learn = endpoint({
  id: 'learnCrosswalk',
  verb: 'POST',
  path: '/accounts/{account}/crosswalk/learn',
  area: 'Accounts',
  summary: 'Asks V1, with the keys of the account, for every pair it can name',
  notes: 'Answers after 25 seconds at the latest.',
  scope: 'operate',
  reply: { name: 'CrosswalkLesson', schema: learnSchema },
  async handle({ desk, path, who }) {
    const lesson = await desk.upkeep.learn(await desk.accounts.find(id(path)), who);
    if (lesson.outcome !== 'learned')
      return { outcome: lesson.outcome, added: 0, known: 0, conflicts: 0, complete: [], incomplete: [] };
    return { ...lesson, complete: [...lesson.complete], incomplete: [...lesson.incomplete] };
  },
});

const renew = endpoint({
  id: 'renewGrant',
  verb: 'POST',
  path: '/accounts/{account}/grant/renew',
  area: 'Accounts',
  summary: "Renews the account's tokens now",
  scope: 'operate',
  reply: {
    name: 'RenewedGrant',
    schema: z.strictObject({ generation: count, renewedAt: moment }),
  },
  async handle({ desk, path, who }) {
    const { tokens, renewedAt } = await desk.upkeep.renew(await desk.accounts.find(id(path)), who);
    return { generation: tokens.generation, renewedAt: iso(renewedAt) };
  },
});

/** What keeps an account able to move, or moving. */
export const upkeepEndpoints: readonly Endpoint[] = [exportPairs, learn, renew];
