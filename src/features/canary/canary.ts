import type { ApiVersion } from '../../mapping/routes/routes.ts';
import { usualLimit } from '../usage/call-counts.ts';

/** Numbers of calls: all, failed, and those that lost part of their data. */
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
  /**
   * The account's own routes before the trial; undefined: it had none for that method. Also those before earlier trials
   * of other methods that left their routes.
   */
  readonly before: ReadonlyMap<string, ApiVersion | undefined>;
  /**
   * From the account's last calls of these methods on other routes (if there are none, on this one), without those
   * that any route refuses (`CallRecord.isOfCall`).
   */
  readonly usual: Pick<Counts, 'calls' | 'failed'>;
  readonly begunAt: number;
  /** The planned end; once it has ended, the actual one. */
  readonly until: number;
  readonly counts: Counts;
  /**
   * Undefined: still running. `kept`: the trial's time has passed and the account keeps the route. `ended`: an operator
   * has set the route of every method again.
   */
  readonly outcome: 'kept' | 'returned' | 'ended' | undefined;
  readonly reason: string | undefined;
}

/** Another trial of the same account is running. */
export class CanaryUnderWay extends Error {
  constructor() {
    super('a route is already being tried on this account');
    this.name = 'CanaryUnderWay';
  }
}

/** All methods have the route already, so nothing could be taken back. */
export class AlreadyServed extends Error {
  constructor() {
    super('the account has this route already');
    this.name = 'AlreadyServed';
  }
}

/**
 * Timeline entries for the end of a trial; those that the bridge decides are events too. Their detail is
 * `method, method from route: reason`.
 */
export const canaryEvents = { kept: 'route.kept', returned: 'route.returned', ended: 'route.ended' } as const;

/** The methods and the route of a trial and why it ended, for timeline and audit log. */
export const endingOf = ({ methods, route }: Pick<Canary, 'methods' | 'route'>, reason: string): string =>
  `${methods.join(', ')} from ${route}: ${reason}`;

/** Parses the detail that `endingOf` wrote. */
export function readEnding(detail: string): Pick<Canary, 'methods' | 'reason'> & { readonly route: string } {
  const [, methods = '', route = '', reason = ''] = /^(.*?) from (\w+): (.*)$/s.exec(detail) ?? [];
  return { methods: methods.split(', '), route, reason };
}

/** The verdict on a trial. */
export type Judgement =
  { readonly outcome: 'running' } | { readonly outcome: 'kept' | 'returned'; readonly reason: string };

/** Fewer failures than this prove nothing. */
export const FEWEST = 3;
/** A trial is reverted if more than this fraction of its calls fail or lose data, and many more than before. */
const FEW = 0.05;
/** A share of fewer calls than this says little; a single failed call before must not excuse every one after. */
const FEWEST_BEFORE = 20;

/**
 * Decides whether a trial continues, is over, or must be reverted. `now`: milliseconds since the epoch. `lossy`: what
 * other routes lost before.
 */
export function judge(
  { route, usual, counts, until }: Canary,
  now: number,
  lossy: Pick<Counts, 'calls' | 'lost'> = { calls: 0, lost: 0 },
): Judgement {
  const { calls, failed, lost } = counts;
  const isOver = now >= until;
  if (isOver && failed >= FEWEST && failed > calls / 2)
    return { outcome: 'returned', reason: failedWords({ counts, usual }) };
  const why = whyReturned({ counts, usual }, lossy);
  if (why !== undefined) return { outcome: 'returned', reason: why };
  if (!isOver) return { outcome: 'running' };
  if (calls === 0)
    return { outcome: 'kept', reason: `${route.toUpperCase()} served no call, so nothing is proved` };
  const few = failed > calls / 2 ? ': too few calls to prove anything' : '';
  return { outcome: 'kept', reason: `${failed} of ${calls} calls failed, ${lost} lost something${few}` };
}

/** In place of the losses before, where nobody knows them. */
export const FORGOTTEN = { calls: 0, lost: Infinity };

/** Whether the trial must be reverted whatever was lost before, which takes time to read. */
export const isSurelyReturned = (canary: Canary, now: number): boolean =>
  judge(canary, now, canary.usual.calls === 0 ? undefined : FORGOTTEN).outcome === 'returned';

/** Why calls are worse than before; undefined: they are not. */
export function whyReturned(
  { counts, usual }: Pick<Canary, 'counts' | 'usual'>,
  lossy: Pick<Counts, 'calls' | 'lost'>,
): string | undefined {
  const { calls, failed, lost } = counts;
  if (hasRisen(failed, calls, usual.failed, usual.calls)) return failedWords({ counts, usual });
  if (!hasRisen(lost, calls, lossy.lost, lossy.calls)) return undefined;
  const before = lossy.lost === 0 ? 'none' : `${lossy.lost} of ${lossy.calls}`;
  return `${lost} of ${calls} calls lost something, ${before} before`;
}

const failedWords = ({ counts, usual }: Pick<Canary, 'counts' | 'usual'>): string =>
  `${counts.failed} of ${counts.calls} calls failed, ${usual.failed} of ${usual.calls} before`;

const hasRisen = (some: number, all: number, someBefore: number, allBefore: number): boolean =>
  some >= FEWEST && some / all > Math.max(FEW, usualLimit(someBefore / Math.max(allBefore, FEWEST_BEFORE)));
