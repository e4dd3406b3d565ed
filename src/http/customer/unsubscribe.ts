import type { Response } from 'express';
import type { UnsubscribeReader, Unsubscriber } from '../../features/campaign/outbox.ts';
import { messages, type Message } from './messages.ts';
import type { Pages } from './pages.ts';

export interface UnsubscribeParts {
  readonly unsubscriber: Unsubscriber;
  readonly pages: Pages;
}

/**
 * Stops the e-mails. A GET changes nothing, because scanners and previews open links. A POST stops them at
 * once, whatever its body, without cookies or questions: this serves both the one-click header (RFC 8058) and
 * the page's button.
 */
export class UnsubscribePages {
  readonly #parts: UnsubscribeParts;

  constructor(parts: UnsubscribeParts) {
    this.#parts = parts;
  }

  async show(token: string, response: Response): Promise<void> {
    const { unsubscriber, pages } = this.#parts;
    const reader = await unsubscriber.reader(token);
    if (reader === undefined) this.#say(response, messages.missing);
    else if (reader.isDone) this.#say(response, messages.unsubscribed, reader);
    else pages.send(response, 200, 'unsubscribe', {}, { words: pages.words(response.req, reader) });
  }

  async end(token: string, response: Response): Promise<void> {
    const { unsubscriber } = this.#parts;
    const reader = await unsubscriber.reader(token);
    if (reader === undefined) {
      this.#say(response, messages.missing);
      return;
    }
    await unsubscriber.unsubscribe(token);
    this.#say(response, messages.unsubscribed, reader);
  }

  #say(response: Response, message: Message, reader?: UnsubscribeReader): void {
    const { pages } = this.#parts;
    pages.send(response, message.status, 'message', message, { words: pages.words(response.req, reader) });
  }
}
