/**
 * The types of the compiled V2 half of a mapping; `v2-compile.ts` builds them, `proxy/translate` reads them.
 *
 * A method has either a reason why V2 cannot serve it, or steps in order (`V2Row`). A step is a call, with
 * templates for address and body, or a search in an earlier answer. Tables (`Lookup`) turn identifiers into
 * names. Everything is parsed and checked at start, so that no call parses a path or meets an unknown name.
 */
import type { Kind } from '../../crosswalk/identifier.ts';
import type { FormatName } from '../../formats.ts';
import type { RecordTable } from '../records.ts';
import type { Path } from '../path.ts';
import type { Template } from '../generic/template.ts';

/** The compiled V2 half of the mapping, as used by `proxy/translate`. */

/**
 * A table of V2 in which identifiers are looked up: a list fetched whole, records fetched one by one, or a
 * list within the record itself.
 */
export type Lookup =
  | {
      readonly form: 'list';
      readonly name: string;
      readonly segments: readonly string[];
      readonly queries: readonly (readonly (readonly [string, string])[])[];
      /** The entries are a list within each record; undefined: the records themselves. */
      readonly at: Path | undefined;
      readonly key: string;
      readonly keep: readonly string[];
      /** Alternative names of kept fields in the answers. */
      readonly called: Readonly<Record<string, string>>;
      readonly unknown: string | undefined;
      /** A record that is gone from the list keeps its name in references. */
      readonly stays: boolean;
      /** V1 families whose writes change the list. */
      readonly families: readonly string[];
    }
  | {
      readonly form: 'record';
      readonly name: string;
      /** `{key}` is the identifier. */
      readonly segments: readonly string[];
      readonly query: readonly (readonly [string, string])[];
      readonly keep: readonly string[];
      /** Alternative names of kept fields in the answers. */
      readonly called: Readonly<Record<string, string>>;
      /** The largest number of records requested for one reply. */
      readonly most: number;
      /** A record that is not found is shown with its identifier only. */
      readonly stays: boolean;
      /** For each list of the record, the paths at which the record names entries of it. */
      readonly names: ReadonlyMap<string, readonly Path[]>;
    }
  /** V1's values for the records of a kind from before the move, by UUID. */
  | {
      readonly form: 'kept';
      readonly name: string;
      readonly kind: Kind;
      /** Where V2 has the creation date of a record. */
      readonly made: Path | undefined;
    }
  | { readonly form: 'within'; readonly name: string; readonly path: Path; readonly key: string };

/** A table whose records cost one call each. */
export type RecordLookup = Lookup & { readonly form: 'record' };

/** A condition on a row of the answer. */
export interface Where {
  /** The list of the row whose entries it tests; undefined: the row itself. */
  readonly of: Path | undefined;
  readonly paths: readonly Path[];
  /** Compares the legacy text instead of V2's own. */
  readonly format: FormatName | undefined;
  readonly is: readonly Template[] | undefined;
  readonly not: readonly Template[] | undefined;
  readonly from: Template | undefined;
  readonly to: Template | undefined;
  readonly contains: Template | undefined;
}

type Query = readonly (readonly [name: string, value: Template])[];

/** A list that V2 replaces as a whole, with one entry added or removed. */
export interface EditedList {
  readonly at: Path;
  readonly of: Template;
  readonly take: readonly string[];
  readonly with: EntryValues | undefined;
  readonly without: EntryValues | undefined;
}

/** The values of an entry in an edited list. */
export type EntryValues = readonly (readonly [key: string, value: Template | number])[];

/** A value of the mapping; the first of several templates that yields a value. */
export type Fixed = { readonly value: number | boolean | null } | { readonly templates: readonly Template[] };

