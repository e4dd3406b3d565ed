/**
 * Decides which messages an account gets, when and why, and queues them; `OutboxJob` sends them.
 *
 * Every decision is a pure function in `plan.ts` of everything known about one account (`CampaignFacts`). It is made
 * under a lock on that account, and stored with its message and its timeline entry in one transaction. Two processes
 * therefore never queue the same message twice, and a process that dies leaves nothing half decided: the next run of
 * the schedule finds what is due. A dry run decides the same and writes nothing.
 */
import type { CampaignRepository, Entry, CampaignFacts } from './model.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { linkEnd, type Invitation } from '../accounts/invitation.ts';
import type { CampaignAnswer } from './asking/campaign-answer.ts';
import { isDeclined, type Asking, type InvitationGuard } from './asking/invitation-guard.ts';
import type { Message } from './outbox.ts';
import { storedIndex, type Seal } from '../../lib/secret/seal.ts';
import {
  leave,
  planInvitation,
  planLoss,
  planReminder,
  planStep,
  planWithdrawal,
  type Plan,
  type Schedule,
  type Writing,
} from './plan.ts';
import { ALWAYS, dueAt, type SendingHours } from './schedule/hours.ts';
import { laterThan, startFault, startOf } from './schedule/start.ts';
import type { Consenter } from '../../upstream/organisation.ts';
import { told, untold, withdrawn } from './campaign-events.ts';
import { planFresh } from './plan-fresh.ts';
import { planNotice, planReceipt, planRefusal, type NoticePlan } from './plan-notice.ts';
import { planRenewal } from './schedule/renewal.ts';
import { LINK_COLUMN, reportMessage } from './report.ts';
import type { RandomSource } from '../../lib/secret/random.ts';

/** The parts of the campaign. */
export interface CampaignParts {
  readonly repository: Omit<CampaignRepository, 'writeWith' | 'factsWith'>;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly schedule: Schedule;
  /** When e-mail may reach customers. Default: at any time. */
  readonly hours?: SendingHours;
  /** Whether e-mail can be sent at all. */
  readonly mails: boolean;
  /** Right-hand side of Message-IDs. */
  readonly host: string;
}

/** Decides which messages an account gets, when and why. Messages are queued here; the `OutboxJob` sends them. */
export class Campaign {
  readonly #parts: CampaignParts;
  readonly #hours: SendingHours;

  constructor(parts: CampaignParts) {
    this.#parts = parts;
    this.#hours = parts.hours ?? ALWAYS;
  }

  /**
   * Queues an invitation; `dry` only returns what would happen. `start`: not before this time (`2026-11-30T09:00`) on
   * the clock of the customer's zone; see `startFault`. Throws `UnknownAccount`.
   */
  invite(
    accountId: string,
    actor: string,
    dry = false,
    start?: string,
    { isOut, sparesDeclined = false }: InvitationGuard = {},
  ): Promise<CampaignAnswer> {
    return this.#ask(
      accountId,
      (facts, now) =>
        sparesDeclined && isDeclined(facts)
          ? leave('declined')
          : planInvitation(facts, this.#parts.schedule, now, (kind) =>
              startOf(this.#hours, kind, facts.details.zone, { now, start }),
            ),
      { actor, dry, isOut },
    );
  }

