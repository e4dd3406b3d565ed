/**
 * Writes the OpenAPI 3.1 document of the operator's API from the table of operations, at start; nothing is described
 * twice.
 *
 * Schemas are zod's own translation to JSON Schema 2020-12, the dialect of OpenAPI 3.1; of bodies the form that is
 * taken (`input`), of replies the form that is sent (`output`). Every operation has the same refusals, one response per
 * status. The event stream is no operation of the table and is described by hand at the end.
 */
import { z } from 'zod';
import type { Endpoint, Shape } from './endpoint.ts';
import { refusals, type RefusalCode } from './refusal.ts';

type Json = Readonly<Record<string, unknown>>;

const ROOT = '/_causeway/api';

/** The table of operations as OpenAPI 3.1. `url`: how browsers reach the bridge, without a slash at the end. */
export function openApi(endpoints: readonly Endpoint[], url: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Causeway, API of the operator',
      version: '1.0.0',
      description:
        'Everything the console does. A token (`causeway tokens create`) goes into `Authorization: Bearer …`; `read` looks, `operate` also acts, `administer` also makes and revokes tokens. The console itself uses its session cookie, and the header `X-CSRF-Token` for everything but GET. Moments are UTC. Nothing is answered to pages of other origins.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${url}${ROOT}` }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [...new Set(endpoints.map(({ area }) => area))].map((name) => ({ name })),
    paths: { ...pathsOf(endpoints), '/events/stream': { get: stream } },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'causeway-console' },
      },
      schemas: schemasOf(endpoints),
      responses: Object.fromEntries(
        statuses.map((status) => [`Refusal${status}`, refusal(wordsFor(status), status)]),
      ),
    },
  };
}

const statuses = [...new Set(Object.values(refusals).map(({ status }) => status))];

const wordsFor = (status: number): string =>
  Object.entries(refusals)
    .filter(([, one]) => one.status === status)
    .map(([code, { words }]) => `\`${code}\`: ${words}`)
    .join('. ');

const refusal = (description: string, status: number): Json => ({
  description,
  ...((status === 429 || status === 503) && {
    headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
  }),
  content: { 'application/json': { schema: ref('Error') } },
});

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]]),
    message: z.string(),
    details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
  }),
});

function schemasOf(endpoints: readonly Endpoint[]): Json {
  const replies = endpoints.map(({ reply }) => [reply.name, plain(reply.schema, 'output')] as const);
  const bodies = endpoints.flatMap(({ body }) =>
    body === undefined ? [] : [[bodyName(body), plain(body.schema, 'input')] as const],
  );
  return Object.fromEntries([['Error', plain(errorSchema, 'output')], ...replies, ...bodies]);
}

const bodyName = ({ name }: Shape): string => `${name}Body`;

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1; a document of its own says so, a part must not. */
function plain(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  if ($schema !== DIALECT) throw new Error('the schemas are of another dialect than OpenAPI 3.1');
  return rest;
}

function pathsOf(endpoints: readonly Endpoint[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints)
    (paths[endpoint.path] ??= {})[endpoint.verb.toLowerCase()] = described(endpoint);
  return paths;
}

function described(endpoint: Endpoint): Json {
  const { id, area, summary, notes, scope, reply, body, status = 200, type = 'application/json' } = endpoint;
  return {
    operationId: id,
    tags: [area],
    summary,
    description: [...(notes === undefined ? [] : [notes]), `Scope: ${scope}.`].join(' '),
    parameters: [...inPath(endpoint.path), ...inQuery(endpoint.query)],
    ...(body !== undefined && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: ref(bodyName(body)) } },
      },
    }),
    responses: {
      [status]: {
        description: 'Done.',
        content: { [type]: { schema: ref(reply.name) } },
      },
      ...refused(statuses),
    },
  };
}

const refused = (which: readonly number[]): Json =>
  Object.fromEntries(which.map((status) => [status, { $ref: `#/components/responses/Refusal${status}` }]));

const inPath = (path: string): readonly Json[] =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function inQuery(query: z.ZodType | undefined): readonly Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = plain(query, 'input') as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

const stream: Json = {
  operationId: 'streamEvents',
  tags: ['Events'],
  summary: 'The feed as server-sent events, live',
  description:
    'Each line of a timeline is an event `account` whose `id` is its `seq` and whose data is one of `EventList`; comments keep the connection. Whoever comes back names the last line in `Last-Event-ID` (or `since`) and misses nothing. Ends after an hour at the latest. Scope: read.',
  parameters: [
    {
      name: 'since',
      in: 'query',
      required: false,
      description: '`seq` of the last line that was read; the newest unless said',
      schema: { type: 'string', pattern: '^\\d{1,15}$' },
    },
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
  ],
  responses: {
    200: {
      description: 'Goes on until one side ends it.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...refused([401, 422, 429, 503]),
  },
};
