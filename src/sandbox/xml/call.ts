import type { Files } from '../records/files.ts';
import type { Records } from '../records/records.ts';
import type { OrganisationSwitches } from '../identity/organisation.ts';
import type { Dialect } from './dialect.ts';
import type { Message } from './http/message.ts';

/** A call as a method sees it: within its organisation and, for a write, within its transaction. */
export interface XmlCall {
  readonly surface: 'v1' | 'v3';
  readonly dialect: Dialect;
  readonly switches: OrganisationSwitches;
  readonly records: Records;
  readonly files: Files;
  /** What stands for `{id}` in the path, '' where the path has none. */
  readonly identifier: string;
  /** Names in any case; undefined when absent. */
  readonly query: (name: string) => string | undefined;
  /** The root element; undefined for an empty body. */
  readonly message: Message | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly publicUrl: string;
}

export type Scalar = readonly [element: string, text: string];

/** What stands behind Status. */
export type Answer =
  | { readonly answer: 'status'; readonly scalars?: readonly Scalar[] }
  /** One record, written. */
  | { readonly answer: 'record'; readonly xml: string }
  /** Records, written, as they come from the database. */
  | {
      readonly answer: 'list';
      readonly container: string;
      readonly scalars?: readonly Scalar[];
      readonly records: AsyncIterable<string> | Iterable<string>;
    };

/**
 * One method of the service. `id` is that of the list of operations, without the surface. The first verb is
 * the documented one; the others are what real programs send instead.
 */
export interface Operation {
  readonly id: string;
  readonly verbs: readonly [string, ...(readonly string[])];
  /** Path below the surface, such as `client.api/get/{id}`. */
  readonly path: string;
  readonly surfaces?: readonly ('v1' | 'v3')[];
  /**
   * The practice variant has no leads, suppliers and purchase orders: on V3 an organisation with the practice
   * management module does not know the method. Its V1 does.
   */
  readonly isAbsentInPractice?: boolean;
  /** The message carries a file. */
  readonly isUpload?: boolean;
  readonly serve: (call: XmlCall) => Promise<Answer>;
}

/** A method of one verb; what is behind `serve` is what it says besides. */
type MethodRow = readonly [
  verb: string,
  id: string,
  path: string,
  serve: Operation['serve'],
  more?: Pick<Operation, 'isUpload'>,
];

/** The methods of a kind of record. What has several verbs, or is no method of both surfaces, is written out. */
export const methods = (rows: readonly (MethodRow | Operation)[]): readonly Operation[] =>
  rows.map((row) => ('serve' in row ? row : methodOf(row)));

const methodOf = ([verb, id, path, serve, more]: MethodRow): Operation => ({
  id,
  verbs: [verb],
  path,
  ...more,
  serve,
});

/** The practice variant has no leads, suppliers and purchase orders: on V3 it does not know these methods. */
export const absentInPractice = (operations: readonly Operation[]): readonly Operation[] =>
  operations.map((operation) => ({ ...operation, isAbsentInPractice: true }));