/** The body of a step: the rows of the request, and values that the mapping adds to every request. */
export interface StepBody {
  /** Undefined: nothing from the request. */
  readonly of: RecordTable | undefined;
  readonly at: Path;
  readonly set: readonly (readonly [Path, Fixed])[];
  readonly defaults: readonly (readonly [Path, Fixed])[];
  /** Lists that V2 replaces as a whole, with their previous entries. */
  readonly keep: readonly (readonly [Path, Template])[];
  readonly lists: readonly EditedList[];
  readonly form: 'json' | 'multipart';
  readonly empty: 'null' | 'omit' | 'text';
}

/** One call to V2, or one search in an earlier answer (`among`). */
export interface V2Step {
  readonly name: string | undefined;
  /** The list in an earlier answer that `find` searches instead of making a call. */
  readonly among: Template | undefined;
  readonly verb: string;
  /** Below `/v2/`. */
  readonly segments: readonly Template[];
  readonly query: Query;
  /** Replace the parameters of the same name if the caller asked for details. */
  readonly detailed: Query;
  /** The parameters of each pass over the list; one empty entry if it is read once. */
  readonly passes: readonly Query[];
  /** Its address uses a look-up table. */
  readonly looksUp: boolean;
  readonly pages: boolean;
  readonly find: readonly { readonly path: Path; readonly is: Template }[] | undefined;
  /** The list in the answer that `find` searches; undefined: the answer is the list, in pages. */
  readonly within: Path | undefined;
  readonly body: StepBody | undefined;
  readonly when: { readonly value: Template; readonly is: Template | undefined } | undefined;
  readonly each: Template | undefined;
  readonly mayMiss: boolean;
  /** A call to make before each call of this step. */
  readonly before: V2Step | undefined;
  readonly missing: string | undefined;
  /** The kind of the last identifier in the path. */
  readonly kind: Kind | undefined;
  readonly says: string | undefined;
}

/** The calls that a row of `toV3` applies to; `always`: all of them. */
export type ToV3 = { readonly why: string } & (
  | { readonly on: 'always' | 'costly' | 'missing' }
  /** A write that has this element, lacks it, or has it empty. `loses`: the element that V2 then does not keep. */
  | {
      readonly on: 'given' | 'lacking' | 'emptied';
      readonly path: Path;
      readonly element: string;
      readonly loses: string | undefined;
    }
  /** A write whose first day comes after the second one. */
  | {
      readonly on: 'reversed';
      readonly path: Path;
      readonly after: Path;
      readonly first: string;
      readonly element: string;
      readonly loses: undefined;
    }
);

/** How V2 serves a method: its calls in order, and where in their answers the reply is. */
export interface V2Row {
  readonly way: 'steps';
  readonly grade: 'A' | 'B' | 'C';
  /** Query parameters without which the call is refused. */
  readonly requires: readonly string[];
  readonly loss: readonly string[];
  /** Calls for which V2 is incomplete. */
  readonly toV3: readonly ToV3[];
  /** Tables that cost a call per record. */
  readonly costly: ReadonlySet<string>;
  /** The costly tables that this method may use. */
  readonly lookups: ReadonlySet<string>;
  /** The table that reads one row of the list by itself, for names of records that V2 no longer lists. */
  readonly single: string | undefined;
  readonly steps: readonly V2Step[];
  readonly reply: {
    readonly from: V2Step;
    readonly at: Path;
    readonly where: readonly Where[];
    /** The page of V1, counted from 1, that is cut from the list. */
    readonly page: { readonly number: Template; readonly size: number } | undefined;
  };
  /** Elements of the request used in paths and queries; they need no place in a body. */
  readonly uses: ReadonlySet<string>;
  /** A template has `{today}`, or a condition compares days, which are those of the account's time zone. */
  readonly isDated: boolean;
  readonly assumed: readonly string[];
}

/** How V2 serves a method, or why it cannot. */
export type V2 = V2Row | { readonly way: 'none'; readonly why: string };

/** Shared by all methods: `v2.yaml`. */
export interface V2Tables {
  readonly keepSeconds: number;
  readonly defaults: ReadonlyMap<string, string | number | boolean>;
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly assumed: readonly string[];
}
