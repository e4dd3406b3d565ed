/**
 * Importing refresh tokens and exporting grants: everything except viewing requires the scope `administer`, because
 * whoever holds a refresh token holds the connection.
 */
import { z } from 'zod';
import { standings } from '../../../features/consent/model.ts';
import { judgeTokens, MOST_TOKENS } from '../../../features/consent/grants/import-file.ts';
import {
  importColumns,
  importReasonNames,
  importReasons,
  importStates,
  type GrantImport,
} from '../../../features/consent/grants/model.ts';
import { csvFile } from '../csv-list.ts';
import { endpoint, accountIn, type Endpoint } from '../endpoint.ts';
import { count, orNull, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const importSchema = z.strictObject({
  id: z.string().describe('Id of the grant'),
  account: z.strictObject({ id: z.string(), name: z.string() }),
  state: z
    .enum(importStates)
    .describe('importing continues by itself, waiting needs a decision, granted and refused are final'),
  reason: perhaps(z.enum(importReasonNames)),
  words: perhaps(z.string()).describe('The reason, in words'),
  given: perhaps(z.string()).describe('The organisation that was given with the token'),
  organisations: z
    .array(z.strictObject({ id: z.string(), name: z.string(), standing: z.enum(standings) }))
    .describe('What the token is for'),
  by: z.string(),
  startedAt: moment,
  since: moment,
});

const importOf = (one: GrantImport): z.infer<typeof importSchema> => ({
  id: one.id,
  account: { id: one.accountId, name: one.account },
  state: one.state,
  reason: orNull(one.reason),
  words: one.reason === undefined ? null : importReasons[one.reason],
  given: orNull(one.given),
  organisations: one.organisations.map(({ id, name, standing }) => ({ id, name, standing })),
  by: one.who,
  startedAt: iso(one.startedAt),
  since: iso(one.since),
});

const list = endpoint({
  id: 'listGrantImports',
  verb: 'GET',
  path: '/grants/imports',
  area: 'Grants',
  summary: 'Lists imported refresh tokens with the outcome of each, oldest first; never shows a token',
  scope: 'read',
  reply: { name: 'GrantImportList', schema: z.strictObject({ imports: z.array(importSchema) }) },
  handle: async ({ admin }) => ({ imports: (await admin.grants.imports()).map(importOf) }),
});

const lineSchema = z.strictObject({
  line: count.describe('From 1, as they were sent'),
  account: z.string(),
  outcome: z.enum(['will', 'granted', 'importing', 'waiting', 'refused', 'left', 'faulty', 'failed']),
  words: z.string(),
});

/** In bytes: ten thousand tokens of usual length. */
const LONGEST_IMPORT = 32 * 1024 * 1024;

const take = endpoint({
  id: 'importGrants',
  verb: 'POST',
  path: '/grants/import',
  area: 'Grants',
  summary: 'Imports refresh tokens of your own script; the script’s copies then stop working',
  notes:
    'Each token is stored, presented and proved like a consent. Lines are independent: a faulty line does not affect the others. The reply takes as long as the authorisation server does; tokens it does not answer for are retried later.',
  scope: 'administer',
  longest: LONGEST_IMPORT,
  body: {
    name: 'GrantImport',
    schema: z.strictObject({
      grants: z
        .array(
          z.strictObject({
            account: z.string().describe('Name or id'),
            refreshToken: z.string(),
            organisation: z.string().optional().describe('Id or name of the one that it is for'),
          }),
        )
        .max(MOST_TOKENS),
      replace: z.boolean().default(false).describe('Also for accounts that have a valid grant'),
      dryRun: z.boolean().default(false).describe('Only say what would happen; no token is used'),
    }),
  },
  reply: { name: 'GrantImportResult', schema: z.strictObject({ lines: z.array(lineSchema) }) },
  async handle({ admin, who, body: { grants, replace, dryRun } }) {
    const lines = judgeTokens(
      grants.map(({ account, refreshToken: token, organisation }, index) => ({
        line: index + 1,
        account: account.trim(),
        token: token.trim(),
        organisation,
      })),
    );
    const done = dryRun
      ? await admin.grants.preview(lines, replace)
      : await admin.grants.import(lines, replace, who);
    return { lines: [...done] };
  },
});

const choose = endpoint({
  id: 'chooseGrantImport',
  verb: 'POST',
  path: '/grants/imports/{account}/choose',
  area: 'Grants',
  summary: 'Connects an account to one of the organisations its imported token is for',
  scope: 'administer',
  body: {
    name: 'GrantImportChoice',
    schema: z.strictObject({ organisation: z.string().describe('Its id') }),
  },
  reply: { name: 'ChosenGrantImport', schema: importSchema },
  handle: async ({ admin, path, who, body }) =>
    importOf(await admin.grants.choose(accountIn(path), body.organisation, who)),
});

const discard = endpoint({
  id: 'discardGrantImport',
  verb: 'POST',
  path: '/grants/imports/{account}/discard',
  area: 'Grants',
  summary: 'Discards an imported token and revokes it at the service; this cannot be undone',
  scope: 'administer',
  reply: { name: 'DiscardedGrantImport', schema: importSchema },
  handle: async ({ admin, path, who }) => importOf(await admin.grants.discard(accountIn(path), who)),
});

const exportAll = endpoint({
  id: 'exportGrants',
  verb: 'POST',
  path: '/grants/export',
  area: 'Grants',
  summary:
    'Hands grants over to another program, sealed for its public key; the bridge then no longer uses them',
  notes:
    'Repeating the request produces a document with the same grants again until their tokens expire. `document` is JSON Web Encryption in its compact form (RFC 7516).',
  scope: 'administer',
  body: {
    name: 'GrantExport',
    schema: z.strictObject({
      accounts: z.array(z.string()).min(1).max(MOST_TOKENS).describe('Ids'),
      key: z.string().max(20_000).describe('The public key, PEM or JWK'),
      dryRun: z.boolean().default(false).describe('Only say what would happen'),
    }),
  },
  reply: {
    name: 'GrantExportResult',
    schema: z.strictObject({
      document: perhaps(z.string()).describe('null: nothing was exported'),
      key: perhaps(z.string()).describe('Thumbprint of the key (RFC 7638)'),
      accounts: z.array(
        z.strictObject({
          accountId: z.string(),
          account: z.string(),
          outcome: z.enum(['exported', 'again', 'left']),
          words: z.string(),
        }),
      ),
    }),
  },
  async handle({ admin, who, body: { accounts, key, dryRun } }) {
    if (dryRun)
      return { document: null, key: null, accounts: [...(await admin.grants.previewExport(accounts))] };
    const made = await admin.grants.export(accounts, key, who);
    return { document: orNull(made.document), key: made.key, accounts: [...made.accounts] };
  },
});

export const grantOperations: readonly Endpoint[] = [
  list,
  csvFile({
    ...{ id: 'listGrantImportsCsv', path: '/grants/imports.csv', area: 'Grants' },
    ...{ name: 'GrantImportCsv', file: 'imports.csv', columns: importColumns },
    rows: ({ admin }) => admin.grants.imports(),
  }),
  take,
  choose,
  discard,
  exportAll,
];
