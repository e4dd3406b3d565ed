import type { Account, AccountEvent, AccountOrigin, Stage, StageName } from './account.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { Trx } from '../../db/tables.ts';
import type { AccountChange, AccountDetails } from './details.ts';

/** A new account; its keys are sealed and come with the keyed hashes for their look-up. */
export interface NewAccount {
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  /** Default: the application of the top-level settings. */
  readonly application?: string | undefined;
  readonly origin: AccountOrigin;
  readonly isClosed?: boolean | undefined;
  /** Keyed hash of the account key; unique. */
  readonly accountKeyIndex: string;
  readonly accountKeySealed: string;
  /** Present if calls must carry exactly this API key. */
  readonly apiKeyIndex?: string;
  readonly apiKeySealed?: string;
  readonly details?: AccountDetails;
  readonly now: number;
  readonly actor: string;
}

/** How many accounts belong to an OAuth application. */
export interface ApplicationUse {
  readonly application: string;
  readonly accounts: number;
  /** How many of these hold a grant of it. */
  readonly connected: number;
}

/** The data to check a key pair. */
export interface KeyedAccount {
  readonly account: Account;
  /** If set, calls must carry exactly this API key: the operator set it. */
  readonly apiKeyIndex: string | undefined;
  /** API keys with which V1 has answered for the account. */
  readonly pinned: readonly string[];
}

/** The keys of an account: sealed for sending them to V1, hashed for lookups. */
export interface SealedKeys {
  readonly accountKey: string;
  /** The one that the operator set, or else the one that V1 accepted last. It is sealed for `owner`. */
  readonly apiKey: { readonly owner: string; readonly sealed: string } | undefined;
  /** Calls must carry exactly this API key. */
  readonly apiKeyDemanded: boolean;
}

/** An API key with which V1 has answered. */
export interface ApiKeyPin {
  /** Id of the new row, for which `sealed` is sealed. */
  readonly id: string;
  /** Under every key of the seal, the sealing key first: it may already be stored under an older one. */
  readonly indexes: readonly string[];
  readonly sealed: string;
  readonly at: number;
}

/** Most API keys per account: one for each of the customer's few programs. */
export const MOST_PINNED = 16;

/** The account key, or something else that must be unique, belongs to another account. */
export class DuplicateAccount extends Error {
  /** `name`: the other account's name, if known. */
  constructor(what: string, name?: string) {
    super(`an account with this ${what} already exists${name === undefined ? '' : `: ${name}`}`);
    this.name = 'DuplicateAccount';
  }
}

/** Another account is already bound to the organisation; each organisation has one account. */
export class OrganisationTaken extends Error {
  constructor(organisation: string) {
    super(`the organisation ${organisation} is connected to another account`);
    this.name = 'OrganisationTaken';
  }
}

/** Tokens are held for the account, and belong to the application that obtained them. */
export class ApplicationInUse extends Error {
  constructor(account: string, application: string) {
    super(
      `the account ${account} is connected through the application ${application}, and no other application can use its consent: once the connection has ended (its customer can disconnect it), change the application and invite the customer again`,
    );
    this.name = 'ApplicationInUse';
  }
}

/** The account has had a consent, which allows the calls of its product only. */
export class ProductInUse extends Error {
  constructor(stage: StageName) {
    super(`the product of an account that is ${stage} cannot be changed`);
    this.name = 'ProductInUse';
  }
}

/** Somebody else connected the account, or one of the same organisation, at the same moment. */
export const isOvertaken = (error: unknown): error is Error =>
  error instanceof ApplicationInUse || error instanceof OrganisationTaken || error instanceof ProductInUse;

/** No account has this id. */
export class UnknownAccount extends Error {
  readonly id: string;

  constructor(id: string) {
    super(`there is no account ${id}`);
    this.id = id;
    this.name = 'UnknownAccount';
  }
}

/** Names need not be unique; if several accounts match, none is guessed. */
export class AmbiguousName extends Error {
  constructor(name: string) {
    super(`several accounts are named ${name}: use the id`);
    this.name = 'AmbiguousName';
  }
}

/**
 * The rows of accounts. Every change of stage goes through `change`, which writes the timeline entry with it.
 */
export interface AccountRepository {
  /** Throws `DuplicateAccount`. */
  add(account: NewAccount): Promise<Account>;
  byKeyIndex(indexes: readonly string[]): Promise<KeyedAccount | undefined>;
  /** Whether the last account with this account key was erased. */
  wasErased(indexes: readonly string[]): Promise<boolean>;
  byId(id: string): Promise<Account | undefined>;
  /** By id or exact name. Throws `AmbiguousName`. */
  find(idOrName: string): Promise<Account | undefined>;
  /** Also lost accounts, which no longer use it: see `holders`. */
  byGrant(grantId: string): Promise<readonly Account[]>;
  /** The account that has the organisation under this application. */
  byOrganisation(organisationId: string, application: string): Promise<Account | undefined>;
  /** How many accounts, except closed ones, each application has, and how many of them hold a grant of it. */
  applications(): Promise<readonly ApplicationUse[]>;
  /** All accounts or those at some stages, oldest first. */
  list(stages?: readonly StageName[]): Promise<readonly Account[]>;
  sealedKeys(id: string): Promise<SealedKeys | undefined>;
  /**
   * Stores an API key with which V1 has answered for the account. After consent no other keys are accepted, unless the
   * operator sets one. If there are more than `MOST_PINNED`, the one unused for longest is dropped.
   */
  pinApiKey(accountId: string, pin: ApiKeyPin): Promise<void>;
  /**
   * Applies a transition of `account.ts` to the stored stage, in one transaction with its timeline entry and with
   * what `also` writes.
   * Throws `IllegalTransition`, `OrganisationTaken`, `UnknownAccount`.
   */
  change(
    id: string,
    transition: (life: Stage) => Stage,
    event: AccountEvent,
    also?: (trx: Trx) => Promise<void>,
  ): Promise<Account>;
  /** `NO_DETAILS` if nothing is known. `trx`: the transaction that reads them. */
  details(id: string, trx?: Trx): Promise<AccountDetails>;
  /** Ids of the accounts with these words in contact, address or notes, ignoring case. */
  search(words: string): Promise<ReadonlySet<string>>;
  /** The details of all accounts that have any. */
  allDetails(): Promise<ReadonlyMap<string, AccountDetails>>;
  /**
   * Writes everything in one transaction with its timeline entry. Throws `UnknownAccount`, `ProductInUse` if the product
   * cannot be changed, and `ApplicationInUse` or `OrganisationTaken` if the application cannot.
   */
  set(id: string, change: AccountChange, event: AccountEvent): Promise<Account>;
  /** Throws `UnknownAccount`. */
  note(id: string, event: AccountEvent): Promise<void>;
  /** `trx`: the transaction that reads it. */
  timeline(id: string, trx?: Trx): Promise<readonly AccountEvent[]>;
}
