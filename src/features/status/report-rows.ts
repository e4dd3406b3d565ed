import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { AccountOrigin, StageName } from '../accounts/account.ts';
import type { Product } from '../../upstream/organisation.ts';
import type { Grant, LossReason } from '../../tokens/grant.ts';
import type { DayCounts } from '../accounts/history.ts';
import type { InvitationState } from '../accounts/invitation.ts';
import type { Forecast } from '../forecast/forecast.ts';
import type { KnownParity } from '../cutover/parity/model.ts';
import type { WaveWithMembers } from '../campaign/waves/model.ts';
import type { Watch } from '../cutover/watch/model.ts';
import type { Verdict } from '../usage/readiness/verdict.ts';
import type { MessageState, StopReason, Suppression } from '../campaign/outbox.ts';
import type { ReportedAccount } from './model.ts';

export interface AccountLine {
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  readonly application: string;
  readonly origin: AccountOrigin;
  readonly stage: StageName;
  readonly stageSince: number;
  readonly lastCallAt: number | undefined;
  readonly grantId: string | undefined;
  readonly organisation: string | undefined;
  readonly organisationId: string | undefined;
  readonly lostReason: LossReason | undefined;
  /** Whether the operator set its API key, or V1 has answered under one. */
  readonly hasApiKey: boolean;
  /** Whether it has an e-mail address. */
  readonly hasAddress: boolean;
  /** Why its address gets no e-mail. */
  readonly suppressed: Suppression['reason'] | undefined;
  /** As stored; undefined: the installation's language. */
  readonly language: string | undefined;
  /** As stored; see `tagsIn`. */
  readonly tags: string | undefined;
}

/** The newest invitation of an account. */
export interface InvitationLine {
  readonly id: string;
  readonly accountId: string;
  readonly state: InvitationState;
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** When the last invitation was issued that its customer opened: a reminder carries a new, unopened one. */
  readonly openedIssuedAt?: number | undefined;
}

export interface GrantLine {
  readonly id: string;
  readonly state: Grant['state'];
  readonly renewedAt: number;
  /**
   * For an unresolved grant: when its token was first presented without an answer, and when it is presented
   * again.
   */
  readonly since: number | undefined;
  readonly nextAt: number | undefined;
}

/** The current campaign run of an account. */
export interface RunLine {
  readonly accountId: string;
  /** When its customer was first asked, in milliseconds since the epoch; counts the reminders from there. */
  readonly beganAt: number;
  readonly reminders: number;
  /** When the next reminder is due; undefined once the run has stopped. */
  readonly nextAt: number | undefined;
  readonly stopped: StopReason | undefined;
}

/** The newest message to an account. */
export interface MessageLine {
  readonly accountId: string;
  readonly invitationId: string;
  readonly state: MessageState;
  /** Whether any message to it has left and not come back. */
  readonly anySent: boolean;
  /**
   * Whether the address that it went to is dead, whatever address the account has now: the message came back, or was
   * refused.
   */
  readonly isToDead: boolean;
  readonly nextAt: number | undefined;
  readonly reason: string | undefined;
}

export interface CallsLine {
  readonly accountId: string;
  readonly calls: number;
  readonly errors: number;
  readonly v1Calls: number;
  /** Calls refused with its account key; not among `calls`, because anybody may have sent them. */
  readonly refused?: number | undefined;
  /** Start of the last hour in which V1 answered a call; 0: it answered none. */
  readonly v1Hour: number;
  /**
   * Those since its stage began, or, if its connection is lost, since its move; `errors` without those that any route refuses, such as an unknown record, as far as they
   * are usual.
   */
  readonly sinceStage: { readonly calls: number; readonly errors: number };
}

/** The last timeline entry since the stage began that says why the account does not progress. */
export interface HindranceLine {
  readonly accountId: string;
  /** `refused`: an operator refused the consent. */
  readonly kind: 'checks' | 'consent' | 'refused';
  readonly at: number;
  /** For `consent`: a `ConsentRefusal`. Otherwise: a text. */
  readonly detail: string;
}

/** Everything that the status report is made from; one query reads each list. */
export interface StatusRows {
  readonly accounts: readonly AccountLine[];
  readonly invitations: readonly InvitationLine[];
  readonly grants: readonly GrantLine[];
  readonly runs: readonly RunLine[];
  readonly messages: readonly MessageLine[];
  readonly calls: readonly CallsLine[];
  readonly hindrances: readonly HindranceLine[];
  /** Accounts whose keys V1 refused when the bridge last asked it, with the time since when. */
  readonly v1Refused: ReadonlyMap<string, number>;
  /** Who approved its organisation with the link of another account, which may be why V1 refuses its keys. */
  readonly approvedElsewhere: ReadonlyMap<string, string>;
  readonly unlearned: ReadonlyMap<string, number>;
  /**
   * Accounts whose numbers of every kind were read from V1. What programs have added on V1 since then is read when the
   * customer presses the button.
   */
  readonly identified: ReadonlySet<string>;
  /** Whether V3 and V2 would serve an account as its programs are used to. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** What the rate limit would have done to an account's calls. */
  readonly forecasts: ReadonlyMap<string, Forecast>;
  /** Each account's newest comparison before the move, with the differences that were accepted. */
  readonly parities: ReadonlyMap<string, KnownParity>;
  /** What differs since an account's move. */
  readonly watches: ReadonlyMap<string, Watch>;
  /** In the order in which they are sent; empty when a single account is read. */
  readonly waves: readonly WaveWithMembers[];
  readonly days: readonly DayCounts[];
  /** Accounts entering `migrated`, and leaving it as `lost`, in the last 28 days. */
  readonly moves: readonly { readonly at: number; readonly change: 1 | -1 }[];
}

/** Reads the rows of the status report, each table once. */
export interface StatusRowReader {
  /** `kinds`: those of which V1 has numbers (`identified`). */
  read(now: number, kinds?: readonly Kind[]): Promise<StatusRows>;
  /** For one account; empty if it does not exist. Days and moves, which concern all accounts, are left out. */
  readOne(accountId: string, now: number, kinds?: readonly Kind[]): Promise<StatusRows>;
}

/** Reads the findings about accounts before and after their move: of all, or of one. */
export interface MovingReader {
  readonly parity: { known(only?: string): Promise<StatusRows['parities']> };
  readonly watches: { known(only?: string): Promise<StatusRows['watches']> };
  readonly waves: { list(): Promise<StatusRows['waves']> };
}

const noCalls: Omit<CallsLine, 'accountId'> = {
  ...{ calls: 0, errors: 0, v1Calls: 0, v1Hour: 0 },
  sinceStage: { calls: 0, errors: 0 },
};

/** An account's calls of the last day, as the report has them. */
export const callFigures = (
  { calls, errors, v1Calls, refused = 0, sinceStage }: Omit<CallsLine, 'accountId'> = noCalls,
  stage: StageName,
): Pick<ReportedAccount, 'calls24h' | 'errors24h' | 'v1Calls24h' | 'refused24h' | 'sinceMove'> => ({
  calls24h: calls,
  errors24h: errors,
  v1Calls24h: v1Calls,
  refused24h: refused,
  sinceMove: stage === 'migrated' || stage === 'lost' ? sinceStage : null,
});
