import { statusAddresses } from '../../../../features/connection/embedding.ts';
import { z } from 'zod';
import { keyWarnings } from '../../../../features/accounts/account-keys.ts';
import { products } from '../../../../upstream/organisation.ts';
import { CALLS_SHOWN } from '../../../../features/usage/call-log.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { wholeNumber } from '../../queries.ts';
import { accountOf, accountSchema, count } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';
import { callOf, callSchema } from '../support.ts';
import { accountPageOf, accountPageSchema } from './account-page.ts';
import { application, details, key, sameName, secretOf, warnings, withTags } from './given.ts';

const show = endpoint({
  id: 'showAccount',
  verb: 'GET',
  path: '/accounts/{account}',
  area: 'Accounts',
  summary: 'Shows everything about one account, by id or exact name, except keys, tokens and links',
  scope: 'read',
  reply: { name: 'AccountPage', schema: accountPageSchema },
  handle: async ({ admin, path }) => accountPageOf(await admin.accounts.page(accountIn(path))),
});

const change = endpoint({
  id: 'changeAccount',
  verb: 'PATCH',
  path: '/accounts/{account}',
  area: 'Accounts',
  summary: 'Changes the given details; an empty text removes a detail',
  scope: 'operate',
  body: {
    name: 'AccountChange',
    schema: z.strictObject({
      name: z.string().optional(),
      sameName,
      product: z.enum(products).optional(),
      application: application.optional(),
      apiKey: key.optional(),
      ...details,
    }),
  },
  reply: {
    name: 'ChangedAccount',
    schema: z.strictObject({ account: accountSchema, changed: z.array(z.string()), warnings }),
  },
  async handle({ admin, path, who, body: { apiKey, ...rest } }) {
    const given = withTags(rest);
    const { id: found } = await admin.accounts.find(accountIn(path));
    const keys = { apiKey: secretOf(apiKey) };
    const changed = await admin.accounts.set(found, { ...given, ...keys }, who);
    const account = accountOf(await admin.accounts.find(found));
    const warned = [...keyWarnings(keys), ...admin.accounts.warnings(given)];
    return { account, changed: [...changed], warnings: warned };
  },
});

const link = endpoint({
  id: 'makeLink',
  verb: 'POST',
  path: '/accounts/{account}/link',
  area: 'Accounts',
  summary: 'Creates a link for the customer, to pass on by other means; shown once',
  scope: 'operate',
  status: 201,
  reply: { name: 'Link', schema: z.strictObject({ link: z.string(), expiresAt: moment }) },
  async handle({ admin, path, who }) {
    const account = await admin.accounts.find(accountIn(path));
    const made = await admin.accounts.link(account.id, who);
    return { link: made.link, expiresAt: iso(made.expiresAt) };
  },
});

const statusToken = endpoint({
  id: 'makeStatusToken',
  verb: 'POST',
  path: '/accounts/{account}/status-token',
  area: 'Accounts',
  summary: 'Creates a token that shows the customer’s view of the connection, for ten minutes',
  notes:
    'The page can be embedded in a frame by the origins in `CAUSEWAY_EMBED_ORIGINS`. The JSON is a flattened JWS; its keys are at `/_causeway/status/keys.json`.',
  scope: 'read',
  status: 201,
  reply: {
    name: 'StatusToken',
    schema: z.strictObject({
      token: z.string(),
      page: z.string().describe('Below the public URL'),
      json: z.string().describe('Below the public URL'),
      expiresAt: moment,
    }),
  },
  async handle({ admin, path }) {
    const { token, expiresAt } = await admin.statusToken(accountIn(path));
    return { token, ...statusAddresses(token), expiresAt: iso(expiresAt) };
  },
});

const millisOf = (time: string | undefined): number | undefined =>
  time === undefined ? undefined : Date.parse(time);

const calls = endpoint({
  id: 'listCalls',
  verb: 'GET',
  path: '/accounts/{account}/calls',
  area: 'Accounts',
  summary:
    'Lists calls of the last seven days, newest first: the latest, those in a period, or one by its request id; also counts for the last day by hour and source',
  scope: 'read',
  query: z.strictObject({
    from: moment.optional().describe('Only calls that ended then or later'),
    to: moment.optional().describe('Only calls that ended before'),
    failed: z.enum(['yes', 'no']).default('no').describe('yes: only calls that failed'),
    request: z.string().max(100).optional().describe('The id in `X-Request-Id` of the reply, and in the log'),
    limit: wholeNumber(1, 1_000, CALLS_SHOWN),
  }),
  reply: {
    name: 'CallList',
    schema: z.strictObject({
      calls: z.array(callSchema),
      hours: z.array(z.strictObject({ hour: moment, source: z.string(), calls: count, errors: count })),
    }),
  },
  async handle({ admin, path, query: { from, to, request: requestId, failed, limit } }) {
    const account = await admin.accounts.find(accountIn(path));
    const wanted = { from: millisOf(from), to: millisOf(to), requestId, failed: failed === 'yes', limit };
    const { recent, hours } = await admin.accounts.calls(account.id, wanted);
    return {
      calls: recent.map(callOf),
      hours: hours.map(({ hour, ...counts }) => ({ ...counts, hour: iso(hour) })),
    };
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
  async handle({ admin, path, who }) {
    const { tokens, renewedAt } = await admin.upkeep.renew(await admin.accounts.find(accountIn(path)), who);
    return { generation: tokens.generation, renewedAt: iso(renewedAt) };
  },
});

export const accountOperations: readonly Endpoint[] = [show, change, link, statusToken, calls, renew];
