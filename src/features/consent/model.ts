/**
 * The model of consents: refusals and standings with their texts, and the repositories that store them.
 *
 * A consent ends in one of four ways: connected, refused, waiting for the customer's choice (`PendingChoice`), or
 * waiting for the operator (`AwaitingConsent`). The rules of proof:
 * docs/decisions/tokens/0006-organisation-of-a-consent.md.
 */
import type { Account, AccountEvent, Stage } from '../accounts/account.ts';
import type { AccountDetails, ExpectedOrganisation } from '../accounts/details.ts';
import type { Consenter, Organisation, Product } from '../../upstream/organisation.ts';
import type { Entry, CampaignFacts } from '../campaign/model.ts';
import type { ConsentFinding } from './findings.ts';
import { HOUR } from '../../lib/time/clock.ts';
import type { Grant, SealedPair } from '../../tokens/grant.ts';

/**
 * Why somebody returned and nothing was connected (yet): a short, stable list for log, metric, timeline and
 * report, with texts for the operator. The pages have texts of their own for the customer.
 */
export const consentRefusals = {
  denied: 'The person, or the service, declined the request',
  declined: 'The person said that they do not want the connection',
  noPrivilege:
    "The person lacks 'Authorise 3rd Party Full Access', or the service does not open the organisation",
  stateUnknown: 'It took too long, was completed already, or was started in another browser',
  foreignIssuer: 'The answer named another authorisation server',
  exchangeFailed: 'The authorisation server did not confirm the authorisation',
  serviceSilent: 'The service could not be asked which organisation this is',
  noOfflineAccess: 'No refresh token came: the access would have ended with the access token',
  scopeMissing: 'A scope that was asked for was not granted',
  noOrganisation: 'The authorisation names no organisation',
  severalOrganisations: 'Several organisations were connected, so the person was asked which one it is',
  organisationUnconfirmed: 'The organisation was not the expected one, so the person was asked',
  organisationTaken: 'The organisation belongs to another account',
  otherOrganisation: 'The account is connected to another organisation, which this consent does not change',
  foreignOrganisation: 'The organisation has none of the account’s clients',
  choiceDeclined: 'The person chose none of the organisations offered',
  choiceExpired: 'The person was asked about the organisation but never answered',
  overtaken: 'Another consent connected the account in the meantime',
} as const;

/** A key of `consentRefusals`. */
export type ConsentRefusal = keyof typeof consentRefusals;
/** All refusals, in order. */
export const consentRefusalNames = Object.keys(consentRefusals) as readonly ConsentRefusal[];

/** The text of a refusal; any other detail of a timeline entry unchanged. */
export const refusalWords = (detail: string): string =>
  Object.hasOwn(consentRefusals, detail) ? consentRefusals[detail as ConsentRefusal] : detail;

/** Kinds of timeline entries; the detail of the first two is a `ConsentRefusal` alone. */
export const consentEvents = {
  refused: 'consentRefused',
  asked: 'consentAsked',
  connected: 'consented',
  awaiting: 'consent.awaiting',
  confirmed: 'consent.confirmed',
  refusedByOperator: 'consent.refused',
  disconnected: 'disconnected',
  elsewhere: 'consent.elsewhere',
  foreign: 'consent.foreign',
  unproved: 'consent.unproved',
  later: 'consent.later',
  unread: 'consent.unread',
} as const;

/**
 * How an organisation relates to an account. `same`: proved to be the account's. `likely`: only its name says
 * so, which preselects it and proves nothing. `open`: nothing is known. `doubtful`: something speaks against
 * it. The others cannot be chosen: `foreign` has none of the account's clients, `other` is not the one a
 * moved account belongs to for good, `taken` is another account's.
 */
export const standings = ['same', 'likely', 'open', 'doubtful', 'foreign', 'other', 'taken'] as const;
/** A key of `findings`. */
export type Standing = (typeof standings)[number];

/** An organisation of a consent, judged for one account. */
export interface JudgedOrganisation extends Organisation {
  readonly standing: Standing;
  /** With the customer's choice it is bound; without proof the operator confirms. */
  readonly proved: boolean;
  readonly findings: readonly ConsentFinding[];
}

/** Whether the customer may choose it; a form that names any other organisation is refused. */
export const isChoosable = ({ standing }: JudgedOrganisation): boolean =>
  standing === 'same' || standing === 'likely' || standing === 'open' || standing === 'doubtful';

/** What counts as proof; with `name`, a similar name is also enough. */
export const proofModes = ['required', 'name'] as const;
/** A member of `standings`. */
export type ProofMode = (typeof proofModes)[number];

/** A consent without proof, with everything the operator needs to judge it. Its id is that of its grant. */
export interface AwaitingConsent {
  readonly id: string;
  readonly accountId: string;
  readonly account: string;
  readonly product: Product;
  /** The operator's contact for the account. */
  readonly contact: string | undefined;
  readonly contactEmail: string | undefined;
  readonly expected: ExpectedOrganisation;
  readonly organisation: Organisation;
  readonly by: Consenter;
  readonly findings: readonly ConsentFinding[];
  readonly since: number;
  /** Name of another account that is already connected to the organisation. */
  readonly takenBy: string | undefined;
  /** Names of other accounts whose consents wait for the same organisation. */
  readonly rivals: readonly string[];
}

/** A consent that waits, with the other accounts that the organisation may belong to. */
export interface WeighedConsent extends AwaitingConsent {
  /** In words: accounts without an organisation for which this one is expected by its name or id. */
  readonly elsewhere: readonly string[];
}

