/**
 * Number ⇄ UUID, per account and kind. V1 knows numbers that fit 32 bits, V3 and V2 know UUIDs
 * (001_43834a5c52d8e676.txt prints `[id]` numeric). Kinds are data: `mappings/identifiers.yaml`.
 */
export type Kind = string;

/** An identifier as V1 has it. */
export interface NumberedId {
  readonly kind: Kind;
  readonly number: number;
}

/** An identifier as V2 and V3 have it. */
export interface UuidId {
  readonly kind: Kind;
  readonly uuid: string;
}

/** Both identifiers of one record. */
export type Pair = NumberedId & UuidId;

/** Records of a kind that have no number yet, and get none by being read: which of them a write has made is to be found out. */
export interface Unmet {
  readonly kind: Kind;
  /** Those, too, that may be older than the move. */
  readonly all: boolean;
  /** In lower case: they stand in the reply as they are. With the number that one has got since. */
  readonly uuids: Map<string, number | undefined>;
}

/** Numbers for records created after the move start here: clear of any V1 number, within 32 bits. */
export const FIRST_ALLOTTED = 1_500_000_000;

/** What learning some pairs came to; `known` were stored already. */
export interface LearnReport {
  readonly added: number;
  readonly known: number;
  /** A number or a UUID that is already paired otherwise; never overwritten. */
  readonly conflicts: readonly Pair[];
}

/** What is known of one kind of an account's identifiers; all but `complete` are counts. */
export interface KindReport {
  readonly kind: Kind;
  readonly learned: number;
  readonly allotted: number;
  readonly unlearned: number;
  /** All records of this kind that existed before the move are known: an unknown UUID is a new record. */
  readonly complete: boolean;
}

/** The key under which the maps of the crosswalk hold an identifier. */
export const idKey = (kind: Kind, id: string | number): string => `${kind}:${id}`;

/** Durable, unique both ways, every key begins with the account. */
export interface Crosswalk {
  /** Pairs that were read lately. */
  readonly remembered: {
    uuidOf(accountId: string, kind: Kind, number: number): string | undefined;
    numberOf(accountId: string, kind: Kind, uuid: string): number | undefined;
  };
  /** Keyed by `idKey(kind, number)`; what nobody knows is not in the map. */
  uuids(accountId: string, wanted: readonly NumberedId[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Keyed by `idKey(kind, uuid)`. An unknown UUID of a complete kind is a record created after the move: it is
   * allotted a number, committed before this resolves. Of an incomplete kind it is marked unlearned, counted, and
   * not in the map: never silently given a number (the old program would take it for a new record).
   * `created` lists UUIDs known to be new because the bridge itself just created them, the record's own first, and
   * `allotted` is the number that was put aside for it before the call left.
   */
  numbers(
    accountId: string,
    wanted: readonly UuidId[],
    created?: ReadonlySet<string>,
    allotted?: NumberedId,
  ): Promise<ReadonlyMap<string, number>>;
  /**
   * Those of the UUIDs, in lower case, that would be numbered as new records; nothing is written down. `all`: every one
   * that has no number, though it may be older.
   */
  unmet(accountId: string, kind: Kind, uuids: readonly string[], all: boolean): Promise<ReadonlySet<string>>;
  learn(accountId: string, pairs: readonly Pair[]): Promise<LearnReport>;
  markComplete(accountId: string, kinds: readonly Kind[]): Promise<void>;
  /** Operator's override: every unlearned record gets an allotted number. */
  allotUnlearned(accountId: string): Promise<number>;
  report(accountId: string): Promise<readonly KindReport[]>;
  /** Of one kind, or of all. By kind and number, read as it is taken. */
  export(accountId: string, kind?: Kind): AsyncIterable<Pair>;
}
