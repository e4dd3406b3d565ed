/**
 * The compiled mapping: methods with their routes, requests and replies, ready for use without reading the
 * YAML files again. `compile.ts` builds it at start and refuses contradictions.
 */
import type { Kind } from '../crosswalk/identifier.ts';
import type { RouteEvidence } from '../evidence.ts';
import type { ApiVersion } from '../routes/routes.ts';
import type { Settle } from '../settle/model.ts';
import type { RecordTable } from './records.ts';
import type { V2, V2Tables } from './v2/v2-model.ts';

export type { RecordRow, RecordTable } from './records.ts';

/** The compiled mapping, as used by `proxy/`. */

/** A path segment: a literal, compared in any case, or a placeholder for an identifier (`number` is text). */
export type Segment = { readonly literal: string } | { readonly kind: Kind };

/** The placeholder for a job, invoice, quote or order number: text, the same on every API version. */
export const TEXT_NUMBER = 'number';

/** Verb and path of a call, as a row of the mapping writes it: `PUT client.api/contact/{contact}`. */
export interface CallPattern {
  readonly verbs: readonly string[];
  readonly segments: readonly Segment[];
}

/** The content of `Response` besides `Status`: nothing, one record, a list of records, or an identifier. */
export type ReplyForm =
  | { readonly form: 'status' }
  | {
      readonly form: 'one';
      readonly element: string;
      readonly of: RecordTable;
      /** A container that may enclose the record. */
      readonly within: string | undefined;
    }
  | {
      readonly form: 'list';
      readonly container: string;
      readonly element: string;
      readonly of: RecordTable;
      /** An element beside the list that counts all records, in the legacy form too. */
      readonly total: string | undefined;
    }
  /** `TEXT_NUMBER`: a number that is text. */
  | { readonly form: 'id'; readonly kind: Kind };

/**
 * A method of the legacy API with everything the bridge knows about it: how it is recognised, its routes, its
 * request and its reply.
 */
export interface Method {
  /** `client.list` */
  readonly id: string;
  readonly summary: string;
  readonly legacy: readonly CallPattern[];
  readonly query: ReadonlyMap<string, string>;
  readonly requires: readonly string[];
  /** The default route. */
  readonly route: ApiVersion;
  readonly evidence: RouteEvidence;
  readonly v3: CallPattern;
  /**
   * The call in another form of V3, tried once: a read if the first path does not exist, a write (with another verb, on
   * the same path) if V3 does not take the first verb.
   */
  readonly elsewhere: CallPattern | undefined;
  /** Undefined: the mapping says nothing about V2. */
  readonly v2: V2 | undefined;
  /** `numbered`: V3 accepts no page size, and the legacy call may name a page itself. */
  readonly paged: boolean | 'numbered';
  readonly body:
    | {
        readonly root: string;
        readonly of: RecordTable;
        readonly anyRoot: boolean;
        /** The name of the root element in another form of V3. */
        readonly otherRoot: string | undefined;
        readonly large: boolean;
      }
    | undefined;
  readonly creates: boolean;
  /** Kinds of records that it may add besides those of its message and its reply: a template has tasks and costs. */
  readonly adds: readonly Kind[];
  readonly reply: ReplyForm;
  /** How an unknown outcome is looked up; undefined for reads. */
  readonly settle: Settle | undefined;
  readonly source: string;
  readonly assumed: readonly string[];
}

/** A method the bridge answers itself, from what it knows about the account. */
export interface LocalMethod {
  readonly id: string;
  readonly summary: string;
  readonly legacy: CallPattern;
  readonly from: 'idMaps';
  readonly source: string;
  readonly assumed: readonly string[];
}

/**
 * An element with an identifier, and its names on V1 and V3: V3 prints UUID where V1 prints ID (XML specification,
 * "Custom field methods").
 */
export interface Rename {
  readonly legacy: string;
  readonly v3: string;
  readonly kind: Kind;
}

/**
 * A kind of identifier: the legacy message for an unknown one, and the list from which its pairs of number
 * and UUID are learned.
 */
export interface KindTable {
  readonly kind: Kind;
  readonly error: string;
  readonly map: string | undefined;
  readonly list:
    | {
        readonly call: string;
        readonly query: Readonly<Record<string, string>>;
        readonly at: readonly string[];
        /** The element with the number; undefined: `ID`. */
        readonly number: string | undefined;
      }
    | undefined;
}

/**
 * Parts of a record that have no identifier known to V2: how they are read from V1 before the move, and which
 * of their elements identify them afterwards.
 */
export interface PartTable {
  readonly kind: Kind;
  /** The kind of the record that has them. */
  readonly of: Kind;
  readonly by: readonly string[];
  /** The list of those records, with the parameters it needs to show the parts. */
  readonly list: NonNullable<KindTable['list']>;
  /** Element names that lead to a part, from the record or, with `each`, from `Response`. */
  readonly at: readonly string[];
  /** The call for each record, `client.api/documents`; undefined: the list shows the parts. */
  readonly each: string | undefined;
}

/** The generic rule: for methods without a row, only the names in these tables are translated. */
export interface GenericTable {
  /** Kind of an `ID`, by the element that contains it. */
  recordKind(family: string, element: string): Kind | undefined;
  byLegacyName(parent: string, element: string): Rename | undefined;
  byV3Name(parent: string, element: string): Rename | undefined;
  attribute(family: string, name: string, from: 'legacy' | 'v3'): Rename | undefined;
  /** Kind of the numeric path segments; undefined if they are numbers of jobs, quotes and the like. */
  pathKind(segments: readonly string[]): Kind | undefined;
  /** Query parameters that the call cannot do without. */
  required(segments: readonly string[]): readonly string[];
  /** The verb under which V3 knows the call. */
  verb(verb: string, segments: readonly string[]): string;
  /** Whether the record in the answer to this call is a new one. */
  creates(verb: string, segments: readonly string[]): boolean;
}

/** All of `mappings/`, compiled once at start and never changed while the process runs. */
export interface Mapping {
  readonly methods: readonly Method[];
  readonly local: readonly LocalMethod[];
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  readonly parts: ReadonlyMap<Kind, PartTable>;
  readonly generic: GenericTable;
  readonly v2: V2Tables;
  /** Of the files as they were compiled; a person compares it with that of a folder. */
  readonly digest: string;
}
