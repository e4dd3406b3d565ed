import type { Kind } from '../crosswalk/identifier.ts';
import type { FormatName } from '../formats.ts';
import type { Path } from './path.ts';

/** `structure`: nothing about a person. */
export const keptAs = ['structure', 'personal'] as const;
export type KeptAs = (typeof keptAs)[number];

/** The key by which V1's values of a record are found after the move. */
export type KeptKey = {
  readonly kind: Kind;
  /** The table of `v2.yaml`. */
  readonly table: string;
} & (
  | {
      readonly by: 'uuid';
      /** Path to the UUID of the record in V2's JSON. */
      readonly path: Path;
    }
  | {
      /** It has no identifier: its record's, and what it says itself. */
      readonly by: 'content';
      /** The kind of the record that has it. */
      readonly of: Kind;
      /** For each element by which it is found again, its places in V2's JSON. */
      readonly places: readonly (readonly Path[])[];
      /** When it was made, if V2 says so: nothing was kept of what is newer. */
      readonly made: Path | undefined;
    }
);

/** Where the value of a row is in V2's JSON. */
export interface RowTranslation {
  /** Empty: it has no place in V2. */
  readonly paths: readonly Path[];
  /** `first`: the first path that has a value. `all`: the format takes one value from each. */
  readonly take: 'first' | 'all';
  /** For requests: V2 wants the key of the entry whose field has the text. */
  readonly via: { readonly table: string; readonly field: string } | undefined;
  /** Legacy value in lower case → V2's, and V2's in lower case → the legacy value. */
  readonly toV2: ReadonlyMap<string, string>;
  readonly fromV2: ReadonlyMap<string, string>;
  /** All must hold; `is` in lower case. */
  readonly conditions: readonly { readonly path: Path; readonly is: readonly string[] }[];
  /** For requests: the error text if a value is sent although the conditions of this row do not hold. */
  readonly misfit: readonly (string | Path)[] | undefined;
  /** For requests: the place must not stay empty, unless all of these elements are given; undefined: it may. */
  readonly needed: readonly string[] | undefined;
  readonly absent: string | undefined;
  readonly detailedOnly: boolean;
  /** For requests: if present, it must not be empty. */
  readonly filled: boolean;
  readonly lost: string | undefined;
  /** For requests: a legacy text, in lower case, that can be dropped without a loss if it has no place. */
  readonly anyway: string | undefined;
}

/** The order of rows is the order of elements. */
export interface RecordTable {
  readonly name: string;
  readonly rows: readonly RecordRow[];
  /** Rows by each lower-cased name under which they are read; attributes begin with `@`. */
  readonly byLegacyName: ReadonlyMap<string, RecordRow>;
  /** Undefined: no row of it is kept. */
  readonly kept: KeptKey | undefined;
}

/**
 * An element of a record: its name on each surface, and whether it holds a value, a record, a list in a
 * container, or repeats.
 */
export type RecordRow = {
  readonly element: string;
  readonly v3: string;
  readonly also: readonly string[];
  readonly required: string | undefined;
  readonly isRequired: boolean;
  /** Whether V1's value is kept before the move; undefined: no. */
  readonly snapshot: KeptAs | undefined;
  /** Of a kept row: V1's value is used only where V2 has none. */
  readonly isGap: boolean;
  /** Of an ID: V1 shows the UUID of the record in transition mode. */
  readonly hasUuid: boolean;
  /** Where V2 has it; undefined: nowhere. */
  readonly v2: RowTranslation | undefined;
} & (
  | {
      readonly holds: 'value';
      /** For requests: an attribute of the record's own element. */
      readonly isAttribute: boolean;
      readonly kind: Kind | undefined;
      /** The legacy message for an unknown identifier; undefined: that of its kind. */
      readonly unknown: string | undefined;
      readonly format: FormatName;
      readonly unset: 'empty' | 'omit' | 'asGiven';
    }
  | { readonly holds: 'one'; readonly of: RecordTable }
  | {
      readonly holds: 'list';
      readonly child: string;
      readonly of: RecordTable;
      /** `empty`: present even if the service left it out. `omit`: left out if it has no value. */
      readonly unset: 'empty' | 'asGiven' | 'omit';
      /** If the record is new, the entries of its list are new. */
      readonly isOwn: boolean;
    }
  | { readonly holds: 'many'; readonly of: RecordTable }
);

/** A row that holds text. */
export type ValueRow = RecordRow & { readonly holds: 'value' };

/** Whether the row names a record. A number that is text has no kind. */
export const isIdentifier = (row: RecordRow): row is ValueRow =>
  row.holds === 'value' && (row.kind !== undefined || row.element === 'ID');
