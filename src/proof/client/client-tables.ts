/**
 * The rows of the mapping in the form used by a client: its runtime works from them, and `families/` and
 * `shared.ts` of a client have this form. Part of every client.
 */
import type { FormatName } from '../../mapping/formats.ts';

/** The two interfaces that can answer a method. */
export type Api = 'v3' | 'v2';

/** The content of a record: text in the legacy form, a record, or records, by legacy element name. */
export interface RecordValue {
  readonly [element: string]: Value | undefined;
}
/** One element of a record. */
export type Value = string | RecordValue | readonly RecordValue[];

/** Place and form of an element in the JSON of V2. */
export interface RowOnV2 {
  readonly paths: readonly string[];
  /** The format takes one value from each path; otherwise the first path with a value counts. */
  readonly all?: true;
  /** Requests: V2 expects the key of the entry whose field in the look-up table has the text. */
  readonly via?: readonly [table: string, field: string];
  /** Translates words of one side to words of the other, in lower case. */
  readonly toV2?: Readonly<Record<string, string>>;
  readonly fromV2?: Readonly<Record<string, string>>;
  readonly when?: readonly (readonly [path: string, is: readonly string[]])[];
  /** The value if V2 has none. */
  readonly absent?: string;
  /** Only in detailed replies. */
  readonly detailed?: true;
  /** Requests: the place is required, unless all these elements are given. */
  readonly needed?: readonly string[];
  /** Requests: must not be empty if given. */
  readonly filled?: true;
  /** Requests: what an empty element sends; `omit`: nothing. */
  readonly empty?: 'omit' | '' | false | 0;
  /** Requests, without a place on V2: the text, in lower case, that can be dropped without loss. */
  readonly anyway?: string;
}

/** An element of a record. Has one of `one`, `list` and `many`, or none of them for text. */
export interface Row {
  readonly one?: string;
  readonly list?: readonly [child: string, of: string];
  readonly many?: string;
  /** Its name on V3, if that differs. */
  readonly v3?: string;
  readonly also?: readonly string[];
  readonly attribute?: true;
  /** The kind of record that the UUID identifies. */
  readonly id?: string;
  readonly as?: FormatName;
  readonly unset?: 'omit' | 'asGiven' | 'empty';
  readonly required?: true;
  /** V2 has no such value. The bridge gives the one that it read from V1 before the move. */
  readonly fromV1?: true;
  readonly v2?: RowOnV2;
}

/** By element name, in the order of the elements. */
export type Rows = Readonly<Record<string, Row>>;
/** The records of a family, by name. */
export type Records = Readonly<Record<string, Rows>>;

/** Parameters with templates for their values. */
export type Query = readonly (readonly [name: string, template: string])[];
/** A fixed value, or templates of which the first with a value counts. */
export type Fixed = number | boolean | null | readonly string[];

/** The body that a step sends. */
export interface StepBody {
  /** The record of the request; absent: nothing from the request. */
  readonly of?: string;
  readonly at?: string;
  readonly set?: readonly (readonly [path: string, value: Fixed])[];
  readonly defaults?: readonly (readonly [path: string, value: Fixed])[];
  /** Previous entries of lists that V2 replaces as a whole. */
  readonly keep?: readonly (readonly [path: string, template: string])[];
  readonly lists?: readonly EditedList[];
  readonly multipart?: true;
  readonly empty: 'null' | 'omit' | 'text';
}

/** A list that V2 replaces as a whole, with one entry added or removed. */
export interface EditedList {
  readonly at: string;
  readonly of: string;
  readonly take: readonly string[];
  readonly with?: readonly (readonly [key: string, value: string | number])[];
  readonly without?: readonly (readonly [key: string, value: string | number])[];
}

/** One call to V2, or a search in the answer of an earlier one (`among`). */
export interface Step {
  readonly name?: string;
  readonly among?: string;
  readonly verb: string;
  readonly path: readonly string[];
  readonly query?: Query;
  /** Replaces parameters of the same name in detailed calls. */
  readonly detailed?: Query;
  readonly passes?: readonly Query[];
  readonly pages?: true;
  readonly find?: readonly (readonly [path: string, is: string])[];
  readonly within?: string;
  readonly body?: StepBody;
  readonly when?: readonly [value: string, is?: string];
  readonly each?: string;
  readonly mayMiss?: true;
  readonly before?: Step;
  /** Message if there is no such record. */
  readonly missing?: string;
  readonly says?: string;
}

