/**
 * One presentation of one refresh token, from the row to the stored answer (V2 specification, "Tokens", rules 3 to 5).
 *
 * In order: store what was spilled earlier; read the row, and stop if it is already good enough; ask the deployment
 * guard, the quota of repeated calls and the circuit breaker; wait for a connection; store the intent and take the lease
 * (`begin`); present the token, with no transaction open; store the answer under the lease's fence; only then hand out
 * the new pair. A refused token is followed by its fallbacks, a late pair and then the predecessor, and only at the end
 * of that chain is the grant lost. Without an answer the intent remains, and the same token is presented again later.
 *
 * A process that dies before the intent has sent nothing. One that dies after it leaves an unresolved grant with its
 * first presentation's time; the sweeper of any process presents the same token again within the grace of 30 minutes.
 */
import type { Pass } from '../../lib/circuit-breaker.ts';
import { faultOf } from '../../lib/store-fault.ts';
import { nameOf } from '../../lib/log/log.ts';
import type { Beginning, Lease, LivingGrant, TokenPair } from '../grant.ts';
import { openPair, pairIfOpen } from '../grant-row.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Authority, RefreshVerdict } from '../../upstream/model.ts';
import type { Attempt, Good, RefresherParts, Urgency } from './attempt.ts';
import { Fallbacks, type AfterRefusal } from './fallback.ts';
import { Keeping } from './keeping.ts';
import {
  answerTime,
  backoff,
  confirmAtOf,
  heldOf,
  isDue,
  keepExtending,
  leaseTime,
  nextPresentation,
  pauseAfter,
  UNREADABLE_PAUSE,
  type HeldToken,
} from './timing.ts';

type Begun = Extract<Beginning, { outcome: 'begun' }>;

/** Obtained before a presentation: the client of the OAuth application, and a pass of its circuit breaker. */
interface Entry {
  readonly authority: Authority;
  readonly pass: Pass;
  readonly urgency: Urgency;
}

/** Most saved-up repeats (presentations by calls after an unanswered one); each first presentation earns `EARNED`. */
const MOST_REPEATS = 20;
const EARNED = 0.1;

/** How often a row that somebody else is working on is read, in milliseconds. */
const LOOK_AGAIN = 100;

const unlimited = (): void => undefined;
const unguarded: Pass = { succeeded: () => undefined, failed: () => undefined, unused: () => undefined };

/** Presents refresh tokens. Knows nothing about waiting calls: its caller decides what to do with `later`. */
export class Refresher {
  /** Presentations so far, by application and verdict, such as `default renewed`. */
  readonly verdicts = new Map<string, number>();
  readonly #parts: RefresherParts;
  readonly #keeping: Keeping;
  readonly #fallbacks: Fallbacks;
  /** Saved-up repeats by application: one that is refused must not use up those of the others. */
  readonly #repeats = new Map<string, number>();
  /** Grants whose `begin` threw: it may have been stored nevertheless, and the lease is then this process's own. */
  readonly #unheard = new Set<string>();

  constructor(parts: RefresherParts) {
    this.#parts = parts;
    this.#keeping = new Keeping(parts);
    this.#fallbacks = new Fallbacks(parts);
  }

