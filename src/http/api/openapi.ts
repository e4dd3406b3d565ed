/**
 * Writes the OpenAPI 3.1 document of the operator's API at start, from the table of operations, so nothing is
 * described twice. All operations share the same refusals, one response per status. The event stream is not
 * in the table; it is described by hand at the end.
 */
import { z } from 'zod';
import {
  type DescribedOperation,
  type Json,
  jsonSchema,
  openApiDocument,
  responseRef,
  schemaRef,
  secondsHeader,
} from '../../lib/openapi.ts';
import type { Endpoint, Shape } from './endpoint.ts';
import { refusals, type RefusalCode } from '../server/refusals.ts';

const ROOT = '/_causeway/api';

/**
 * The table of operations as OpenAPI 3.1. `url`: the bridge's address for browsers, without a trailing slash.
 */
export const openApi = (endpoints: readonly Endpoint[], url: string): Json =>
  openApiDocument(
    {
      title: 'Causeway, API of the operator',
      version: '1.0.0',
      description:
        'Everything the console does. A token (`causeway tokens create`) goes into `Authorization: Bearer …`; `read` can only view, `operate` can also act, `administer` can also create and revoke tokens, move grants and plan brown-outs. The console itself uses its session cookie, and the header `X-CSRF-Token` for everything except GET. Times are in UTC. Pages from other origins get no reply.',
      url: `${url}${ROOT}`,
      security: [{ bearer: [] }, { session: [] }],
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'causeway-console' },
      },
      schemas: schemasOf(endpoints),
      responses: Object.fromEntries(
        statuses.map((status) => [`Refusal${status}`, refusal(wordsFor(status), status)]),
      ),
    },
    [...endpoints.map(described), stream],
  );

const statuses = [...new Set(Object.values(refusals).map(({ status }) => status))];

const wordsFor = (status: number): string =>
  Object.entries(refusals)
    .filter(([, one]) => one.status === status)
    .map(([code, { words }]) => `\`${code}\`: ${words}`)
    .join('. ');

const refusal = (description: string, status: number): Json => ({
  description,
  ...((status === 429 || status === 503) && {
    headers: { 'Retry-After': secondsHeader },
  }),
  content: { 'application/json': { schema: schemaRef('Error') } },
});

const errorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(refusals) as [RefusalCode, ...RefusalCode[]]),
    message: z.string(),
    details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
  }),
});

function schemasOf(endpoints: readonly Endpoint[]): Json {
  const replies = endpoints.map(({ reply }) => [reply.name, jsonSchema(reply.schema, 'output')] as const);
  const bodies = endpoints.flatMap(({ body }) =>
    body === undefined ? [] : [[bodyName(body), jsonSchema(body.schema, 'input')] as const],
  );
  return Object.fromEntries([['Error', jsonSchema(errorSchema, 'output')], ...replies, ...bodies]);
}

const bodyName = ({ name }: Shape): string => `${name}Body`;

function described(endpoint: Endpoint): DescribedOperation {
  const { id, area, verb, path, summary, notes, scope, reply, body } = endpoint;
  const { status = 200, type = 'application/json' } = endpoint;
  return {
    id,
    verb,
    path,
    tag: area,
    summary,
    description: [...(notes === undefined ? [] : [notes]), `Scope: ${scope}.`].join(' '),
    parameters: inQuery(endpoint.query),
    requestBody: body && {
      required: true,
      content: { 'application/json': { schema: schemaRef(bodyName(body)) } },
    },
    responses: {
      [status]: { description: 'Done.', content: { [type]: { schema: schemaRef(reply.name) } } },
      ...refused(statuses),
    },
  };
}

const refused = (which: readonly number[]): Json =>
  Object.fromEntries(which.map((status) => [status, responseRef(`Refusal${status}`)]));

function inQuery(query: z.ZodType | undefined): readonly Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
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

const stream: DescribedOperation = {
  id: 'streamEvents',
  verb: 'GET',
  path: '/events/stream',
  tag: 'Events',
  summary: 'The feed as server-sent events, live',
  description:
    'Each timeline entry is an event `account` whose `id` is its `seq` and whose data is one of `EventList`; comments keep the connection alive. A client that reconnects names the last event in `Last-Event-ID` (or `since`) and misses nothing. Ends after an hour at the latest. Scope: read.',
  parameters: [
    {
      name: 'since',
      in: 'query',
      required: false,
      description: '`seq` of the last event that was read; default: the newest',
      schema: { type: 'string', pattern: '^\\d{1,15}$' },
    },
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } },
  ],
  responses: {
    200: {
      description: 'Continues until either side ends it.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...refused([401, 409, 422, 429, 503]),
  },
};
