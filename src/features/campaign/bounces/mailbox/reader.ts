/**
 * Reads bounces from a mailbox, and ends e-mail to the addresses that they prove dead.
 *
 * The number of the last message read is stored, not derived from the mark "seen", because people look into the
 * mailbox, too. It is stored after each message that changed something, and when a reading ends early. A process that
 * dies in between reads that message again, which changes nothing (`BounceRepository.take`). If the mailbox, its
 * folder or the numbers of its messages are new, reading begins with the messages of the last thirty days.
 */
import type { Settings } from '../../../../db/settings.ts';
import type { Log } from '../../../../lib/log/log.ts';
import { DAY, MINUTE, type Clock } from '../../../../lib/time/clock.ts';
import { bounceWords, type Bounce, type BounceRepository } from '../bounce.ts';
import type { Afterwards, Mailbox, OpenFolder } from './mailbox.ts';
import { PackageMissing } from './packages.ts';
import { readReturnedMessage, type ReturnedMessage } from './returned-message.ts';
import { MailboxRecord, type MailboxState, type Reading } from './record.ts';

/** The parts for reading a mailbox. */
export interface BounceReaderParts {
  readonly mailbox: Mailbox;
  readonly afterwards: Afterwards;
  readonly bounces: BounceRepository;
  readonly settings: Pick<Settings, 'get' | 'set'>;
  readonly clock: Clock;
  readonly log: Log;
}

const SOURCE = 'mailbox';
/** Bytes read of one message: a report precedes the returned message, of which only the head is needed. */
const MOST_BYTES = 256 * 1024;
/** Messages in one reading; the next one continues. */
const MOST_MESSAGES = 500;
/** In milliseconds. A longer reading is ended; the messages it has read count. */
const LONGEST = 2 * MINUTE;
const FIRST_DAYS = 30 * DAY;

/**
 * Reads the mailbox, by the job or on request. Two readings at once read the same messages and change the data once.
 */
export class BounceReader {
  readonly #parts: BounceReaderParts;
  readonly #record: MailboxRecord;

  constructor(parts: BounceReaderParts) {
    this.#parts = parts;
    this.#record = new MailboxRecord(parts.settings);
  }

  /** The state of the mailbox in the settings. */
  state(): Promise<MailboxState> {
    return this.#record.of(this.#parts.mailbox.name);
  }

  /** The periodic job. Does not reject if the mailbox cannot be read: that is logged once, and stored. */
  async run(signal: AbortSignal): Promise<void> {
    await this.read(signal);
  }

  /** Resolves to the new state, which includes any fault. Rejects if the state cannot be stored. */
  async read(signal: AbortSignal): Promise<MailboxState> {
    const { mailbox, clock, log } = this.#parts;
    const before = await this.state();
    const ended = AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]);
    try {
      await mailbox.use(ended, (folder) => this.#readAll(folder, before, ended));
      if (before.error !== undefined) log.info('bounces.read-again');
    } catch (error) {
      if (signal.aborted) return await this.state();
      const words = mailboxWords(error);
      if (before.error?.words !== words) log.warn('bounces.not-read', { reason: words });
      const [known, at] = [await this.state(), clock.now()];
      await this.#record.store({ ...known, error: { at, since: before.error?.since ?? at, words } });
    }
    return this.state();
  }

  async #readAll(folder: OpenFolder, before: MailboxState, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    const from = before.position?.validity === folder.validity ? before.position.uid : 0;
    const since = from === 0 ? clock.now() - FIRST_DAYS : 0;
    const uids = (await folder.above(from, since)).slice(0, MOST_MESSAGES);
    let reading: Reading = { at: clock.now(), messages: 0, stopped: 0, ignored: 0, unproven: 0, other: 0 };
    const reach = (uid: number): Promise<void> =>
      this.#record.store({ ...before, position: { validity: folder.validity, uid } });
    let last = from;
    try {
      for (const uid of uids) {
        signal.throwIfAborted();
        const outcome = await this.#readOne(folder, uid);
        reading = { ...reading, messages: reading.messages + 1, [outcome]: reading[outcome] + 1 };
        last = uid;
        if (outcome !== 'other') await reach(uid);
      }
    } catch (error) {
      // The next reading continues here: a server may end each one after a number of messages.
      if (last > from) await reach(last);
      throw error;
    }
    await this.#record.store({
      mailbox: before.mailbox,
      position: { validity: folder.validity, uid: last },
      readAt: clock.now(),
      reading: uids.length > 0 ? reading : before.reading,
      error: undefined,
    });
    if (uids.length === 0) return;
    const { messages, stopped, ignored, unproven, other } = reading;
    log.info('bounces.read', { messages, stopped, ignored, unproven, other });
  }

  /** The outcome of a message. */
  async #readOne(folder: OpenFolder, uid: number): Promise<Exclude<keyof Reading, 'messages' | 'at'>> {
    const { afterwards } = this.#parts;
    const source = await folder.read(uid, MOST_BYTES);
    const returned = source && (await understood(source));
    const outcome = returned === undefined ? 'other' : await this.#take(returned);
    if (outcome !== 'other' && outcome !== 'unproven' && afterwards.deed !== 'leave')
      await folder.settle(uid, afterwards);
    return outcome;
  }

  /** The gravest consequence among the recipients it names. */
  async #take({
    bounces,
    messageIds,
  }: ReturnedMessage): Promise<'stopped' | 'ignored' | 'unproven' | 'other'> {
    if (bounces.length === 0) return 'other';
    const found: string[] = [];
    for (const bounce of bounces) found.push(await this.#takeOne(bounce, messageIds));
    return found.includes('stopped') ? 'stopped' : found.includes('ignored') ? 'ignored' : 'unproven';
  }

  async #takeOne(bounce: Bounce, ids: readonly string[]): Promise<'stopped' | 'ignored' | 'unproven'> {
    const { bounces, clock, log } = this.#parts;
    const leftAt = await bounces.leftAt(bounce.address, ids);
    if (leftAt === undefined) return 'unproven';
    const taken = await bounces.take(bounce, SOURCE, clock.now(), leftAt);
    if (taken.outcome === 'stopped')
      log.info('bounces.stopped', { source: SOURCE, kind: bounce.kind, accounts: taken.accounts });
    return taken.outcome;
  }
}

/** Undefined: it cannot be read, which is its sender's fault. */
async function understood(source: Uint8Array): Promise<ReturnedMessage | undefined> {
  try {
    return await readReturnedMessage(source);
  } catch (error) {
    if (error instanceof PackageMissing) throw error;
    return undefined;
  }
}

/** The fault, for operators; contains no secret, and at most one line. */
export function mailboxWords(error: unknown): string {
  if (error instanceof PackageMissing) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return 'was not read within two minutes';
  const { authenticationFailed, responseText, code, message, mailboxMissing } = (error ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const said = bounceWords(
    ...[responseText, message, code].filter((one): one is string => typeof one === 'string').slice(0, 1),
  );
  if (authenticationFailed === true) return `refuses the user name or password: ${said}`;
  if (mailboxMissing === true) return `has no such folder: ${said}`;
  return said === '' ? 'cannot be reached' : said;
}
