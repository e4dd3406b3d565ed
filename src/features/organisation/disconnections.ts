/**
 * Finds out whether a forbidden call means that the organisation is gone.
 *
 * 403 is "insufficient scope or organisation-level access" (V2 specification, "Errors"), so one call proves nothing.
 * The connections list names the organisations for which a token is valid (V2 specification, "Tokens", rule 8); an
 * account is lost if the list lacks its organisation and V3 does not open it either: the list of one provider may name
 * organisations differently from its access tokens. Both are asked twice, minutes apart, and if they speak against many
 * accounts at once, none is lost: a fault of the service or a gateway must not end consents. Anything else, and every
 * failure to find out, changes nothing.
 */
import { holders, IllegalTransition, lose, type Account, type Stage } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import { HOUR, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { GrantVault } from '../../tokens/vault.ts';
import type { Authority, Destination } from '../../upstream/model.ts';
import type { ForbiddenCalls } from './forbidden-calls.ts';
import type { OrganisationProof } from './proof.ts';
import { Suspects } from './suspects.ts';

export interface DisconnectionsParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant' | 'change' | 'list'>;
  readonly forbidden: ForbiddenCalls;
  readonly vault: Pick<GrantVault, 'accessToken' | 'abandon'>;
  readonly applications: {
    of(name: string): { readonly authority: Pick<Authority, 'connections'> };
  };
  readonly proof: Pick<OrganisationProof, 'readable'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called each time an account keeps its consent because too many would lose theirs at once. */
  readonly held: () => void;
}

const REASON = 'disconnected';

/** Marks accounts as lost whose organisation is no longer connected. */
export class Disconnections {
  readonly #parts: DisconnectionsParts;
  readonly #suspects: Suspects;
  /** When the log last said so, by application. */
  readonly #toldHeld = new Map<string, number>();

  constructor(parts: DisconnectionsParts) {
    this.#parts = parts;
    this.#suspects = new Suspects(parts.clock);
  }

  /** Asks about the accounts noted so far and those to ask about again, one after the other. Never rejects. */
  async run(signal?: AbortSignal): Promise<void> {
    for (const to of this.#waiting()) {
      if (signal?.aborted === true) return;
      try {
        await this.#judge(to);
      } catch (error) {
        this.#parts.log.warn('disconnection.unclear', { account: to.accountId, error: wordsOf(error) });
      }
    }
  }

  *#waiting(): Generator<Destination> {
    const { forbidden } = this.#parts;
    for (const to of this.#suspects.due()) {
      this.#suspects.asked(to);
      yield to;
    }
    for (let to = forbidden.next(); to !== undefined; to = forbidden.next())
      if (!this.#suspects.has(to)) yield to;
  }

  async #judge(to: Destination): Promise<void> {
    const isSuspect = this.#suspects.has(to);
    const generation = await this.#goneSince(to);
    if (generation === undefined) return;
    if (!isSuspect) this.#suspects.asked(to);
    else if (!(await this.#isHeld(to))) await this.#lose(to, generation);
  }

  /** The generation of the tokens with which list and V3 lack the organisation; undefined: not shown. */
  async #goneSince(to: Destination): Promise<number | undefined> {
    const { repository, vault, applications, proof } = this.#parts;
    if (!isBound(await repository.byId(to.accountId), to)) {
      this.#suspects.clear(to);
      return undefined;
    }
    const { token, generation } = await vault.accessToken(to.grantId);
    const { authority } = applications.of(to.application);
    const connected = await authority.connections(token, undefined);
    const isListed = connected.some(({ id }) => id.toLowerCase() === to.organisationId.toLowerCase());
    const readable = isListed ? 'yes' : await proof.readable(to);
    if (readable === 'yes') this.#suspects.clear(to);
    return readable === 'no' ? generation : undefined;
  }

  async #isHeld(to: Destination): Promise<boolean> {
    const { clock, log, held } = this.#parts;
    const { application } = to;
    const accounts = this.#suspects.held(to, await this.#lately(application));
    if (accounts === undefined) return false;
    held();
    const now = clock.now();
    if (Math.abs(now - (this.#toldHeld.get(application) ?? 0)) < HOUR) return true;
    this.#toldHeld.set(application, now);
    log.error('disconnection.held', { application, accounts });
    return true;
  }

  /** The number of the application's accounts that any process has marked as lost in the last hour. */
  async #lately(application: string): Promise<number> {
    const { repository, clock } = this.#parts;
    const now = clock.now();
    const lost = await repository.list(['lost']);
    return lost.filter(
      (one) =>
        one.application === application &&
        one.life.stage === 'lost' &&
        one.life.reason === REASON &&
        Math.abs(now - one.stageSince) < HOUR,
    ).length;
  }

  /**
   * Other accounts may use the same consent for organisations of their own; theirs stays. Nothing changes if the
   * tokens were replaced since the organisations were listed.
   */
  async #lose(to: Destination, generation: number): Promise<void> {
    const { repository, vault, clock, log } = this.#parts;
    this.#suspects.clear(to);
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
