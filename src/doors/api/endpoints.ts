import { z } from 'zod';
import { boardSchema } from '../../domain/board.ts';
import { deliveryStates } from '../../domain/delivery.ts';
import { messageKinds } from '../../domain/outbox.ts';
import { EVERY_ACCOUNT, lanes } from '../../domain/routes.ts';
import { tokenScopes } from '../../domain/token.ts';
import { viewOf } from '../../migration/board-view.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { actionEndpoints } from './action-endpoints.ts';
import { endpoint, type Endpoint } from './endpoint.ts';
import { healthEndpoint } from './health-endpoint.ts';
import { filterOf, filterQuery, flag, wholeNumber } from './queries.ts';
import {
  auditOf,
  auditSchema,
  count,
  deliveryOf,
  deliverySchema,
  feedEventOf,
  feedEventSchema,
  orNull,
  routeOf,
  routeSchema,
  tokenOf,
  tokenSchema,
} from './shapes.ts';

const me = endpoint({
  id: 'whoAmI',
  verb: 'GET',
  path: '/me',
  area: 'Tokens',
  summary: 'Whose token this is, and what it may do',
  scope: 'read',
  reply: {
    name: 'Me',
    schema: z.strictObject({ name: z.string(), scope: z.enum(tokenScopes) }),
  },
  handle: async ({ who, scope }) => ({ name: who, scope }),
});

const board = endpoint({
  id: 'showBoard',
  verb: 'GET',
  path: '/board',
  area: 'Board',
  summary: 'Where the migration stands: every account, totals, pace and history',
  notes:
    'What `causeway status --format json` prints, by the same function. Filters choose accounts; totals are always those of all.',
  scope: 'read',
  query: z.strictObject(filterQuery),
  reply: { name: 'Board', schema: boardSchema },
  handle: async ({ desk, query }) => viewOf(await desk.board(), filterOf(query)),
});

const events = endpoint({
  id: 'listEvents',
  verb: 'GET',
  path: '/events',
  area: 'Events',
  summary: 'What has happened to all accounts, in order, after a line that was read before',
  scope: 'read',
  query: z.strictObject({
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0).describe('`seq` of the last line that was read'),
    limit: wholeNumber(1, 1_000, 100),
    transitions: flag.describe('true: only changes of stage'),
  }),
  reply: {
    name: 'EventList',
    schema: z.strictObject({
      events: z.array(feedEventSchema),
      next: count.describe('`since` of the next call'),
    }),
  },
  async handle({ desk, query: { since, limit, transitions } }) {
    const found = await desk.events(since, limit, transitions);
    return { events: found.map(feedEventOf), next: found.at(-1)?.seq ?? since };
  },
});

const texts = endpoint({
  id: 'listTexts',
  verb: 'GET',
  path: '/letters',
  area: 'Campaign',
  summary: 'The texts of the campaign by language and kind, with their placeholders',
  scope: 'read',
  reply: {
    name: 'TextList',
    schema: z.strictObject({
      texts: z.array(
        z.strictObject({
          language: z.string(),
          kind: z.enum(messageKinds),
          subject: z.string(),
          preheader: z.string(),
          heading: z.string(),
          body: z.array(z.string()),
          button: z.string().nullable().describe('null: the letter asks for nothing'),
        }),
      ),
    }),
  },
  handle: async ({ desk }) => ({
    texts: desk.letters.texts().map((text) => ({ ...text, button: orNull(text.button) })),
  }),
});

const tokens = endpoint({
  id: 'listTokens',
  verb: 'GET',
  path: '/tokens',
  area: 'Tokens',
  summary: 'Named tokens, the oldest first, revoked ones included',
  scope: 'read',
  reply: { name: 'TokenList', schema: z.strictObject({ tokens: z.array(tokenSchema) }) },
  handle: async ({ desk }) => ({ tokens: (await desk.tokens.list()).map(tokenOf) }),
});

const createToken = endpoint({
  id: 'createToken',
  verb: 'POST',
  path: '/tokens',
  area: 'Tokens',
  summary: 'Makes a token; it is shown once',
  scope: 'operate',
  status: 201,
  body: {
    name: 'NewToken',
    schema: z.strictObject({ name: z.string(), scope: z.enum(tokenScopes) }),
  },
  reply: {
    name: 'CreatedToken',
    schema: z.strictObject({ token: tokenSchema, secret: z.string().describe('Goes behind Bearer') }),
  },
  async handle({ desk, who, body }) {
    const { token, secret } = await desk.tokens.create(body.name, body.scope, who);
    return { token: tokenOf(token), secret: secret.reveal() };
  },
});

const revokeToken = endpoint({
  id: 'revokeToken',
  verb: 'DELETE',
  path: '/tokens/{token}',
  area: 'Tokens',
  summary: 'Revokes a token by id or name, and ends its sessions',
  scope: 'operate',
  reply: { name: 'RevokedToken', schema: z.strictObject({ token: tokenSchema }) },
  handle: async ({ desk, path, who }) => ({
    token: tokenOf(await desk.revokeToken(path.token ?? '', who)),
  }),
});

