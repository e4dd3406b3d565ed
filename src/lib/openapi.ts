/**
 * Writes an OpenAPI 3.1 document from a table of operations; the sandbox's V2 and the operator's API share it.
 *
 * Schemas are zod's own translation to JSON Schema 2020-12, the dialect of OpenAPI 3.1: for bodies the accepted form
 * (`input`), for replies the sent form (`output`). Differences between the APIs (refusals, envelopes, security) are
 * passed in.
 */
import { z } from 'zod';

/** A part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** The document as a whole, without its operations. */
export interface Described {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Common beginning of all paths. */
  readonly url: string;
  /** Each alone is enough; an entry with several schemes needs all of them. */
  readonly security: readonly Json[];
  readonly securitySchemes: Json;
  readonly schemas: Json;
  readonly responses: Json;
}

/** One operation at one address. */
export interface DescribedOperation {
  readonly id: string;
  readonly verb: string;
  /** `{name}` for variable parts. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string | undefined;
  readonly isDeprecated?: boolean;
  /** `x-…`. */
  readonly extensions?: Json;
  /** Without the parameters of the path, which are found in it. */
  readonly parameters: readonly Json[];
  readonly requestBody?: Json | undefined;
  /** Responses by status. */
  readonly responses: Json;
}

/** The whole document. */
export const openApiDocument = (of: Described, operations: readonly DescribedOperation[]): Json => ({
  openapi: '3.1.0',
  info: {
    title: of.title,
    version: of.version,
    description: of.description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: of.url }],
  security: of.security,
  tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
  paths: pathsOf(operations),
  components: { securitySchemes: of.securitySchemes, schemas: of.schemas, responses: of.responses },
});

function pathsOf(operations: readonly DescribedOperation[]): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    // Another operation may use different parameter names for the same path, which OpenAPI lists only once.
    const isSame = (path: string) => anonymous(path) === anonymous(operation.path);
    const path = Object.keys(paths).find(isSame) ?? operation.path;
    (paths[path] ??= {})[operation.verb.toLowerCase()] = operationAt(path, operation);
  }
  return paths;
}

const anonymous = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

const operationAt = (path: string, of: DescribedOperation): Json => ({
  operationId: of.id,
  tags: [of.tag],
  summary: of.summary,
  ...(of.description !== undefined && { description: of.description }),
  ...(of.isDeprecated && { deprecated: true }),
  ...of.extensions,
  parameters: [...inPath(path), ...of.parameters],
  ...(of.requestBody && { requestBody: of.requestBody }),
  responses: of.responses,
});

const inPath = (path: string): readonly Json[] =>
  Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

/** A reference to a schema of the document. */
export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** A reference to a response of the document. */
export const responseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/** A header of a response that holds a number of seconds. */
export const secondsHeader: Json = { description: 'Seconds.', schema: { type: 'integer' } };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The schema as a part of the document. A JSON Schema document names its dialect, but a part must not. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: made }) => {
      // Not a format of JSON Schema: `contentEncoding` already says it, and validators refuse unknown
      // formats.
      if (made.format === 'base64') delete made.format;
    },
  });
  if ($schema !== DIALECT) throw new Error('the schemas are of another dialect than OpenAPI 3.1');
  return rest;
}
