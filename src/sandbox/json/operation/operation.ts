import type { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from './call.ts';
import type { Pagination } from '../http/envelope.ts';

/** A named shape of answers; the name is that of the schema in the OpenAPI document. */
export interface Shape<T = unknown> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
}

/** Names a schema for the OpenAPI document. */
export const shape = <Schema extends z.ZodType>(name: string, schema: Schema): Shape<z.infer<Schema>> => ({
  name,
  schema: schema as unknown as z.ZodType<z.infer<Schema>>,
});

export type Verb = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Names of query parameters beside `page` and `pagesize`, which every list takes. */
export type QueryName =
  | 'updatedSince'
  | 'lastModified'
  | 'sort'
  | 'order'
  | 'status'
  | 'clientUUID'
  | 'client'
  | 'name'
  | 'jobUUID'
  | 'includes';

export interface Listed<T> {
  readonly rows: readonly T[];
  readonly pagination: Pagination;
}

/** Path parameters that name a record, with its kind. An unknown record gives 404 before anything is done. */
export type Named = Readonly<Record<string, Kind>>;
export type Found<On extends Named> = { readonly [Name in keyof On]: StoredRecord<On[Name]> };

interface Described {
  /** `v2.costs.create`. */
  readonly id: string;
  readonly method: Verb;
  /** Below `/v2`: `/costs/{UUID}`. */
  readonly path: string;
  readonly aliases?: readonly string[] | undefined;
  readonly summary: string;
  readonly notes?: string;
  /** False for operations outside the endpoint table of the V2 specification. */
  readonly isInTable?: boolean;
  readonly query?: readonly QueryName[];
  /** The body carries a file, as multipart/form-data or base64 in JSON. */
  readonly isUpload?: boolean;
  /** The POST creates nothing, so it answers 200 and not 201. */
  readonly makesNothing?: boolean;
  /** A valid body; `{client}` in it stands for the UUID of a client. */
  readonly example?: unknown;
}

interface WithBody<Body> {
  readonly body?: z.ZodType<Body>;
  /** Converts other forms of a body into the one that `body` describes. */
  readonly prepare?: (body: unknown, call: JsonCall) => unknown;
}

export interface Operation extends Described {
  readonly area: string;
  readonly on: Named;
  readonly body?: z.ZodType;
  readonly prepare?: (body: unknown, call: JsonCall) => unknown;
  readonly response: Shape;
  readonly answer: 'one' | 'list';
  readonly serve: (
    call: JsonCall,
    on: Readonly<Record<string, StoredRecord>>,
    body: unknown,
  ) => Promise<unknown>;
}

type Unplaced = Omit<Operation, 'area'>;

/** Defines an operation that answers one record. */
export function one<T, Body = undefined, const On extends Named = Named>(
  operation: Described &
    WithBody<Body> & {
      readonly on?: On;
      readonly response: Shape<T>;
      readonly serve: (call: JsonCall, on: Found<On>, body: Body) => Promise<T>;
    },
): Unplaced {
  return erased({ ...operation, answer: 'one' });
}

/** Defines an operation that answers a page of records. */
export function list<T, const On extends Named = Named>(
  operation: Omit<Described, 'method'> & {
    readonly on?: On;
    readonly response: Shape<T>;
    readonly serve: (call: JsonCall, on: Found<On>) => Promise<Listed<T>>;
  },
): Unplaced {
  return erased({ ...operation, method: 'GET', answer: 'list' });
}

/** Drops the types: the router calls `serve` with what `on` and `body` of the same operation describe. */
function erased(operation: object): Unplaced {
  return { on: {}, ...operation } as Unplaced;
}

/** Operations under one heading of the OpenAPI document. */
export const area = (name: string, operations: readonly Unplaced[]): readonly Operation[] =>
  operations.map((operation) => ({ ...operation, area: name }));

/** Operations outside the endpoint table of the V2 specification. */
export const areaBeyond = (name: string, operations: readonly Unplaced[]): readonly Operation[] =>
  area(name, operations).map((operation) => ({ ...operation, isInTable: false }));