const routes = endpoint({
  id: 'listRoutes',
  verb: 'GET',
  path: '/routes',
  area: 'Routes',
  summary: 'Which form of the service each method is served from, and what operators have set',
  scope: 'read',
  reply: {
    name: 'RouteList',
    schema: z.strictObject({
      hasV2: z.boolean().describe('false: V3 serves what is routed to V2'),
      methods: z.array(
        z.strictObject({
          id: z.string(),
          route: z.enum(lanes).describe('The default'),
          v2: z.enum(['A', 'B', 'C', 'none']).describe('How well V2 carries it'),
          why: z.string().nullable(),
          losses: z.array(z.string()),
        }),
      ),
      overrides: z.array(routeSchema),
    }),
  },
  handle: async ({ desk }) => ({
    hasV2: desk.routes.hasV2,
    methods: desk.routes
      .methods()
      .map((method) => ({ ...method, why: orNull(method.why), losses: [...method.losses] })),
    overrides: (await desk.routes.list()).map(routeOf),
  }),
});

const setRoute = endpoint({
  id: 'setRoute',
  verb: 'PUT',
  path: '/routes/{method}',
  area: 'Routes',
  summary: 'Routes a method for one account or for all; every process follows within a second',
  scope: 'operate',
  body: {
    name: 'RouteChange',
    schema: z.strictObject({
      account: z.string().describe(`Id of an account, or ${EVERY_ACCOUNT}`),
      route: z.enum([...lanes, 'default']),
    }),
  },
  reply: {
    name: 'RouteChangeResult',
    schema: z.strictObject({
      losses: z.array(z.string()).describe('What V2 loses, where it is routed there'),
    }),
  },
  async handle({ desk, path, who, body: { account, route } }) {
    const { losses } = await desk.routes.set(
      path.method ?? '',
      account === EVERY_ACCOUNT ? undefined : account,
      route === 'default' ? undefined : route,
      who,
    );
    return { losses: route === 'v2' ? [...losses] : [] };
  },
});

const tryMapping = endpoint({
  id: 'tryMapping',
  verb: 'POST',
  path: '/mappings/{method}/try',
  area: 'Mappings',
  summary: 'What the mapping of a method makes of a sample; nothing is kept and nobody is asked',
  scope: 'read',
  longest: 1024 * 1024,
  body: {
    name: 'MappingSample',
    schema: z.strictObject({
      json: z
        .string()
        .optional()
        .describe('V2\'s answer as JSON text, or several by call: {"GET /v2/clients": …}'),
      xml: z.string().optional().describe('The request of a legacy program'),
      query: z
        .array(z.tuple([z.string(), z.string()]))
        .max(50)
        .optional()
        .describe('Parameters of the legacy call'),
    }),
  },
  reply: {
    name: 'MappingTrial',
    schema: z.strictObject({
      requests: z.array(z.strictObject({ call: z.string(), body: z.string().nullable() })),
      reply: z.string().nullable(),
      failure: z.string().nullable(),
      dropped: z.array(z.string()).describe('Elements of the request that have no place in V2'),
      rounded: z.array(z.string()).describe("Elements of the reply that say less than V2's value"),
    }),
  },
  async handle({ desk, path, body }) {
    const trial = await desk.routes.try(path.method ?? '', body);
    return {
      requests: trial.requests.map(({ call, body: sent }) => ({ call, body: orNull(sent) })),
      reply: orNull(trial.reply),
      failure: orNull(trial.failure),
      dropped: [...trial.dropped],
      rounded: [...trial.rounded],
    };
  },
});

const audit = endpoint({
  id: 'listAudit',
  verb: 'GET',
  path: '/audit',
  area: 'Audit',
  summary: 'Who did what, the newest first',
  scope: 'read',
  query: z.strictObject({
    limit: wholeNumber(1, 1_000, 100),
    before: wholeNumber(0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).describe(
      '`seq` of the last row of the page before',
    ),
  }),
  reply: {
    name: 'AuditList',
    schema: z.strictObject({
      rows: z.array(auditSchema),
      next: count.nullable().describe('`before` of the next page; null: there is none'),
    }),
  },
  async handle({ desk, query: { limit, before } }) {
    const rows = await desk.audit(limit, before);
    return { rows: rows.map(auditOf), next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
  },
});

const deliveries = endpoint({
  id: 'listDeliveries',
  verb: 'GET',
  path: '/deliveries',
  area: 'Events',
  summary: 'Outgoing events and what became of them, the newest first',
  scope: 'read',
  query: z.strictObject({
    limit: wholeNumber(1, 1_000, 100),
    state: z.enum(deliveryStates).optional(),
  }),
  reply: { name: 'DeliveryList', schema: z.strictObject({ deliveries: z.array(deliverySchema) }) },
  handle: async ({ desk, query: { limit, state } }) => ({
    deliveries: (await desk.deliveries(limit, state)).map(deliveryOf),
  }),
});

const redeliver = endpoint({
  id: 'redeliver',
  verb: 'POST',
  path: '/deliveries/{delivery}/redeliver',
  area: 'Events',
  summary: 'Sends an event once more, whatever became of it; its schedule begins again',
  scope: 'operate',
  reply: { name: 'Redelivery', schema: z.strictObject({ delivery: deliverySchema }) },
  handle: async ({ desk, path, who }) => ({
    delivery: deliveryOf(await desk.redeliver(path.delivery ?? '', who)),
  }),
});

/** Every operation of the API: routing, checking and the OpenAPI document are made from this table. */
export const endpoints: readonly Endpoint[] = [
  me,
  board,
  ...accountEndpoints,
  ...actionEndpoints,
  events,
  texts,
  tokens,
  createToken,
  revokeToken,
  routes,
  setRoute,
  tryMapping,
  audit,
  healthEndpoint,
  deliveries,
  redeliver,
];
