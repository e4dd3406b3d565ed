import { sameText } from '../../lib/secret/same-text.ts';
import type { CampaignRepository } from './model.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Message, UnsubscribeReader, Unsubscriber } from './outbox.ts';
import { storedIndex, type Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';

export const UNSUBSCRIBE_PATH = '/_causeway/unsubscribe/';
const PURPOSE = 'unsubscribe';
const LONGEST_TOKEN = 200;

/** Identifies a message and proves that somebody received it: nobody can unsubscribe others by guessing. */
export function unsubscribeToken(seal: Seal, messageId: string): string {
  return `${messageId}.${storedIndex(seal, new Secret(messageId), PURPOSE)}`;
}

/** Ends the e-mails to one address, by the one-click header (RFC 8058) or by the page. */
export class CampaignUnsubscriber implements Unsubscriber {
  readonly #parts: { readonly repository: CampaignRepository; readonly seal: Seal; readonly clock: Clock };

  constructor(parts: {
    readonly repository: CampaignRepository;
    readonly seal: Seal;
    readonly clock: Clock;
  }) {
    this.#parts = parts;
  }

  async reader(token: string): Promise<UnsubscribeReader | undefined> {
    const { repository } = this.#parts;
    const message = await this.#message(token);
    if (message === undefined) return undefined;
    const facts = await repository.facts(message.accountId);
    const isDone = (await repository.suppression(message.to))?.reason === 'unsubscribed';
    return { language: facts?.details.language, isDone };
  }

  async unsubscribe(token: string): Promise<void> {
    const message = await this.#message(token);
    if (message === undefined) return;
    await this.#parts.repository.suppress({
      address: message.to,
      reason: 'unsubscribed',
      detail: 'requested through the link in a message',
      at: this.#parts.clock.now(),
    });
  }

  async #message(token: string): Promise<Message | undefined> {
    const { repository, seal } = this.#parts;
    const dot = token.indexOf('.');
    if (dot < 0 || token.length > LONGEST_TOKEN) return undefined;
    const [id, proof] = [token.slice(0, dot), token.slice(dot + 1)];
    return seal.index(new Secret(id), PURPOSE).some((index) => sameText(index, proof))
      ? repository.message(id)
      : undefined;
  }
}
