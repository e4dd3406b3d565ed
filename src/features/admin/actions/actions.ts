/**
 * The operator's actions on one or many accounts: invite, remind, withdraw, close, confirm or refuse a consent, cut
 * over. Console, API and command line share them.
 *
 * `preview` says for each account what would happen, including irreversible effects. `perform` acts account by account
 * and continues if one fails. The audit log records the operator and the request before anything is done, and each
 * account's result afterwards, so that a process that dies half way leaves a record of the request and of the finished
 * part; repeating the action skips that part.
 */
import { IllegalTransition, type Account } from '../../accounts/account.ts';
import { UnknownAccount, type AccountRepository } from '../../accounts/model.ts';
import { UnusableAccount } from '../../accounts/unusable-account.ts';
import {
  leftAlone,
  type Forecast,
  type ForecastOutcome,
  type Performance,
  type Preview,
  type Result,
  type ResultOutcome,
} from './action-results.ts';
import type { AuditRepository } from '../audit.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Status } from '../../status/status.ts';
import type { SkippedReason } from '../../status/report/skipped.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { forecastNotices, switchNotices } from './noticing.ts';
import { forecastTags, tagAccount } from './tagging.ts';
import type { AwaitingConsents } from '../../consent/awaiting.ts';
import type { WeighedConsent } from '../../consent/model.ts';
import { distinct, forecastOf, forecastOfConsent, resultOf, UNEXPECTED } from './outcomes.ts';
import { acceptNumbers, cutOver, forecastCutover, forecastNumbers, requestWords } from './cutting-over.ts';
import { disconnectAccount, forecastDisconnection } from './disconnecting.ts';
import type { Disconnecting } from '../../consent/disconnecting.ts';
import type { Campaign } from '../../campaign/campaign.ts';
import type { InvitationGuard } from '../../campaign/asking/invitation-guard.ts';
import type { CampaignAnswer } from '../../campaign/asking/campaign-answer.ts';
import type { Cutover } from '../../cutover/cutover.ts';
import { AdminRefusal } from '../refusal.ts';
import { concernsOf, guardOf, skippedOf } from './inviting.ts';
import { cautionOf, stageNow, type ActionName, type AdminAction } from './words.ts';
import { within } from '../../../lib/time/within.ts';

export interface AdminActionsParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'note'>;
  readonly accounts: Pick<Accounts, 'close' | 'set' | 'differing'>;
  readonly campaign: Pick<Campaign, 'invite' | 'remind' | 'withdraw' | 'startFault'>;
  /** Whether the day on which V1 ends is configured. */
  readonly knowsV1End: boolean;
  /** Whether e-mail can be sent. */
  readonly mails: boolean;
  /**
   * Undefined if accounts cannot move. It runs and reports the checks, and moves the account if they pass.
   */
  readonly cutover: Pick<Cutover, 'inspect' | 'check' | 'force' | 'numbers'> | undefined;
  /** Undefined if nothing can be connected. */
  readonly disconnecting: Pick<Disconnecting, 'look' | 'restsOnMore' | 'disconnect'> | undefined;
  readonly awaiting: Pick<AwaitingConsents, 'list' | 'find' | 'confirm' | 'refuse' | 'revoke'>;
  /** By account: what an invitation should wait for, and what is still missing. */
  readonly status: Pick<Status, 'statusReport' | 'skipped' | 'guard'>;
  readonly audit: Pick<AuditRepository, 'write'>;
  /** See `Engine.pauses`. */
  readonly pauses: () => () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}

/** In milliseconds; the operator is waiting. */
const REVOKING = 10 * SECOND;

type Judging = Extract<AdminAction, { readonly action: 'confirm' | 'refuse' }>;

const tagging = ['tag', 'untag'] as const;
const noticing = ['notices-on', 'notices-off'] as const;
const judging = ['confirm', 'refuse'] as const;
const messaging = ['invite', 'remind', 'withdraw'] as const;

type Messaging = Extract<AdminAction, { readonly action: (typeof messaging)[number] }>;

const isAbout = <Name extends ActionName>(
  action: AdminAction,
  names: readonly Name[],
): action is Extract<AdminAction, { readonly action: Name }> => names.some((name) => name === action.action);

