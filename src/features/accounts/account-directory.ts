/**
 * Finds the account of a key pair; the first step of every call.
 *
 * Keys are looked up by keyed hash, and nothing called later sees them. A pair that has been found is recognised by a
 * salted hash, at a tenth of the price; the salt belongs to this process and the keys are not kept. Its caller is
 * cached until somebody writes data that concerns accounts (`changes`); then its row is read again. While the database
 * is away, recently confirmed rows are used for calls that only read, for no longer than `lifetime`, because another
 * instance may have moved or closed the account. The fact that a key is unknown is never cached.
 */
import { hash, randomUUID } from 'node:crypto';
import { sameText } from '../../lib/secret/same-text.ts';
import type { AccountChanges } from '../../db/engine.ts';
import type { Account } from './account.ts';
import type { AccountRepository, KeyedAccount } from './model.ts';
import type { Keys } from './keys.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import { keyPlaces } from './account-keys.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { isAway } from '../../lib/store-fault.ts';
import { destinationOf, type Destination } from '../../upstream/model.ts';

/** The caller. An unknown account key has no row, but V1 may still accept it. */
export type Caller = KnownCaller | { readonly known: false };

/** The account of a call, as last confirmed. */
export interface KnownCaller {
  readonly known: true;
  readonly account: Account;
  /** The destination of its calls on V3 and V2; set from consent on. */
  readonly to: Destination | undefined;
}

/** The parts of the directory. */
export interface AccountDirectoryParts {
  readonly repository: Pick<AccountRepository, 'byKeyIndex' | 'byId' | 'wasErased'>;
  readonly seal: Seal;
  readonly clock: Clock;
  /** How long a confirmed row may be used while the database is away, in milliseconds; 0: never. */
  readonly lifetime: number;
  readonly changes: AccountChanges;
  /** Called for a consented account whose API key is not known; its calls are refused. */
  readonly keyMissing: (accountId: string) => void;
}

interface Confirmed<Row> {
  row: Row;
  at: number;
}

/** The keyed hashes of a pair. */
interface Indexes {
  readonly account: readonly string[];
  readonly api: readonly string[];
}

interface Met {
  readonly indexes: Indexes;
  readonly caller: KnownCaller;
  readonly row: Confirmed<KeyedAccount>;
  readonly account: Confirmed<Account>;
  /** The state of the database for which `caller` is right. */
  readonly state: string | undefined;
}

/** Most accounts in memory; a row takes about a kilobyte. */
const MOST = 20_000;
const NOBODY: Caller = { known: false };

/** Resolves key pairs to accounts, from memory if that is safe. */
export class AccountDirectory {
  readonly #parts: AccountDirectoryParts;
  readonly #salt = randomUUID();
  /** By salted hash of the key pair. */
  readonly #met = new Map<string, Met>();
  /** In both maps, the most recently confirmed entry is at the end. */
  readonly #rows = new Map<string, Confirmed<KeyedAccount>>();
  readonly #accounts = new Map<string, Confirmed<Account>>();

  constructor(parts: AccountDirectoryParts) {
    this.#parts = parts;
  }

  /**
   * The account of a key pair. `reads`: while the database is away, the last confirmed account will do. Throws
   * `Failure` keysRefused if the account is closed or erased, if the API key is missing, if the operator set another
   * one, or if, after consent, V1 has never accepted it for this account; also throws the repository's errors.
   */
  async resolve(keys: Keys, reads: boolean): Promise<Caller> {
    const { changes } = this.#parts;
    const state = changes.state() ?? (await askedOf(changes));
    const pair = this.#pairOf(keys.apiKey.reveal(), keys.accountKey.reveal());
    const present = this.#current(pair, state);
    if (present !== undefined) return present;
    if (keys.apiKey.reveal() === '') throw await this.#withoutApiKey(keys);
    return this.#find(this.#met.get(pair)?.indexes ?? this.#indexesOf(keys), reads, pair, state);
  }

  /** The account of a key pair if it is in memory, as for every call except its first. */
  present(apiKey: string, accountKey: string): KnownCaller | undefined {
    return this.#current(this.#pairOf(apiKey, accountKey), this.#parts.changes.state());
  }

  /** Calls back while `present` can answer; undefined: it always can. See `AccountChanges`. */
  get ask(): AccountChanges['ask'] {
    return this.#parts.changes.ask;
  }

