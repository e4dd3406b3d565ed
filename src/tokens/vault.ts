/**
 * Hands out access tokens: fresh ones from memory, others from the row or after a refresh. Nothing else requests any.
 *
 * A token that is merely getting old is still handed out and refreshed in the background. An unusable one makes the
 * call wait, for `patienceMs` at most, while the refresh continues and is stored even if the call has given up. Calls
 * that need the same grant share one attempt within the process; across processes the lease in the store decides.
 * After a 401 of the service one younger token is tried, with a few refreshes a minute at most, so that a service that
 * refuses every token is not asked without end.
 *
 * The sweeper uses the same attempts to finish what was left open (`drive`, `confirm`, `keepAlive`, `recover`). Only
 * access tokens are in memory, and lost with the process; everything else is in the store before it is used.
 */
import NodeCache from 'node-cache';
import { MINUTE, SECOND } from '../lib/time/clock.ts';
import { Failure } from '../lib/failure.ts';
import { wordsOf } from '../lib/log/log.ts';
import { SealBroken } from '../lib/secret/seal.ts';
import type { Secret } from '../lib/secret/secret.ts';
import { isAway } from '../lib/store-fault.ts';
import { pause } from '../lib/time/pause.ts';
import { within } from '../lib/time/within.ts';
import type { Vault } from '../upstream/model.ts';
import type { HeldToken } from './refresh/timing.ts';
import { abandon, type Abandonment } from './refresh/abandon.ts';
import type { Attempt, Good, RefresherParts, Urgency } from './refresh/attempt.ts';
import { Refresher } from './refresh/refresher.ts';

/** What the vault needs besides the refresher's own parts. */
export interface VaultParts extends RefresherParts {
  /** How long a call may wait for a refresh, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Waits that long, in milliseconds; tests pass in one that moves their clock. */
  readonly sleep?: ((millis: number) => Promise<void>) | undefined;
}

/** A token and its generation: the higher, the younger. */
export interface AccessToken {
  readonly token: Secret;
  readonly generation: number;
}

/** A generation to which the service answered 401. */
interface Refusal {
  readonly generation: number;
  readonly at: number;
}

const NO_TOKEN =
  'The service gives no access token for this account at the moment, so nothing was done. Try again later';
const PATIENCE = 10 * SECOND;
/** Refreshes of one grant because of the service's 401 within a minute. */
const RENEWALS = 5;
/** In milliseconds: a clock that was set, or a row changed by another process, is noticed within this. */
const LONGEST_NAP = 250;

/** Presentations of one sweep: the refused token, and what its fallbacks led to. */
const MOST_STEPS = 4;

const hasMore = (attempt: Attempt): boolean => attempt.outcome === 'later' && attempt.why === 'fell-back';

/**
 * Access tokens: from memory, from the row, or by a refresh. One refresh per grant however many callers wait:
 * within the process through a map of promises, across processes through the lease in the store.
 */
export class GrantVault implements Vault {
  readonly #parts: VaultParts;
  readonly #refresher: Refresher;
  readonly #cache = new NodeCache({ useClones: false, checkperiod: 60 });
  readonly #refused = new NodeCache({ useClones: false, checkperiod: 60, stdTTL: 60 });
  readonly #reads = new Map<string, Promise<Attempt>>();
  readonly #flights = new Map<string, Promise<Attempt>>();

  constructor(parts: VaultParts) {
    this.#parts = parts;
    this.#refresher = new Refresher(parts);
  }

  /** Presentations of refresh tokens so far, by application and verdict. */
  get verdicts(): Refresher['verdicts'] {
    return this.#refresher.verdicts;
  }

  present(grantId: string): AccessToken | undefined {
    const held = this.#cache.get<HeldToken>(grantId);
    return held !== undefined && this.#isFresh(held) ? held : undefined;
  }

  async accessToken(grantId: string): Promise<AccessToken> {
    const now = this.#parts.clock.now();
    const present = this.#cache.get<HeldToken>(grantId) ?? (await this.#read(grantId));
    if (present.freshUntil > now) return present;
    if (present.usableUntil <= now) return this.#obtain(grantId, this.#isFresh);
    this.#renewBehind(grantId);
    return present;
  }

