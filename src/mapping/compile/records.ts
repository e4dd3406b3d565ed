import type { Kind } from '../crosswalk/identifier.ts';
import type { FormatName } from '../formats.ts';
import type { Path } from './path.ts';

/** `structure`: contains nothing about a person. */
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
      /**
       * The record has no identifier: it is found by that of the record it belongs to, and by its own values.
       */
      readonly by: 'content';
      /** The kind of the record it belongs to. */
      readonly of: Kind;
      /** For each identifying element, its places in V2's JSON. */
      readonly places: readonly (readonly Path[])[];
      /** When the record was created, if V2 says so: no values are kept for newer ones. */
      readonly made: Path | undefined;
    }
);

/** `omit`: nothing. */
export type EmptyValue = 'omit' | '' | false | 0;

/** The place of a row's value in V2's JSON. */
export interface RowTranslation {
  /** Empty: V2 has no place for it. */
  readonly paths: readonly Path[];
  /** `first`: the first path that has a value. `all`: the format takes one value from each. */
  readonly take: 'first' | 'all';
  /** For requests: V2 expects the key of the table entry whose field has the text. */
  readonly via: { readonly table: string; readonly field: string } | undefined;
  /** Legacy value in lower case → V2's, and V2's in lower case → the legacy value. */
  readonly toV2: ReadonlyMap<string, string>;
  readonly fromV2: ReadonlyMap<string, string>;
  /** All must hold; `is` in lower case. */
  readonly conditions: readonly { readonly path: Path; readonly is: readonly string[] }[];
  /** For requests: the error text if a value is sent although the conditions of this row do not hold. */
  readonly misfit: readonly (string | Path)[] | undefined;
  /** For requests: V2 requires a value, unless all of these elements are given; undefined: it does not. */
  readonly needed: readonly string[] | undefined;
  readonly absent: string | undefined;
  readonly detailedOnly: boolean;
  /** V1 never has it empty. Requests: the element must not be empty if present. Replies: V2's empty text is no value. */
  readonly filled: boolean;
  /** For requests: what V2 gets for an empty element; undefined: what the body says. */
  readonly empty: EmptyValue | undefined;
  readonly lost: string | undefined;
  /** For requests: a legacy text, in lower case, that is no loss if V2 has no place for it. */
  readonly anyway: string | undefined;
}

/** An element appears in the order of its row. */
export interface RecordTable {
  readonly name: string;
  readonly rows: readonly RecordRow[];
  /** Shown after the others with `uuidMode=transition`, before the record's own UUID. */
  readonly inTransition: readonly RecordRow[];
  /** Rows by each lower-case name under which they are read; attributes begin with `@`. */
  readonly byLegacyName: ReadonlyMap<string, RecordRow>;
  /** Undefined: no row of the table is kept. */
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
  /** For a kept row: V1's value is used only where V2 has none. */
  readonly isGap: boolean;
  /** Whether samples and recordings keep only a hash, whatever its format. */
  readonly isPersonal: boolean;
  /** For an ID: V1 shows the UUID of the record in transition mode. */
  readonly hasUuid: boolean;
  /** Undefined: V2 does not have it. */
  readonly v2: RowTranslation | undefined;
} & (
  | {
      readonly holds: 'value';
      /** For requests: an attribute of the record's own element. */
      readonly isAttribute: boolean;
      readonly kind: Kind | undefined;
      /** The legacy message for an unknown identifier; undefined: the message of its kind. */
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
