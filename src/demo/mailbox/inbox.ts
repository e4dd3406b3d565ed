import type { Clock } from '../../lib/time/clock.ts';
import { readMessage, type Envelope, type Message } from './message.ts';
import type { PastMail } from './past.ts';

/** Limits of a mailbox: the oldest messages are dropped first. */
export interface MailboxLimits {
  readonly messages: number;
  readonly bytes: number;
}

const usual: MailboxLimits = { messages: 500, bytes: 50_000_000 };

/** Caught e-mail, kept in memory for as long as the process runs. */
export class Inbox {
  readonly #clock: Clock;
  readonly #limits: MailboxLimits;
  #messages: readonly Message[] = [];
  #count = 0;
  #left = 0;

  constructor(clock: Clock, limits: MailboxLimits = usual) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Newest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Number of messages received since the mailbox started. */
  get received(): number {
    return this.#count;
  }

  /**
   * Number of messages sent before the oldest one that are missing, because they were sent before the mailbox
   * started.
   */
  get left(): number {
    return this.#left;
  }

  find(id: string): Message | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  /** Rejects if the message cannot be read. */
  async take(envelope: Envelope, source: Buffer, receivedAt = this.#clock.now()): Promise<Message> {
    this.#count += 1;
    const head = { id: String(this.#count), receivedAt, envelope };
    const message = await readMessage(head, source);
    this.#messages = withinLimits([message, ...this.#messages], this.#limits);
    return message;
  }

  /** Adds messages sent before the mailbox started. Rejects if a message cannot be read. */
  async takePast({ mails, left }: PastMail): Promise<void> {
    this.#left = left;
    for (const { at, from, to, content } of mails)
      await this.take({ from, to: [to] }, Buffer.from(content, 'base64'), at);
  }

  empty(): void {
    this.#messages = [];
    this.#left = 0;
  }
}

function withinLimits(
  messages: readonly Message[],
  { messages: most, bytes }: MailboxLimits,
): readonly Message[] {
  let held = 0;
  return messages.slice(0, most).filter(({ source }, index) => {
    held += source.length;
    return index === 0 || held <= bytes;
  });
}
