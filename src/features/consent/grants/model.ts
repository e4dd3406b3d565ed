/**
 * The model of grants that are imported or exported.
 *
 * An import begins with a refresh token of an integrator's own script. Presenting it ends that script's token, because
 * every refresh returns a new one (V2 specification, "Tokens", rule 4), so it is stored before it is presented. It is
 * `importing` until it was presented and its organisation was checked, then `granted`, `waiting` for the operator, or
 * `refused` by the authorisation server.
 *
 * An export hands the tokens of accounts to another program, sealed for that program's key. Their grants are lost here
 * from then on, with the reason `exported`; a sealed copy stays for as long as the refresh token lives, so that a file
 * that was never written, or got lost, can be made again.
 */
import type { Columns } from '../../../lib/text/columns.ts';
import { iso } from '../../../lib/time/iso.ts';
import type { Consenter, Organisation } from '../../../upstream/organisation.ts';
import type { SealedPair } from '../../../tokens/grant.ts';
import { consentRefusals, type HeldGrant, type JudgedOrganisation } from '../model.ts';

/** The progress of an imported token. */
export const importStates = ['importing', 'waiting', 'granted', 'refused'] as const;
/** A member of `importStates`. */
export type ImportState = (typeof importStates)[number];
/** The states of a token that is not settled: it may still connect its account. */
export const openImportStates = ['importing', 'waiting'] as const satisfies readonly ImportState[];
/** Whether an import is not settled. */
export const isOpen = (state: ImportState): boolean => openImportStates.some((open) => open === state);

/** Why an imported token did not connect its account, as texts for the operator. */
export const importReasons = {
  tokenRefused:
    'The authorisation server refused the token: it is unknown, expired, revoked, or a later refresh of the script has used it up',
  otherThanGiven: 'The token is not for the organisation that was given with it',
  severalOrganisations: 'The token is for several organisations, and nothing says which one is the account’s',
  organisationUnconfirmed: 'Nothing proves that the organisation is the account’s',
  scopeMissing: 'The token does not cover a scope that the account needs',
  noPrivilege: 'The service does not open the organisation to this token',
  noOrganisation: 'The token names no organisation',
  organisationTaken: consentRefusals.organisationTaken,
  otherOrganisation: consentRefusals.otherOrganisation,
  foreignOrganisation: consentRefusals.foreignOrganisation,
  overtaken: consentRefusals.overtaken,
  stateUnknown: 'The account was closed in the meantime',
} as const;
/** A key of `importReasons`. */
export type ImportReason = keyof typeof importReasons;

/** All reasons, in order. */
export const importReasonNames = Object.keys(importReasons) as [ImportReason, ...ImportReason[]];

/** Whether a stored text is one of the reasons; another version may have written it. */
export const isImportReason = (text: string): text is ImportReason => Object.hasOwn(importReasons, text);

/** An imported token and its outcome; never the token itself. Its id is that of its grant. */
export interface GrantImport {
  readonly id: string;
  readonly accountId: string;
  readonly account: string;
  readonly state: ImportState;
  readonly reason: ImportReason | undefined;
  /** The organisation that was given with the token, by id or name. */
  readonly given: string | undefined;
  /** The token's organisations, as judged. */
  readonly organisations: readonly JudgedOrganisation[];
  readonly who: string;
  readonly startedAt: number;
  /** The beginning of the state. */
  readonly since: number;
}

/** Why a token is refused, as texts after the account's name. */
export const importHindrances = {
  closed: 'is closed',
  living:
    'already has a valid grant; allow such grants to be replaced (the box, --replace), and this token replaces it once it is proved to be for the same organisation',
  awaiting: 'has a consent waiting for you: confirm or refuse it first',
  underWay: 'has an imported token that is not settled yet: see the imported tokens',
  sameToken: 'this same token was imported before, which used it up',
} as const;
/** A key of `importHindrances`. */
export type ImportHindrance = keyof typeof importHindrances;

