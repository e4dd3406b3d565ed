import type { Grant, GrantRepository, Lease, SealedPair } from '../../../src/tokens/grant.ts';
import type { MemoryGrants } from '../../../test/support/memory-grants.ts';

const LONG = 60_000;

/** The protocol without fences: every write is accepted, whoever holds the grant by now. */
export function unfenced(grants: MemoryGrants): GrantRepository {
  const present = async (lease: Lease): Promise<Lease> => {
    const held = grants.leaseOf(lease.grantId);
    if (held !== undefined) return held;
    const grant = await grants.find(lease.grantId);
    if (grant === undefined || grant.state === 'lost') return lease;
    const { generation } = grant.tokens;
    const now = grant.state === 'unresolved' ? grant.nextAt : grant.renewedAt;
    const attempt = {
      grantId: grant.id,
      holder: lease.holder,
      generation,
      leaseMs: LONG,
      longestLease: LONG,
      now,
    };
    const beginning = await grants.begin(attempt);
    return beginning.outcome === 'begun' ? beginning.lease : lease;
  };
  return replaced(grants, {
    renewed: async (lease, tokens, now, confirmAt) =>
      grants.renewed(await present(lease), tokens, now, confirmAt),
    unanswered: async (lease, nextAt) => grants.unanswered(await present(lease), nextAt),
    fellBack: async (lease, now) => grants.fellBack(await present(lease), now),
    lost: async (lease, reason, now) => grants.lost(await present(lease), reason, now),
  });
}

/** The protocol without intents: a lease, but nothing is stored before a token leaves. */
export function unintended(grants: MemoryGrants, clock: { now(): number }): GrantRepository {
  const leases = new Map<string, { readonly holder: string; readonly fence: number; until: number }>();
  let fence = 0;
  const isHeld = ({ grantId, holder, fence: mine }: Lease): boolean => {
    const lease = leases.get(grantId);
    return lease?.holder === holder && lease.fence === mine;
  };
  /** Stores intent and write together, after the fact. */
  const write = async (
    lease: Lease,
    done: (real: Lease, grant: Grant) => Promise<boolean>,
  ): Promise<boolean> => {
    const grant = await grants.find(lease.grantId);
    if (!isHeld(lease) || grant === undefined || grant.state === 'lost') return false;
    leases.delete(lease.grantId);
    const { grantId, holder } = lease;
    const { generation } = grant.tokens;
    const begun = await grants.begin({
      grantId,
      holder,
      generation,
      leaseMs: LONG,
      longestLease: LONG,
      now: clock.now(),
    });
    return begun.outcome === 'begun' && done(begun.lease, grant);
  };
  return replaced(grants, {
    begin: async ({ grantId, holder, generation, leaseMs, now }) => {
      const grant = await grants.find(grantId);
      if (grant === undefined) return { outcome: 'unknown' };
      if (grant.state === 'lost') return { outcome: 'lost', reason: grant.reason };
      if (grant.tokens.generation !== generation && grant.state === 'held')
        return { outcome: 'moved', grant };
      const until = leases.get(grantId)?.until ?? 0;
      if (until > clock.now()) return { outcome: 'busy', until };
      fence += 1;
      leases.set(grantId, { holder, fence, until: clock.now() + leaseMs });
      const { tokens, predecessor } = grant;
      const attempt = { state: 'unresolved', since: now, presentations: 1, nextAt: now } as const;
      return {
        outcome: 'begun',
        lease: { grantId, holder, fence },
        grant: { ...factsOf(grant), tokens, predecessor, ...attempt },
      };
    },
    renew: async (lease, leaseMs) => {
      const held = leases.get(lease.grantId);
      if (!isHeld(lease) || held === undefined) return false;
      held.until = clock.now() + leaseMs;
      return true;
    },
    renewed: (lease, tokens: SealedPair, now) => write(lease, (real) => grants.renewed(real, tokens, now)),
    lost: (lease, reason, now) => write(lease, (real) => grants.lost(real, reason, now)),
    unanswered: async (lease) => isHeld(lease) && leases.delete(lease.grantId),
    fellBack: async () => false,
  });
}

const factsOf = ({ id, application, consenter, scope, createdAt, renewedAt }: Grant) => ({
  id,
  application,
  consenter,
  scope,
  createdAt,
  renewedAt,
});

function replaced(grants: MemoryGrants, overrides: Partial<GrantRepository>): GrantRepository {
  return new Proxy<GrantRepository>(grants, {
    get: (target, name) => {
      const own: unknown = Reflect.get(overrides, name);
      if (own !== undefined) return own;
      const method = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown;
      return method.bind(target);
    },
  });
}
