/**
 * Sends the messages in the outbox, at the configured pace, and runs the schedule that fills it.
 *
 * Each message is claimed, checked a last time, handed over and settled. Claim and hand-over are committed before the mail
 * server is asked; an error or a death between the two only delays the message. The last check withdraws a message whose
 * reason no longer exists, such as an invitation to a customer who has consented meanwhile. A permanent refusal stops
 * e-mail to that address. After a temporary failure, also one of the bridge's own, the message is tried again after
 * 1, 2, 4 … minutes, 15 times in all.
 *
 * It is unknown whether an unanswered message was accepted: it becomes `unknown` and is never sent again automatically.
 * So does the message of a process that died after the hand-over, once its claim has expired (`strand`).
 */
import {
  LONGEST_RETRY,
  BREAKER,
  type Breaker,
  type CampaignRepository,
  type Claimed,
  type OutboxRepository,
  type Pace,
  type Settlement,
  type CampaignFacts,
} from './model.ts';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { GrantRepository } from '../../tokens/grant.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { isReport, type OutgoingMessage, type Postman, type PostVerdict } from './outbox.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import type { Campaign } from './campaign.ts';
import { approvalOf, outgoingMessage, unsendable } from './mail/outgoing-message.ts';
import { ALWAYS, dueAt, type SendingHours } from './schedule/hours.ts';
import { joined } from '../../lib/text/joined.ts';
import { within } from '../../lib/time/within.ts';

/** A complete message, and its claim with the address that it uses. */
interface Ready {
  readonly used: Claimed;
  readonly message: OutgoingMessage;
}

/** The parts for composing and sending messages. */
export interface OutboxParts {
  readonly campaign: Pick<Campaign, 'job' | 'leaves'>;
  readonly repository: CampaignRepository;
  readonly outbox: OutboxRepository;
  readonly grants: Pick<GrantRepository, 'find'>;
  readonly postman: Postman;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** The bridge's address for browsers, without a trailing slash. */
  readonly publicUrl: string;
  readonly pace: Pace;
  /** When e-mail may reach customers. Default: at any time. */
  readonly hours?: SendingHours;
  readonly breaker?: Breaker;
  /** How long one message may take, in milliseconds. */
  readonly patience?: number;
  /** How long a claim lasts, in milliseconds; longer than `patience`. */
  readonly lease?: number;
  /**
   * Milliseconds between two runs of the schedule, which reads every account; messages are sent in every run.
   */
  readonly scheduleEvery?: number;
}

const PATIENCE = 3 * MINUTE;
/** A claim outlasts every sending, so that a slow one is not taken for a dead one. */
const LEASE = PATIENCE + 2 * MINUTE;
/** About two days: after 1, 2, 4 … minutes, at most six hours. */
const MOST_ATTEMPTS = 15;
const LONGEST_REASON = 300;

/** Milliseconds until the next attempt: 1, 2, 4 … minutes, at most six hours. */
export const backOff = (attempt: number): number => Math.min(2 ** (attempt - 1) * MINUTE, LONGEST_RETRY);

/**
 * Queues the messages that the schedule requires, sends those in the outbox, and marks those that a dead process left
 * half sent.
 */
