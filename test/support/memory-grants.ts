import type {
  Beginning,
  DueGrant,
  Grant,
  GrantRepository,
  Lease,
  LossReason,
  SealedPair,
  LatePair,
} from '../../src/tokens/grant.ts';
import { MINUTE, type Clock } from '../../src/lib/time/clock.ts';
import { expiryColumn } from '../../src/tokens/grant-row.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';

interface Row {
  grant: Grant;
  /** Of the present pair; a lost grant has none, and a later consent counts on. */
  generation: number;
  fence: number;
  lease: { readonly holder: string; readonly until: number } | undefined;
}

const factsOf = ({ id, application, consenter, scope, createdAt, renewedAt }: Grant) => ({
  id,
  application,
  consenter,
  scope,
  createdAt,
  renewedAt,
});

/**
 * Grants in memory, whose leases run on the clock handed in: for schedules no real store can be held to, and for
 * simulations that would wait for SQL. `test/tokens/grants.test.ts` holds it to what the SQL ones do; accounts, which
 * `lost` and `forget` look at, it has none.
 */
export class MemoryGrants implements GrantRepository {
  readonly #rows = new Map<string, Row>();
  readonly #clock: Clock;
  readonly #latePairs = new Map<string, readonly LatePair[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async create(grant: Parameters<GrantRepository['create']>[0]): Promise<Grant> {
    const { id, application = 'default', consenter, scope, tokens, now } = grant;
    if (this.#rows.has(id)) throw new StoreFault('unique', `there is a grant ${id}`, 'grants_id');
    const times = { createdAt: now, renewedAt: now };
    const created: Grant = { id, application, consenter, scope, tokens, ...times, state: 'held' };
    this.#rows.set(id, { grant: created, generation: tokens.generation, fence: 0, lease: undefined });
    return created;
  }

  async forget(id: string): Promise<void> {
    this.#rows.delete(id);
    this.#latePairs.delete(id);
  }

  async find(id: string): Promise<Grant | undefined> {
    return this.#rows.get(id)?.grant;
  }

  async list(): Promise<readonly Grant[]> {
    return [...this.#rows.values()]
      .map((row) => row.grant)
      .sort((a, b) => a.createdAt - b.createdAt || compare(a.id, b.id));
  }

  async hasAnotherOf({
    id,
    application,
    consenter: { userId },
  }: Parameters<GrantRepository['hasAnotherOf']>[0]): Promise<boolean> {
    const isOfSamePerson = (other: string): boolean => userId === '' || other === '' || other === userId;
    return (await this.list()).some(
      (other) =>
        other.id !== id &&
        other.state !== 'lost' &&
        other.application === application &&
        isOfSamePerson(other.consenter.userId),
    );
  }

  async begin(attempt: Parameters<GrantRepository['begin']>[0]): Promise<Beginning> {
    const row = this.#rows.get(attempt.grantId);
    if (row === undefined) return { outcome: 'unknown' };
    const { grant } = row;
    if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
    const now = this.#clock.now();
    const moved = row.generation !== attempt.generation;
    if (moved && grant.state === 'held') return { outcome: 'moved', grant };
    if (moved || isLeased(row, now, attempt.longestLease))
      return { outcome: 'busy', until: row.lease?.until ?? now };
    const open = grant.state === 'unresolved' ? grant : { since: attempt.now, presentations: 0 };
    const begun = {
      ...factsOf(grant),
      predecessor: grant.predecessor,
      tokens: grant.tokens,
      state: 'unresolved' as const,
      since: open.since,
      presentations: open.presentations + 1,
      nextAt: attempt.now,
    };
    row.grant = begun;
    row.fence += 1;
    row.lease = { holder: attempt.holder, until: now + attempt.leaseMs };
    return {
      outcome: 'begun',
      grant: begun,
      lease: { grantId: grant.id, holder: attempt.holder, fence: row.fence },
    };
  }

  async renew(lease: Lease, leaseMs: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      row.lease = { holder: lease.holder, until: this.#clock.now() + leaseMs };
    });
  }

