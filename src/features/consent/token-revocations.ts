import { holders } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import type { AwaitingRepository, Revocation } from './model.ts';
import type { Grant, GrantRepository } from '../../tokens/grant.ts';
import type { Log } from '../../lib/log/log.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { revokeGrant, type RevokeParts } from './revoke-grant.ts';

export interface TokenRevocationsParts extends RevokeParts {
  readonly repository: Pick<AccountRepository, 'byGrant'>;
  readonly grants: Pick<GrantRepository, 'list' | 'find' | 'forget'>;
  readonly awaiting: Pick<AwaitingRepository, 'revokeUnheld' | 'revocations' | 'postpone' | 'strike'>;
  readonly clock: Clock;
  readonly log: Log;
}

const LONGEST_PAUSE = 6 * HOUR;
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

  /** A server that does not answer is asked once; the other tokens wait for the next run. */
  async run(): Promise<void> {
    const { awaiting, clock } = this.#parts;
    await awaiting.revokeUnheld(clock.now());
    for (const revocation of await awaiting.revocations(clock.now()))
      if (!(await this.#settle(revocation))) return;
  }

  /** Returns false if the server did not answer. */
  async #settle(revocation: Revocation): Promise<boolean> {
    const { repository, grants, awaiting, log } = this.#parts;
    const { grantId } = revocation;
    // The same approval connected another account, with proof: its tokens are in use.
    const isUsed = holders(await repository.byGrant(grantId)).length > 0;
    const grant = isUsed ? undefined : await grants.find(grantId);
    if (grant !== undefined && !(await this.#revoked(grant, revocation))) return false;
    if (!isUsed) await grants.forget(grantId);
    else log.info('consent.kept', { grant: grantId });
    await awaiting.strike(grantId);
    return true;
  }

  /** Returns false to try again later. */
  async #revoked(grant: Grant, { attempts }: Revocation): Promise<boolean> {
    const { awaiting, clock, log } = this.#parts;
    try {
      log.info('consent.forgotten', { grant: grant.id, revoked: await revokeGrant(this.#parts, grant) });
      return true;
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('consent.revocation', { grant: grant.id, error: error.error, attempt: attempts + 1 });
      if (attempts + 1 >= MOST_ATTEMPTS) return true;
      await awaiting.postpone(grant.id, clock.now() + Math.min(2 ** attempts * MINUTE, LONGEST_PAUSE));
      return false;
    }
  }
}