  /**
   * Reads the row and, unless it is already `good` enough, presents its refresh token once. A row with an
   * open intent is not touched before its next presentation is due. Throws what the store throws, and
   * `SealBroken`; in both cases nothing was sent.
   */
  async attempt(grantId: string, good: Good, urgency: Urgency = 'sweep'): Promise<Attempt> {
    const { repository, clock, profile } = this.#parts;
    const settled = await this.#keeping.settle(grantId);
    const grant = await repository.find(grantId);
    if (grant === undefined) return { outcome: 'unknown' };
    if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
    const held = this.#heldIn(grant);
    if (good(held, grant)) return { outcome: 'held', held };
    if (!settled) return this.#later(held, this.#backoff(1), 'spilled');
    if (grant.state === 'unresolved' && !isDue(grant.nextAt, clock.now(), profile))
      return { outcome: 'later', at: grant.nextAt, standing: held, why: 'backing-off' };
    if ((await this.#parts.guard?.mayPresent()) === false) return { outcome: 'withheld' };
    const client = this.#parts.applications.get(grant.application);
    if (client === undefined) return { outcome: 'no-application' };
    if (!this.#mayAsk(grant, urgency)) return this.#later(held, this.#backoff(Infinity), 'quota');
    const pass = client.breaker?.enter(grantId) ?? unguarded;
    if (typeof pass === 'number') return { outcome: 'later', at: pass, standing: held, why: 'breaker-open' };
    return this.#begin(grant, held, { authority: client.authority, pass, urgency });
  }

  /** Stores what any process has spilled; returns how many pairs are still outside the store. */
  recover(): Promise<number> {
    return this.#keeping.recover();
  }

  #heldIn(grant: LivingGrant): HeldToken {
    return heldOf(openPair(this.#parts.seal, grant.id, grant.tokens), grant.renewedAt, this.#parts.profile);
  }

  /**
   * The sweeper may always ask, because a grant depends on it. Calls may repeat only a tenth as often as they ask for
   * the first time: when the server is in trouble, every waiting call would add to its load. A pair without a usable
   * access token is kept a minute, since the next would be alike; generation 0, an imported one, is without any.
   */
  #mayAsk({ application, state, tokens, renewedAt }: LivingGrant, urgency: Urgency): boolean {
    if (urgency === 'sweep') return true;
    if (state === 'unresolved') return (this.#repeats.get(application) ?? MOST_REPEATS) >= 1;
    const age = this.#parts.clock.now() - renewedAt;
    return tokens.accessExpiresAt > 0 || tokens.generation === 0 || age < 0 || age >= UNREADABLE_PAUSE;
  }

  /**
   * A connection that breaks while the lease is being stored does not tell whether it was. Nothing was presented under
   * it, so the next attempt takes it over instead of waiting for its end.
   */
  async #begin(grant: LivingGrant, held: HeldToken, entry: Entry): Promise<Attempt> {
    const { repository, clock, profile, holder, log } = this.#parts;
    const [grantId, generation] = [grant.id, held.generation];
    const release = entry.authority.reserve === undefined ? unlimited : await entry.authority.reserve();
    if (release === undefined) {
      // Nothing is presented, and nothing is known about the server.
      entry.pass.unused();
      log.warn('refresh.no-connection', { grant: grantId });
      return this.#lookAgain(held, 'no-connection');
    }
    let begun = false;
    try {
      const lease = leaseTime(nextPresentation(grant), profile);
      const asked = performance.now();
      const takesOver = this.#unheard.has(grantId);
      this.#unheard.add(grantId);
      const terms = { holder, ...lease, takesOver, now: clock.now() };
      const beginning = await repository.begin({ grantId, generation, ...terms });
      this.#unheard.delete(grantId);
      // The process was paused since: somebody else may have continued, and the token may have been used.
      if (performance.now() - asked >= lease.leaseMs) return this.#lookAgain(held, 'overslept');
      begun = beginning.outcome === 'begun';
      return await this.#after(beginning, held, entry);
    } finally {
      if (!begun) entry.pass.unused();
      release();
    }
  }

  async #after(beginning: Beginning, standing: HeldToken, entry: Entry): Promise<Attempt> {
    switch (beginning.outcome) {
      case 'begun':
        return this.#present(beginning, standing, entry);
      case 'moved':
        return { outcome: 'held', held: this.#heldIn(beginning.grant) };
      case 'busy':
        return this.#lookAgain(standing, 'busy');
      case 'lost':
        return { outcome: 'lost', reason: beginning.reason };
      case 'withheld':
      case 'unknown':
        return { outcome: beginning.outcome };
    }
  }

  async #present(begun: Begun, standing: HeldToken, entry: Entry): Promise<Attempt> {
    const { seal, log } = this.#parts;
    const { lease, grant } = begun;
    const presented = pairIfOpen(seal, grant.id, grant.tokens);
    if (presented === undefined) {
      entry.pass.unused();
      log.error('grant.unreadable', { grant: grant.id });
      return this.#unanswered(lease, standing, UNREADABLE_PAUSE, 'unreadable');
    }
    // The last check: a doubt that arose since the intent was stored. It says nothing about the server.
    if (this.#parts.guard?.doubt !== undefined) {
      entry.pass.unused();
      return this.#unanswered(lease, standing, this.#pause(grant, {}), 'deployment in doubt');
    }
    const verdict = await this.#ask(entry, begun, presented.refreshToken);
    report(entry.pass, verdict);
    switch (verdict.verdict) {
      case 'renewed':
        return this.#renewed(begun, presented, verdict.answer, standing);
      case 'refused':
        return this.#refused(await this.#fallbacks.after(lease, presented, verdict.description), standing);
      case 'unanswered':
        log.warn('refresh.unanswered', {
          ...{ grant: grant.id, generation: presented.generation },
          ...{ presentations: grant.presentations, cause: verdict.cause },
        });
        return this.#unanswered(lease, standing, this.#pause(grant, verdict), verdict.cause);
    }
  }

  /** `Authority` promises a verdict; if it throws nevertheless, there is no answer. */
  async #ask({ authority, urgency }: Entry, { lease, grant }: Begun, token: Secret): Promise<RefreshVerdict> {
    const { repository, profile, log } = this.#parts;
    const extending = keepExtending(repository, lease, leaseTime(grant, profile).leaseMs, log);
    const { application, presentations } = grant;
    const isReserved = authority.reserve !== undefined;
    // A call that finds another process at work asks the server nothing, and uses up nothing.
    if (urgency === 'call') {
      const saved = this.#repeats.get(application) ?? MOST_REPEATS;
      this.#repeats.set(application, presentations > 1 ? saved - 1 : Math.min(MOST_REPEATS, saved + EARNED));
    }
    try {
      const verdict = await authority.refresh(token, answerTime(grant, profile), isReserved);
      const counted = `${application} ${verdict.verdict}`;
      this.verdicts.set(counted, (this.verdicts.get(counted) ?? 0) + 1);
      return verdict;
    } catch (error) {
      return { verdict: 'unanswered', cause: nameOf(error) };
    } finally {
      clearInterval(extending);
    }
  }

  async #renewed(
    { lease, grant }: Begun,
    presented: TokenPair,
    answer: Extract<RefreshVerdict, { verdict: 'renewed' }>['answer'],
    standing: HeldToken,
  ): Promise<Attempt> {
    const { clock, profile, log, confirmation = confirmAtOf } = this.#parts;
    const { accessToken, accessExpiresAt, refreshToken } = answer;
    const next = { generation: presented.generation + 1, accessToken, accessExpiresAt, refreshToken };
    const confirmAt = confirmation(grant, clock.now(), profile);
    const kept = await this.#keeping.keep(lease, presented, next, confirmAt);
    const facts = { grant: lease.grantId, generation: next.generation };
    if (answer.odd?.length) log.warn('refresh.odd-answer', { ...facts, fields: answer.odd.join(' ') });
    switch (kept) {
      case 'stored':
        log.info('refresh.renewed', { ...facts, presentations: grant.presentations });
        return { outcome: 'held', held: heldOf(next, clock.now(), profile) };
      case 'fenced':
        // Somebody else holds the grant now: its row counts, and this pair is kept beside it.
        log.warn('refresh.fenced', facts);
        return this.#lookAgain(standing, 'fenced');
      case 'spilled':
        // The lease is not released: while it lasts nobody presents the token again, and the pair can still
        // be stored as if nothing had happened.
        return this.#later(standing, this.#backoff(1), 'spilled');
      case 'failed':
        // Not durable, so not used. The intent is on disk: the same token is presented again within the grace.
        return this.#unanswered(lease, standing, this.#backoff(1), 'unstored');
    }
  }

