/**
 * The campaign as a whole, for operators: the progress of outgoing e-mails, the customers whom e-mail does not reach
 * and somebody has to call, and the notes of each conversation.
 */
import { recordsOf } from '../../../lib/text/columns.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import { NO_DETAILS } from '../../accounts/details.ts';
import type { Bounce, BounceRepository, Taken } from '../../campaign/bounces/bounce.ts';
import type { BounceReader } from '../../campaign/bounces/mailbox/reader.ts';
import type { MailboxState } from '../../campaign/bounces/mailbox/record.ts';
import { readDeliveryReport } from '../../campaign/bounces/delivery-report.ts';
import type { OutboxRepository, Pace } from '../../campaign/model.ts';
import type { SendingHours } from '../../campaign/schedule/hours.ts';
import { startOf } from '../../campaign/schedule/start.ts';
import type { StoredWaves } from '../../campaign/waves/stored-waves.ts';
import { progressOf, type SendingProgress } from '../../campaign/schedule/progress.ts';
import { TALK } from '../../accounts/history.ts';
import type { Talk, TalkRepository } from '../../campaign/talks.ts';
import type { StuckReason } from '../../status/codes.ts';
import type { ReportedAccount } from '../../status/model.ts';
import { reasonToCall } from '../../status/report/to-call.ts';
import type { Status } from '../../status/status.ts';
import { auditAccount, auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal, unknownAccount } from '../refusal.ts';

/** The parts of the service. */
export interface AdminCampaignParts extends AuditParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'note' | 'allDetails'>;
  readonly status: Pick<Status, 'statusReport'>;
  readonly outbox: Pick<OutboxRepository, 'facts'>;
  readonly waves: Pick<StoredWaves, 'pending'>;
  readonly talks: TalkRepository;
  readonly bounces: BounceRepository;
  /** Undefined: no mailbox is configured. */
  readonly reader: Pick<BounceReader, 'state' | 'read'> | undefined;
  readonly hours: SendingHours;
  readonly pace: Pace;
}

/** A customer to call. */
export interface PhoneLine {
  readonly accountId: string;
  readonly name: string;
  readonly organisation: string | undefined;
  readonly contactName: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
  readonly zone: string;
  readonly reason: StuckReason;
  readonly words: string;
  readonly invitedAt: string | undefined;
  readonly reminders: number;
  readonly calls24h: number;
  /** Undefined if nobody has spoken to the customer yet. */
  readonly talk: Talk | undefined;
}

/** The outcome for one recipient of a delivery report. */
export type TakenBounce = Bounce & Taken;

/** In characters. A note is for people who scan a timeline. */
const LONGEST_NOTE = 1_000;

/** The admin service for the campaign as a whole. */
export class AdminCampaign {
  readonly #parts: AdminCampaignParts;

  /** Shared by console, API and command line. */
  constructor(parts: AdminCampaignParts) {
    this.#parts = parts;
  }

  /** The hours in which e-mail may reach customers. */
  get hours(): SendingHours {
    return this.#parts.hours;
  }

  /** The progress of the e-mails that are being sent, including those of waves that are not yet written. */
  async progress(): Promise<SendingProgress> {
    const { outbox, waves, clock, hours, pace } = this.#parts;
    const now = clock.now();
    const { waiting, ...facts } = await outbox.facts(now);
    const unwritten = (await waves.pending()).map(({ start, zone, to }) => ({
      kind: 'invitation' as const,
      ...{ zone, to },
      nextAt: startOf(hours, 'invitation', zone, { now, start }),
    }));
    return progressOf({ ...facts, waiting: [...waiting, ...unwritten] }, { hours, pace, now });
  }

  /** Customers whom nobody has spoken to come first, then those with the most calls. */
  async phoneList(): Promise<readonly PhoneLine[]> {
    const { status, repository, talks, hours } = this.#parts;
    const { accounts } = await status.statusReport();
    const [details, latest] = [await repository.allDetails(), await talks.latest()];
    const lines = accounts.flatMap((account) => {
      const reason = reasonToCall(account);
      if (reason === undefined) return [];
      const { contactName, phone, email, zone = hours.zone } = details.get(account.id) ?? NO_DETAILS;
      return [{ ...lineOf(account, reason), contactName, phone, email, zone, talk: latest.get(account.id) }];
    });
    return lines.sort((a, b) => (a.talk?.at ?? 0) - (b.talk?.at ?? 0) || b.calls24h - a.calls24h);
  }

