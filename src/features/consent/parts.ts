/**
 * The parts that the steps of a consent share: the services they use, and the results they return to the pages.
 *
 * A consent has four steps: a link is opened (`Offer`), the browser leaves for the authorisation server (`Departure`),
 * it returns (`Arrival`), and the outcome is a connection, a question, a wait for the operator, or a refusal
 * (`Outcome`).
 */
import type { Account, AccountOrigin } from '../accounts/account.ts';
import type { Consenter, Organisation, Product } from '../../upstream/organisation.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import type { Entry, CampaignFacts } from '../campaign/model.ts';
import type {
  AwaitingRepository,
  ChoiceRepository,
  ConsentRepository,
  ConsentRefusal,
  JudgedOrganisation,
  ProofMode,
} from './model.ts';
import type { GrantRepository } from '../../tokens/grant.ts';
import type { InvitationRepository } from '../accounts/invitation.ts';
import type { Log } from '../../lib/log/log.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Applications } from '../../upstream/application.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import type { Cutover } from '../cutover/cutover.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';
import type { OrganisationProof } from '../organisation/proof.ts';

/** The parts of the steps. */
export interface ConsentParts {
  readonly repository: AccountRepository;
  readonly invitations: InvitationRepository;
  readonly choices: ChoiceRepository;
  readonly consents: ConsentRepository;
  readonly awaiting: AwaitingRepository;
  readonly grants: GrantRepository;
  /** Each account is connected through its own application. */
  readonly applications: Applications;
  readonly identifierSync: IdentifierSync;
  readonly cutover: Pick<Cutover, 'check'>;
  readonly proof: OrganisationProof;
  /** The setting for proof that an organisation is the account's. */
  readonly proofMode: ProofMode;
  readonly seal: Seal;
  readonly profile: Profile;
  /** An answer that names its issuer (`iss`, RFC 9207) must come from this origin. */
  readonly issuerOrigin: string;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly log: Log;
  /** Called with `connected`, `awaiting` or the reason, once for each consent that returned. */
  readonly told?: ((outcome: ConsentOutcome) => void) | undefined;
  /** The notice to an account's contact, and the receipt, when somebody connects it; stored together with the connection. */
  readonly notice?: ((facts: CampaignFacts, by: Consenter) => Entry | undefined) | undefined;
  /** How long a browser may wait for the sync and for the checks, in milliseconds. */
  readonly patience?: number | undefined;
}

/** The end of a consent, for the metric. */
export type ConsentOutcome = 'connected' | 'awaiting' | ConsentRefusal;

/** The content of a link; looking at it changes nothing. */
export interface Offer {
  readonly account: Account;
  /** The organisation the account is already connected to. */
  readonly organisation: Organisation | undefined;
  /** The organisation's name according to the operator or an earlier consent; only shown. */
  readonly expected: string | undefined;
  /** The organisation that was approved but not yet confirmed by the operator. */
  readonly awaiting: Organisation | undefined;
  readonly expiresAt: number;
  /** Language of the account's e-mails, BCP 47; undefined: the installation's. */
  readonly language: string | undefined;
  /** IANA name of the account's time zone; undefined: the installation's. */
  readonly zone: string | undefined;
}

/** Language and time zone in which an account's customer is addressed, and the application that asks. */
export interface Customer {
  /** Undefined: in the installation's language. */
  readonly language: string | undefined;
  /** Undefined: in the installation's time zone. */
  readonly zone?: string | undefined;
  readonly product: Product;
  /** Name of the OAuth application that asks. */
  readonly application: string;
}

/** The outcome of pressing the button. */
export type Departure =
  | ({ readonly outcome: 'leave'; readonly url: string } & Customer)
  /** Unknown, expired, used or withdrawn; the visitor does not learn which. */
  | { readonly outcome: 'unknown' }
  /** The numbers could not be learned right now, and after the step they can no longer be read. */
  | ({ readonly outcome: 'later' } & Customer);

/** The query of the callback, with only the parameters given exactly once. */
export interface Arrival {
  /** Name of the OAuth application at whose redirect address the browser arrived. */
  readonly application: string;
  readonly state: string | undefined;
  readonly code: Secret | undefined;
  readonly error: string | undefined;
  /** The issuer that answers (RFC 9207), if the server names it. */
  readonly issuer?: string | undefined;
}

/** One account that was connected. */
export interface Connection {
  readonly account: string;
  readonly organisation: string;
  readonly origin: AccountOrigin;
  /** False while checks are still running; calls are served nevertheless. */
  readonly migrated: boolean;
}

/** The consent has connected at least the invited account. */
export interface Connected {
  readonly outcome: 'connected';
  /** The invited account first. */
  readonly connections: readonly [Connection, ...Connection[]];
  /** The person who consented, as named in the token. */
  readonly by: string;
  readonly at: number;
  /** Whether a receipt, or the notice, goes to the person who consented. */
  readonly mailed: boolean;
}

/** The approval is held; nothing is connected until the operator has confirmed it. */
export interface Awaiting {
  readonly outcome: 'awaiting';
  readonly account: string;
  readonly organisation: string;
  readonly origin: AccountOrigin;
  /** The person who consented, as named in the token. */
  readonly by: string;
  readonly at: number;
  /** Other accounts that the same approval has connected. */
  readonly connections: readonly Connection[];
}

/** The customer has to say which organisation it is. */
export interface AskedCustomer {
  readonly outcome: 'asked';
  /** Opens the question; works only in this browser. */
  readonly key: Secret;
}

export interface Refused {
  readonly outcome: 'refused';
  readonly reason: ConsentRefusal;
  /** Undefined if the account of the attempt is unknown. */
  readonly account: { readonly id: string; readonly name: string } | undefined;
  /** Names of the organisations that were connected at the service. */
  readonly found: readonly string[];
  readonly expected: string | undefined;
}

/** The end of a callback or an answer. */
export type Outcome = Connected | Awaiting | AskedCustomer | Refused;

/** The question for the customer; `expiresAt` in milliseconds since the epoch. */
export interface Question {
  readonly account: { readonly id: string; readonly name: string };
  readonly expected: string;
  readonly organisations: readonly JudgedOrganisation[];
  readonly companions: readonly {
    readonly account: string;
    readonly id: string;
    readonly organisation: Organisation;
  }[];
  readonly by: string;
  readonly expiresAt: number;
}

/** The customer's choice. */
export interface Answer {
  /** Undefined: none of them. */
  readonly organisationId: string | undefined;
  /** Ids of the other accounts to be connected, too. */
  readonly companions: readonly string[];
}

/** The default of `patience`, in milliseconds. */
export const PATIENCE = 25 * SECOND;
/** The purpose under which PKCE verifiers are sealed. */
export const VERIFIER = sealedAs.verifier;

/** The grant and organisation of an account; undefined in stages before a consent. */
export const bindingOf = ({
  life,
}: Account): { readonly grantId: string; readonly organisation: Organisation } | undefined =>
  'binding' in life ? life.binding : undefined;

/** A name by which a person would recognise the account's organisation; an id alone is none. */
export async function expectedName(
  repository: AccountRepository,
  account: Account,
): Promise<string | undefined> {
  const { expected } = await repository.details(account.id);
  return bindingOf(account)?.organisation.name ?? expected.name;
}