  /**
   * A service that answers 401 to every token would make each call refresh one. After a few within a minute
   * the current token is returned again, and its generation tells the caller that there is no younger one.
   */
  async renewAfter(grantId: string, generation: number): Promise<AccessToken & { readonly found?: boolean }> {
    const younger = (held: HeldToken): boolean =>
      held.generation > generation && held.usableUntil > this.#parts.clock.now();
    const present = this.#cache.get<HeldToken>(grantId);
    if (present !== undefined && younger(present)) return { ...present, found: true };
    const stored = await this.#read(grantId);
    if (younger(stored)) return { ...stored, found: true };
    if (!this.#mayRenew(grantId, generation)) return stored;
    this.#cache.del(grantId);
    return this.#obtain(grantId, younger);
  }

  /**
   * For the sweeper: presents an unresolved grant's token, if it is due and nobody else is working on it.
   * Throws `Failure` if the store or the seal fails.
   */
  drive(grantId: string): Promise<Attempt['outcome']> {
    return this.#swept(grantId, (_, grant) => grant.state === 'held');
  }

  /** For the sweeper: confirms a pair whose `confirmAt` is `dueUntil` or earlier, by refreshing it. */
  confirm(grantId: string, dueUntil: number): Promise<Attempt['outcome']> {
    return this.#swept(
      grantId,
      (_, grant) => grant.state === 'held' && (grant.confirmAt === undefined || grant.confirmAt > dueUntil),
    );
  }

  /**
   * For the sweeper: refreshes a grant whose pair is older than `renewedBefore`, or younger than `latest`, so that it
   * does not expire.
   */
  keepAlive(grantId: string, renewedBefore: number, latest = Infinity): Promise<Attempt['outcome']> {
    return this.#swept(grantId, (_, { renewedAt }) => renewedAt >= renewedBefore && renewedAt <= latest);
  }

  /** Presents a refresh token that was brought along, unless that has succeeded before. Throws `Failure`. */
  prove(grantId: string): Promise<Attempt['outcome']> {
    return this.#swept(grantId, (_, grant) => grant.tokens.generation > 0);
  }

  /**
   * For the sweeper: stores pairs that could not be stored when they came, whichever process had requested
   * them. Returns how many are still outside the store.
   */
  recover(): Promise<number> {
    return this.#refresher.recover();
  }

  /** Gives up a grant whose purpose is gone: see `abandon`. */
  async abandon(grantId: string, generation: number, why: Abandonment): Promise<boolean> {
    const abandoned = await abandon(this.#parts, { grantId, generation }, why);
    if (abandoned) this.#cache.del(grantId);
    return abandoned;
  }

  /** Resolves when no refresh is in progress; call it after the last caller is gone and before the store closes. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
    this.#cache.close();
    this.#refused.close();
  }

  /** The pair as it is in the store, whatever its age. */
  async #read(grantId: string): Promise<HeldToken> {
    const attempt = await this.#shared(this.#reads, grantId, () => true, 'call');
    if (attempt.outcome === 'held') return attempt.held;
    throw new Failure('consentNeeded');
  }

