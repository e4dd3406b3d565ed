/**
 * Describes the operations of V2 for the OpenAPI document, which `lib/openapi.ts` writes: parameters, bodies,
 * envelopes and refusals.
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
} from '../../../lib/openapi.ts';
import { derivedUuid } from '../record/derived-uuid.ts';
import type { Operation, QueryName, Shape } from '../operation/operation.ts';
import { statusOf } from './surface.ts';

/** The list of operations as OpenAPI 3.1. `root`: the address of the sandbox, without a slash at the end. */
export const openApi = (operations: readonly Operation[], root: string): Json =>
  openApiDocument(
    {
      title: 'Business management service, API V2 (sandbox)',
      version: '2.0.0',
      description:
        'The JSON API as the sandbox plays it. Every call takes `Authorization: Bearer <access_token>` and `account-id: <organisation>`. Lists take `page` and `pagesize`. The answers are those of the envelope `spec`; the sandbox may be switched to another.',
      url: `${root}/v2`,
      security: [{ bearer: [], organisation: [] }],
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        organisation: { type: 'apiKey', in: 'header', name: 'account-id' },
      },
      schemas: schemasOf(operations),
      responses: Object.fromEntries(
        Object.entries(refusals).map(([name, { status, description }]) => [
          name,
          refusal(status, description),
        ]),
      ),
    },
    operations.flatMap((operation) =>
      [operation.path, ...(operation.aliases ?? [])].map((path, at) => described(operation, path, at)),
    ),
  );

const refusals = {
  BadRequest: { status: '400', description: 'Malformed JSON, or an incorrect parameter.' },
  Unauthorized: { status: '401', description: 'No token, or one that is expired or revoked.' },
  Forbidden: { status: '403', description: 'The scope, or the organisation, is not granted.' },
  NotFound: { status: '404', description: 'There is no such record.' },
  Conflict: { status: '409', description: 'The call conflicts with a record that is there.' },
  PayloadTooLarge: { status: '413', description: 'The body is larger than the service takes.' },
  UnsupportedMediaType: {
    status: '415',
    description: 'The body is compressed, or a form where JSON is taken.',
  },
  ValidationFailed: { status: '422', description: 'Fields are wrong; `errors` names them.' },
  TooManyRequests: {
    status: '429',
    description: 'The limit is reached; `Retry-After` says when to try again.',
  },
  ServerError: { status: '500', description: 'Something went wrong inside.' },
} as const;

/** Refusals that need a request body. */
const ofBodies: ReadonlySet<string> = new Set([
  'Conflict',
  'PayloadTooLarge',
  'UnsupportedMediaType',
  'ValidationFailed',
]);

const refusal = (status: string, description: string): Json => ({
  description,
  headers: {
    'X-Request-Id': { schema: { type: 'string' } },
    ...(status === '429' && { 'Retry-After': secondsHeader }),
  },
  content: { 'application/json': { schema: schemaRef('Error') } },
});

const fieldError = z.object({ field: z.string(), message: z.string() });

/** The shapes that all answers share. */
const common: readonly Shape[] = [
  { name: 'Meta', schema: z.strictObject({ request_id: z.string() }) },
  {
    name: 'ListMeta',
    schema: z.strictObject({
      request_id: z.string(),
      pagination: z.strictObject({
        page: z.int(),
        per_page: z.int(),
        total_pages: z.int(),
        total_items: z.int(),
      }),
    }),
  },
  {
    name: 'Error',
    schema: z.strictObject({
      error: z.strictObject({ code: z.string(), message: z.string(), details: z.array(fieldError) }),
      message: z.string(),
      errors: z.array(fieldError),
      meta: z.strictObject({ request_id: z.string() }),
    }),
  },
];

function schemasOf(operations: readonly Operation[]): Json {
  const shapes = new Map(
    [...common, ...operations.map(({ response }) => response)].map((one) => [one.name, one]),
  );
  const schemas = [...shapes.values()].map(
    ({ name, schema }) => [name, jsonSchema(schema, 'output')] as const,
  );
  return Object.fromEntries(schemas);
}