/** A token that is about to be presented. */
export interface ImportBeginning {
  readonly accountId: string;
  /** Keyed hashes of the token, the first with the current key. */
  readonly tokenIndexes: readonly string[];
  /** The account may have a living grant, which stays in use until this one is proved. */
  readonly replace: boolean;
}

/** Kinds of timeline entries. */
export const grantEvents = {
  importing: 'grant.importing',
  waiting: 'grant.waiting',
  refused: 'grant.refused',
  discarded: 'grant.discarded',
  exported: 'grant.exported',
} as const;

/** The rows of imported tokens. */
export interface ImportRepository {
  /** Why `begin` would refuse it; undefined: it would not. Changes nothing. */
  hindrance(beginning: ImportBeginning): Promise<ImportHindrance | undefined>;
  /**
   * Stores the token, sealed, as a grant that nobody uses yet, with its import and a timeline entry; all or nothing, and on
   * disk before it resolves. Throws `UnknownAccount`.
   */
  begin(
    beginning: ImportBeginning & {
      readonly grant: HeldGrant;
      readonly given: string | undefined;
      readonly who: string;
    },
  ): Promise<ImportHindrance | undefined>;
  /** Oldest first. */
  list(): Promise<readonly GrantImport[]>;
  find(id: string): Promise<GrantImport | undefined>;
  /** The unsettled one, or else the latest. */
  ofAccount(accountId: string): Promise<GrantImport | undefined>;
  /** Stores what the service said about the token's owner. */
  learned(id: string, consenter: Consenter, scope: string | undefined): Promise<void>;
  /** False if it was already settled or discarded. */
  settle(
    id: string,
    settled: {
      readonly state: Exclude<ImportState, 'importing'>;
      readonly reason?: ImportReason;
      readonly organisations?: readonly JudgedOrganisation[];
      readonly now: number;
    },
  ): Promise<boolean>;
  /** Gives it up: its tokens are stored for revocation in the same transaction. False if it is granted or gone. */
  discard(id: string, who: string, now: number): Promise<boolean>;
}

/** An account whose grant is exported. */
export interface ExportedAccount {
  readonly id: string;
  readonly name: string;
  readonly product: string;
  readonly organisation: Organisation;
}

/** A copy of an exported grant, for one account; its tokens are sealed for the id of the copy. */
export interface ExportCopy {
  readonly id: string;
  readonly account: ExportedAccount;
  readonly grantId: string;
  /** Name of the OAuth application that obtained it, whose client ID its recipient needs. */
  readonly application: string;
  readonly consenter: Consenter;
  readonly scope: string;
  readonly tokens: SealedPair;
  readonly exportedAt: number;
  readonly who: string;
  /** The thumbprint of the key for which it was last sealed (RFC 7638). */
  readonly recipient: string;
}

/** The rows of exported grants. */
export interface ExportRepository {
  /**
   * Ends a grant here and keeps a copy for each of its accounts, with the accounts' loss, their timelines and the audit
   * entry, in one transaction. Returns false and writes nothing if the grant has changed since it was read: refreshed
   * or being refreshed, lost, or used by other accounts than these.
   */
  take(taking: {
    readonly grantId: string;
    /** The sealed refresh token as it was read. */
    readonly refreshToken: string;
    readonly copies: readonly ExportCopy[];
  }): Promise<boolean>;
  /** Records that another key gets the copies, too, with the audit entry. */
  again(copies: readonly ExportCopy[], recipient: string, who: string, now: number): Promise<void>;
  /** By account id. */
  of(accountIds: readonly string[]): Promise<ReadonlyMap<string, ExportCopy>>;
  /** Deletes copies from before that time; returns how many. */
  drop(before: number): Promise<number>;
}

/** The columns of the list of imported tokens. */
export const importColumns: Columns<GrantImport> = {
  account: ({ account }) => account,
  state: ({ state }) => state,
  detail: ({ reason }) => (reason === undefined ? '' : importReasons[reason]),
  organisations: ({ organisations }) =>
    organisations.map(({ id, name, standing }) => `${name} [${id}] ${standing}`).join('; '),
  given: ({ given }) => given,
  by: ({ who }) => who,
  since: ({ since }) => iso(since),
};
