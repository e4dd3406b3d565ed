/**
 * Finds out whether a forbidden call means that the organisation is gone.
 *
 * 403 is "insufficient scope or organisation-level access" (V2 specification, "Errors"), so one call proves nothing.
 * The connections list names the organisations for which a token is valid (V2 specification, "Tokens", rule 8); an
 * account is lost if the list lacks its organisation and V3 does not open it either: the list of one provider may name
 * organisations differently from its access tokens. Anything else, and every failure to find out, changes nothing.
 */
import { holders, IllegalTransition, lose, type Account, type Stage } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { GrantVault } from '../../tokens/vault.ts';
import type { Authority, Destination } from '../../upstream/model.ts';
import type { ForbiddenCalls } from './forbidden-calls.ts';
import type { OrganisationProof } from './proof.ts';

export interface DisconnectionsParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant' | 'change'>;
  readonly forbidden: ForbiddenCalls;
  readonly vault: Pick<GrantVault, 'accessToken' | 'abandon'>;
  readonly applications: {
    of(name: string): { readonly authority: Pick<Authority, 'connections'> };
  };
  readonly proof: Pick<OrganisationProof, 'readable'>;
  readonly clock: Clock;
  readonly log: Log;
}

const REASON = 'disconnected';

/** Marks accounts as lost whose organisation is no longer connected. */
export class Disconnections {
  readonly #parts: DisconnectionsParts;

  constructor(parts: DisconnectionsParts) {
    this.#parts = parts;
  }

  /** Asks about the accounts noted so far, one after the other. Never rejects. */
  async run(signal?: AbortSignal): Promise<void> {
    const { forbidden, log } = this.#parts;
    for (let to = forbidden.next(); to !== undefined && signal?.aborted !== true; to = forbidden.next())
      try {
        await this.#judge(to);
      } catch (error) {
        log.warn('disconnection.unclear', { account: to.accountId, error: wordsOf(error) });
      }
  }

  async #judge(to: Destination): Promise<void> {
    const { repository, vault, applications, proof } = this.#parts;
    if (!isBound(await repository.byId(to.accountId), to)) return;
    const { token, generation } = await vault.accessToken(to.grantId);
    const { authority } = applications.of(to.application);
    const connected = await authority.connections(token, undefined);
    if (connected.some(({ id }) => id.toLowerCase() === to.organisationId.toLowerCase())) return;
    if ((await proof.readable(to)) !== 'no') return;
    await this.#lose(to, generation);
  }

  /**
   * Other accounts may use the same consent for organisations of their own; theirs stays. Nothing changes if the
   * tokens were replaced since the organisations were listed.
   */
  async #lose(to: Destination, generation: number): Promise<void> {
    const { repository, vault, clock, log } = this.#parts;
    log.warn('account.disconnected', { account: to.accountId, organisation: to.organisationId });
    if (holders(await repository.byGrant(to.grantId)).length === 1) {
      await vault.abandon(to.grantId, generation, { reason: REASON });
      return;
    }
    if ((await vault.accessToken(to.grantId)).generation !== generation) return;
    const event = { at: clock.now(), kind: 'lost', actor: 'bridge', detail: `the grant was lost: ${REASON}` };
    await repository.change(to.accountId, (life) => lost(life, to), event);
  }
}

/** Leaves a consent given meanwhile alone. */
function lost(life: Stage, to: Destination): Stage {
  if (!isMigrated(life, to)) throw new IllegalTransition(life.stage, 'lost');
  return lose(life, REASON);
}

const isBound = (account: Account | undefined, to: Destination): boolean =>
  account !== undefined && isMigrated(account.life, to);

const isMigrated = (life: Stage, { grantId, organisationId }: Destination): boolean =>
  life.stage === 'migrated' &&
  life.binding.grantId === grantId &&
  life.binding.organisation.id === organisationId;
