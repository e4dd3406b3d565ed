import type { z } from 'zod';
import type { TokenScope } from '../../features/admin/token.ts';
import type { AdminService } from '../../features/admin/admin.ts';

/** A schema with the name it has in the OpenAPI document. */
export interface Shape<Value = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
}

/** Parameters of the path, by name, decoded. */
export type PathValues = Readonly<Record<string, string>>;

/** Id or exact name of the account an address is about. */
export const accountIn = ({ account = '' }: PathValues): string => account;

/** A reply that is written while it is read, of any length; where reading fails after the first piece it is cut. */
export class Flow {
  readonly pieces: AsyncIterable<string>;
  /** Name of the file, where it is one to keep. */
  readonly file: string | undefined;

  constructor(pieces: AsyncIterable<string>, file?: string) {
    this.pieces = pieces;
    this.file = file;
  }
}

/** What an operation can answer with. */
export type MediaType = 'application/json' | 'text/csv';

/** What an endpoint is asked, checked already. */
export interface Asked<Query, Body> {
  readonly admin: AdminService;
  readonly path: PathValues;
  readonly query: Query;
  readonly body: Body;
  /** Name of the token, for audit and timeline. */
  readonly who: string;
  readonly scope: TokenScope;
}

/** The verbs of the API; HEAD is answered as GET without its body. */
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Told {
  /** `listAccounts`: the operation's name in the document. */
  readonly id: string;
  readonly verb: Verb;
  /** Below the root of the API, `{name}` for what varies. */
  readonly path: string;
  readonly area: string;
  readonly summary: string;
  readonly notes?: string;
  readonly scope: TokenScope;
  /** 200 unless said. */
  readonly status?: 200 | 201;
  /** In bytes, where a body may be longer than usual. */
  readonly longest?: number;
  /** Of the reply, JSON unless said. */
  readonly type?: MediaType;
}

interface Spec<Query, Body, Reply> extends Told {
  readonly query?: z.ZodType<Query>;
  readonly body?: Shape<Body>;
  readonly reply: Shape<Reply>;
  readonly handle: (asked: Asked<Query, Body>) => Promise<Reply | Flow>;
}

/** One operation, its types forgotten: what is asked was checked by its own schemas. */
export interface Endpoint extends Told {
  readonly query: z.ZodType | undefined;
  readonly body: Shape | undefined;
  readonly reply: Shape;
  /** A `Flow`, or what becomes JSON. `query` and `body` as they came. Throws `z.ZodError`-free: what cannot be used is an `Unusable`. */
  readonly answer: (asked: Asked<unknown, unknown>) => Promise<unknown>;
}

/** What was sent is not what the operation takes. */
export class Unusable extends Error {
  readonly faults: readonly { readonly field: string; readonly message: string }[];

  constructor(faults: Unusable['faults']) {
    super('what was sent cannot be used');
    this.name = 'Unusable';
    this.faults = faults;
  }
}

/** One row of the table of operations. */
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
