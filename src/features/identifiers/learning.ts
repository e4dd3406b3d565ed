import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { Element } from './reading.ts';

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

/** Empty if V3 knows V1's numbers: then there is nothing to learn. */
export interface LearnPlan {
  readonly kinds: readonly LearnKind[];
}

/** What else is done with the records of V1's lists while they are read. */
export interface KeepListed {
  /** For records of these kinds. */
  readonly kinds: ReadonlySet<Kind>;
  /** Returns how many were kept. */
  keep(accountId: string, kind: LearnKind, elements: readonly Element[]): Promise<number>;
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

/** Kinds of timeline entries: what V1 last said about the account's keys, until somebody has consented. */
export const v1Events = { refused: 'v1.refused', accepted: 'v1.accepted' } as const;
