import type { Trx } from '../../db/tables.ts';

/**
 * Number ⇄ UUID, per account and kind. V1 uses numbers that fit 32 bits, V3 and V2 use UUIDs (the XML specification
 * prints `[id]` numeric). Kinds are data: `mappings/identifiers.yaml`.
 */
export type Kind = string;

/** An identifier in V1's form. */
export interface NumberedId {
  readonly kind: Kind;
  readonly number: number;
}

/** An identifier in the form of V2 and V3. */
export interface UuidId {
  readonly kind: Kind;
  readonly uuid: string;
}

/** Both identifiers of one record. */
export type Pair = NumberedId & UuidId;

/**
 * Records of a kind that have no number yet and get none from this read, because the read is to find out
 * which of them a write has created.
 */
export interface Unmet {
  readonly kind: Kind;
  /** Includes records that may be older than the move. */
  readonly all: boolean;
  /** In lower case, as they appear in the reply, each with the number it has got since. */
  readonly uuids: Map<string, number | undefined>;
}

/** Numbers for records created after the move start here: above every V1 number, within 32 bits. */
export const FIRST_ALLOTTED = 1_500_000_000;

/**
 * The largest number that an operator may give. Another bridge's numbers begin at `FIRST_ALLOTTED`, too; the next one is
 * above all known, so 2,147,483,647, to which spreadsheets and databases cut an overflow, would leave none.
 */
export const LARGEST_GIVEN = 2_000_000_000;

/**
 * `learned`: V1 has shown it. `imported`: an operator has given it, and V1 has not shown it since. `allotted`: the bridge
 * has assigned the number.
 */
export type PairOrigin = 'learned' | 'imported' | 'allotted';

/** A pair as it is stored. */
export type StoredPair = Pair & { readonly origin: PairOrigin };

/** Pairs with the number or the UUID of another one. */
export interface Contradiction {
  readonly pair: Pair;
  readonly known: readonly StoredPair[];
}

/** How pairs are learned. */
export interface LearnTerms {
  /** Default: `learned`, from V1. */
  readonly origin?: Exclude<PairOrigin, 'allotted'>;
  /** Known pairs that contradict them are replaced, but for allotted ones. Refused once the account has moved. */
  readonly corrects?: boolean;
}

/** The outcome of learning some pairs; `known` were already stored. */
export interface LearnReport {
  readonly added: number;
  readonly known: number;
  /** A number or a UUID that is already paired differently; never overwritten, unless the terms say so. */
  readonly conflicts: readonly Pair[];
  /** The pairs that they contradict; absent without conflicts. */
  readonly contradictions?: readonly Contradiction[];
}

/**
 * Whether a row of a record holds its own number or UUID, and not that of another record. `InternalID` of a job is the
 * number of the record that V3 identifies by the job's UUID.
 */
export const isOwnIdentifier = ({
  element,
  v3,
  kind,
}: {
  readonly element: string;
  readonly v3: string;
  readonly kind?: Kind | undefined;
}): boolean => kind !== undefined && (element === 'ID' || v3 === 'UUID');

/** The kinds of records that a method may add, by its id. */
export type KindsAdded = (method: string) => readonly Kind[];

/** What is known of an account when a pass over V1's lists begins. */
export interface ReadingTerms {
  readonly kindsAdded: KindsAdded;
  /** Whatever V1 still carries out, no program gets to see under V1's number. */
  readonly hasMoved: boolean;
}

/** What is known about one kind of an account's identifiers; everything but `complete` is a count. */
export interface KindReport {
  readonly kind: Kind;
  readonly learned: number;
  readonly allotted: number;
  readonly unlearned: number;
  /** All records of this kind that existed before the move are known, so an unknown UUID is a new record. */
  readonly complete: boolean;
}

/** The key of an identifier in the maps of the crosswalk. */
export const idKey = (kind: Kind, id: string | number): string => `${kind}:${id}`;

/** Durable and unique in both directions; every key begins with the account. */
export interface Crosswalk {
  /** Recently read pairs. */
  readonly remembered: {
    uuidOf(accountId: string, kind: Kind, number: number): string | undefined;
    numberOf(accountId: string, kind: Kind, uuid: string): number | undefined;
  };
  /** Keyed by `idKey(kind, number)`; unknown numbers are absent. */
  uuids(accountId: string, wanted: readonly NumberedId[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Keyed by `idKey(kind, uuid)`. An unknown UUID of a complete kind is a record created after the move: it
   * gets a number, committed before this resolves. One of an incomplete kind is marked unlearned, counted,
   * and absent: it never gets a number silently, because the legacy program would take it for a new record.
   * `created` lists UUIDs that the bridge itself has just created, the record's own first; `allotted` is the
   * number reserved for that record before the call left.
   */
  numbers(
    accountId: string,
    wanted: readonly UuidId[],
    created?: ReadonlySet<string>,
    allotted?: NumberedId,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * The UUIDs, in lower case, that would be numbered as new records; writes nothing. `all`: every one without
   * a number, even if it may be older.
   */
  unmet(accountId: string, kind: Kind, uuids: readonly string[], all: boolean): Promise<ReadonlySet<string>>;
  /** Throws `StoreFault` refused. */
  learn(accountId: string, pairs: readonly Pair[], terms?: LearnTerms): Promise<LearnReport>;
  /** `read`: ids of the writes that were over before these kinds were read (`writesBefore`). */
  markComplete(accountId: string, kinds: readonly Kind[], read?: readonly string[]): Promise<void>;
  /** Ids of the writes on V1 that are over now, so that a pass over V1's lists that begins now shows what they added. */
  writesBefore(accountId: string, terms: ReadingTerms): Promise<readonly string[]>;
  /** Those of these writes that V1 is known to have answered before a moment. */
  writesOver(accountId: string, ids: readonly string[], before: number): Promise<readonly string[]>;
  /** The kinds that were read to the end, and of which V1 may have added records since. */
  addedSince(accountId: string): Promise<ReadonlySet<Kind>>;
  /**
   * The operator's override: every record of these kinds without a known number, whether V3 has shown it yet or not,
   * gets a new one when it is next shown. `trx`: the transaction that this is part of.
   */
  acceptUnlearned(accountId: string, kinds: readonly Kind[], trx?: Trx): Promise<void>;
  report(accountId: string): Promise<readonly KindReport[]>;
  /** Of one kind or all, ordered by kind and number, read as it is consumed. `except`: without those of this origin. */
  export(accountId: string, kind?: Kind, except?: PairOrigin): AsyncIterable<Pair>;
}