  async renewed(lease: Lease, pair: SealedPair, now: number, confirmAt?: number): Promise<boolean> {
    const tokens = { ...pair, accessExpiresAt: expiryColumn(pair.accessExpiresAt) };
    return this.#fenced(lease, (row) => {
      const facts = { ...factsOf(row.grant), renewedAt: now };
      row.generation = tokens.generation;
      if (confirmAt === undefined) row.grant = { ...facts, ...confirmed, state: 'held', tokens };
      else if (row.grant.state === 'unresolved') {
        const { since, presentations, tokens: before } = row.grant;
        const predecessor = { refreshToken: before.refreshToken, since, presentations };
        row.grant = { ...facts, state: 'held', tokens, confirmAt, predecessor };
      }
      row.lease = undefined;
    });
  }

  async fellBack(lease: Lease, now: number): Promise<boolean> {
    const grant = this.#rows.get(lease.grantId)?.grant;
    if (grant?.state !== 'unresolved' || grant.predecessor === undefined) return false;
    const { predecessor, ...rest } = grant;
    const { refreshToken, since, presentations } = predecessor;
    return this.#fenced(lease, (row) => {
      const tokens = { ...grant.tokens, refreshToken };
      row.grant = { ...rest, predecessor: undefined, tokens, since, presentations, nextAt: now };
      row.lease = undefined;
    });
  }

  async tookLatePair(
    ...[lease, latePairId, tokens, take]: Parameters<GrantRepository['tookLatePair']>
  ): Promise<boolean> {
    const latePairs = this.#latePairs.get(lease.grantId) ?? [];
    if (!latePairs.some(({ id }) => id === latePairId)) return false;
    const taken = this.#fenced(lease, (row) => {
      const before = row.grant.state === 'unresolved' ? row.grant.predecessor : undefined;
      const predecessor = take.predecessor === 'kept' ? before : undefined;
      const facts = { ...factsOf(row.grant), renewedAt: take.now };
      row.generation = tokens.generation;
      row.grant = { ...facts, state: 'held', tokens, confirmAt: take.now, predecessor };
      row.lease = undefined;
    });
    if (taken)
      this.#latePairs.set(
        lease.grantId,
        latePairs.filter(({ id }) => id !== latePairId),
      );
    return taken;
  }

  async keepLatePair(latePair: LatePair, most: number): Promise<void> {
    const latePairs = [latePair, ...(await this.latePairs(latePair.grantId))].sort(
      (a, b) => b.arrivedAt - a.arrivedAt || compare(a.id, b.id),
    );
    this.#latePairs.set(latePair.grantId, latePairs.slice(0, most));
  }

  async latePairs(grantId: string): Promise<readonly LatePair[]> {
    return this.#latePairs.get(grantId) ?? [];
  }

  async dropLatePairs(now: number): Promise<number> {
    let dropped = 0;
    for (const [grantId, latePairs] of this.#latePairs) {
      const kept = latePairs.filter(({ expiresAt }) => expiresAt > now);
      dropped += latePairs.length - kept.length;
      if (kept.length > 0) this.#latePairs.set(grantId, kept);
      else this.#latePairs.delete(grantId);
    }
    return dropped;
  }

  async unanswered(lease: Lease, nextAt: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      if (row.grant.state === 'unresolved') row.grant = { ...row.grant, nextAt };
      row.lease = undefined;
    });
  }

  async lost(lease: Lease, reason: LossReason, now: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      row.grant = { ...factsOf(row.grant), state: 'lost', reason, at: now };
      row.lease = undefined;
      this.#latePairs.delete(lease.grantId);
    });
  }

  async unresolvedDue(
    now: number,
    longest: Parameters<GrantRepository['unresolvedDue']>[1],
  ): Promise<readonly DueGrant[]> {
    const due: DueGrant[] = [];
    for (const row of this.#rows.values()) {
      const { grant } = row;
      if (grant.state !== 'unresolved' || isLeased(row, this.#clock.now(), longest.longestLease)) continue;
      if (isAwaited(grant.nextAt, now, longest.longestPause)) due.push({ id: grant.id, since: grant.since });
    }
    return due.sort((a, b) => a.since - b.since);
  }

  async confirmDue(now: number, longestWait: number): Promise<readonly DueGrant[]> {
    const due: (DueGrant & { readonly at: number })[] = [];
    for (const { grant } of this.#rows.values()) {
      if (grant.state !== 'held' || grant.confirmAt === undefined) continue;
      const { id, confirmAt: at, predecessor } = grant;
      if (isAwaited(at, now, longestWait)) due.push({ id, at, since: predecessor?.since ?? at });
    }
    return due.sort((a, b) => a.at - b.at).map(({ id, since }) => ({ id, since }));
  }

  async idleSince(renewedBefore: number, latest: number): Promise<readonly string[]> {
    const idle: Grant[] = [];
    for (const { grant } of this.#rows.values())
      if (grant.state === 'held' && (grant.renewedAt < renewedBefore || grant.renewedAt > latest))
        idle.push(grant);
    return idle.sort((a, b) => a.renewedAt - b.renewedAt).map(({ id }) => id);
  }

  /** Who holds the grant, whether or not the lease has run out; for those who judge. */
  leaseOf(grantId: string): (Lease & { readonly until: number }) | undefined {
    const row = this.#rows.get(grantId);
    return row?.lease && { grantId, ...row.lease, fence: row.fence };
  }

  #fenced(lease: Lease, write: (row: Row) => void): boolean {
    const row = this.#rows.get(lease.grantId);
    if (row?.fence !== lease.fence || row.lease?.holder !== lease.holder) return false;
    write(row);
    return true;
  }
}

const confirmed = { confirmAt: undefined, predecessor: undefined };

const isLeased = ({ lease }: Row, now: number, longest: number): boolean =>
  lease !== undefined && lease.until > now && lease.until <= now + longest;

/** Due, or so far ahead that only a clock that was put back can have set it. */
const isAwaited = (at: number, now: number, longest: number): boolean =>
  at <= now || at > now + longest + MINUTE;

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
