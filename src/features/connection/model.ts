import type { StageName } from '../accounts/account.ts';
import type { Product } from '../../upstream/organisation.ts';

/** How far the old keys of an account still work. */
export type OldKeys =
  | { readonly state: 'none' | 'moved' | 'open' }
  | { readonly state: 'until'; readonly day: string; readonly daysLeft: number }
  | { readonly state: 'ended'; readonly day: string };

/** The data of a connection that a customer may see without signing in: no names of people, no keys, no links. */
export interface ConnectionView {
  readonly accountId: string;
  readonly account: string;
  readonly product: Product;
  /** Name of the OAuth application of the connection. */
  readonly application: string;
  /** Undefined: the installation's language. */
  readonly language: string | undefined;
  /** IANA name of the time zone; undefined: the installation's. */
  readonly zone: string | undefined;
  readonly stage: StageName;
  readonly organisation: string | undefined;
  readonly lastCallAt: number | undefined;
  readonly keys: OldKeys;
  /** When the view was made. */
  readonly at: number;
}

/** The approval of a connection; shown only to the person who gave it, after a fresh sign-in. */
export interface Approval {
  readonly grantId: string;
  readonly by: string;
  readonly at: number;
}

/** Finds the account of a link to its page. A link is stored as a keyed hash only. */
export interface StatusLinkRepository {
  /** Undefined if there is no such link, or it has expired or was withdrawn. */
  accountOf(indexes: readonly string[], now: number): Promise<string | undefined>;
}