/**
 * The operator's actions on several accounts at once. Each can be previewed and is recorded with the
 * operator's name.
 */
export class AdminActions {
  readonly #parts: AdminActionsParts;

  constructor(parts: AdminActionsParts) {
    this.#parts = parts;
  }

  /** Changes nothing, but the checks of a cut-over call the service. Throws `AdminRefusal` too-many. */
  async preview(action: AdminAction, accountIds: readonly string[]): Promise<Preview> {
    this.#checkStart(action);
    const accounts: Forecast[] = [];
    const { cautions, skipped } = await concernsOf(this.#parts.status, action);
    const waiting = isAbout(action, judging) ? await this.#parts.awaiting.list() : [];
    for (const accountId of distinct(action, accountIds)) {
      const account = await this.#parts.repository.byId(accountId);
      const left = account === undefined ? 'unknown' : skipped.get(accountId);
      const outcome: ForecastOutcome =
        account === undefined || left !== undefined
          ? { ...leftAlone(left ?? 'unknown'), checks: [] }
          : await this.#forecast(action, account, { concern: cautions.get(accountId), waiting });
      accounts.push({ accountId, name: account?.name, ...outcome });
    }
    return {
      action: action.action,
      will: accounts.filter(({ outcome }) => outcome === 'will').length,
      left: accounts.filter(({ outcome }) => outcome === 'left').length,
      accounts,
    };
  }

  /**
   * Continues if one account fails; the answer has each account's result. The request is recorded before anything is
   * done, each result afterwards. Throws `AdminRefusal` too-many, and the store's errors.
   */
  async perform(action: AdminAction, accountIds: readonly string[], who: string): Promise<Performance> {
    this.#checkStart(action);
    const ids = distinct(action, accountIds);
    const skipped = await skippedOf(this.#parts.status, action);
    const guard = await guardOf(this.#parts.status, action);
    const requested = `requested${ids.length === 1 ? '' : ` for ${ids.length} accounts`}`;
    const detail = action.action === 'cutover' ? requestWords(requested, action) : requested;
    await this.#write(action, who, ids, detail);
    const accounts: Result[] = [];
    const pause = this.#parts.pauses();
    for (const accountId of ids) {
      const result = await this.#performed(action, { accountId, left: skipped.get(accountId), guard }, who);
      await this.#write(action, who, [accountId], `${result.outcome}: ${result.words}`);
      accounts.push(result);
      await pause();
    }
    // Revocations that the server has not confirmed by then are stored, and the periodic job continues with
    // them.
    if (action.action === 'refuse') await within(REVOKING, this.#parts.awaiting.revoke());
    const count = (wanted: Result['outcome']): number =>
      accounts.filter(({ outcome }) => outcome === wanted).length;
    return {
      action: action.action,
      done: count('done'),
      left: count('left'),
      failed: count('failed'),
      accounts,
    };
  }

  async #write({ action }: AdminAction, who: string, accountIds: readonly string[], detail: string) {
    const { audit, clock } = this.#parts;
    await audit.write({ at: clock.now(), who, action, accountIds, detail });
  }

  async #performed(
    action: AdminAction,
    {
      accountId,
      left,
      guard,
    }: {
      readonly accountId: string;
      readonly left: SkippedReason | undefined;
      readonly guard: InvitationGuard;
    },
    who: string,
  ): Promise<Result> {
    let name: string | undefined;
    try {
      const account = await this.#parts.repository.byId(accountId);
      if (account === undefined) return { accountId, name, ...leftAlone('unknown') };
      name = account.name;
      if (left !== undefined) return { accountId, name, ...leftAlone(left) };
      return { accountId, name, ...(await this.#do(action, account, who, guard)) };
    } catch (error) {
      if (error instanceof AdminRefusal || error instanceof UnusableAccount)
        return { accountId, name, outcome: 'failed', words: error.message };
      this.#parts.log.error('admin.failed', {
        action: action.action,
        account: accountId,
        error: wordsOf(error),
      });
      return { accountId, name, outcome: 'failed', words: UNEXPECTED };
    }
  }

  async #forecast(
    action: AdminAction,
    account: Account,
    {
      concern,
      waiting,
    }: { readonly concern: string | undefined; readonly waiting: readonly WeighedConsent[] },
  ): Promise<ForecastOutcome> {
    const caution = concern ?? cautionOf(action, account);
    if (isAbout(action, tagging)) return forecastTags(this.#parts.accounts, action, account.id);
    if (isAbout(action, noticing)) return forecastNotices(this.#parts, action, account);
    if (isAbout(action, judging)) {
      const consent = waiting.find(({ accountId }) => accountId === account.id);
      return forecastOfConsent(action, consent, caution);
    }
    if (isAbout(action, messaging)) return this.#forecastOfMessage(action, account, caution);
    if (action.action === 'cutover') return forecastCutover(this.#parts, action, account, caution);
    if (action.action === 'accept-numbers') return forecastNumbers(this.#parts.cutover, account);
    if (action.action === 'disconnect')
      return forecastDisconnection(this.#parts.disconnecting, account, caution);
    return account.life.stage === 'closed'
      ? { ...leftAlone('closed'), checks: [] }
      : { outcome: 'will', words: `would be closed (${stageNow(account)})`, caution, checks: [] };
  }

  async #forecastOfMessage(
    action: Messaging,
    { id }: Account,
    caution: string | undefined,
  ): Promise<ForecastOutcome> {
    if (action.action !== 'withdraw' && !this.#parts.mails) return { ...leftAlone('noMail'), checks: [] };
    return forecastOf(await this.#ask(action, id, 'operator', true), caution);
  }

  #ask(
    action: Messaging,
    id: string,
    who: string,
    dry: boolean,
    guard?: InvitationGuard,
  ): Promise<CampaignAnswer> {
    const { campaign } = this.#parts;
    return action.action === 'invite'
      ? campaign.invite(id, who, dry, action.start, guard)
      : campaign[action.action](id, who, dry);
  }

  /** Throws `AdminRefusal` unusable. */
  #checkStart(action: AdminAction): void {
    if (action.action !== 'invite' || action.start === undefined) return;
    const fault = this.#parts.campaign.startFault(action.start);
    if (fault !== undefined) throw new AdminRefusal('unusable', fault);
  }

  async #judge({ action, consents }: Judging, { id }: Account, who: string): Promise<ResultOutcome> {
    const { awaiting } = this.#parts;
    const consent = await awaiting.find(id, consents);
    if (typeof consent === 'string') return leftAlone(consent);
    const { name } = consent.organisation;
    const judged = await awaiting[action](consent, who);
    if (judged === undefined) return { outcome: 'done', words: `connected to ${name}` };
    if (judged !== 'told' && judged !== 'untold') return leftAlone(judged);
    const next =
      judged === 'told' ? 'an e-mail with a new link tells the customer' : 'tell the customer, nobody has';
    return { outcome: 'done', words: `refused: ${name}; ${next}` };
  }

  async #do(
    action: AdminAction,
    account: Account,
    who: string,
    guard: InvitationGuard,
  ): Promise<ResultOutcome> {
    const { accounts, mails } = this.#parts;
    if (isAbout(action, tagging)) return tagAccount(accounts, action, account.id, who);
    if (isAbout(action, noticing)) return switchNotices(this.#parts, action, account, who);
    if (isAbout(action, judging)) return this.#judge(action, account, who);
    if (action.action === 'cutover') return cutOver(this.#parts, action, account, who);
    if (action.action === 'accept-numbers') return acceptNumbers(this.#parts.cutover, account, who);
    if (action.action === 'close') return this.#close(account, who);
    if (action.action === 'disconnect') return disconnectAccount(this.#parts.disconnecting, account, who);
    if (action.action !== 'withdraw' && !mails) return leftAlone('noMail');
    return resultOf(await this.#ask(action, account.id, who, false, guard));
  }

  /** The stage first: it alone makes every link useless. */
  async #close({ id }: Account, who: string): Promise<ResultOutcome> {
    const { accounts, campaign } = this.#parts;
    try {
      await accounts.close(id, who);
    } catch (error) {
      if (error instanceof IllegalTransition) return leftAlone('closed');
      if (error instanceof UnknownAccount) return leftAlone('unknown');
      throw error;
    }
    await campaign.withdraw(id, who);
    return { outcome: 'done', words: 'closed' };
  }
}
