import { z } from 'zod';
import { products } from '../../domain/account.ts';
import { boardAccountSchema } from '../../domain/board.ts';
import { messageKinds } from '../../domain/outbox.ts';
import { Secret } from '../../domain/secret.ts';
import { viewOf } from '../../migration/board-view.ts';
import type { ExportedAccount } from '../../migration/export.ts';
import { accountColumnNames } from '../../migration/import-columns.ts';
import type { LineVerdict } from '../../migration/import.ts';
import { plainJson } from '../../migration/plain-text.ts';
import { endpoint, Flow, type Endpoint } from './endpoint.ts';
import { filterOf, filterQuery, pageQuery } from './queries.ts';
import {
  accountOf,
  accountPageOf,
  accountPageSchema,
  accountSchema,
  callOf,
  callSchema,
  count,
  iso,
  kindSchema,
  moment,
  orNull,
} from './shapes.ts';
import { upkeepEndpoints } from './upkeep-endpoints.ts';

const AREA = 'Accounts';
const id = (path: Readonly<Record<string, string>>): string => path.account ?? '';

const key = z.string().describe('1 to 128 printable characters');
const details = {
  contactName: z.string().optional(),
  email: z.string().optional(),
  language: z.string().optional().describe('en, pt-br, …'),
  organisationName: z.string().optional().describe('Expected of the consent'),
  organisationId: z.string().optional().describe('Expected of the consent'),
  notes: z.string().optional(),
} as const;

const addSchema = z.strictObject({
  name: z.string(),
  product: z.enum(products).optional(),
  accountKey: key.optional().describe('Without it a pair of keys is made, for a customer that never had any'),
  apiKey: key.optional().describe('Calls must carry exactly this one'),
  ...details,
});

const secretOf = (text: string | undefined): Secret | undefined =>
  text === undefined ? undefined : new Secret(text);

const list = endpoint({
  id: 'listAccounts',
  verb: 'GET',
  path: '/accounts',
  area: AREA,
  summary: 'Lines of the board, page by page',
  scope: 'read',
  query: z.strictObject({ ...filterQuery, ...pageQuery }),
  reply: {
    name: 'AccountList',
    schema: z.strictObject({
      accounts: z.array(boardAccountSchema),
      page: z.strictObject({ offset: count, limit: count, total: count }),
    }),
  },
  async handle({ desk, query: { limit, offset, ...filter } }) {
    const { accounts } = viewOf(await desk.board(), filterOf(filter));
    return {
      accounts: accounts.slice(offset, offset + limit),
      page: { offset, limit, total: accounts.length },
    };
  },
});

const add = endpoint({
  id: 'addAccount',
  verb: 'POST',
  path: '/accounts',
  area: AREA,
  summary: 'Adds an account',
  scope: 'operate',
  status: 201,
  body: { name: 'NewAccount', schema: addSchema },
  reply: {
    name: 'AddedAccount',
    schema: z.strictObject({
      account: accountSchema,
      keys: z
        .strictObject({ apiKey: z.string(), accountKey: z.string() })
        .nullable()
        .describe('The pair that was made, shown once; null: keys were given'),
    }),
  },
  async handle({ desk, who, body: { name, product, accountKey, apiKey, ...given } }) {
    if (accountKey !== undefined) {
      const keys = { accountKey: new Secret(accountKey), apiKey: secretOf(apiKey) };
      const account = await desk.accounts.add({ name, product, ...keys, details: given }, who);
      return { account: accountOf(account), keys: null };
    }
    const { account, keys } = await desk.accounts.issue({ name, product, details: given }, who);
    return {
      account: accountOf(account),
      keys: { apiKey: keys.apiKey.reveal(), accountKey: keys.accountKey.reveal() },
    };
  },
});

const lineSchema = z.partialRecord(z.enum(accountColumnNames as [string, ...string[]]), z.string());
const verdictSchema = z.strictObject({
  line: count.describe('From 1, as they were sent'),
  verdict: z.enum(['new', 'same', 'changed', 'faulty']),
  name: z.string().nullable(),
  fields: z.array(z.string()).describe('What changed'),
  faults: z.array(z.string()),
});

const verdictOf = (verdict: LineVerdict): z.infer<typeof verdictSchema> => ({
  line: verdict.line,
  verdict: verdict.verdict,
  name: verdict.verdict === 'faulty' ? null : verdict.name,
  fields: verdict.verdict === 'changed' ? [...verdict.fields] : [],
  faults: verdict.verdict === 'faulty' ? [...verdict.faults] : [],
});

