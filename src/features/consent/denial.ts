import { consentEvents, type DenialCause } from './model.ts';
import { expectedName, type ConsentParts, type Refused } from './parts.ts';
import type { Leaving } from './leaving.ts';

const reasons = { unwilling: 'declined', unable: 'noPrivilege' } as const;

/**
 * Finds out the cause of an `access_denied` from the customer who returned with it. The service sends the same code
 * whether a person is unwilling or not allowed; only the first is an answer to the invitation.
 */
export class Denial {
  readonly #parts: ConsentParts;
  readonly #leaving: Leaving;

  constructor(parts: ConsentParts, leaving: Leaving) {
    this.#parts = parts;
    this.#leaving = leaving;
  }

  /**
   * A customer who declines gets no more reminders, but the link stays valid. Undefined if the link no longer
   * works.
   */
  async explain(link: string, cause: DenialCause): Promise<Refused | undefined> {
    const found = await this.#leaving.living(link);
    if (found === undefined) return undefined;
    const { invitation, account } = found;
    const { repository, consents, clock, log } = this.#parts;
    const reason = reasons[cause];
    const event = { at: clock.now(), kind: consentEvents.refused, actor: 'customer', detail: reason };
    if (cause === 'unable') await repository.note(account.id, event);
    else if (!(await consents.decline(invitation.id, account.id, event))) return undefined;
    log.info('consent.explained', { account: account.id, reason });
    return {
      outcome: 'refused',
      reason,
      account: { id: account.id, name: account.name },
      found: [],
      expected: await expectedName(repository, account),
    };
  }
}