  #refused(after: AfterRefusal, standing: HeldToken): Attempt {
    switch (after.outcome) {
      case 'fenced':
        return this.#lookAgain(standing, 'fenced');
      case 'fell-back':
        return this.#later(standing, 0, 'fell-back');
      case 'held':
      case 'lost':
        return after;
      case 'unknown':
        return { outcome: 'unknown' };
    }
  }

  /** Releases the lease. If even that fails it expires by itself; the intent stays in any case. */
  async #unanswered(lease: Lease, standing: HeldToken, wait: number, why: string): Promise<Attempt> {
    const at = this.#parts.clock.now() + wait;
    try {
      await this.#parts.repository.unanswered(lease, at);
    } catch (error) {
      this.#parts.log.warn('refresh.store-failed', { grant: lease.grantId, error: faultOf(error) });
    }
    return { outcome: 'later', at, standing, why };
  }

  #lookAgain(standing: HeldToken, why: string): Attempt {
    return this.#later(standing, LOOK_AGAIN, why);
  }

  #later(standing: HeldToken, wait: number, why: string): Attempt {
    return { outcome: 'later', at: this.#parts.clock.now() + wait, standing, why };
  }

  #pause(grant: Begun['grant'], { retryAfter = 0 }: { readonly retryAfter?: number | undefined }): number {
    const { clock, profile, random = Math.random } = this.#parts;
    return pauseAfter(grant, retryAfter, { now: clock.now(), profile, random });
  }

  #backoff(presentations: number): number {
    return backoff(presentations, this.#parts.profile, this.#parts.random ?? Math.random);
  }
}

/** A refusal is an answer: the server is there. */
function report(pass: Pass, verdict: RefreshVerdict): void {
  if (verdict.verdict !== 'unanswered') pass.succeeded();
  else pass.failed(verdict.cause, { plain: verdict.everybody, retryAfter: verdict.retryAfter });
}