const MOST_LINES = 10_000;

const importAll = endpoint({
  id: 'importAccounts',
  verb: 'POST',
  path: '/accounts/import',
  area: AREA,
  summary: 'Takes a list of accounts: new ones are added, known ones changed',
  notes:
    'Line by line: one that is faulty spoils no other. An account is known by its account key, or by its id.',
  scope: 'operate',
  longest: 8 * 1024 * 1024,
  body: {
    name: 'AccountImport',
    schema: z.strictObject({
      accounts: z.array(lineSchema).max(MOST_LINES),
      dryRun: z.boolean().default(false).describe('Only say what would happen'),
    }),
  },
  reply: { name: 'AccountImportResult', schema: z.strictObject({ lines: z.array(verdictSchema) }) },
  async handle({ desk, who, body: { accounts, dryRun } }) {
    const lines = accounts.map((cells, index) => ({ line: index + 1, cells: withoutEmpty(cells) }));
    return { lines: (await desk.accounts.import(lines, dryRun, who)).map(verdictOf) };
  },
});

/** An empty cell leaves what is there, as in a file. */
const withoutEmpty = (cells: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(cells).filter((cell): cell is [string, string] => cell[1] !== undefined && cell[1] !== ''),
  );

const exported = z.strictObject({
  id: z.string(),
  name: z.string(),
  product: z.string(),
  stage: z.string(),
  organisationName: z.string().nullable(),
  organisationId: z.string().nullable(),
  contactName: z.string().nullable(),
  email: z.string().nullable(),
  language: z.string().nullable(),
  notes: z.string().nullable(),
});

const exportAll = endpoint({
  id: 'exportAccounts',
  verb: 'GET',
  path: '/accounts/export',
  area: AREA,
  summary: 'Every account with its details, without keys',
  scope: 'read',
  reply: { name: 'AccountExport', schema: z.strictObject({ accounts: z.array(exported) }) },
  handle: async ({ desk }) => new Flow(exportPieces(desk.accounts.export())),
});

async function* exportPieces(accounts: AsyncIterable<ExportedAccount>): AsyncGenerator<string> {
  let before = '{"accounts":[\n';
  for await (const account of accounts) {
    yield `${before}${plainJson(exportedOf(account), 0)}`;
    before = ',\n';
  }
  yield before === ',\n' ? '\n]}\n' : `${before}]}\n`;
}

const exportedOf = (account: ExportedAccount): z.infer<typeof exported> => ({
  id: account.id,
  name: account.name,
  product: account.product,
  stage: account.stage,
  organisationName: orNull(account.organisationName),
  organisationId: orNull(account.organisationId),
  contactName: orNull(account.contactName),
  email: orNull(account.email),
  language: orNull(account.language),
  notes: orNull(account.notes),
});

const show = endpoint({
  id: 'showAccount',
  verb: 'GET',
  path: '/accounts/{account}',
  area: AREA,
  summary: 'Everything about one account, by id or exact name; never a key, a token or a link',
  scope: 'read',
  reply: { name: 'AccountPage', schema: accountPageSchema },
  handle: async ({ desk, path }) => accountPageOf(await desk.accounts.page(id(path))),
});

const change = endpoint({
  id: 'changeAccount',
  verb: 'PATCH',
  path: '/accounts/{account}',
  area: AREA,
  summary: 'Changes what is given; an empty text takes a detail out',
  scope: 'operate',
  body: {
    name: 'AccountChange',
    schema: z.strictObject({
      name: z.string().optional(),
      product: z.enum(products).optional(),
      apiKey: key.optional(),
      ...details,
    }),
  },
  reply: {
    name: 'ChangedAccount',
    schema: z.strictObject({ account: accountSchema, changed: z.array(z.string()) }),
  },
  async handle({ desk, path, who, body: { apiKey, ...given } }) {
    const { id: found } = await desk.accounts.find(id(path));
    const changed = await desk.accounts.set(found, { ...given, apiKey: secretOf(apiKey) }, who);
    return { account: accountOf(await desk.accounts.find(found)), changed: [...changed] };
  },
});