export class OutboxJob {
  readonly #parts: OutboxParts;
  #scheduledAt: number | undefined;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /** Never rejects. Joins a run that is still in progress. */
  readonly run = joined((signal) => this.#run(signal));

  async #run(signal: AbortSignal | undefined): Promise<void> {
    const { campaign, log } = this.#parts;
    try {
      await this.#strand();
      if (this.#isScheduleDue())
        await campaign.job(signal, (account, error) => {
          log.error('campaign.failed', { account, error: wordsOf(error) });
        });
      while (signal?.aborted !== true) if (!(await this.#next())) return;
    } catch (error) {
      log.error('outbox.failed', { error: wordsOf(error) });
    }
  }

  /** A clock that was set back does not hold up the schedule. */
  #isScheduleDue(): boolean {
    const { clock, scheduleEvery = 0 } = this.#parts;
    const now = clock.now();
    if (this.#scheduledAt !== undefined && Math.abs(now - this.#scheduledAt) < scheduleEvery) return false;
    this.#scheduledAt = now;
    return true;
  }

  async #strand(): Promise<void> {
    const { outbox, clock, log } = this.#parts;
    const stranded = await outbox.strand(clock.now());
    if (stranded > 0) log.warn('outbox.stranded', { messages: stranded });
  }

  /** Sends one message; false if none may be sent now. */
  async #next(): Promise<boolean> {
    const { outbox, clock, pace, lease = LEASE, breaker = BREAKER } = this.#parts;
    const claim = await outbox.claim({ now: clock.now(), leaseMs: lease, pace, breaker });
    if (claim.outcome !== 'claimed') return false;
    const ready = await this.#prepared(claim.claimed);
    if (ready === undefined) return true;
    const { used, message } = ready;
    await this.#settle(used, this.#settlement(used, await this.#post(message)));
    return true;
  }

  /** Nothing has left yet: after an error the message is sent later, behind those that are due now. */
  async #prepared(claimed: Claimed): Promise<Ready | undefined> {
    const { outbox } = this.#parts;
    try {
      const ready = await this.#composed(claimed);
      if (ready === undefined || (await outbox.handOver(claimed))) return ready;
      this.#report(claimed, 'overtaken');
      return undefined;
    } catch (error) {
      const settlement = this.#postponed(claimed, `it could not be prepared: ${wordsOf(error)}`);
      // If this fails, too, the message is queued again once the claim has expired (`strand`).
      await this.#settle(claimed, { ...settlement, isUntried: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Undefined if the message is not sent now: it is settled or deferred. */
  async #composed(claimed: Claimed): Promise<Ready | undefined> {
    const { message } = claimed;
    const facts = await this.#parts.repository.facts(message.accountId);
    const reason = unsendable(facts, message);
    if (facts === undefined || reason !== undefined)
      await this.#settle(claimed, { outcome: 'withdrawn', reason: reason ?? 'the account is gone' });
    else if (!(await this.#isDeferred(claimed, facts)))
      return this.#addressed(claimed, await this.#parts.campaign.leaves(message, facts));
    return undefined;
  }

  /** A long queue, or a repeated attempt, may pass the end of the hours. */
  async #isDeferred(claimed: Claimed, { details }: CampaignFacts): Promise<boolean> {
    const { outbox, clock, hours = ALWAYS } = this.#parts;
    const now = clock.now();
    const nextAt = dueAt(hours, claimed.message.kind, details.zone, now);
    if (nextAt <= now) return false;
    await outbox.defer(claimed, nextAt);
    return true;
  }

  async #addressed(claimed: Claimed, facts: CampaignFacts): Promise<Ready | undefined> {
    // The address may have been corrected since; a refusal concerns the one that was used.
    const { kind, to: told } = claimed.message;
    const to = kind === 'receipt' ? told : (facts.details.email ?? told);
    const used = { ...claimed, message: { ...claimed.message, to } };
    const approval = isReport(kind) ? await approvalOf(this.#parts, used.message, facts) : undefined;
    const message = outgoingMessage(this.#parts, used, facts, approval);
    if (message === undefined)
      await this.#settle(used, {
        outcome: 'abandoned',
        reason: 'the link cannot be opened',
        isUntried: true,
      });
    else if ((kind === 'notice' || kind === 'receipt') && approval === undefined)
      await this.#settle(used, { outcome: 'withdrawn', reason: 'the connection it is about is gone' });
    else return { used, message };
    return undefined;
  }

  /** A postman that throws or never answers may still have handed the message over. */
  async #post(message: OutgoingMessage): Promise<PostVerdict> {
    const { postman, patience = PATIENCE } = this.#parts;
    try {
      const verdict = await within(patience, postman.send(message));
      return verdict ?? { verdict: 'unknown', reason: 'the mail server did not answer in time' };
    } catch (error) {
      return { verdict: 'unknown', reason: wordsOf(error) };
    }
  }

  #settlement(claimed: Claimed, verdict: PostVerdict): Settlement {
    switch (verdict.verdict) {
      case 'sent':
        return { outcome: 'sent' };
      case 'refused':
        return { outcome: 'refused', reason: oneLine(verdict.reason) };
      case 'unknown':
        return { outcome: 'unknown', reason: oneLine(verdict.reason) };
      case 'postponed':
        return this.#postponed(claimed, verdict.reason);
    }
  }

  #postponed({ attempt }: Claimed, words: string): Settlement & { readonly outcome: 'abandoned' | 'failed' } {
    const reason = oneLine(words);
    return attempt >= MOST_ATTEMPTS
      ? { outcome: 'abandoned', reason }
      : { outcome: 'failed', nextAt: this.#parts.clock.now() + backOff(attempt), reason };
  }

  async #settle(claimed: Claimed, settlement: Settlement): Promise<void> {
    const { outbox, clock, breaker = BREAKER } = this.#parts;
    const ours = await outbox.settle(claimed, settlement, clock.now(), breaker);
    this.#report(claimed, ours ? settlement.outcome : 'overtaken');
  }

  #report({ message: { id, accountId, kind } }: Claimed, outcome: Settlement['outcome'] | 'overtaken'): void {
    this.#parts.log.info('outbox.letter', { account: accountId, message: id, kind, outcome });
  }
}

/** The server's text goes into the timeline: one line, limited in length. */
const oneLine = (words: string): string =>
  words
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REASON);
