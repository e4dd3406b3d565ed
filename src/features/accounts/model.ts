import type { Account, AccountEvent, AccountOrigin, Stage, StageName } from './account.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { AccountChange, AccountDetails } from './details.ts';

/** An account as it is added; keys come sealed, with the keyed hashes they are found by. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  readonly origin: AccountOrigin;
  /** Keyed hash of the account key; unique. */
  readonly accountKeyIndex: string;
  readonly accountKeySealed: string;
  /** Present when calls must carry exactly this API key. */
  readonly apiKeyIndex?: string;
  readonly apiKeySealed?: string;
  readonly details?: AccountDetails;
  readonly now: number;
  readonly actor: string;
}

/** What is needed to judge a key pair. */
export interface KeyedAccount {
  readonly account: Account;
  /** Calls must carry exactly this one: the operator gave it. */
  readonly apiKeyIndex: string | undefined;
  /** Those under which V1 has answered for the account. */
  readonly pinned: readonly string[];
}

/** The keys of an account: sealed to be sent to V1, hashed to be found by. */
export interface SealedKeys {
  readonly accountKey: string;
  /** The one the operator gave, else the one V1 accepted last; `owner` is what it is sealed for. */
  readonly apiKey: { readonly owner: string; readonly sealed: string } | undefined;
  /** Calls must carry exactly this one. */
  readonly apiKeyDemanded: boolean;
}

/** An API key under which V1 has answered. */
export interface ApiKeyPin {
  /** Of a new row, and what `sealed` is sealed for. */
  readonly id: string;
  /** Under every key of the seal, the sealing one first: it may be pinned under an older one. */
  readonly indexes: readonly string[];
  readonly sealed: string;
  readonly at: number;
}

/** API keys of one account; each stands for a program of the customer, of which there are a few. */
export const MOST_PINNED = 16;

/** The account key, or whatever else must be unique, belongs to another account. */
export class DuplicateAccount extends Error {
  constructor(what: string) {
    super(`an account with this ${what} exists already`);
    this.name = 'DuplicateAccount';
  }
}

/** Another account is already bound to the organisation: one organisation, one account. */
export class OrganisationTaken extends Error {
  constructor(organisation: string) {
    super(`the organisation ${organisation} is connected to another account`);
    this.name = 'OrganisationTaken';
  }
}

/** No account has this id. */
export class UnknownAccount extends Error {
  constructor(id: string) {
    super(`there is no account ${id}`);
    this.name = 'UnknownAccount';
  }
}

/** Names are for people and need not be unique; what they cannot tell apart is not guessed. */
export class AmbiguousName extends Error {
  constructor(name: string) {
    super(`several accounts are named ${name}: use the id`);
    this.name = 'AmbiguousName';
  }
}

/** The rows of accounts. Every change of stage goes through `change`, which writes the timeline with it. */
export interface AccountRepository {
  /** Throws `DuplicateAccount`. */
  add(account: NewAccount): Promise<Account>;
  byKeyIndex(indexes: readonly string[]): Promise<KeyedAccount | undefined>;
  byId(id: string): Promise<Account | undefined>;
  /** By id, or by exact name. Throws `AmbiguousName`. */
  find(idOrName: string): Promise<Account | undefined>;
  byGrant(grantId: string): Promise<readonly Account[]>;
  byOrganisation(organisationId: string): Promise<Account | undefined>;
  /** All, or those of some stages; the oldest first. */
  list(stages?: readonly StageName[]): Promise<readonly Account[]>;
  sealedKeys(id: string): Promise<SealedKeys | undefined>;
  /**
   * V1 has answered for the account under this API key: from its consent on no others are taken, unless the operator
   * gives one. Of more than `MOST_PINNED` the one not seen for longest gives way.
   */
  pinApiKey(accountId: string, pin: ApiKeyPin): Promise<void>;
  /**
   * Applies a transition of `domain/account.ts` to the stage as it is in the store, in one transaction, with a line
   * in the timeline. Throws `IllegalTransition`, `OrganisationTaken`, `UnknownAccount`.
   */
  change(id: string, transition: (life: Stage) => Stage, event: AccountEvent): Promise<Account>;
  /** `NO_DETAILS` where nothing is known. */
  details(id: string): Promise<AccountDetails>;
  /** Of all accounts of which anything is known. */
  allDetails(): Promise<ReadonlyMap<string, AccountDetails>>;
  /** All of it in one transaction, with its line in the timeline. Throws `UnknownAccount`. */
  set(id: string, change: AccountChange, event: AccountEvent): Promise<Account>;
  /** Throws `UnknownAccount`. */
  note(id: string, event: AccountEvent): Promise<void>;
  timeline(id: string): Promise<readonly AccountEvent[]>;
}
