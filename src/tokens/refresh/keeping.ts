/**
 * Where a token pair goes that the service has just issued. It replaces the previous one, so losing it would
 * lose the customer's connection; no write matters more.
 *
 * In order: into the grant's row under the lease's fence, tried three times; if somebody else holds the grant by now,
 * beside it as a late pair; if the store fails, sealed into the spill folder, outside the database. A spilled pair goes
 * back into the store before anything else is presented for its grant, at the next attempt of this process or at any
 * process's next sweep. Only if the spill fails too is the pair given up; its predecessor is then presented again
 * within the grace period (V2 specification, "Tokens", rule 5).
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/time/clock.ts';
import { faultOf } from '../../lib/store-fault.ts';
import type { Grant, GrantRepository, Lease, RefreshAlarm, LatePair, TokenPair } from '../grant.ts';
import { nameOf, type Log } from '../../lib/log/log.ts';
import { openPair, sealPair } from '../grant-row.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { longestGrace } from './timing.ts';
import type { Spill, Spilled } from './spill.ts';

/** Where pairs are stored, sealed and, if needed, spilled. */
export interface KeepingParts {
  readonly repository: GrantRepository;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly log: Log;
  /**
   * Without it, a pair that cannot be stored is given up, and its predecessor presented again within the
   * grace.
   */
  readonly spill?: Spill | undefined;
  readonly onAlarm?: ((alarm: RefreshAlarm) => void) | undefined;
}

/**
 * `stored`: it is the current pair. `fenced`: somebody else holds the grant; it is kept as a late pair.
 * `spilled`: the store fails; it is outside it. `failed`: that failed as well.
 */
export type KeptAs = 'stored' | 'fenced' | 'spilled' | 'failed';

/** Attempts to store a pair that the service has issued: no write matters more. */
const STORE_TRIES = 3;
/** Late pairs of one grant. Each is the answer to a presentation whose lease was lost, which is rare. */
const MOST_LATE_PAIRS = 4;

/** Identifies a refresh token without revealing it; the first is by the current sealing key. */
export const fingerprints = (seal: Seal, token: Secret): readonly string[] =>
  seal.index(token, 'refresh-token');

/** Stores a pair that the service has issued: in the store, or where it is not lost. */
export class Keeping {
  readonly #parts: KeepingParts;
  /** What this process has spilled, by grant: its next attempt begins with storing it. */
  readonly #spilled = new Map<string, Spilled>();
  /** Ids of spilled pairs that are in the store again, but whose files could not be removed. */
  readonly #leftovers = new Set<string>();

  constructor(parts: KeepingParts) {
    this.#parts = parts;
  }