function described(operation: Operation, path: string, alias: number): DescribedOperation {
  const { id, method, area, summary, notes, isInTable = true } = operation;
  return {
    id: alias === 0 ? id : `${id}.alias${alias}`,
    verb: method,
    path,
    tag: area,
    summary,
    description: notes,
    isDeprecated: alias > 0,
    extensions: { 'x-in-endpoint-table': isInTable },
    parameters: queryParameters(operation),
    requestBody: bodyOf(operation),
    responses: { [String(statusOf(operation))]: success(operation), ...failures(operation) },
  };
}

const queries: Readonly<Record<QueryName | 'page' | 'pagesize', Json>> = {
  page: { schema: { type: 'integer', minimum: 1, default: 1 } },
  pagesize: { schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 } },
  updatedSince: {
    description: 'Changed on or after this day, or this UTC moment.',
    schema: { type: 'string' },
  },
  lastModified: { description: 'The same as `updatedSince`.', schema: { type: 'string' } },
  sort: { schema: { type: 'string', enum: ['created', 'updated'], default: 'created' } },
  order: { schema: { type: 'string', enum: ['asc', 'desc'], default: 'asc' } },
  status: { schema: { type: 'string' } },
  clientUUID: { schema: { type: 'string', format: 'uuid' } },
  client: { description: 'The same as `clientUUID`.', schema: { type: 'string', format: 'uuid' } },
  name: { description: 'A part of the name, in any case.', schema: { type: 'string' } },
  jobUUID: { schema: { type: 'string', format: 'uuid' } },
  includes: {
    description: 'Groups of related data to be delivered in the same call, separated by commas.',
    schema: { type: 'string' },
  },
};

const queryParameters = ({ answer, query = [] }: Operation): readonly Json[] =>
  [...(answer === 'list' ? (['page', 'pagesize'] as const) : []), ...query].map((name) => ({
    name,
    in: 'query',
    required: false,
    ...queries[name],
  }));

function bodyOf({ body, isUpload = false, example }: Operation): Json | undefined {
  if (!body) return undefined;
  const json = {
    'application/json': {
      schema: jsonSchema(body, 'input'),
      ...(example !== undefined && { example: exampleOf(example) }),
    },
  };
  if (!isUpload) return { required: true, content: json };
  const form = {
    type: 'object',
    required: ['file'],
    properties: {
      file: { type: 'string', contentMediaType: 'application/octet-stream' },
      title: { type: 'string' },
      note: { type: 'string' },
      phaseUUID: { type: 'string', format: 'uuid' },
    },
  };
  return { required: true, content: { 'multipart/form-data': { schema: form }, ...json } };
}

/** Replaces each `{kind}` by some UUID, so that the example matches its schema. */
const exampleOf = (example: unknown): unknown =>
  JSON.parse(
    JSON.stringify(example).replaceAll(/"\{(\w+)\}"/g, (_all, kind: string) =>
      JSON.stringify(derivedUuid('example', kind)),
    ),
  );

function success({ answer, response }: Operation): Json {
  const one = schemaRef(response.name);
  const properties =
    answer === 'list'
      ? { data: { type: 'array', items: one }, meta: schemaRef('ListMeta') }
      : { data: one, meta: schemaRef('Meta') };
  const schema = { type: 'object', properties, required: ['data', 'meta'], additionalProperties: false };
  return {
    description: 'Done.',
    headers: { 'X-Request-Id': { schema: { type: 'string' } } },
    content: { 'application/json': { schema } },
  };
}

function failures({ method, path, body }: Operation): Json {
  const names = (Object.keys(refusals) as (keyof typeof refusals)[]).filter((name) => {
    // The body may name the record to delete.
    if (name === 'NotFound') return path.includes('{') || method === 'DELETE';
    return body !== undefined || !ofBodies.has(name);
  });
  return Object.fromEntries(names.map((name) => [refusals[name].status, responseRef(name)]));
}
