import type { Account, Product } from '../domain/account.ts';
import type { AccountBook } from '../domain/accounts.ts';
import type { GrantBook } from '../domain/grant.ts';
import type { Crosswalk, Kind } from '../domain/identifier.ts';
import type { Secret } from '../domain/secret.ts';
import type { Verdict } from '../migration/cutover.ts';
import type { Learning } from '../migration/learner.ts';

export interface AccountToAdd {
  readonly name: string;
  readonly product: Product;
  readonly accountKey: Secret;
  /** Given: calls must carry exactly this one. */
  readonly apiKey: Secret | undefined;
}

export interface IssuedLink {
  readonly link: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A part of the upstream that was tried, and what is wrong with it. */
export interface Probe {
  readonly what: string;
  readonly good: boolean;
  readonly detail: string;
}

/** The parts of a bridge that the commands work with; opened for one command and closed after it. */
export interface Tools {
  readonly accounts: AccountBook;
  readonly grants: GrantBook;
  readonly crosswalk: Crosswalk;
  /** Kinds of records that have numbers and UUIDs. */
  readonly kinds: readonly Kind[];
  /** Throws `DuplicateAccount`. */
  addAccount(account: AccountToAdd): Promise<Account>;
  /** A link for the customer's administrator; earlier ones stay good until they expire. Throws `Refusal`. */
  invite(account: Account): Promise<IssuedLink>;
  /** Renews the pair of tokens now. Throws `Failure`. */
  refresh(grantId: string): Promise<void>;
  /** Asks V1 for all pairs of numbers and UUIDs it can name. */
  learn(account: Account): Promise<Learning>;
  /** Runs the checks before cut-over; changes nothing. Throws `Refusal` where V3 is not configured. */
  checkCutover(account: Account): Promise<Verdict>;
  /** Moves the account to V3, for ever, when the checks pass, or with new numbers for what is not learned. */
  cutover(account: Account, acceptUnlearned: boolean): Promise<Verdict>;
  /** Tries every upstream address that is configured. */
  probe(): Promise<readonly Probe[]>;
  close(): Promise<void>;
}