  async keep(
    lease: Lease,
    presented: TokenPair,
    next: TokenPair,
    confirmAt: number | undefined,
  ): Promise<KeptAs> {
    const { seal, clock } = this.#parts;
    const [parent = ''] = fingerprints(seal, presented.refreshToken);
    const tokens = sealPair(seal, lease.grantId, next);
    const spilled: Spilled = { id: randomUUID(), lease, parent, tokens, confirmAt, at: clock.now() };
    const stored = await this.#store(spilled);
    if (stored === 'stored') return stored;
    if (stored === 'fenced' && (await this.#asLatePair(spilled, next))) return stored;
    return this.#putAside(spilled);
  }

  /** Stores what this process has spilled for a grant. True if nothing is left outside the store. */
  async settle(grantId: string): Promise<boolean> {
    const spilled = this.#spilled.get(grantId);
    if (spilled !== undefined) await this.#recover(spilled);
    return !this.#spilled.has(grantId);
  }

  /**
   * Stores what any process has spilled: after a start, and for as long as there is something. Returns how
   * much is left.
   */
  async recover(): Promise<number> {
    const { spill, log } = this.#parts;
    if (spill === undefined) return 0;
    const { pairs, unreadable } = await spill.all();
    if (unreadable > 0) log.error('spill.unreadable', { files: unreadable });
    let left = unreadable;
    for (const spilled of pairs) if (!(await this.#recover(spilled))) left += 1;
    return left;
  }

  async #store({ lease, tokens, confirmAt }: Spilled): Promise<'stored' | 'fenced' | 'failed'> {
    const { repository, clock, log } = this.#parts;
    for (let tries = 1; tries <= STORE_TRIES; tries += 1) {
      try {
        return (await repository.renewed(lease, tokens, clock.now(), confirmAt)) ? 'stored' : 'fenced';
      } catch (error) {
        log.warn('refresh.store-failed', { grant: lease.grantId, tries, error: faultOf(error) });
      }
    }
    return 'failed';
  }

  /** False if the store fails here too. */
  async #asLatePair({ lease, parent }: Spilled, pair: TokenPair): Promise<boolean> {
    const { repository, clock, log, profile, seal } = this.#parts;
    const now = clock.now();
    const id = randomUUID();
    const { accessToken, refreshToken, accessExpiresAt } = sealPair(seal, id, pair);
    const expiresAt = now + longestGrace(profile);
    const sealed = { accessToken, accessExpiresAt, refreshToken };
    const latePair: LatePair = { id, grantId: lease.grantId, parent, ...sealed, arrivedAt: now, expiresAt };
    try {
      await repository.keepLatePair(latePair, MOST_LATE_PAIRS);
      return true;
    } catch (error) {
      log.warn('refresh.store-failed', { grant: lease.grantId, error: faultOf(error) });
      return false;
    }
  }

  async #putAside(spilled: Spilled): Promise<KeptAs> {
    const { spill, log, onAlarm } = this.#parts;
    const facts = { grant: spilled.lease.grantId, generation: spilled.tokens.generation };
    if (spill === undefined) {
      log.error('refresh.unstored', facts);
      return 'failed';
    }
    try {
      await spill.put(spilled);
    } catch (error) {
      log.error('refresh.unstored', { ...facts, spill: nameOf(error) });
      return 'failed';
    }
    this.#spilled.set(spilled.lease.grantId, spilled);
    log.error('refresh.spilled', facts);
    onAlarm?.('spilled');
    return 'spilled';
  }

  /** True if it is no longer outside the store. */
  async #recover(spilled: Spilled): Promise<boolean> {
    const { spill, log } = this.#parts;
    const { id, lease, tokens } = spilled;
    const facts = { grant: lease.grantId, generation: tokens.generation };
    try {
      if (!this.#leftovers.has(id)) {
        const as = await this.#restored(spilled);
        if (as === undefined) return false;
        this.#leftovers.add(id);
        // A later pair of the grant may have been spilled meanwhile.
        if (this.#spilled.get(lease.grantId)?.id === id) this.#spilled.delete(lease.grantId);
        log.info('refresh.recovered', { ...facts, as });
      }
      await spill?.remove(id);
      this.#leftovers.delete(id);
      return true;
    } catch (error) {
      log.warn('spill.not-recovered', { ...facts, error: nameOf(error) });
      return false;
    }
  }

  /** Undefined if it is still outside the store. */
  async #restored(spilled: Spilled): Promise<'present' | 'late-pair' | undefined> {
    const { repository, seal } = this.#parts;
    const { lease, tokens } = spilled;
    // Checked before it replaces anything: a damaged or exchanged file has no token of this grant.
    const pair = openPair(seal, lease.grantId, tokens);
    const stored = await this.#store(spilled);
    if (stored === 'stored') return 'present';
    if (stored === 'failed') return undefined;
    const isKept = await this.#alongside(spilled, pair, await repository.find(lease.grantId));
    return isKept ? 'late-pair' : undefined;
  }

  /**
   * Somebody else has held the grant since. A second process may have stored this very pair. A missing grant
   * may belong to another database: its pair is not ours to discard.
   */
  async #alongside(spilled: Spilled, pair: TokenPair, grant: Grant | undefined): Promise<boolean> {
    if (grant === undefined) return false;
    if (grant.state === 'lost') return true;
    const present = openPair(this.#parts.seal, grant.id, grant.tokens);
    if (present.refreshToken.reveal() === pair.refreshToken.reveal()) return true;
    return this.#asLatePair(spilled, pair);
  }
}
