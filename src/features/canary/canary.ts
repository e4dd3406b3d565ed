import type { ApiVersion } from '../../mapping/routes/routes.ts';

/** Calls, how many of them failed, and how many lost something on the way. */
export interface Counts {
  readonly calls: number;
  readonly failed: number;
  readonly lost: number;
}

/** A route that is tried on one account before others get it. */
export interface Canary {
  readonly accountId: string;
  readonly methods: readonly string[];
  readonly route: ApiVersion;
  /** The account's own routes before; undefined: it had none. */
  readonly before: ReadonlyMap<string, ApiVersion | undefined>;
  /** Of the account's last calls of these methods. V1 and V3 lose nothing. */
  readonly usual: Pick<Counts, 'calls' | 'failed'>;
  readonly begunAt: number;
  readonly until: number;
  readonly counts: Counts;
  /** Undefined: under way. `kept`: its time went by and the account keeps the route. */
  readonly outcome: 'kept' | 'returned' | undefined;
  readonly reason: string | undefined;
}

/** A trial of the same account is under way. */
export class CanaryUnderWay extends Error {
  constructor() {
    super('a route is being tried on this account already');
    this.name = 'CanaryUnderWay';
  }
}

/** What becomes of a trial. */
export type Judgement =
  { readonly outcome: 'running' } | { readonly outcome: 'kept' | 'returned'; readonly reason: string };

/** Fewer calls prove nothing. */
const FEWEST = 3;
/** More than this part of all calls, and more than twice as often as before. */
const FEW = 0.05;

/** Whether a trial goes on, has had its time, or has to go back. */
export function judge({ usual, counts, until }: Canary, now: number): Judgement {
  const { calls, failed, lost } = counts;
  if (hasRisen(failed, calls, usual.failed, usual.calls))
    return {
      outcome: 'returned',
      reason: `${failed} of ${calls} calls failed, ${usual.failed} of ${usual.calls} before`,
    };
  if (hasRisen(lost, calls, 0, usual.calls))
    return { outcome: 'returned', reason: `${lost} of ${calls} calls lost something, none before` };
  if (now < until) return { outcome: 'running' };
  return {
    outcome: 'kept',
    reason: calls === 0 ? 'nobody called' : `${failed} of ${calls} calls failed, ${lost} lost something`,
  };
}

function hasRisen(some: number, all: number, someBefore: number, allBefore: number): boolean {
  const before = allBefore === 0 ? 0 : someBefore / allBefore;
  return some >= FEWEST && some / all > Math.max(FEW, 2 * before);
}
