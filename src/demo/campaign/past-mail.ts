import { wordingOf } from '../../app/wiring/features/mail.ts';
import type { Services } from '../../app/wiring/services.ts';
import { messageOf } from '../../features/campaign/mail/message.ts';
import type { OutgoingMessage, Postman, PostVerdict } from '../../features/campaign/outbox.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { PastMail } from '../mailbox/past.ts';
import type { Customer } from './customers.ts';

/** Past messages kept for the mailbox: composing all of them takes longer than the rest of the campaign. */
const KEPT = 60;

/** Collects the mail of a campaign's past. Mail servers accept it, except those of some customers. */
export class PastPostman implements Postman {
  readonly #clock: Clock;
  readonly #refused: ReadonlySet<string | undefined>;
  readonly #sent: { readonly at: number; readonly message: OutgoingMessage }[] = [];

  constructor(clock: Clock, customers: readonly Customer[]) {
    this.#clock = clock;
    this.#refused = new Set(
      customers.filter(({ behaviour }) => behaviour.isRefused).map(({ email }) => email),
    );
  }

  async send(message: OutgoingMessage): Promise<PostVerdict> {
    if (this.#refused.has(message.to.address))
      return { verdict: 'refused', reason: '550 5.7.1 This address does not take mail' };
    this.#sent.push({ at: this.#clock.now(), message });
    return { verdict: 'sent', response: '250 2.0.0 taken' };
  }

  /** Returns the newest messages in the order of sending, and how many preceded them. */
  async mail(services: Services): Promise<PastMail> {
    const { mail } = services.settings;
    const newest = mail === undefined ? [] : this.#sent.slice(-KEPT);
    const mails: PastMail['mails'][number][] = [];
    for (const { at, message } of newest) {
      const stationery = { from: mail?.from ?? { name: '', address: '' }, ...wordingOf(services) };
      const content = await messageOf(message, stationery, at);
      const { address: from } = stationery.from;
      mails.push({ at, from, to: message.to.address, content: content.toString('base64') });
    }
    return { mails, left: this.#sent.length - newest.length };
  }
}
