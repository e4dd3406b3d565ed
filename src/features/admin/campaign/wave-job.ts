/**
 * Sends waves one after the other. A run judges the waves that are out, and sends the next one when the last is good
 * and its time has come. To send a wave is to store its accounts; `invite` invites their customers, one after the
 * other, and continues where a process that died has stopped.
 */
import type { Campaign } from '../../campaign/campaign.ts';
import {
  judgeWave,
  NO_ACCOUNTS,
  sinceContinued,
  type WaveJudgement,
  type WaveAccount,
} from '../../campaign/waves/brake.ts';
import {
  CONTINUED,
  type PendingInvitation,
  type Wave,
  type WaveWithMembers,
} from '../../campaign/waves/model.ts';
import { WAVE } from '../../campaign/waves/held.ts';
import type { StoredWaves } from '../../campaign/waves/stored-waves.ts';
import { judged, openIn } from '../../cutover/parity/judging.ts';
import type { Acceptance, Comparison, DifferenceGroup } from '../../cutover/parity/model.ts';
import type { StoredParity } from '../../cutover/parity/stored-parity.ts';
import type { ReportedAccount } from '../../status/model.ts';
import { lossWords } from '../../status/code-words.ts';
import { isHere } from '../../status/report/funnel.ts';
import type { Status } from '../../status/status.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { Trx } from '../../../db/tables.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { instantIn } from '../../../lib/time/local.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';

/** The parts of the job. */
export interface WaveJobParts {
  readonly waves: StoredWaves;
  readonly campaign: Pick<Campaign, 'invite'>;
  readonly status: Pick<Status, 'statusReport' | 'wouldInvite'>;
  readonly proofs: Pick<StoredParity, 'runs' | 'acceptances'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** In no zone does a day begin earlier: it is nine o'clock here before it is anywhere else. */
const FIRST_ZONE = 'Pacific/Kiritimati';
/** Customers invited before the store is asked again whether their wave is still out. */
const FEW = 20;

/** The job that judges and sends waves. */
export class WaveJob {
  readonly #parts: WaveJobParts;

  constructor(parts: WaveJobParts) {
    this.#parts = parts;
  }

  /** Never rejects: the next run catches up. */
  async run(): Promise<void> {
    const { waves, log } = this.#parts;
    try {
      const all = await waves.list();
      if (all.length === 0) return;
      await this.#judge(all);
      await this.#next();
    } catch (error) {
      log.error('waves.failed', { error: wordsOf(error) });
    }
  }

  /**
   * Invites the customers of the waves that are out, in order, until none is left. The store is asked for a few at a
   * time, so that stopping a wave takes effect here, too. Never rejects: customers who could not be invited because of
   * an error are tried again in the next run.
   */
  async invite(signal?: AbortSignal): Promise<void> {
    const { waves, log } = this.#parts;
    const undone = new Set<string>();
    try {
      while (signal?.aborted !== true) {
        const pending = await waves.pending(FEW + undone.size);
        const next = pending.filter(({ accountId }) => !undone.has(accountId));
        if (next.length === 0) return;
        for (const one of next) if (!(await this.#isAsked(one))) undone.add(one.accountId);
      }
    } catch (error) {
      log.error('waves.failed', { error: wordsOf(error) });
    }
  }

  /**
   * Sends a planned wave now; returns the number of its accounts. Undefined: it was out already, or has been changed while
   * its accounts were chosen. Invites nobody yet.
   */
  async send(wave: Wave, reason: string): Promise<number | undefined> {
    const { waves, clock, log } = this.#parts;
    const ids = await this.#parts.status.wouldInvite(wave, await waves.list());
    if (!(await waves.send(wave, ids, { at: clock.now(), reason }))) return undefined;
    log.info('waves.sent', { wave: wave.name, accounts: ids.length });
    return ids.length;
  }

  async #isAsked(one: PendingInvitation): Promise<boolean> {
    try {
      return await this.#ask(one);
    } catch (error) {
      this.#parts.log.error('waves.not-invited', { account: one.accountId, error: wordsOf(error) });
      return false;
    }
  }

  /**
   * A customer who cannot be invited is left alone: the wave shows how many there are. Returns false if the wave was
   * stopped or removed after its pending invitations had been read.
   */
  async #ask({ accountId, start, wasInvited }: PendingInvitation): Promise<boolean> {
    const { waves, campaign, clock } = this.#parts;
    const guard = { isOut: (trx: Trx) => waves.isOut(accountId, trx) };
    const answer = wasInvited ? undefined : await campaign.invite(accountId, WAVE, false, start, guard);
    const left = answer?.outcome === 'left' ? answer.reason : undefined;
    if (left === 'notOut') return false;
    await waves.invited(accountId, clock.now(), left);
    return true;
  }