  /** The fault of an invitation's start, as a text for the operator; undefined if there is none. */
  startFault(start: string): string | undefined {
    return startFault(this.#hours.zone, start, this.#parts.clock.now());
  }

  /** Repeats an invitation outside the schedule. Throws `UnknownAccount`. */
  remind(accountId: string, actor: string, dry = false): Promise<CampaignAnswer> {
    const { schedule } = this.#parts;
    return this.#ask(accountId, (facts, now) => planReminder(facts, schedule, now), { actor, dry });
  }

  /** Withdraws every link and every message that has not left. Throws `UnknownAccount`. */
  async withdraw(accountId: string, actor: string, dry = false): Promise<CampaignAnswer> {
    const now = this.#parts.clock.now();
    const entry = await this.#decide(accountId, dry, (facts) => {
      const run = planWithdrawal(facts, now);
      return (
        run && { now, run, revoke: true, recall: 'withdrawn by the operator', event: withdrawn(now, actor) }
      );
    });
    return entry === undefined ? { outcome: 'left', reason: 'nothing' } : { outcome: 'withdrawn' };
  }

  /**
   * One run of the schedule: ends runs, reports losses, queues due reminders. An error in one account does
   * not affect the others.
   */
  async job(
    signal: AbortSignal | undefined,
    failed: (accountId: string, error: unknown) => void,
  ): Promise<void> {
    const { repository, clock } = this.#parts;
    const steps = [
      ...(await repository.lostWithoutRun()).map((id) => ({ id, step: () => this.#tellLoss(id) })),
      ...(await repository.due(clock.now())).map((id) => ({ id, step: () => this.#step(id) })),
    ];
    for (const { id, step } of steps) {
      if (signal?.aborted === true) return;
      await step().catch((error: unknown) => {
        failed(id, error);
      });
    }
  }

  /** To be called before a message leaves: renews its link if it is late. Returns the facts of its account afterwards. */
  async leaves(message: Message, before: CampaignFacts): Promise<CampaignFacts> {
    const { repository, clock, schedule } = this.#parts;
    const now = clock.now();
    if (planRenewal(before, message, schedule, now) === undefined) return before;
    await repository.decide(message.accountId, (facts) => {
      const renewal = planRenewal(facts, message, schedule, now);
      if (renewal === undefined) return undefined;
      const { invitationId, run } = renewal;
      const zone = facts.details.zone ?? this.#hours.zone;
      const renewed = { invitationId, expiresAt: linkEnd(now, schedule.life, zone) };
      return { now, renewed, ...(run === undefined ? {} : { run }) };
    });
    return (await repository.facts(message.accountId)) ?? before;
  }

  /** Sends a new link to the account's own address for one that no longer works, if one is due. */
  async fresh(old: Invitation): Promise<void> {
    await this.#parts.repository.decide(old.accountId, (facts) => {
      const now = this.#parts.clock.now();
      const writing = planFresh(facts, old, now);
      return writing && this.#entry(writing, now, 'customer', facts.details.zone);
    });
  }

  /**
   * Notifies the account's contact of the approval of its connection, or the operator that the contact could not be
   * notified. The approver gets a receipt, at the address that the service gives, unless that is the contact's.
   */
  notice(facts: CampaignFacts, by?: Pick<Consenter, 'email'>): Entry | undefined {
    const { clock, mails } = this.#parts;
    const planned = planNotice(facts, mails);
    if (planned === undefined) return undefined;
    const now = clock.now();
    const approver = planReceipt(facts, mails, by?.email);
    const receipt =
      approver === undefined ? {} : { receipt: reportMessage(this.#parts, 'receipt', { ...approver, now }) };
    return { ...receipt, ...this.#report('notice', planned, now) };
  }

  /** Notifies the account's contact that the person who approved has ended the connection, or else the operator. */
  disconnection(facts: CampaignFacts): Entry | undefined {
    const { clock, mails } = this.#parts;
    const planned = planNotice(facts, mails);
    return planned && this.#report('disconnected', planned, clock.now());
  }

  #report(kind: 'notice' | 'disconnected', planned: NoticePlan, now: number): Entry {
    if ('untold' in planned)
      return { now, event: { at: now, actor: 'bridge', ...untold(kind, planned.untold) } };
    return {
      now,
      message: reportMessage(this.#parts, kind, { ...planned, now }),
      event: { at: now, actor: 'bridge', ...told(kind, planned.to) },
    };
  }

  /**
   * Tells the account's contact that the operator has refused the approval, with a new link, or the operator that nobody
   * can be told. The reminders begin again.
   */
  refusal(facts: CampaignFacts, now: number): Entry {
    const { mails, schedule } = this.#parts;
    const planned = planRefusal(facts, schedule, mails, now);
    if (!('untold' in planned)) return this.#entry(planned, now, 'bridge', facts.details.zone);
    const { run, untold: why } = planned;
    const event = { at: now, actor: 'bridge', ...untold('unconfirmed', why) };
    return { now, event, ...(run === undefined ? {} : { run }) };
  }

  async #ask(
    accountId: string,
    plan: (facts: CampaignFacts, now: number) => Plan,
    { actor, dry, isOut }: Asking,
  ): Promise<CampaignAnswer> {
    const now = this.#parts.clock.now();
    let answer: CampaignAnswer = { outcome: 'left', reason: isOut === undefined ? 'closed' : 'notOut' };
    const decide = (facts: CampaignFacts): Entry | undefined => {
      const planned = plan(facts, now);
      if (planned.outcome === 'leave') {
        answer = { outcome: 'left', reason: planned.reason };
        return undefined;
      }
      const entry = this.#entry(planned, now, actor, facts.details.zone);
      answer = {
        outcome: 'queued',
        kind: planned.kind,
        to: planned.to,
        at: laterThan(now, entry.message?.dueAt),
      };
      return entry;
    };
    await this.#decide(accountId, dry, decide, isOut);
    return answer;
  }

  /** A dry run decides the same and writes nothing. */
  async #decide(
    accountId: string,
    dry: boolean,
    decide: (facts: CampaignFacts) => Entry | undefined,
    isOut?: InvitationGuard['isOut'],
  ): Promise<Entry | undefined> {
    const { repository } = this.#parts;
    if (!dry) return repository.decide(accountId, decide, isOut);
    const facts = await repository.facts(accountId);
    return facts && decide(facts);
  }

  async #step(accountId: string): Promise<void> {
    await this.#parts.repository.decide(accountId, (facts) => {
      const now = this.#parts.clock.now();
      const step = planStep(facts, this.#parts.schedule, now);
      switch (step.outcome) {
        case 'write':
          return this.#entry(step, now, 'bridge', facts.details.zone);
        case 'stop':
          return { now, run: step.run, recall: `no more messages: ${step.reason}` };
        case 'postpone':
          return { now, run: step.run };
        case 'rest':
          return undefined;
      }
    });
  }

  async #tellLoss(accountId: string): Promise<void> {
    await this.#parts.repository.decide(accountId, (facts) => {
      const now = this.#parts.clock.now();
      const writing = planLoss(facts, this.#parts.schedule, now);
      return writing && { ...this.#entry(writing, now, 'bridge', facts.details.zone), lostBy: now };
    });
  }

  /**
   * Every message has a link of its own, reminders included: a link is stored only as a keyed hash and cannot
   * be read back, and a customer who finds the last message first should have the full time. Earlier links
   * work until they expire, so no e-mail in the customer's inbox contains a dead link before its day.
   */
  #entry(
    { kind, to, reminder, run, recall, startsAt: later }: Writing,
    now: number,
    actor: string,
    zone: string | undefined,
  ): Entry {
    const { random, seal, schedule, host } = this.#parts;
    const startsAt = later ?? now;
    const [id, invitationId] = [random.id(), random.id()];
    const link = random.secret();
    const linkIndex = storedIndex(seal, link, 'invitation');
    const expiresAt = linkEnd(startsAt, schedule.life, zone ?? this.#hours.zone);
    return {
      now,
      invitation: { id: invitationId, linkIndex, issuedAt: startsAt, expiresAt },
      message: {
        id,
        invitationId,
        kind,
        to,
        reminder,
        messageId: `<${id}@${host}>`,
        linkSealed: seal.seal(link, id, LINK_COLUMN),
        dueAt: dueAt(this.#hours, kind, zone, startsAt),
      },
      ...(run === undefined ? {} : { run }),
      ...(recall === undefined ? {} : { recall }),
      event: { at: now, actor, ...told(kind, to) },
    };
  }
}
