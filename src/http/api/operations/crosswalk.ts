import { z } from 'zod';
import { LARGEST_GIVEN, type Pair } from '../../../mapping/crosswalk/identifier.ts';
import { accountIn, endpoint, type Endpoint, Flow } from '../endpoint.ts';
import { count, kindSchema } from '../shapes.ts';

const show = endpoint({
  id: 'showCrosswalk',
  verb: 'GET',
  path: '/accounts/{account}/crosswalk',
  area: 'Accounts',
  summary: 'How many numbers of V1 are known, by kind of record',
  scope: 'read',
  reply: { name: 'CrosswalkReport', schema: z.strictObject({ kinds: z.array(kindSchema) }) },
  async handle({ admin, path }) {
    const account = await admin.accounts.find(accountIn(path));
    return { kinds: [...(await admin.accounts.crosswalk(account.id))] };
  },
});

const pairSchema = z.strictObject({
  kind: z.string(),
  number: z.int().min(1).max(2_147_483_647),
  uuid: z.uuid(),
});
const givenSchema = pairSchema.extend({ number: z.int().min(1).max(LARGEST_GIVEN) });

const MOST_PAIRS = 50_000;

const importPairs = endpoint({
  id: 'importCrosswalk',
  verb: 'POST',
  path: '/accounts/{account}/crosswalk',
  area: 'Accounts',
  summary: 'Imports pairs of numbers and UUIDs; known pairs are not overwritten',
  scope: 'operate',
  longest: 8 * 1024 * 1024,
  body: {
    name: 'CrosswalkImport',
    schema: z.strictObject({ pairs: z.array(givenSchema).max(MOST_PAIRS) }),
  },
  reply: {
    name: 'CrosswalkImportResult',
    schema: z.strictObject({
      added: count,
      known: count,
      conflicts: z
        .array(z.strictObject({ kind: z.string(), number: z.int(), uuid: z.string() }))
        .describe('Number or UUID is already paired differently'),
    }),
  },
  async handle({ admin, path, who, body }) {
    const account = await admin.accounts.find(accountIn(path));
    const pairs = body.pairs.map((pair) => ({ ...pair, uuid: pair.uuid.toLowerCase() }));
    const { added, known, conflicts } = await admin.accounts.learn(account.id, pairs, who);
    return { added, known, conflicts: [...conflicts] };
  },
});

const exportPairs = endpoint({
  id: 'exportCrosswalk',
  verb: 'GET',
  path: '/accounts/{account}/crosswalk/export',
  area: 'Accounts',
  summary: 'Every pair of numbers and UUIDs as CSV, in the form that the import accepts',
  notes: 'Streamed; if the connection is cut, the file is not complete.',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject({ kind: z.string().max(60).optional().describe('Only pairs of this kind') }),
  reply: {
    name: 'CrosswalkExport',
    schema: z.string().describe('The header kind,number,uuid and a line for each pair'),
  },
  async handle({ admin, path, query }) {
    const account = await admin.accounts.find(accountIn(path));
    const pairs = await admin.accounts.pairs(account.id, query.kind);
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
      'refused: V1 refuses the keys. absent: there is no V1, or the API key is not known. failed: V1 could not be read. running: reading takes longer and continues; the timeline shows the outcome',
    ),
  added: count,
  known: count,
  conflicts: count,
  complete: z.array(z.string()).describe('Kinds that were read completely'),
  incomplete: z.array(z.strictObject({ kind: z.string(), reason: z.string() })),
});

const learn = endpoint({
  id: 'learnCrosswalk',
  verb: 'POST',
  path: '/accounts/{account}/crosswalk/learn',
  area: 'Accounts',
  summary: 'Reads every pair that V1 can list, using the account’s keys',
  notes: 'Answers after 25 seconds at the latest.',
  scope: 'operate',
  reply: { name: 'CrosswalkLesson', schema: learnSchema },
  async handle({ admin, path, who }) {
    const sync = await admin.upkeep.learn(await admin.accounts.find(accountIn(path)), who);
    if (sync.outcome !== 'learned')
      return { outcome: sync.outcome, added: 0, known: 0, conflicts: 0, complete: [], incomplete: [] };
    return { ...sync, complete: [...sync.complete], incomplete: [...sync.incomplete] };
  },
});

export const crosswalkOperations: readonly Endpoint[] = [show, importPairs, exportPairs, learn];