  /** Applies the brake to each wave that is out. */
  async #judge(all: readonly WaveWithMembers[]): Promise<void> {
    const { waves, status, clock } = this.#parts;
    const out = all.filter(isWatched);
    // Checked first, because the report reads every account.
    if (out.length === 0) return;
    const { accounts } = await status.statusReport();
    const byId = new Map(accounts.filter(isHere).map((account) => [account.id, account]));
    for (const wave of out) {
      const here = wave.members.flatMap(({ accountId }) => byId.get(accountId) ?? []);
      const moves = await waves.movesOfLost(wave.name);
      const members: WaveAccount[] = [];
      for (const account of here) members.push(await this.#accountOf(account, moves.get(account.id)));
      const judged = wave.reason.startsWith(CONTINUED) ? sinceContinued(members, wave.since) : members;
      await this.#enter(wave, judgeWave(judged, wave.brake, clock.now()));
    }
  }

  /**
   * The brake's view of an account. An acceptance, or a dismissal, ends its problem. `lostMove`: when it moved, if it has
   * lost its connection since; its calls and its loss count as those of a moved account.
   */
  async #accountOf(account: ReportedAccount, lostMove: number | undefined): Promise<WaveAccount> {
    const { id, name, sinceMove, watch } = account;
    const loss = lostMove === undefined ? undefined : faultOf(account);
    return {
      ...{ id, name, calls: sinceMove?.calls ?? 0, errors: sinceMove?.errors ?? 0 },
      movedAt: loss === undefined ? moveOf(account) : lostMove,
      isLost: loss !== undefined,
      trouble: loss ?? watch?.words ?? (await this.#differenceOf(account)),
    };
  }

  /**
   * Since the move programs write to V3 alone: a comparison after it finds their changes, which the watch does not
   * mind. What was open at the move counts as long as it is open.
   */
  async #differenceOf({ id, stage, since, parity }: ReportedAccount): Promise<string | undefined> {
    if (parity?.verdict !== 'different') return undefined;
    const movedAt = Date.parse(since);
    if (stage !== 'migrated' || Date.parse(parity.at) <= movedAt) return parity.words;
    const { proofs } = this.#parts;
    const open = openSince(movedAt, await proofs.runs(id), await proofs.acceptances(id));
    return open === 0 ? undefined : `${counted(open, 'difference')} from before the move`;
  }

  /** While the wave waits, only its reason changes: how many of the hours have passed. A good wave can only stop. */
  async #enter({ name, state: from, reason: before }: Wave, judgement: WaveJudgement): Promise<void> {
    const { waves, clock, log } = this.#parts;
    const { verdict, reason } = judgement;
    if (verdict !== 'stopped' && (from === 'good' || reason === before)) return;
    const step = {
      from,
      to: verdict === 'waiting' ? 'sent' : verdict,
      at: clock.now(),
      reason,
    } as const;
    const isOurs = await waves.enter(name, step, 'accountId' in judgement ? judgement.accountId : undefined);
    if (isOurs && verdict === 'stopped') log.warn('waves.stopped', { wave: name, reason });
    if (isOurs && verdict === 'good') log.info('waves.good', { wave: name, reason });
  }

  /** Sends the first planned wave if all before it are good and its time has come. */
  async #next(): Promise<void> {
    const all = await this.#parts.waves.list();
    const next = all.findIndex(({ state }) => state === 'planned');
    const wave = all[next];
    if (wave === undefined || !all.slice(0, next).every(({ state }) => state === 'good')) return;
    // Without a start, the first wave waits for a person: no wave has shown anything yet. Nor has one without accounts.
    const isShown = all.slice(0, next).some(({ reason }) => reason !== NO_ACCOUNTS);
    if (wave.start === undefined ? isShown : this.#isTime(wave.start))
      await this.send(wave, 'its turn had come');
  }

  /** After that, each invitation waits in the outbox for the time of its own customer. */
  #isTime(start: string): boolean {
    return this.#parts.clock.now() >= instantIn(FIRST_ZONE, start);
  }
}

const moveOf = ({ stage, since }: ReportedAccount): number | undefined =>
  stage === 'migrated' ? Date.parse(since) : undefined;

/** Why its connection is lost. One that somebody ended on purpose says nothing about V3. */
const faultOf = ({ lostReason }: ReportedAccount): string | undefined =>
  lostReason === null || lostReason === 'disconnected' || lostReason === 'exported'
    ? undefined
    : `its connection is lost: ${lossWords(lostReason)}`;

/** A wave that counts as good early, or was continued, may still invite most of its customers. */
const isWatched = ({ state, members }: WaveWithMembers): boolean =>
  state === 'sent' ||
  (state === 'good' && members.some(({ invitedAt, isQueued }) => invitedAt === undefined || isQueued));

/** How many differences of the last comparison were open at this time and nobody has accepted, then or since. */
function openSince(time: number, runs: readonly Comparison[], acceptances: readonly Acceptance[]): number {
  const last = runs.at(-1);
  const before = runs.findLast(({ at }) => at <= time)?.groups ?? [];
  const earlier = new Map(before.map((group) => [group.key, group]));
  const isOpen = (group: DifferenceGroup): boolean => openIn([judged(group, acceptances)]).different > 0;
  return (last?.groups ?? []).filter((group) => {
    const found = earlier.get(group.key) ?? ((group.lastSeen ?? Infinity) <= time ? group : undefined);
    return found !== undefined && isOpen(found) && isOpen(group);
  }).length;
}
