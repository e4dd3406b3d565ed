/**
 * The form in which a client has the rows of the mapping: its runtime works from them, and `families/` and `shared.ts` of a
 * client are written in it. Part of every client.
 */
import type { FormatName } from '../../mapping/formats.ts';

/** The two interfaces that can answer a method. */
export type Api = 'v3' | 'v2';

/** What a record holds: text in the legacy form, a record, or records, by legacy element name. */
export interface RecordValue {
  readonly [element: string]: Value | undefined;
}
/** One element of a record. */
export type Value = string | RecordValue | readonly RecordValue[];

/** Where JSON V2 has the value of an element, and how it is written there. */
export interface RowOnV2 {
  readonly paths: readonly string[];
  /** The format takes one value from each path; otherwise the first path with a value counts. */
  readonly all?: true;
  /** Requests: V2 wants the key of the entry of a look-up table whose field has the text. */
  readonly via?: readonly [table: string, field: string];
  /** Words of one side for words of the other, in lower case. */
  readonly toV2?: Readonly<Record<string, string>>;
  readonly fromV2?: Readonly<Record<string, string>>;
  readonly when?: readonly (readonly [path: string, is: readonly string[]])[];
  /** If V2 has no value. */
  readonly absent?: string;
  /** Only in replies that were asked for in detail. */
  readonly detailed?: true;
  /** Requests: the place must be filled, unless all of these elements are given. */
  readonly needed?: readonly string[];
  /** Requests: must not be empty if it is given. */
  readonly filled?: true;
  /** Requests, without a place: the text, in lower case, with which nothing is lost. */
  readonly anyway?: string;
}

/** An element of a record. One of `one`, `list` and `many`, or none for text. */
export interface Row {
  readonly one?: string;
  readonly list?: readonly [child: string, of: string];
  readonly many?: string;
  /** Its name on V3, if that differs. */
  readonly v3?: string;
  readonly also?: readonly string[];
  readonly attribute?: true;
  /** The kind of record that the UUID means. */
  readonly id?: string;
  readonly as?: FormatName;
  readonly unset?: 'omit' | 'asGiven' | 'empty';
  readonly required?: true;
  /** V2 has no such value. The bridge gives the one that V1 told before the move. */
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

/** What a step sends. */
export interface StepBody {
  /** The record of the request; absent: nothing of it. */
  readonly of?: string;
  readonly at?: string;
  readonly set?: readonly (readonly [path: string, value: Fixed])[];
  readonly defaults?: readonly (readonly [path: string, value: Fixed])[];
  /** Lists that V2 replaces as a whole: what they held before. */
  readonly keep?: readonly (readonly [path: string, template: string])[];
  readonly lists?: readonly EditedList[];
  readonly multipart?: true;
  readonly empty: 'null' | 'omit' | 'text';
}

/** A list that V2 replaces as a whole, with one entry more or fewer. */
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
  /** Replace those of the same name if details were asked for. */
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
  /** What is said if there is no such record. */
  readonly missing?: string;
  readonly says?: string;
}

/** Which rows of a list belong to the reply. */
export interface Where {
  /** The list of the row whose entries are meant; absent: the row. */
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
  /** Look-up tables at a call for each record that may be used here. */
  readonly lookups?: readonly string[];
  /** The table that reads one record of the list, for names that are in no list any more. */
  readonly single?: string;
  /** Elements of the request that have a place in an address or a query. */
  readonly uses?: readonly string[];
  /** Elements of the request that V2 does not keep if they are given. */
  readonly loses?: readonly (readonly [given: string, element: string])[];
}

/** What is in the reply beside `Status`. */
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
    /** `{client}` stands for the UUID, `{number}` for a number that is text. */
    readonly path: readonly string[];
    readonly elsewhere?: readonly string[];
    /** Records asked for at once; `own`: the service decides. Absent: one answer is the whole reply. */
    readonly pageSize?: number | 'own';
  };
  readonly body?: { readonly root: string; readonly of: string };
  readonly reply: ReplyForm;
  readonly v2?: OnV2;
  /** Why V2 cannot answer it. */
  readonly notOnV2?: string;
  readonly records: Records;
}

/** A table of V2 in which identifiers are looked up. */
export type Lookup =
  | {
      readonly form: 'list';
      readonly path: readonly string[];
      readonly queries: readonly (readonly (readonly [string, string])[])[];
      readonly at?: string;
      readonly key: string;
      readonly keep: readonly string[];
      /** Other names that the answers may have for kept fields. */
      readonly called?: Readonly<Record<string, string>>;
      readonly unknown?: string;
      readonly stays?: true;
    }
  | {
      readonly form: 'record';
      readonly path: readonly string[];
      readonly query: readonly (readonly [string, string])[];
      readonly keep: readonly string[];
      /** Other names that the answers may have for kept fields. */
      readonly called?: Readonly<Record<string, string>>;
      readonly most: number;
      readonly stays?: true;
      readonly names?: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly form: 'within'; readonly path: string; readonly key: string }
  | { readonly form: 'kept' };

/** What all methods share. */
export interface Shared {
  readonly defaults: Readonly<Record<string, string | number | boolean>>;
  readonly lookups: Readonly<Record<string, Lookup>>;
  readonly keepSeconds: number;
  readonly tokenPath: string;
  readonly credentials: 'basic' | 'body';
  readonly organisationHeader: string;
  /** A token so close to its end is renewed before it is used. */
  readonly refreshAheadSeconds: number;
  readonly v3: { readonly page: string; readonly size: string };
  readonly v2: { readonly page: string; readonly size: string; readonly pageSize: number };
  /** First parts of V2's paths that mean the same collection. */
  readonly spellings: readonly (readonly string[])[];
  readonly timeoutSeconds: number;
}

/** A call: the UUIDs and numbers of its path, its parameters, and the record that it sends. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: RecordValue;
}
