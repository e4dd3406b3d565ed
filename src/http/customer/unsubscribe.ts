import type { Response } from 'express';
import type { Unsubscriber } from '../../features/campaign/outbox.ts';
import { messages, type Message } from './messages.ts';
import type { Pages } from './pages.ts';

export interface UnsubscribeParts {
  readonly unsubscriber: Unsubscriber;
  readonly pages: Pages;
}

/**
 * The end of the mails. A GET changes nothing, since scanners and previews open links; a POST does it at once, whatever
 * its body says, without cookies and without a question: that is the one click of RFC 8058, and the page's button too.
 */
export class UnsubscribePages {
  readonly #parts: UnsubscribeParts;

  constructor(parts: UnsubscribeParts) {
    this.#parts = parts;
  }

  async show(token: string, response: Response): Promise<void> {
    const { unsubscriber, pages } = this.#parts;
    if (await unsubscriber.recognises(token)) pages.send(response, 200, 'unsubscribe', {});
    else this.#say(response, messages.missing);
  }

  async end(token: string, response: Response): Promise<void> {
    const { unsubscriber } = this.#parts;
    if (!(await unsubscriber.recognises(token))) {
      this.#say(response, messages.missing);
      return;
    }
    await unsubscriber.unsubscribe(token);
    this.#say(response, messages.unsubscribed);
  }

  #say(response: Response, message: Message): void {
    this.#parts.pages.send(response, message.status, 'message', message);
  }
}
