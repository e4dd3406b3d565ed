import type { XmlElement } from '../../lib/xml/element.ts';
import type { Contradiction, Kind } from '../../mapping/crosswalk/identifier.ts';

/** A V1 call whose reply in transition mode shows every record of a kind. */
export interface LearnList {
  /** `client.api/list` */
  readonly call: string;
  readonly query: Readonly<Record<string, string>>;
  /**
   * Container, record, and the path from the record to the element: `['Clients', 'Client', 'Contacts',
   * 'Contact']`.
   */
  readonly at: readonly string[];
  /** The element with the number, if it is not `ID`; a record without it has no number. */
  readonly number?: string | undefined;
}

/** How the pairs of one kind are learned; comes from the mapping. */
export interface LearnKind {
  readonly kind: Kind;
  /** `Type` of the exported map. */
  readonly map: string | undefined;
  readonly list: LearnList | undefined;
}

/** Parts of records that have no identifier of their own, and the V1 calls that show them; comes from the mapping. */
export interface LearnPart {
  readonly kind: Kind;
  /** The kind of the records that have them. */
  readonly of: Kind;
  /** The elements that identify a part. */
  readonly by: readonly string[];
  /** The list of the records that have them. */
  readonly list: LearnList;
  /** Names from the record, or with `each` from `Response`, down to a part. */
  readonly at: readonly string[];
  /** A call for each record, by its `ID`; undefined: the list shows them. */
  readonly each: string | undefined;
}

/** Empty if V3 accepts V1's numbers: then there is nothing to learn. */
export interface LearnPlan {
  readonly kinds: readonly LearnKind[];
  readonly parts: readonly LearnPart[];
}

/** A record and its parts, as V1 shows them. */
export interface WithParts {
  readonly record: XmlElement;
  readonly parts: readonly XmlElement[];
}

/** Keeps more of the records in V1's lists while they are read. */
export interface KeepListed {
  /** The kinds of records and parts that are kept. */
  readonly kinds: ReadonlySet<Kind>;
  /** Returns how many were kept. */
  keep(accountId: string, kind: LearnKind, elements: readonly XmlElement[]): Promise<number>;
  /** The same for parts of records. */
  keepParts(accountId: string, part: LearnPart, records: readonly WithParts[]): Promise<number>;
  /** The `ID` of the last record that was asked for its parts; empty: none, or all of them were. */
  askedUpTo(accountId: string, part: Kind): Promise<string>;
  asked(accountId: string, part: Kind, upTo: string): Promise<void>;
}

/** A kind whose pairs are not all known, and why. */
export interface Incomplete {
  readonly kind: Kind;
  readonly reason: string;
}

/** The outcome of asking V1 for the pairs of an account. */
export type Learning =
  | {
      readonly outcome: 'learned';
      readonly added: number;
      readonly known: number;
      readonly conflicts: number;
      /** The conflicts with pairs whose numbers the bridge has not assigned itself; absent: none. */
      readonly contradictions?: readonly Contradiction[];
      /** Kinds that were read to the end without a fault. */
      readonly complete: readonly Kind[];
      readonly incomplete: readonly Incomplete[];
    }
  /** V1 refuses the account's keys. */
  | { readonly outcome: 'refused' }
  /** There is no V1, or the account's API key is not known yet. */
  | { readonly outcome: 'absent' }
  /** V1 could not be read at the moment. */
  | { readonly outcome: 'failed' };

/**
 * `document, jobTask (its map has no date); time`: the kinds by the reason why V1 did not show them, if it is known.
 * `added`: kinds of which programs may have added records on V1 since they were last read.
 */
export function kindWords(
  kinds: readonly { readonly kind: Kind }[],
  learning: Learning,
  added: ReadonlySet<Kind> = new Set(),
): string {
  const incomplete = learning.outcome === 'learned' ? learning.incomplete : [];
  const reasons = new Map([
    ...Array.from(added, (kind) => [kind, ` (${ADDED})`] as const),
    ...incomplete.map(({ kind, reason }) => [kind, ` (${reason})`] as const),
  ]);
  const groups = Map.groupBy(kinds, ({ kind }) => reasons.get(kind) ?? '');
  return Array.from(groups, ([why, some]) => `${some.map(({ kind }) => kind).join(', ')}${why}`).join('; ');
}

const ADDED = 'a program may have added some on V1 since they were last read';

/** Kinds of timeline entries: what V1 last said about the account's keys, until somebody has consented. */
export const v1Events = { refused: 'v1.refused', accepted: 'v1.accepted' } as const;

/** Kinds of timeline entries: what became of V1's numbers after the move. */
export const numberEvents = {
  /** The operator accepts new numbers for records whose V1 numbers are unknown; stored with the move. */
  requested: 'numbers.requested',
  given: 'numbers.given',
  /** V1 could not be read; once, however often it is tried. */
  unread: 'numbers.unread',
  /** The reading is over, whatever V1 said. */
  read: 'numbers.read',
  /** The reading is over, because V1 could not be read for too long. */
  missed: 'numbers.missed',
} as const;
