import type { Kind } from '../../crosswalk/identifier.ts';
import type { FormatName } from '../../formats.ts';
import type { RecordTable } from '../records.ts';
import type { Path } from '../path.ts';
import type { Template } from '../template.ts';

/** The compiled V2 half of the mapping: what `proxy/translate` works with. */

/**
 * A table of V2 in which identifiers are looked up: a list fetched whole, records fetched one by one, or a list within
 * the record itself.
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
      readonly unknown: string | undefined;
      /** What names a record that is gone from the list goes on naming it. */
      readonly stays: boolean;
      /** Families of V1 whose writes change the list. */
      readonly families: readonly string[];
    }
  | {
      readonly form: 'record';
      readonly name: string;
      /** `{key}` is the identifier. */
      readonly segments: readonly string[];
      readonly query: readonly (readonly [string, string])[];
      readonly keep: readonly string[];
      /** Records that one reply may ask for. */
      readonly most: number;
      /** Of a record that is not found there is its identifier. */
      readonly stays: boolean;
      /** By list: where it names records of that list. */
      readonly names: ReadonlyMap<string, readonly Path[]>;
    }
  /** What V1 told of the records of a kind before the move, by UUID. */
  | { readonly form: 'kept'; readonly name: string; readonly kind: Kind }
  | { readonly form: 'within'; readonly name: string; readonly path: Path; readonly key: string };

/** Records that cost a call each. */
export type RecordLookup = Lookup & { readonly form: 'record' };

/** A condition on a row of the answer. */
export interface Where {
  /** The list of the row whose entries it is about; undefined: the row itself. */
  readonly of: Path | undefined;
  readonly paths: readonly Path[];
  /** The legacy text is what counts, not V2's own. */
  readonly format: FormatName | undefined;
  readonly is: readonly Template[] | undefined;
  readonly not: readonly Template[] | undefined;
  readonly from: Template | undefined;
  readonly to: Template | undefined;
  readonly contains: Template | undefined;
}

type Query = readonly (readonly [name: string, value: Template])[];

/** A list that V2 replaces as a whole, with an entry more or less. */
export interface EditedList {
  readonly at: Path;
  readonly of: Template;
  readonly take: readonly string[];
  readonly with: EntryValues | undefined;
  readonly without: EntryValues | undefined;
}

/** What an entry of an edited list holds. */
export type EntryValues = readonly (readonly [key: string, value: Template | number])[];

/** A value of the mapping; of several templates the first that holds something. */
export type Fixed = { readonly value: number | boolean | null } | { readonly templates: readonly Template[] };

/** What a step sends: the rows of the request, and what the mapping adds whatever the request says. */
export interface StepBody {
  /** undefined: nothing of the request. */
  readonly of: RecordTable | undefined;
  readonly at: Path;
  readonly set: readonly (readonly [Path, Fixed])[];
  readonly defaults: readonly (readonly [Path, Fixed])[];
  /** Lists that V2 replaces as a whole, and what they held. */
  readonly keep: readonly (readonly [Path, Template])[];
  readonly lists: readonly EditedList[];
  readonly form: 'json' | 'multipart';
  readonly empty: 'null' | 'omit' | 'text';
}

/** One call to V2, or one search in an earlier answer (`among`). */
export interface V2Step {
  readonly name: string | undefined;
  /** The list of an earlier answer that `find` looks in; nobody is asked then. */
  readonly among: Template | undefined;
  readonly verb: string;
  /** Below `/v2/`. */
  readonly segments: readonly Template[];
  readonly query: Query;
  /** Instead of those of the same name when the caller asked for details. */
  readonly detailed: Query;
  /** One entry, without parameters, where the list is walked once. */
  readonly passes: readonly Query[];
  readonly pages: boolean;
  readonly find: readonly { readonly path: Path; readonly is: Template }[] | undefined;
  /** The list that `find` looks in, in the answer; undefined: the answer is the list, in pages. */
  readonly within: Path | undefined;
  readonly body: StepBody | undefined;
  readonly when: { readonly value: Template; readonly is: Template | undefined } | undefined;
  readonly each: Template | undefined;
  readonly mayMiss: boolean;
  /** Asked each time before. */
  readonly before: V2Step | undefined;
  readonly missing: string | undefined;
  /** Of the last identifier in the path. */
  readonly kind: Kind | undefined;
  readonly says: string | undefined;
}

/** The calls a row of `toV3` is about; `always`: all of them. */
export type ToV3 = { readonly why: string } & (
  | { readonly on: 'always' | 'costly' | 'missing' }
  /** A write that has this element, or has it not. `loses`: the element that V2 does not keep then. */
  | {
      readonly on: 'given' | 'lacking';
      readonly path: Path;
      readonly element: string;
      readonly loses: string | undefined;
    }
);

/** How V2 serves a method: its calls in order, and where in their answers the reply stands. */
export interface V2Row {
  readonly way: 'steps';
  readonly grade: 'A' | 'B' | 'C';
  /** Query parameters without which the call is refused. */
  readonly requires: readonly string[];
  readonly loss: readonly string[];
  /** Calls that are not whole on V2. */
  readonly toV3: readonly ToV3[];
  /** Tables that cost a call for each record. */
  readonly costly: ReadonlySet<string>;
  /** Those of them that may be used here. */
  readonly lookups: ReadonlySet<string>;
  /** The table by which a row of the list is read by itself, for the names of what V2 lists no more. */
  readonly single: string | undefined;
  readonly steps: readonly V2Step[];
  readonly reply: {
    readonly from: V2Step;
    readonly at: Path;
    readonly where: readonly Where[];
    /** The page of V1 that is cut out of the list, counted from 1. */
    readonly page: { readonly number: Template; readonly size: number } | undefined;
  };
  /** Elements of the request that paths and queries hold; they need no place in a body. */
  readonly uses: ReadonlySet<string>;
  readonly assumed: readonly string[];
}

/** How V2 serves a method, or why it cannot. */
export type V2 = V2Row | { readonly way: 'none'; readonly why: string };

/** What holds for all methods: `v2.yaml`. */
export interface V2Tables {
  readonly keepSeconds: number;
  readonly defaults: ReadonlyMap<string, string | number | boolean>;
  readonly lookups: ReadonlyMap<string, Lookup>;
  readonly assumed: readonly string[];
}
