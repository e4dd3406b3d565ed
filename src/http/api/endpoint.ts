import type { z } from 'zod';
import type { TokenScope } from '../../features/admin/tokens/token.ts';
import type { AdminService } from '../../features/admin/admin.ts';

/** A schema with its name in the OpenAPI document. */
export interface Shape<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
}

/** Path parameters by name, decoded. */
export type PathValues = Readonly<Record<string, string>>;

/** The account named by an address: its id or exact name. */
export const accountIn = ({ account = '' }: PathValues): string => account;

/**
 * A reply of any length that is written while it is read. If reading fails after the first piece, the reply
 * is cut.
 */
export class Flow {
  readonly pieces: AsyncIterable<string>;
  /** File name, if the reply is to be saved. */
  readonly file: string | undefined;

  constructor(pieces: AsyncIterable<string>, file?: string) {
    this.pieces = pieces;
    this.file = file;
  }
}

/** A complete reply, to be saved as a file. */
export const fileOf = (text: string, file: string): Flow => new Flow(once(text), file);

async function* once(text: string): AsyncGenerator<string> {
  yield await Promise.resolve(text);
}

/** Media types of replies. */
export type MediaType = 'application/json' | 'text/csv' | 'text/html';

/** A checked request to an operation. */
export interface Asked<Query, Body> {
  readonly admin: AdminService;
  readonly path: PathValues;
  readonly query: Query;
  readonly body: Body;
  /** Name of the token, for audit log and timeline. */
  readonly who: string;
  readonly scope: TokenScope;
}

/** Verbs of the API. HEAD is answered like GET, without the body. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Told {
  /** Name of the operation in the document, such as `listAccounts`. */
  readonly id: string;
  readonly verb: Verb;
  /** Below the root of the API, with `{name}` for variable parts. */
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly notes?: string;
  readonly scope: TokenScope;
  /** Default: 200. */
  readonly status?: 200 | 201;
  /** Maximum length in bytes, for bodies longer than usual. */
  readonly longest?: number;
  /** Type of the reply. Default: JSON. */
  readonly type?: MediaType;
}

interface Spec<Query, Body, Reply> extends Told {
  readonly query?: z.ZodType<Query>;
  readonly body?: Shape<Body>;
  readonly reply: Shape<Reply>;
  readonly handle: (asked: Asked<Query, Body>) => Promise<Reply | Flow>;
}

/** One operation without its types: it checks requests against its own schemas. */
export interface Endpoint extends Told {
  readonly query: z.ZodType | undefined;
  readonly body: Shape | undefined;
  readonly reply: Shape;
  /**
   * Returns a `Flow`, or a value that becomes JSON. `query` and `body` arrive unchecked. Throws `Unusable`, never
   * `z.ZodError`, for input that does not fit.
   */
  readonly answer: (asked: Asked<unknown, unknown>) => Promise<unknown>;
}

/** The request does not fit the operation. */
export class Unusable extends Error {
  readonly faults: readonly { readonly field: string; readonly message: string }[];

  constructor(faults: Unusable['faults']) {
    super('what was sent cannot be used');
    this.name = 'Unusable';
    this.faults = faults;
  }
}

/** Defines one row of the table of operations. */
export function endpoint<Query = undefined, Body = undefined, Reply = unknown>(
  spec: Spec<Query, Body, Reply>,
): Endpoint {
  const { query, body, handle, ...told } = spec;
  return {
    ...told,
    query,
    body,
    answer: (asked) =>
      handle({
        ...asked,
        query: checked(query, asked.query, 'query') as Query,
        body: checked(body?.schema, asked.body, 'body') as Body,
      }),
  };
}

const MOST_FAULTS = 20;

function checked(schema: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (schema === undefined) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw new Unusable(
    read.error.issues.slice(0, MOST_FAULTS).map(({ path, message }) => ({
      field: [where, ...path.map(String)].join('.'),
      message,
    })),
  );
}
