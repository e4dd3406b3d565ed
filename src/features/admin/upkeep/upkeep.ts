import type { Account } from '../../accounts/account.ts';
import { auditAccount, type AuditParts } from '../audit.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { ACKNOWLEDGE } from '../../../tokens/deployment/deployment.ts';
import { Failure } from '../../../lib/failure.ts';
import type { GrantRepository, LivingGrant } from '../../../tokens/grant.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Vault } from '../../../upstream/model.ts';
import { AdminRefusal } from '../refusal.ts';
import type { IdentifierSync } from '../../identifiers/identifier-sync.ts';
import { within } from '../../../lib/time/within.ts';

export interface AdminUpkeepParts extends AuditParts {
  readonly identifierSync: Pick<IdentifierSync, 'learn'>;
  readonly grants: Pick<GrantRepository, 'find'>;
  /** Undefined if accounts cannot move. */
  readonly vault: Pick<Vault, 'renewAfter'> | undefined;
  readonly log: Log;
  /**
   * How long a caller waits for an identifier sync, in milliseconds; the sync continues without the caller.
   */
  readonly patience?: number;
}

type Learning = Awaited<ReturnType<IdentifierSync['learn']>>;

/** `running`: it continues, and the timeline will show the outcome. */
export type SyncOutcome = Learning | { readonly outcome: 'running' };

/** Proxies give up on a browser after a minute. */
const PATIENCE = 25 * SECOND;

/** Keeps accounts able to move or to stay moved: their numbers and their tokens. */
export class AdminUpkeep {
  readonly #parts: AdminUpkeepParts;

  constructor(parts: AdminUpkeepParts) {
    this.#parts = parts;
  }

  /**
   * Reads from V1 every pair of numbers and UUIDs it can list. Simultaneous requests wait for the same sync. Throws
   * `AdminRefusal` conflict for a closed account.
   */
  async learn(account: Account, who: string): Promise<SyncOutcome> {
    const { identifierSync, log, patience = PATIENCE } = this.#parts;
    if (account.life.stage === 'closed')
      throw new AdminRefusal('conflict', 'the account is closed: its keys are no longer used');
    await auditAccount(this.#parts, account, { who, action: 'crosswalk.learn', detail: 'requested' });
    const sync = identifierSync.learn(account, who).then(async (learning) => {
      await auditAccount(this.#parts, account, {
        who,
        action: 'crosswalk.learn',
        detail: syncWords(learning),
      });
      return learning;
    });
    const learning = await within(patience, sync);
    if (learning !== undefined) return learning;
    sync.catch((error: unknown) => {
      const words = wordsOf(error);
      log.error('admin.failed', { action: 'crosswalk.learn', account: account.id, error: words });
    });
    return { outcome: 'running' };
  }

  /** Refreshes the tokens now. Throws `AdminRefusal` conflict (no grant, or a lost one) or unavailable. */
  async renew(account: Account, who: string): Promise<LivingGrant> {
    const { vault, grants } = this.#parts;
    const before = await this.#alive(account);
    if (vault === undefined) throw new AdminRefusal('unavailable', 'V3 is not configured');
    const { generation } = before.tokens;
    await auditAccount(this.#parts, account, { who, action: 'grants.refresh', detail: 'requested' });
    try {
      const younger = await vault.renewAfter(before.id, generation);
      if (younger.generation <= generation)
        throw new AdminRefusal('unavailable', 'it was renewed several times within the last minute');
    } catch (error) {
      await auditAccount(this.#parts, account, {
        who,
        action: 'grants.refresh',
        detail: 'failed: no newer pair of tokens',
      });
      throw error instanceof Failure ? refusalOf(error) : error;
    }
    await auditAccount(this.#parts, account, {
      who,
      action: 'grants.refresh',
      detail: 'done: there is a newer pair of tokens',
    });
    const after = await grants.find(before.id);
    if (after === undefined || after.state === 'lost') throw lost();
    return after;
  }

  async #alive({ life }: Account): Promise<LivingGrant> {
    const grant = 'binding' in life ? await this.#parts.grants.find(life.binding.grantId) : undefined;
    if (grant === undefined)
      throw new AdminRefusal('conflict', `there is no consent to renew: it is ${life.stage}`);
    if (grant.state === 'lost' && grant.reason === 'exported')
      throw new AdminRefusal('conflict', 'the grant was exported: another program now holds its tokens');
    if (grant.state === 'lost') throw lost();
    return grant;
  }
}

const lost = (): AdminRefusal =>
  new AdminRefusal('conflict', 'the consent is lost: the customer must authorise again');

function refusalOf({ code, text }: Failure): AdminRefusal {
  if (code === 'consentNeeded') return lost();
  if (code === 'heldBack')
    return new AdminRefusal('unavailable', `this deployment is in doubt: see ${ACKNOWLEDGE}`);
  return new AdminRefusal('unavailable', text);
}

function syncWords(learning: Learning): string {
  if (learning.outcome !== 'learned') return `nothing was learned: ${learning.outcome}`;
  const { added, known, conflicts } = learning;
  return `done: ${added} added, ${known} known, ${conflicts} contradicting`;
}
