import type { Clock } from '../../../lib/time/clock.ts';
import type { OutgoingMessage, Postman, PostVerdict } from '../outbox.ts';
import type { SmtpLine } from './line.ts';
import { messageOf, type Stationery } from './message.ts';

export interface SmtpPostmanParts {
  readonly line: SmtpLine;
  readonly stationery: Stationery;
  readonly clock: Clock;
}

/** Composes messages and hands them to a mail server by SMTP. */
export class SmtpPostman implements Postman {
  readonly #parts: SmtpPostmanParts;

  constructor(parts: SmtpPostmanParts) {
    this.#parts = parts;
  }

  /** Never rejects; sends one message at a time. */
  async send(message: OutgoingMessage): Promise<PostVerdict> {
    const { line, stationery, clock } = this.#parts;
    let content: Buffer;
    try {
      content = await messageOf(message, stationery, clock.now());
    } catch {
      return { verdict: 'postponed', reason: 'the message could not be written' };
    }
    const verdict = await line.send({ from: stationery.from.address, to: message.to.address, content });
    return withoutLinks(verdict, message);
  }

  /** Waits for the message in progress. */
  close(): Promise<void> {
    return this.#parts.line.close();
  }
}

/** A server that rejects a link may repeat it; readers of its text must not get the link. */
function withoutLinks(verdict: PostVerdict, { link, unsubscribe }: OutgoingMessage): PostVerdict {
  const cleaned = (words: string): string =>
    [link, unsubscribe].reduce(
      (text, secret) => (secret === undefined ? text : text.replaceAll(secret.reveal(), '<link>')),
      words,
    );
  return verdict.verdict === 'sent'
    ? { ...verdict, response: cleaned(verdict.response) }
    : { ...verdict, reason: cleaned(verdict.reason) };
}
