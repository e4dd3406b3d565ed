import type { IndexPurpose } from '../../lib/secret/seal.ts';

/**
 * The names that values are sealed under. They are part of the sealing: a value sealed under one name cannot
 * be opened under another, so they never change.
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
  replicaHead: 'replica-head',
  replicaRecords: 'replica-records',
  sampleContent: 'sample-content',
  consoleResult: 'console-result',
  parityExamples: 'parity-examples',
} as const;

/** A column of sealed values. */
export interface SealedPlace {
  /** Text for the operator. */
  readonly name: string;
  /** One of `sealedAs`. */
  readonly column: string;
  /** The key space of the index that is stored beside the value and changes with it. */
  readonly purpose: IndexPurpose | undefined;
  /** Deleted by itself within weeks: nobody is locked out if such a value cannot be opened. */
  readonly passing: boolean;
}

/** A sealed value, and the row that contains it. */
export interface SealedValue {
  /** Id of its row, which is its owner in the sealing. */
  readonly owner: string;
  readonly sealed: string;
}

/** A resealed value, and the text it replaces. */
export interface Resealed {
  readonly value: SealedValue;
  readonly sealed: string;
  readonly index: string | undefined;
}

/** How many links or samples still work, and when the last of them expires. */
export interface StillWorking {
  readonly count: number;
  readonly last: number | undefined;
}

/** Writes whose repeat still has to find them, and until when. */
export interface RepeatableWrites {
  readonly writes: number;
  readonly until: number | undefined;
}

/** The same of several steps that were not all done. */
export interface UnfinishedWrites extends RepeatableWrites {
  /** How many of them may be kept for longer: until they are settled. */
  readonly unsettled: number;
}

/** Values looked up by a keyed hash that were stored before a given time, so under an earlier key. */
export interface IndexedBefore {
  /** Links of invitations that still work. */
  readonly invitations: StillWorking;
  /** Links to pages of connections that still work. */
  readonly pages: StillWorking;
  /** Names of tokens for console and API that have not been used since. */
  readonly tokens: readonly string[];
  /** Writes with an `Idempotency-Key` that still counts. */
  readonly keyed: RepeatableWrites;
  /** Writes of several steps whose repeat does the rest. */
  readonly unfinished: UnfinishedWrites;
  /** Samples of replies that can still be compared. */
  readonly samples: StillWorking;
  /** Imported refresh tokens, which are recognised if they are given again. */
  readonly imports: number;
  /** Erased accounts whose programs are refused; nothing says under which key. */
  readonly erased: number;
}

/** What decides how long a stored hash is looked up, in milliseconds. */
export interface IndexTerms {
  readonly now: number;
  /** How long settled writes are kept. */
  readonly writesKept: number;
  /** How long after the given time bridges may still have used the earlier key; default: an hour. */
  readonly overlap?: number;
}

/** Everything that is sealed in the store, whatever it is; only for managing the keys. */
export interface SealedRepository {
  readonly places: readonly SealedPlace[];
  /** How many values of a place each of these keys has sealed; the last number is for all other keys. */
  counts(place: SealedPlace, keyIds: readonly string[]): Promise<readonly number[]>;
  /** At most `limit` values that none of these keys has sealed, by owner, after `after`. */
  others(
    place: SealedPlace,
    keyIds: readonly string[],
    range: { readonly after: string; readonly limit: number },
  ): Promise<readonly SealedValue[]>;
  /** In one transaction, each only if the value is still the one that was read; returns how many were. */
  replace(place: SealedPlace, values: readonly Resealed[]): Promise<number>;
  indexedBefore(moment: number, terms: IndexTerms): Promise<IndexedBefore>;
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
  /** What is looked up by an older key; empty if there is only one key. */
  readonly indexed: IndexedBefore;
  /** The most acceptances of differences that are void without an older key; 0 if there is only one key. */
  readonly acceptances: number;
}

/** What a key that is no longer in the ring is still needed for. */
export interface NeededKey {
  /** Values that it has sealed. */
  readonly values: number;
  /** What is looked up by it, or by an earlier key. */
  readonly indexed: IndexedBefore;
  readonly acceptances: number;
}

/** What happened to the values of one place. */
export interface PlaceResealed {
  readonly place: string;
  readonly resealed: number;
  /** Changed while this ran, by a process that seals with the first key itself. */
  readonly overtaken: number;
  /** Owners of values that no key opens; left unchanged. */
  readonly unreadable: readonly string[];
}
