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
  /** The value of `{id}` in the path; '' if the path has none. */
  readonly identifier: string;
  /** Returns a query parameter, its name in any case; undefined if absent. */
  readonly query: (name: string) => string | undefined;
  /** The root element; undefined for an empty body. */
  readonly message: Message | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly publicUrl: string;
}

export type Scalar = readonly [element: string, text: string];

/** What follows `Status`. */
export type Answer =
  | { readonly answer: 'status'; readonly scalars?: readonly Scalar[] }
  /** One record, as XML. */
  | { readonly answer: 'record'; readonly xml: string }
  /** Records as XML, in the order in which they arrive from the database. */
  | {
      readonly answer: 'list';
      readonly container: string;
      readonly scalars?: readonly Scalar[];
      readonly records: AsyncIterable<string> | Iterable<string>;
    };

/**
 * One method of the service. `id` is its name in the list of operations, without the surface. The first verb
 * is the specified one; the others are sent by real programs.
 */
export interface Operation {
  readonly id: string;
  readonly verbs: readonly [string, ...(readonly string[])];
  /** Path below the surface, such as `client.api/get/{id}`. */
  readonly path: string;
  readonly surfaces?: readonly ('v1' | 'v3')[];
  /**
   * The practice variant has no leads, suppliers and purchase orders: on V3 an organisation with the practice
   * management module does not have the method. On V1 it does.
   */
  readonly isAbsentInPractice?: boolean;
  /** The only verbs that version 3.1 of the practice variant takes, if they are not `verbs`. */
  readonly verbsInPractice31?: readonly string[];
  /** The message carries a file. */
  readonly isUpload?: boolean;
  readonly serve: (call: XmlCall) => Promise<Answer>;
}

/** A method with one verb; `more` holds its other properties. */
type MethodRow = readonly [
  verb: string,
  id: string,
  path: string,
  serve: Operation['serve'],
  more?: Pick<Operation, 'isUpload'>,
];

/** The methods of a kind of record. A method with several verbs, or on only one surface, is written out. */
export const methods = (rows: readonly (MethodRow | Operation)[]): readonly Operation[] =>
  rows.map((row) => ('serve' in row ? row : methodOf(row)));

const methodOf = ([verb, id, path, serve, more]: MethodRow): Operation => ({
  id,
  verbs: [verb],
  path,
  ...more,
  serve,
});

/** The practice variant has no leads, suppliers and purchase orders: on V3 it does not have these methods. */
export const absentInPractice = (operations: readonly Operation[]): readonly Operation[] =>
  operations.map((operation) => ({ ...operation, isAbsentInPractice: true }));
