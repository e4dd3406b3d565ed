import type { InvitationRepository } from '../accounts/invitation.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { FreshLinks } from './outbox.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { Campaign } from './campaign.ts';

export interface FreshLinkParts {
  readonly invitations: InvitationRepository;
  readonly campaign: Pick<Campaign, 'fresh'>;
  readonly seal: Seal;
  readonly log: Log;
}

/** Most messages being queued at a time. Further requests are dropped; the customer can ask again. */
const MOST = 20;
const LONGEST_LINK = 200;

/**
 * "Send me a fresh link": the visitor learns nothing. The answer follows the lookup by hash, which takes equally long
 * for every link; the work for a known one continues in the background.
 */
export class CampaignFreshLinks implements FreshLinks {
  readonly #parts: FreshLinkParts;
  readonly #under = new Set<Promise<void>>();

  constructor(parts: FreshLinkParts) {
    this.#parts = parts;
  }

  async freshLink(link: string): Promise<void> {
    const { invitations, campaign, seal, log } = this.#parts;
    const indexes = seal.index(new Secret(link.slice(0, LONGEST_LINK)), 'invitation');
    const found = await invitations.byLink(indexes);
    if (found === undefined || this.#under.size >= MOST) return;
    const work = campaign
      .fresh(found)
      .catch((error: unknown) => {
        log.error('campaign.fresh-failed', {
          account: found.accountId,
          error: wordsOf(error),
        });
      })
      .finally(() => {
        this.#under.delete(work);
      });
    this.#under.add(work);
  }

  /** Waits for the messages being queued. */
  async settled(): Promise<void> {
    await Promise.all(this.#under);
  }
}
