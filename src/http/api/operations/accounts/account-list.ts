import { z } from 'zod';
import { products } from '../../../../upstream/organisation.ts';
import { reportedAccountSchema } from '../../../../features/status/model.ts';
import { tagsIn } from '../../../../features/accounts/details.ts';
import { statusReportCsv } from '../../../../features/status/report/csv.ts';
import { Secret } from '../../../../lib/secret/secret.ts';
import type { ExportedAccount } from '../../../../features/accounts/import/export.ts';
import { plainJson } from '../../../../lib/text/plain-text.ts';
import { endpoint, type Endpoint, Flow, fileOf } from '../../endpoint.ts';
import { filterOf, filterQuery, pageQuery } from '../../queries.ts';
import { accountOf, accountSchema, count, orNull } from '../../shapes.ts';
import { application, details, key, sameName, secretOf, warnings, withTags } from './given.ts';
import { keyWarnings } from '../../../../features/accounts/account-keys.ts';

const addSchema = z.strictObject({
  name: z.string(),
  product: z.enum(products).optional(),
  application: application.optional().describe('Default: the one that has the product'),
  accountKey: key.optional().describe('If absent, a key pair is generated, for a customer who never had one'),
  apiKey: key.optional().describe('Calls must carry exactly this key'),
  sameName,
  ...details,
});

const list = endpoint({
  id: 'listAccounts',
  verb: 'GET',
  path: '/accounts',
  area: 'Accounts',
  summary: 'Lists the accounts of the status report, page by page',
  scope: 'read',
  query: z.strictObject({ ...filterQuery, ...pageQuery }),
  reply: {
    name: 'AccountList',
    schema: z.strictObject({
      accounts: z.array(reportedAccountSchema),
      page: z.strictObject({ offset: count, limit: count, total: count }),
    }),
  },
  async handle({ admin, query: { limit, offset, ...filter } }) {
    const { accounts } = await admin.view(filterOf(filter));
    return {
      accounts: accounts.slice(offset, offset + limit),
      page: { offset, limit, total: accounts.length },
    };
  },
});

const csv = endpoint({
  id: 'listAccountsCsv',
  verb: 'GET',
  path: '/accounts.csv',
  area: 'Accounts',
  summary: 'All these accounts as CSV',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject(filterQuery),
  reply: { name: 'AccountCsv', schema: z.string() },
  async handle({ admin, query }) {
    const text = statusReportCsv(await admin.view(filterOf(query)), await admin.contacts());
    return fileOf(text, 'accounts.csv');
  },
});

const add = endpoint({
  id: 'addAccount',
  verb: 'POST',
  path: '/accounts',
  area: 'Accounts',
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
        .describe('The generated pair, shown once; null: keys were given'),
      warnings,
    }),
  },
  async handle({
    admin,
    who,
    body: { name, product, application: wanted, accountKey, apiKey, sameName: isConfirmed, ...rest },
  }) {
    const given = withTags(rest);
    const named = { name, product, application: wanted, sameName: isConfirmed };
    if (accountKey !== undefined) {
      const keys = { accountKey: new Secret(accountKey), apiKey: secretOf(apiKey) };
      const account = await admin.accounts.add({ ...named, ...keys, details: given }, who);
      return {
        account: accountOf(account),
        keys: null,
        warnings: [...keyWarnings(keys), ...admin.accounts.warnings(given)],
      };
    }
    const { account, keys } = await admin.accounts.issue({ ...named, details: given }, who);
    return {
      account: accountOf(account),
      keys: { apiKey: keys.apiKey.reveal(), accountKey: keys.accountKey.reveal() },
      warnings: [...admin.accounts.warnings(given)],
    };
  },
});

const exported = z.strictObject({
  id: z.string(),
  name: z.string(),
  product: z.string(),
  application: z.string(),
  stage: z.string(),
  origin: z.string(),
  organisationName: z.string().nullable(),
  organisationId: z.string().nullable(),
  contactName: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  language: z.string().nullable(),
  zone: z.string().nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
});

const exportAll = endpoint({
  id: 'exportAccounts',
  verb: 'GET',
  path: '/accounts/export',
  area: 'Accounts',
  summary: 'Every account with its details, without keys',
  scope: 'read',
  reply: { name: 'AccountExport', schema: z.strictObject({ accounts: z.array(exported) }) },
  handle: async ({ admin }) => new Flow(exportPieces(admin.accounts.export())),
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
  application: account.application,
  stage: account.stage,
  origin: account.origin,
  organisationName: orNull(account.organisationName),
  organisationId: orNull(account.organisationId),
  contactName: orNull(account.contactName),
  email: orNull(account.email),
  phone: orNull(account.phone),
  language: orNull(account.language),
  zone: orNull(account.zone),
  tags: [...tagsIn(account.tags)],
  notes: orNull(account.notes),
});

export const accountListOperations: readonly Endpoint[] = [list, csv, add, exportAll];