  #mayRenew(grantId: string, generation: number): boolean {
    const now = this.#parts.clock.now();
    const recent = (this.#refused.get<Refusal[]>(grantId) ?? []).filter(
      (refusal) => now - refusal.at < MINUTE,
    );
    if (recent.some((refusal) => refusal.generation === generation)) return true;
    if (recent.length >= RENEWALS) return false;
    this.#refused.set(grantId, [...recent, { generation, at: now }]);
    return true;
  }

  #renewBehind(grantId: string): void {
    this.#flight(grantId, this.#isFresh).catch((error: unknown) => {
      // The current token is still valid; the next call tries again.
      this.#parts.log.warn('refresh.not-begun', { grant: grantId, error: wordsOf(error) });
    });
  }

  /** Waits, within the patience, until there is a token that is `wanted`. */
  async #obtain(grantId: string, wanted: (held: HeldToken) => boolean): Promise<HeldToken> {
    let patience = this.#parts.patienceMs ?? PATIENCE;
    for (;;) {
      const started = performance.now();
      const attempt = await withinReach(this.#flight(grantId, wanted), patience);
      patience -= performance.now() - started;
      const found = judge(attempt, wanted);
      if (found !== undefined) return found;
      patience -= await this.#pause(attempt, patience);
    }
  }

  /** Waits before the next look, if that is within the patience; returns how long, in milliseconds. */
  async #pause(attempt: Attempt, patience: number): Promise<number> {
    if (attempt.outcome !== 'later') return 0;
    const wait = Math.max(1, attempt.at - this.#parts.clock.now());
    if (wait > patience) throw unavailable(wait);
    const millis = Math.min(wait, LONGEST_NAP);
    await (this.#parts.sleep ?? pause)(millis);
    return millis;
  }

  /** Follows the fallback chain to its end: a predecessor cannot wait for the next sweep. */
  async #swept(grantId: string, good: Good): Promise<Attempt['outcome']> {
    let attempt = await this.#flight(grantId, good, 'sweep');
    for (let steps = 1; steps < MOST_STEPS && hasMore(attempt); steps += 1)
      attempt = await this.#flight(grantId, (_, grant) => grant.state === 'held', 'sweep');
    return attempt.outcome;
  }

  readonly #isFresh = (held: HeldToken): boolean => held.freshUntil > this.#parts.clock.now();

  #flight(grantId: string, good: Good, urgency: Urgency = 'call'): Promise<Attempt> {
    return this.#shared(this.#flights, grantId, good, urgency);
  }

  /** A call during an attempt gets its outcome, and checks whether that is what it needs. */
  #shared(
    running: Map<string, Promise<Attempt>>,
    grantId: string,
    good: Good,
    urgency: Urgency,
  ): Promise<Attempt> {
    const under = running.get(grantId);
    if (under !== undefined) return under;
    const flight = this.#attempt(grantId, good, urgency).finally(() => running.delete(grantId));
    running.set(grantId, flight);
    return flight;
  }

  async #attempt(grantId: string, good: Good, urgency: Urgency): Promise<Attempt> {
    try {
      const attempt = await this.#refresher.attempt(grantId, good, urgency);
      this.#remember(grantId, attempt);
      return attempt;
    } catch (cause) {
      throw failureOf(cause);
    }
  }

  #remember(grantId: string, attempt: Attempt): void {
    if (attempt.outcome === 'lost' || attempt.outcome === 'unknown') this.#cache.del(grantId);
    if (attempt.outcome !== 'held') return;
    // The cache uses the machine's clock and only limits memory; `Clock` decides whether a token may be used.
    const seconds = (attempt.held.usableUntil - this.#parts.clock.now()) / SECOND;
    if (seconds > 0) this.#cache.set(grantId, attempt.held, seconds);
  }
}

/** Nothing was sent: no request leaves without a token. */
function failureOf(cause: unknown): Failure {
  if (isAway(cause)) return new Failure('databaseAway', { cause });
  return new Failure(cause instanceof SealBroken ? 'internal' : 'upstreamUnavailable', { cause });
}

function judge(attempt: Attempt, wanted: (held: HeldToken) => boolean): HeldToken | undefined {
  switch (attempt.outcome) {
    case 'held':
      return wanted(attempt.held) ? attempt.held : undefined;
    case 'later':
      return undefined;
    case 'withheld':
      throw new Failure('heldBack');
    case 'no-application':
      throw new Failure('applicationMissing');
    case 'lost':
    case 'unknown':
      throw new Failure('consentNeeded');
  }
}

/** The attempt continues when the call's patience ends: its answer is still stored. */
async function withinReach(flight: Promise<Attempt>, patience: number): Promise<Attempt> {
  const attempt = await within(Math.max(0, patience), flight);
  if (attempt === undefined) throw unavailable(SECOND);
  return attempt;
}

const unavailable = (wait: number): Failure =>
  new Failure('upstreamUnavailable', { text: NO_TOKEN, retryAfter: Math.ceil(wait / SECOND) });
