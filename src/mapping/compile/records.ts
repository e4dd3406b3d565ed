import type { Kind } from '../crosswalk/identifier.ts';
import type { FormatName } from '../formats.ts';
import type { Path } from './path.ts';

/** Structure: nothing of it is about a person. */
export const keptAs = ['structure', 'personal'] as const;
export type KeptAs = (typeof keptAs)[number];

/** What V1 told of a record before the move is found by this. */
export interface KeptKey {
  readonly kind: Kind;
  /** The table of `v2.yaml`. */
  readonly table: string;
  /** To the UUID of the record, in V2's JSON. */
  readonly path: Path;
}

/** Where the value of a row stands in V2's JSON. */
export interface RowTranslation {
  /** Empty: it has no place in V2. */
  readonly paths: readonly Path[];
  /** `first`: the first of the ways that holds a value. `all`: the format takes one value of each. */
  readonly take: 'first' | 'all';
  /** Request: V2 wants the key of the entry whose field has the text. */
  readonly via: { readonly table: string; readonly field: string } | undefined;
  /** Legacy word in lower case → V2's, and V2's in lower case → the legacy word. */
  readonly toV2: ReadonlyMap<string, string>;
  readonly fromV2: ReadonlyMap<string, string>;
  /** All of them have to hold; `is` in lower case. */
  readonly conditions: readonly { readonly path: Path; readonly is: readonly string[] }[];
  /** Request: the words when another row is given although the conditions of this one hold. */
  readonly misfit: readonly (string | Path)[] | undefined;
  /** Request: the place must not stay empty. */
  readonly needed: boolean;
  readonly absent: string | undefined;
  readonly detailedOnly: boolean;
  /** Request: present, it is not empty. */
  readonly filled: boolean;
  readonly lost: string | undefined;
  /** Request: the legacy text that, sent where there is no place for it, loses nothing; in lower case. */
  readonly anyway: string | undefined;
}

/** Row order is element order. */
export interface RecordTable {
  readonly name: string;
  readonly rows: readonly RecordRow[];
  /** Row by each lower-cased name it is read under; attributes begin with `@`. */
  readonly byLegacyName: ReadonlyMap<string, RecordRow>;
  /** undefined: no row of it is kept. */
  readonly kept: KeptKey | undefined;
}

/**
 * An element of a record: its name on each surface, and whether it holds a value, a record, a list in a container, or
 * repeats.
 */
export type RecordRow = {
  readonly element: string;
  readonly v3: string;
  readonly also: readonly string[];
  readonly required: string | undefined;
  readonly isRequired: boolean;
  /** What V1 tells before the move is kept; undefined: not. */
  readonly snapshot: KeptAs | undefined;
  /** Where V2 has it; undefined: nowhere. */
  readonly v2: RowTranslation | undefined;
} & (
  | {
      readonly holds: 'value';
      /** Requests: an attribute of the element that is the record. */
      readonly isAttribute: boolean;
      readonly kind: Kind | undefined;
      /** The legacy words for an identifier nobody knows; undefined: those of its kind. */
      readonly unknown: string | undefined;
      readonly format: FormatName;
      readonly unset: 'empty' | 'omit' | 'asGiven';
    }
  | { readonly holds: 'one'; readonly of: RecordTable }
  | {
      readonly holds: 'list';
      readonly child: string;
      readonly of: RecordTable;
      /** `empty`: present although the service left it out. `omit`: left out when it holds nothing. */
      readonly unset: 'empty' | 'asGiven' | 'omit';
      /** With a record that is new, those of the list are new. */
      readonly isOwn: boolean;
    }
  | { readonly holds: 'many'; readonly of: RecordTable }
);