  #pairOf(apiKey: string, accountKey: string): string {
    return hash('sha256', `${this.#salt}${apiKey.length}:${apiKey}${accountKey}`, 'base64url');
  }

  #current(pair: string, state: string | undefined): KnownCaller | undefined {
    const met = this.#met.get(pair);
    if (met === undefined || state === undefined || met.state !== state) return undefined;
    met.row.at = met.account.at = this.#parts.clock.now();
    return met.caller;
  }

  /** The account in its present row or, while the database is away, as last confirmed. */
  async byId(id: string): Promise<Account | undefined> {
    try {
      const account = await this.#parts.repository.byId(id);
      this.#remember(this.#accounts, id, account);
      return account;
    } catch (error) {
      return this.#recall(this.#accounts.get(id), error);
    }
  }

  #indexesOf({ accountKey, apiKey }: Keys): Indexes {
    const { seal } = this.#parts;
    return {
      account: seal.index(accountKey, keyPlaces.account.purpose),
      api: seal.index(apiKey, keyPlaces.api.purpose),
    };
  }

  /** V1 is not asked, but the account is looked up, so that the operator sees whose call it is. */
  async #withoutApiKey(keys: Keys): Promise<Failure> {
    const indexes = this.#indexesOf(keys);
    const row = await this.#parts.repository.byKeyIndex(indexes.account).catch((error: unknown) => {
      if (isAway(error)) return undefined;
      throw error;
    });
    if (row === undefined) return new Failure('keysRefused');
    const { id: accountId, life } = row.account;
    const why = life.stage === 'closed' ? 'closed' : 'wrong-api-key';
    return new Failure('keysRefused', { refused: { accountId, why } });
  }

  /** `state`: read before the row, so that a write in between makes the row be read again. */
  async #find(indexes: Indexes, reads: boolean, pair: string, state: string | undefined): Promise<Caller> {
    const place = indexes.account.join(' ');
    let row: KeyedAccount | undefined;
    try {
      row = await this.#parts.repository.byKeyIndex(indexes.account);
    } catch (error) {
      if (!reads) throw error;
      return this.#judged(this.#recall(this.#rows.get(place), error), indexes);
    }
    this.#met.delete(pair);
    const confirmed = this.#remember(this.#rows, place, row);
    if (row === undefined || confirmed === undefined) {
      if (await this.#parts.repository.wasErased(indexes.account)) throw new Failure('keysRefused');
      return NOBODY;
    }
    const account = this.#remember(this.#accounts, row.account.id, row.account);
    const caller = this.#judged(row, indexes);
    if (account === undefined) return caller;
    if (this.#met.size >= MOST) this.#met.clear();
    this.#met.set(pair, { indexes, caller, row: confirmed, account, state });
    return caller;
  }

  #judged(row: KeyedAccount, { api }: Indexes): KnownCaller {
    const { account, apiKeyIndex } = row;
    const { id: accountId } = account;
    if (account.life.stage === 'closed')
      throw new Failure('keysRefused', { refused: { accountId, why: 'closed' } });
    if (!isKnown(row, api) && (apiKeyIndex !== undefined || !mayVouch(account))) {
      const isMissing = apiKeyIndex === undefined && row.pinned.length === 0;
      if (isMissing) this.#parts.keyMissing(accountId);
      const why = isMissing ? 'no-api-key' : 'wrong-api-key';
      throw new Failure('keysRefused', { refused: { accountId, why } });
    }
    return callerOf(account);
  }

  #remember<Row>(
    into: Map<string, Confirmed<Row>>,
    key: string,
    row: Row | undefined,
  ): Confirmed<Row> | undefined {
    const known = into.get(key);
    into.delete(key);
    if (row === undefined) return undefined;
    // One object shared by all cached callers of the account, so that each of their calls confirms it.
    const confirmed = Object.assign(known ?? {}, { row, at: this.#parts.clock.now() });
    into.set(key, confirmed);
    const [oldest] = into.keys();
    if (into.size > MOST && oldest !== undefined) into.delete(oldest);
    return confirmed;
  }

  /** The row as last confirmed. Throws `error` unless the database is away and the row is recent enough. */
  #recall<Row>(found: Confirmed<Row> | undefined, error: unknown): Row {
    if (found === undefined || !isAway(error)) throw error;
    const age = this.#parts.clock.now() - found.at;
    // A clock that was set back would extend the row's life.
    if (age < 0 || age >= this.#parts.lifetime) throw error;
    return found.row;
  }
}

/** The account as the caller of a request. */
export function callerOf(account: Account): KnownCaller {
  const { life } = account;
  return { known: true, account, to: 'binding' in life ? destinationOf(account, life.binding) : undefined };
}

/** The state once it has been asked for; undefined: the database cannot be asked. */
const askedOf = ({ ask, state }: AccountChanges): Promise<string | undefined> | undefined =>
  ask &&
  new Promise((resolve) => {
    ask(() => {
      resolve(state());
    });
  });

/** `given`: the keyed hashes of the API key that came with the call. */
function isKnown({ apiKeyIndex, pinned }: KeyedAccount, given: readonly string[]): boolean {
  const known = apiKeyIndex === undefined ? pinned : [apiKeyIndex];
  return known.some((index) => given.some((one) => sameText(one, index)));
}

/** Until a customer has consented, only V1 serves an account, and V1 decides whether an API key is valid. */
const mayVouch = ({ life }: Account): boolean => life.stage === 'legacy';
