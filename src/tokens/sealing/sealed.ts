/**
 * The names values are sealed under. They are part of the sealing: a value sealed under one name cannot be opened
 * under another, so they never change.
 */
export const sealedAs = {
  accountKey: 'account-key',
  apiKey: 'api-key',
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  verifier: 'verifier',
  link: 'link',
  writeFacts: 'write-facts',
  writeAnswer: 'write-answer',
  writeSteps: 'write-steps',
  snapshotFields: 'snapshot-fields',
} as const;

/** A column of sealed values. */
export interface SealedPlace {
  /** In words, for the operator. */
  readonly name: string;
  /** One of `sealedAs`. */
  readonly column: string;
  /** The key space of the index that stands beside the value and changes with it. */
  readonly purpose: string | undefined;
  /** Gone by itself within weeks: nobody is kept out when such a value cannot be opened. */
  readonly passing: boolean;
}

/** A sealed value, and the row it stands in. */
export interface SealedValue {
  /** Its row, which is its owner in the sealing. */
  readonly owner: string;
  readonly sealed: string;
}

/** A value sealed anew, and the text it takes the place of. */
export interface Resealed {
  readonly value: SealedValue;
  readonly sealed: string;
  readonly index: string | undefined;
}

/** What is looked up by a keyed hash and was written down before a moment, so under an earlier key. */
export interface IndexedBefore {
  /** Invitations whose links are still good. */
  readonly links: number;
  /** When the last of those links expires. */
  readonly lastLink: number | undefined;
  /** Names of tokens for console and API that have not been used since. */
  readonly tokens: readonly string[];
}

/** Everything that is sealed in the store, whatever it is; for looking after the keys alone. */
export interface SealedRepository {
  readonly places: readonly SealedPlace[];
  /** How many values of a place each of these keys has sealed; the last number is of all other keys. */
  counts(place: SealedPlace, keyIds: readonly string[]): Promise<readonly number[]>;
  /** At most `limit` values that none of these keys has sealed, by owner, after `after`. */
  others(
    place: SealedPlace,
    keyIds: readonly string[],
    range: { readonly after: string; readonly limit: number },
  ): Promise<readonly SealedValue[]>;
  /** In one transaction, each only where the value is still the one that was read; answers how many were. */
  replace(place: SealedPlace, values: readonly Resealed[]): Promise<number>;
  indexedBefore(moment: number, now: number): Promise<IndexedBefore>;
}

/** What one key is still needed for. */
export interface KeyUse {
  readonly id: string;
  /** The first key of the settings seals; the others only open. */
  readonly role: 'seals' | 'opens';
  readonly values: number;
}

/** What each key has sealed, and what else still depends on an older one. */
export interface KeyStatus {
  readonly keys: readonly KeyUse[];
  readonly since: number;
  /** Values that none of the keys has sealed. */
  readonly foreign: number;
  /** What is looked up by an older key; nothing where there is only one. */
  readonly indexed: IndexedBefore;
}

/** What became of the values of one place. */
export interface PlaceResealed {
  readonly place: string;
  readonly resealed: number;
  /** Changed while this ran, by a process that seals with the first key itself. */
  readonly overtaken: number;
  /** Owners of values that no key opens; left as they are. */
  readonly unreadable: readonly string[];
}
