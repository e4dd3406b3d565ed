import { holders } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { LONGEST_PAUSE, type AwaitingRepository, type Revocation } from './model.ts';
import type { Grant, GrantRepository } from '../../tokens/grant.ts';
import { nameOf, type Log } from '../../lib/log/log.ts';
import { isAway } from '../../lib/store-fault.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { revokeGrant, type RevokeParts } from './revoke-grant.ts';

export interface TokenRevocationsParts extends RevokeParts {
  readonly repository: Pick<AccountRepository, 'byGrant'>;
  readonly grants: Pick<GrantRepository, 'hasAnotherOf' | 'find' | 'forget'>;
  readonly awaiting: Pick<AwaitingRepository, 'revokeUnheld' | 'revocations' | 'postpone' | 'strike'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** About a week of attempts; without a limit, a server without revocation would be asked for ever. */
const MOST_ATTEMPTS = 34;

/**
 * Revokes tokens because the operator refused their consent, a newer one replaced it, or all of its accounts were
 * disconnected. The first two are stored with the decision; any process asks the server, as often as needed. Asking
 * twice for the same token gets the same answer (RFC 7009, section 2.2).
 */
export class TokenRevocations {
  readonly #parts: TokenRevocationsParts;

  constructor(parts: TokenRevocationsParts) {
    this.#parts = parts;
  }

  /**
   * A server that does not answer is asked once; the other tokens wait for the next run. They do not wait for one that
   * fails by itself.
   */
  async run(): Promise<void> {
    const { awaiting, clock } = this.#parts;
    await awaiting.revokeUnheld(clock.now());
    for (const revocation of await awaiting.revocations(clock.now()))
      if (!(await this.#settle(revocation))) return;
  }

  /** Whether the service is not asked to revoke a grant once this account gives it up: others rest on it. */
  async isShared(grantId: string, accountId: string): Promise<boolean> {
    const { repository, grants } = this.#parts;
    if (holders(await repository.byGrant(grantId)).some(({ id }) => id !== accountId)) return true;
    const grant = await grants.find(grantId);
    return grant !== undefined && (await grants.hasAnotherOf(grant));
  }

  /** Returns false if the server did not answer. */
  async #settle(revocation: Revocation): Promise<boolean> {
    const { repository, grants, awaiting, log } = this.#parts;
    const { grantId } = revocation;
    // The same approval connected another account, with proof: its tokens are in use.
    const isUsed = holders(await repository.byGrant(grantId)).length > 0;
    const grant = isUsed ? undefined : await grants.find(grantId);
    const revoked = grant === undefined ? 'done' : await this.#revoked(grant, revocation);
    if (revoked !== 'done') return revoked === 'postponed';
    if (!isUsed) await grants.forget(grantId);
    else log.info('consent.kept', { grant: grantId });
    await awaiting.strike(grantId);
    return true;
  }

  /** `silent`: the server did not answer. Both others are tried again later. */
  async #revoked(grant: Grant, { attempts }: Revocation): Promise<'done' | 'silent' | 'postponed'> {
    const { awaiting, clock, log } = this.#parts;
    try {
      log.info('consent.forgotten', { grant: grant.id, revoked: await revokeGrant(this.#parts, grant) });
      return 'done';
    } catch (error) {
      if (isAway(error)) throw error;
      const isRefused = error instanceof AuthorityRefused;
      const words = isRefused ? error.error : nameOf(error);
      log.warn('consent.revocation', { grant: grant.id, error: words, attempt: attempts + 1 });
      if (attempts + 1 >= MOST_ATTEMPTS) return 'done';
      await awaiting.postpone(grant.id, clock.now() + Math.min(2 ** attempts * MINUTE, LONGEST_PAUSE));
      return isRefused ? 'silent' : 'postponed';
    }
  }
}