  /** Reads a whole delivery report (RFC 3464); returns the outcome for each recipient. */
  async bounced(message: string, who: string): Promise<readonly TakenBounce[]> {
    const { bounces, clock } = this.#parts;
    const found = readDeliveryReport(message);
    if (found.length === 0)
      throw new AdminRefusal('unusable', 'this is not a delivery report (RFC 3464): nothing was changed');
    const at = clock.now();
    const taken: TakenBounce[] = [];
    for (const bounce of found) taken.push({ ...bounce, ...(await bounces.take(bounce, 'report', at)) });
    const detail = `${taken.filter(({ outcome }) => outcome === 'stopped').length} of ${taken.length} addresses stopped`;
    await auditDeed(this.#parts, { who, action: 'campaign.bounce', detail });
    return taken;
  }

  /** When the mailbox for bounces was last read, and the fault if that failed; undefined: none is configured. */
  async mailbox(): Promise<MailboxState | undefined> {
    return this.#parts.reader?.state();
  }

  /** Reads the mailbox now; the returned state contains any fault. Throws `AdminRefusal` without a mailbox. */
  async readMailbox(who: string): Promise<MailboxState> {
    const { reader } = this.#parts;
    if (reader === undefined)
      throw new AdminRefusal(
        'unusable',
        'no mailbox is configured: set CAUSEWAY_BOUNCES_MAILBOX_URL (docs/campaign/mail.md#from-a-mailbox)',
      );
    await auditDeed(this.#parts, { who, action: 'campaign.read-mailbox', detail: 'requested' });
    return reader.read(new AbortController().signal);
  }

  /** Records the note of a conversation. Throws `AdminRefusal` unknown, or unusable without a note. */
  async talked(accountId: string, given: string, who: string): Promise<void> {
    const { repository, clock } = this.#parts;
    const note = given.trim();
    if (note === '' || note.length > LONGEST_NOTE || /[^\P{Cc}\r\n\t]/u.test(note))
      throw new AdminRefusal(
        'unusable',
        `say what came of the conversation, in at most ${LONGEST_NOTE} characters`,
      );
    if ((await repository.byId(accountId)) === undefined) throw unknownAccount(accountId);
    await repository.note(accountId, { at: clock.now(), kind: TALK, actor: who, detail: note });
    await auditAccount(this.#parts, { id: accountId }, { who, action: 'campaign.talk', detail: 'noted' });
  }
}

/** The status report's data about a customer to call. */
export const lineOf = (
  { id, name, organisation, stuck, invitation, reminders, calls24h }: ReportedAccount,
  reason: PhoneLine['reason'],
): Omit<PhoneLine, 'contactName' | 'phone' | 'email' | 'zone' | 'talk'> => ({
  accountId: id,
  name,
  organisation: organisation ?? undefined,
  reason,
  words: stuck === null ? '' : reasonWords(stuck),
  invitedAt: invitation.issuedAt ?? undefined,
  reminders,
  calls24h,
});

/** Where V1 refuses the keys, only the detail says why nobody has consented. */
const reasonWords = ({ reason, words, detail }: NonNullable<ReportedAccount['stuck']>): string =>
  reason === 'v1-refuses' && detail !== null ? `${words}: ${detail}` : words;

/** The columns of the list as a file, with the value of each. */
export const phoneColumns = {
  account: ({ name }) => name,
  organisation: ({ organisation }) => organisation,
  contact: ({ contactName }) => contactName,
  phone: ({ phone }) => phone,
  email: ({ email }) => email,
  zone: ({ zone }) => zone,
  reason: ({ words }) => words,
  invited: ({ invitedAt }) => invitedAt,
  reminders: ({ reminders }) => reminders,
  calls_24h: ({ calls24h }) => calls24h,
  last_talk: ({ talk }) => (talk === undefined ? undefined : new Date(talk.at).toISOString()),
  talked_by: ({ talk }) => talk?.by,
  note: ({ talk }) => talk?.note,
  id: ({ accountId }) => accountId,
} as const satisfies Readonly<Record<string, (line: PhoneLine) => string | number | undefined>>;

/** A list of customers to call as rows of a table. */
export const phoneRecords = (lines: readonly PhoneLine[]): ReturnType<typeof recordsOf> =>
  recordsOf(phoneColumns, lines);