const link = endpoint({
  id: 'makeLink',
  verb: 'POST',
  path: '/accounts/{account}/link',
  area: AREA,
  summary: 'Makes a link for the customer, to pass on by other means; shown once',
  scope: 'operate',
  status: 201,
  reply: { name: 'Link', schema: z.strictObject({ link: z.string(), expiresAt: moment }) },
  async handle({ desk, path, who }) {
    const account = await desk.accounts.find(id(path));
    const made = await desk.accounts.link(account.id, who);
    return { link: made.link, expiresAt: iso(made.expiresAt) };
  },
});

const calls = endpoint({
  id: 'listCalls',
  verb: 'GET',
  path: '/accounts/{account}/calls',
  area: AREA,
  summary: 'The last 50 calls, the newest first, and counts of the last day by hour and source',
  scope: 'read',
  reply: {
    name: 'CallList',
    schema: z.strictObject({
      calls: z.array(callSchema),
      hours: z.array(z.strictObject({ hour: moment, source: z.string(), calls: count, errors: count })),
    }),
  },
  async handle({ desk, path }) {
    const account = await desk.accounts.find(id(path));
    const { recent, hours } = await desk.accounts.calls(account.id);
    return {
      calls: recent.map(callOf),
      hours: hours.map(({ hour, ...counts }) => ({ ...counts, hour: iso(hour) })),
    };
  },
});

const crosswalk = endpoint({
  id: 'showCrosswalk',
  verb: 'GET',
  path: '/accounts/{account}/crosswalk',
  area: AREA,
  summary: 'How many numbers of V1 are known, by kind of record',
  scope: 'read',
  reply: { name: 'CrosswalkReport', schema: z.strictObject({ kinds: z.array(kindSchema) }) },
  async handle({ desk, path }) {
    const account = await desk.accounts.find(id(path));
    return { kinds: [...(await desk.accounts.crosswalk(account.id))] };
  },
});

const pairSchema = z.strictObject({
  kind: z.string(),
  number: z.int().min(1).max(2_147_483_647),
  uuid: z.uuid(),
});

const MOST_PAIRS = 50_000;

const learn = endpoint({
  id: 'importCrosswalk',
  verb: 'POST',
  path: '/accounts/{account}/crosswalk',
  area: AREA,
  summary: 'Takes pairs of numbers and UUIDs; nothing that is known is overwritten',
  scope: 'operate',
  longest: 8 * 1024 * 1024,
  body: {
    name: 'CrosswalkImport',
    schema: z.strictObject({ pairs: z.array(pairSchema).max(MOST_PAIRS) }),
  },
  reply: {
    name: 'CrosswalkImportResult',
    schema: z.strictObject({
      added: count,
      known: count,
      conflicts: z
        .array(z.strictObject({ kind: z.string(), number: z.int(), uuid: z.string() }))
        .describe('Number or UUID is paired otherwise already'),
    }),
  },
  async handle({ desk, path, who, body }) {
    const account = await desk.accounts.find(id(path));
    const pairs = body.pairs.map((pair) => ({ ...pair, uuid: pair.uuid.toLowerCase() }));
    const { added, known, conflicts } = await desk.accounts.learn(account.id, pairs, who);
    return { added, known, conflicts: [...conflicts] };
  },
});

const letter = endpoint({
  id: 'previewLetter',
  verb: 'GET',
  path: '/accounts/{account}/letters/{kind}',
  area: 'Campaign',
  summary: 'A letter as it would be written to the account now; its links lead nowhere',
  scope: 'read',
  query: z.strictObject({
    language: z.string().max(40).optional().describe("Instead of the account's own"),
  }),
  reply: {
    name: 'LetterPreview',
    schema: z.strictObject({
      kind: z.enum(messageKinds),
      language: z.string(),
      to: z.string().nullable(),
      subject: z.string(),
      text: z.string(),
      html: z.string(),
    }),
  },
  async handle({ desk, path, query }) {
    const account = await desk.accounts.find(id(path));
    const preview = await desk.letters.preview(path.kind ?? '', account.id, query.language);
    return { ...preview, to: orNull(preview.to) };
  },
});

/** Those with fixed words before those with a variable at the same place. */
export const accountEndpoints: readonly Endpoint[] = [
  list,
  add,
  importAll,
  exportAll,
  show,
  change,
  link,
  calls,
  crosswalk,
  learn,
  ...upkeepEndpoints,
  letter,
];
