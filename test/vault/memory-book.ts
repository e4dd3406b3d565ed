import type {
  Beginning,
  Grant,
  GrantBook,
  Lease,
  LossReason,
  SealedPair,
  Spare,
} from '../../src/domain/grant.ts';
import type { Clock } from '../../src/domain/clock.ts';

interface Row {
  grant: Grant;
  fence: number;
  lease: { holder: string; until: number } | undefined;
}

const tokensOf = (grant: Grant): SealedPair => {
  if (grant.state === 'lost') throw new Error('the grant is lost');
  return grant.tokens;
};

const factsOf = ({ id, consenter, scope, createdAt, renewedAt }: Grant) => ({
  id,
  consenter,
  scope,
  createdAt,
  renewedAt,
});

/** A grant book in memory, whose leases run on the clock handed in: for schedules no real store can be held to. */
export class MemoryBook implements GrantBook {
  readonly #rows = new Map<string, Row>();
  readonly #clock: Clock;
  #spares: readonly Spare[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async create(grant: Parameters<GrantBook['create']>[0]): Promise<Grant> {
    const { id, consenter, scope, tokens, now } = grant;
    const created: Grant = { id, consenter, scope, tokens, createdAt: now, renewedAt: now, state: 'held' };
    this.#rows.set(id, { grant: created, fence: 0, lease: undefined });
    return created;
  }

  async forget(id: string): Promise<void> {
    this.#rows.delete(id);
  }

  async replace(...[id, tokens, consenter, scope, now]: Parameters<GrantBook['replace']>): Promise<Grant> {
    const row = this.#row(id);
    const generation = tokensOf(row.grant).generation + 1;
    row.grant = {
      id,
      consenter,
      scope,
      createdAt: row.grant.createdAt,
      renewedAt: now,
      state: 'held',
      tokens: { ...tokens, generation },
    };
    row.fence += 1;
    row.lease = undefined;
    return row.grant;
  }

  async find(id: string): Promise<Grant | undefined> {
    return this.#rows.get(id)?.grant;
  }

  async list(): Promise<readonly Grant[]> {
    return [...this.#rows.values()].map((row) => row.grant);
  }

  async begin(attempt: Parameters<GrantBook['begin']>[0]): Promise<Beginning> {
    const row = this.#rows.get(attempt.grantId);
    if (row === undefined) return { outcome: 'unknown' };
    const { grant } = row;
    if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
    const now = this.#clock.now();
    const moved = grant.tokens.generation !== attempt.generation;
    if (moved && grant.state === 'held') return { outcome: 'moved', grant };
    if (moved || (row.lease !== undefined && row.lease.until > now))
      return { outcome: 'busy', until: row.lease?.until ?? now };
    const open = grant.state === 'unresolved' ? grant : { since: attempt.now, presentations: 0 };
    const { predecessor } = grant;
    const begun = {
      ...factsOf(grant),
      predecessor,
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

  async renewed(lease: Lease, tokens: SealedPair, now: number, confirmAt?: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      const { id, consenter, scope, createdAt } = row.grant;
      const facts = { id, consenter, scope, createdAt, renewedAt: now };
      if (confirmAt === undefined) row.grant = { ...facts, state: 'held', tokens };
      else if (row.grant.state === 'unresolved') {
        const { since, presentations, tokens: before } = row.grant;
        const predecessor = { refreshToken: before.refreshToken, since, presentations };
        row.grant = { ...facts, state: 'held', tokens, confirmAt, predecessor };
      }
      row.lease = undefined;
    });
  }

  async fellBack(lease: Lease, now: number): Promise<boolean> {
    const { grant } = this.#row(lease.grantId);
    if (grant.state !== 'unresolved' || grant.predecessor === undefined) return false;
    const { predecessor, ...rest } = grant;
    const { refreshToken, since, presentations } = predecessor;
    return this.#fenced(lease, (row) => {
      const tokens = { ...grant.tokens, refreshToken };
      row.grant = { ...rest, tokens, since, presentations, nextAt: now };
      row.lease = undefined;
    });
  }

  async tookSpare(...[lease, spareId, tokens, take]: Parameters<GrantBook['tookSpare']>): Promise<boolean> {
    if (!this.#spares.some(({ id }) => id === spareId)) return false;
    const taken = this.#fenced(lease, (row) => {
      const { id, consenter, scope, createdAt } = row.grant;
      const before = row.grant.state === 'unresolved' ? row.grant.predecessor : undefined;
      const predecessor = take.predecessor === 'kept' ? before : undefined;
      const facts = { id, consenter, scope, createdAt, renewedAt: take.now };
      row.grant = { ...facts, state: 'held', tokens, confirmAt: take.now, predecessor };
      row.lease = undefined;
    });
    if (taken) this.#spares = this.#spares.filter(({ id }) => id !== spareId);
    return taken;
  }

  async keepSpare(spare: Spare, most: number): Promise<void> {
    const others = this.#spares.filter(({ grantId }) => grantId !== spare.grantId);
    this.#spares = [...others, ...[spare, ...(await this.spares(spare.grantId))].slice(0, most)];
  }

  async spares(grantId: string): Promise<readonly Spare[]> {
    return this.#spares.filter((spare) => spare.grantId === grantId);
  }

  async dropSpares(now: number): Promise<number> {
    const before = this.#spares.length;
    this.#spares = this.#spares.filter(({ expiresAt }) => expiresAt > now);
    return before - this.#spares.length;
  }

  async unanswered(lease: Lease, nextAt: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      if (row.grant.state === 'unresolved') row.grant = { ...row.grant, nextAt };
      row.lease = undefined;
    });
  }

  async lost(lease: Lease, reason: LossReason, now: number): Promise<boolean> {
    return this.#fenced(lease, (row) => {
      const { id, consenter, scope, createdAt, renewedAt } = row.grant;
      row.grant = { id, consenter, scope, createdAt, renewedAt, state: 'lost', reason, at: now };
      row.lease = undefined;
    });
  }

  async unresolvedDue(now: number, longestPause: number): Promise<readonly string[]> {
    return [...this.#rows.values()].flatMap(({ grant, lease }) =>
      grant.state === 'unresolved' &&
      (grant.nextAt <= now || grant.nextAt > now + longestPause) &&
      (lease === undefined || lease.until <= this.#clock.now())
        ? [grant.id]
        : [],
    );
  }

  async confirmDue(now: number, longestWait: number): Promise<readonly string[]> {
    return [...this.#rows.values()].flatMap(({ grant }) => {
      if (grant.state !== 'held' || grant.confirmAt === undefined) return [];
      return grant.confirmAt <= now || grant.confirmAt > now + longestWait ? [grant.id] : [];
    });
  }

  async idleSince(renewedBefore: number): Promise<readonly string[]> {
    return [...this.#rows.values()].flatMap(({ grant }) =>
      grant.state === 'held' && grant.renewedAt < renewedBefore ? [grant.id] : [],
    );
  }

  #row(id: string): Row {
    const row = this.#rows.get(id);
    if (row === undefined) throw new Error(`there is no grant ${id}`);
    return row;
  }

  #fenced(lease: Lease, write: (row: Row) => void): boolean {
    const row = this.#row(lease.grantId);
    if (row.fence !== lease.fence || row.lease?.holder !== lease.holder) return false;
    write(row);
    return true;
  }
}
