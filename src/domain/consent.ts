import type { AccountEvent, Organisation, Stage } from './account.ts';
import type { Entry, Standing as CampaignStanding } from './campaign.ts';
import type { Consenter, SealedPair } from './grant.ts';

/**
 * Why somebody came back and nothing was connected (yet): a short, stable list for log, metric, timeline and board,
 * with words for the operator. What the customer reads is the pages' affair.
 */
export const consentRefusals = {
  denied: 'The person, or the service, declined the request',
  declined: 'The person said afterwards that they do not want the connection',
  noPrivilege:
    "The person lacks 'Authorise 3rd Party Full Access', or the service does not open the organisation",
  stateUnknown: 'It took too long, was completed already, or was begun in another browser',
  foreignIssuer: 'The answer named another authorisation server',
  exchangeFailed: 'The authorisation server did not confirm the authorisation',
  serviceSilent: 'The service could not be asked which organisation this is',
  noOfflineAccess: 'No refresh token came: the access would have ended with the access token',
  scopeMissing: 'A scope that was asked for was not granted',
  noOrganisation: 'The authorisation names no organisation',
  severalOrganisations: 'Several organisations were connected: the person was asked which one it is',
  organisationUnconfirmed: 'Another organisation than expected was connected: the person was asked',
  organisationTaken: 'The organisation belongs to another account',
  otherOrganisation: 'The account belongs to another organisation for good',
  foreignOrganisation: 'The organisation knows none of the clients of the account',
  choiceDeclined: 'The person connected none of the organisations offered',
  choiceExpired: 'The person was asked about the organisation and never answered',
  overtaken: 'Another consent connected the account meanwhile',
} as const;

export type ConsentRefusal = keyof typeof consentRefusals;
export const consentRefusalNames = Object.keys(consentRefusals) as readonly ConsentRefusal[];

/** The words of a refusal; any other detail of a timeline's line as it is. */
export const refusalWords = (detail: string): string =>
  Object.hasOwn(consentRefusals, detail) ? consentRefusals[detail as ConsentRefusal] : detail;

/** Kinds of lines in an account's timeline; the detail of the first two is a `ConsentRefusal`, alone. */
export const consentEvents = {
  refused: 'consentRefused',
  asked: 'consentAsked',
  connected: 'consented',
} as const;

/**
 * How an organisation stands to an account. `same`: it is the account's, beyond doubt. `open`: nothing is known either
 * way. `doubtful`: something speaks against it. The others cannot be chosen: `foreign` knows none of the account's
 * clients, `other` is not the one a moved account belongs to for good, `taken` is another account's.
 */
export type Standing = 'same' | 'open' | 'doubtful' | 'foreign' | 'other' | 'taken';

export interface JudgedOrganisation extends Organisation {
  readonly standing: Standing;
}

export const isChoosable = ({ standing }: JudgedOrganisation): boolean =>
  standing === 'same' || standing === 'open' || standing === 'doubtful';

/** Another invited account that the same consent covers, by proof. */
export interface Companion {
  readonly accountId: string;
  readonly organisation: Organisation;
}

/** Why the service said `access_denied`; it says the same to both, so that only the person can tell. */
export const denialCauses = ['unwilling', 'unable'] as const;
export type DenialCause = (typeof denialCauses)[number];

/** The step that connects an account, and the one that says no: all that belongs to either is written at once. */
export interface ConsentBook {
  /**
   * The new stage with its line in the timeline; the invitations that were open are `accepted`; and what `notice`
   * makes of the account as it stands then. Throws what `transition` throws, `OrganisationTaken`, `UnknownAccount`.
   */
  bind(binding: {
    readonly accountId: string;
    readonly transition: (life: Stage) => Stage;
    readonly event: AccountEvent;
    readonly notice?: ((standing: CampaignStanding) => Entry | undefined) | undefined;
  }): Promise<void>;
  /**
   * Ends the reminders, and keeps back letters that have not left. False, and nothing is written, where the invitation
   * is used up or withdrawn.
   */
  decline(invitationId: string, accountId: string, event: AccountEvent): Promise<boolean>;
}

/** A consent whose tokens are held, bound to nothing, until a person has said which organisation it is for. */
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

export interface HeldGrant {
  readonly id: string;
  readonly consenter: Consenter;
  readonly scope: string;
  readonly tokens: SealedPair;
  readonly now: number;
}

/** The rows of pending choices. A choice has one answer, from the browser it was put to. */
export interface ChoiceBook {
  /** Grant and choice, both or neither: no grant lies about that nobody will look after. */
  hold(
    grant: HeldGrant,
    choice: PendingChoice & { readonly keyIndex: string; readonly browserIndex: string },
  ): Promise<void>;
  /** What is put to the person, where it is still open and this is the browser; changes nothing. */
  look(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined>;
  /**
   * The right to carry the answer out, once. Undefined for the second caller, for another browser, after the deadline,
   * and where the invitation has been used up or withdrawn meanwhile.
   */
  take(
    keyIndexes: readonly string[],
    browserIndexes: readonly string[],
    now: number,
  ): Promise<PendingChoice | undefined>;
  /** What the person is asked, once the organisations have been judged by the tokens that are held. */
  offer(id: string, offered: Pick<PendingChoice, 'organisations' | 'companions'>): Promise<void>;
  /** Ids of the accounts with an open invitation to the same e-mail address, without the account itself. */
  beside(accountId: string, now: number): Promise<readonly string[]>;
  /** The tokens have found their place, or are gone. True for the one who took the row out. */
  drop(id: string): Promise<boolean>;
  /** Ids of grants that neither an account nor a choice names: their turn was over when a process died. */
  orphans(): Promise<readonly string[]>;
  /** Those whose deadline passed before `before`, carried out or not. */
  overdue(before: number): Promise<readonly PendingChoice[]>;
}