/** Conditions on the rows of a list that belong to the reply. */
export interface Where {
  /** The list within the row that the condition applies to; absent: the row itself. */
  readonly of?: string;
  readonly paths: readonly string[];
  readonly as?: FormatName;
  readonly is?: readonly string[];
  readonly not?: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly contains?: string;
}

/** How V2 answers a method. */
export interface OnV2 {
  readonly requires?: readonly string[];
  readonly steps: readonly Step[];
  /** The step whose answer is the reply. */
  readonly from: number;
  readonly at?: string;
  readonly where?: readonly Where[];
  readonly page?: readonly [number: string, size: number];
  /** Look-up tables that need a call for each record and may be used here. */
  readonly lookups?: readonly string[];
  /** The table that reads a single record of the list, for names that are in no list any more. */
  readonly single?: string;
  /** Elements of the request with a place in an address or a query. */
  readonly uses?: readonly string[];
  /** Given elements of the request that V2 does not keep. */
  readonly loses?: readonly (readonly [given: string, element: string])[];
}

/** The content of the reply besides `Status`. */
export type ReplyForm =
  | { readonly form: 'status' }
  | { readonly form: 'one'; readonly element: string; readonly of: string }
  | {
      readonly form: 'list';
      readonly container: string;
      readonly element: string;
      readonly of: string;
    }
  | { readonly form: 'id'; readonly kind: string };

/** A method of the legacy API. */
export interface Method {
  readonly id: string;
  readonly legacy: readonly string[];
  readonly isRead: boolean;
  readonly query?: readonly string[];
  readonly requires?: readonly string[];
  readonly v3: {
    readonly verb: string;
    /** `{client}` stands for the UUID, `{number}` for a text number. */
    readonly path: readonly string[];
    /** Another path, for a read. */
    readonly elsewhere?: readonly string[];
    /** For a write, if the service does not take `verb`. */
    readonly otherVerb?: string;
    /** Page size; `own`: the service decides. Absent: one answer is the whole reply. */
    readonly pageSize?: number | 'own';
  };
  readonly body?: { readonly root: string; readonly of: string };
  readonly reply: ReplyForm;
  readonly v2?: OnV2;
  /** Why V2 cannot answer it. */
  readonly notOnV2?: string;
  readonly records: Records;
}

/** A table of V2 for looking up identifiers. */
export type Lookup =
  | {
      readonly form: 'list';
      readonly path: readonly string[];
      readonly queries: readonly (readonly (readonly [string, string])[])[];
      readonly at?: string;
      readonly key: string;
      readonly keep: readonly string[];
      /** Other names for kept fields in the answers. */
      readonly called?: Readonly<Record<string, string>>;
      readonly unknown?: string;
      readonly stays?: true;
    }
  | {
      readonly form: 'record';
      readonly path: readonly string[];
      readonly query: readonly (readonly [string, string])[];
      readonly keep: readonly string[];
      /** Other names for kept fields in the answers. */
      readonly called?: Readonly<Record<string, string>>;
      readonly most: number;
      readonly stays?: true;
      readonly names?: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly form: 'within'; readonly path: string; readonly key: string }
  | { readonly form: 'kept' };

/** Shared by all methods. */
export interface Shared {
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
  readonly lookups: Readonly<Record<string, Lookup>>;
  readonly keepSeconds: number;
  readonly tokenPath: string;
  readonly credentials: 'basic' | 'body';
  readonly organisationHeader: string;
  /** A token this close to its expiry is renewed before it is used. */
  readonly refreshAheadSeconds: number;
  readonly v3: { readonly page: string; readonly size: string };
  readonly v2: { readonly page: string; readonly size: string; readonly pageSize: number };
  /** First segments of V2's paths that mean the same collection. */
  readonly spellings: readonly (readonly string[])[];
  readonly timeoutSeconds: number;
}

/** The input of a call: UUIDs and numbers of its path, its parameters, and the record to send. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: RecordValue;
}