/** In milliseconds, the longest pause between two attempts to revoke tokens. */
export const LONGEST_PAUSE = 6 * HOUR;

/** Tokens to be revoked at the server: stored with the decision, deleted when done. */
export interface Revocation {
  readonly grantId: string;
  readonly attempts: number;
}

/** An account at the moment of the step, read under the lock of its row. */
export interface PresentAccount {
  readonly account: Account;
  readonly details: AccountDetails;
}

/** The rows of consents that wait for the operator, and of tokens to be revoked. */
export interface AwaitingRepository {
  /** Oldest first. */
  list(): Promise<readonly AwaitingConsent[]>;
  ofAccount(accountId: string): Promise<AwaitingConsent | undefined>;
  /**
   * Stores the new stage, its timeline entry, the findings and the approver in one transaction; tokens of an earlier
   * waiting consent are stored for revocation. Throws the errors of `transition`, `OrganisationTaken`,
   * `UnknownAccount`, `GrantGone`.
   */
  propose(proposal: {
    readonly accountId: string;
    readonly transition: (
      life: Stage,
      present: PresentAccount,
    ) => { readonly life: Stage; readonly findings: readonly ConsentFinding[] };
    readonly event: AccountEvent;
  }): Promise<void>;
  /**
   * Returns the account to its previous stage, stores the tokens for revocation and the entry that `refusal` returns for
   * the account as it then is: everything or nothing. Throws the errors of `transition`, `UnknownAccount`.
   */
  refuse(refusal: {
    readonly accountId: string;
    readonly transition: (life: Stage) => Stage;
    readonly event: AccountEvent;
    readonly refusal: (facts: CampaignFacts) => Entry;
  }): Promise<void>;
  /**
   * Stores the tokens of grants that only lost accounts name. Each was disconnected while another still used the grant,
   * perhaps at the same moment in another process.
   */
  revokeUnheld(now: number): Promise<void>;
  /** Those that are due, longest waiting first. */
  revocations(now: number): Promise<readonly Revocation[]>;
  /** Schedules another attempt at `nextAt`. */
  postpone(grantId: string, nextAt: number): Promise<void>;
  /** Deletes a revocation that is done, or no longer wanted. */
  strike(grantId: string): Promise<void>;
}

/** Another invited account covered by the same consent, with proof. */
export interface Companion {
  readonly accountId: string;
  readonly organisation: JudgedOrganisation;
}

/** Why the service said `access_denied`. It sends the same code for both, so only the person can tell. */
export const denialCauses = ['unwilling', 'unable'] as const;
/** A member of `proofModes`. */
export type DenialCause = (typeof denialCauses)[number];

/** The steps that connect an account or decline; the changes of each are written together. */
export interface ConsentRepository {
  /**
   * Stores the new stage with its timeline entry, marks open invitations as `accepted`, and stores the entry that
   * `notice` returns for the account as it then is. Throws the errors of `transition`, `OrganisationTaken`,
   * `UnknownAccount`, and `GrantGone` if the grant was lost, or its import discarded, in the meantime.
   */
  bind(binding: {
    readonly accountId: string;
    readonly transition: (life: Stage, present: PresentAccount) => Stage;
    readonly event: AccountEvent;
    /** The confirmation, entered before the new stage. */
    readonly confirmed?: AccountEvent | undefined;
    /** The grant was imported: its import, which has the same id, is granted with it. */
    readonly imported?: boolean;
    readonly notice?: ((facts: CampaignFacts) => Entry | undefined) | undefined;
  }): Promise<void>;
  /**
   * Ends the reminders and withdraws messages that have not left. Returns false and writes nothing if the invitation is
   * used up or withdrawn.
   */
  decline(invitationId: string, accountId: string, event: AccountEvent): Promise<boolean>;
}

/** A consent whose tokens are held, bound to nothing, until a customer has said which organisation it is for. */
export interface PendingChoice {
  readonly id: string;
  readonly invitationId: string;
  readonly accountId: string;
  readonly grantId: string;
  readonly organisations: readonly JudgedOrganisation[];
  readonly companions: readonly Companion[];
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** A grant when it is first stored; `now` in milliseconds since the epoch. */
export interface HeldGrant extends Pick<Grant, 'id' | 'application' | 'consenter' | 'scope'> {
  readonly tokens: SealedPair;
  readonly now: number;
}

/** The rows of pending choices. A choice accepts one answer, from the browser that was asked. */
export interface ChoiceRepository {
  /** Stores grant and choice, both or neither: no grant is left unhandled. */
  hold(
    grant: HeldGrant,
    choice: PendingChoice & { readonly keyIndex: string; readonly browserIndex: string },
  ): Promise<void>;
  /** The question for the customer, if it is open and this is the browser; changes nothing. */
  look(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined>;
  /**
   * The right to carry out the answer, once. Undefined for a second caller, for another browser, after the
   * deadline, and if the invitation has been used up or withdrawn meanwhile.
   */
  take(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined>;
  /** Stores the choices for the customer, once the organisations have been judged with the held tokens. */
  offer(id: string, offered: Pick<PendingChoice, 'organisations' | 'companions'>): Promise<void>;
  /** Ids of other accounts with an open invitation to the same e-mail address. */
  beside(accountId: string, now: number): Promise<readonly string[]>;
  /** The tokens are bound or revoked. Returns true to the caller that deleted the row. */
  drop(id: string): Promise<boolean>;
  /** Ids of grants that no account and no choice refers to, left by a process that died. */
  orphans(): Promise<readonly string[]>;
  /** Those whose deadline passed before `before`, carried out or not. */
  overdue(before: number): Promise<readonly PendingChoice[]>;
}
