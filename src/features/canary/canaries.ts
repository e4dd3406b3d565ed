/**
 * Routes that are tried on one account before the others get them (`causeway route set … --canary ACCOUNT`).
 *
 * Every process counts the calls it serves for such an account, adds them to the trial's row every few seconds and
 * judges the row. The first process that sees a failing trial reverts it: first the routes, then the row, so that
 * after a crash between the two the next check finishes the work. Only routes that still belong to the trial are
 * reverted; an operator's later changes stay. Once an operator has changed the routes of all its methods, the trial is
 * over. A trial begins with its routes.
 */
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import {
  EVERY_ACCOUNT,
  type ApiVersion,
  type RouteOverride,
  type RouteRepository,
} from '../../mapping/routes/routes.ts';
import type { CallRecord, CallRepository } from '../usage/call-log.ts';
import {
  AlreadyServed,
  endingOf,
  isSurelyReturned,
  type Canary,
  type Counts,
  type Judgement,
} from './canary.ts';
import type { Judging } from './judging.ts';
import type { StoredCanaries } from './stored-canaries.ts';

/** The author recorded for a route set by a trial. */
export const CANARY = 'canary';

interface AuditRow {
  readonly at: number;
  readonly who: string;
  readonly action: string;
  readonly accountIds: readonly string[];
  readonly detail: string;
}

export interface CanariesParts {
  readonly repository: StoredCanaries;
  readonly routes: Pick<RouteRepository, 'list' | 'set'>;
  /** The route of a method without any override, from the mapping and the settings. */
  readonly defaultRoute: (method: string) => ApiVersion | undefined;
  readonly calls: Pick<CallRepository, 'find'>;
  /** The audit log. An interface of its own, because the log's feature depends on this one. */
  readonly audit: { write(row: AuditRow): Promise<void> };
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the outcome of a trial, by the process that ended it. */
  readonly ended?: ((outcome: NonNullable<Canary['outcome']>) => void) | undefined;
}

/** A finished call; `lost`: part of the request or of the reply was dropped. */
type EndedCall = Pick<
  CallRecord,
  'accountId' | 'method' | 'source' | 'route' | 'at' | 'failed' | 'isOfCall'
> & {
  readonly lost: boolean;
};

/** Is notified of every finished call. */
export interface Listener {
  record(call: EndedCall): void;
}

/** The listeners to calls; the trials add and remove themselves. */
interface Listeners {
  indexOf(listener: Listener): number;
  push(listener: Listener): number;
  splice(at: number, count: number): unknown;
}

/**
 * For this long after its begin, in milliseconds, a trial may lack its routes: a bridge of 1.0.0-rc.1, which may still
 * run beside this one, sets them after the row is stored.
 */
const BEGINNING = 10 * SECOND;
/** After this long, in milliseconds, the other trials wait for the next look. */
const LONGEST_LOOK = 2 * SECOND;

const NONE: Counts = { calls: 0, failed: 0, lost: 0 };

/** The trials of routes. */
export class Canaries {
  readonly #parts: CanariesParts;
  #running: readonly Canary[] = [];
  readonly #counts = new Map<string, Counts>();
  #judging: Judging | undefined;

  constructor(parts: CanariesParts) {
    this.#parts = parts;
  }

  list(): Promise<readonly Canary[]> {
    return this.#parts.repository.list();
  }

  /**
   * Returns the methods that are tried: those that are not served from the route anyway. Throws `CanaryUnderWay`, and
   * `AlreadyServed` if there are none.
   */
  async begin(
    accountId: string,
    methods: readonly string[],
    route: ApiVersion,
    until: number,
    who: string,
  ): Promise<readonly string[]> {
    const { repository, routes, audit, clock } = this.#parts;
    const { before, left } = await this.#before(accountId, methods, route);
    const tried = methods.filter((method) => before.has(method));
    if (tried.length === 0) throw new AlreadyServed();
    const { countsBefore } = await import('./judging.ts');
    const recent = await countsBefore(this.#parts.calls, { accountId, methods: tried, route });
    const { calls, failed } = recent.all;
    const canary = {
      accountId,
      methods: tried,
      route,
      before: new Map([...left, ...before]),
      usual: { calls, failed },
      begunAt: clock.now(),
      until,
    };
    await routes.set(tried, accountId, route, CANARY, (trx) => repository.begin(trx, canary));
    const detail = `${tried.join(', ')} from ${route}`;
    await audit.write({ at: clock.now(), who, action: 'route.try', accountIds: [accountId], detail });
    return tried;
  }

  /**
   * The account's own routes without trials: `before` of the methods that are not served from the route anyway, and
   * `left` of all methods that have a route from an earlier trial.
   */
  async #before(
    accountId: string,
    methods: readonly string[],
    route: ApiVersion,
  ): Promise<Record<'before' | 'left', Canary['before']>> {
    const { routes, defaultRoute } = this.#parts;
    const set = await routes.list();
    const routeOf = (account: string, method: string): RouteOverride | undefined =>
      set.find((one) => one.account === account && one.method === method);
    const former = (await this.list()).find((one) => one.accountId === accountId)?.before ?? [];
    const left = new Map([...former].filter(([method]) => routeOf(accountId, method)?.actor === CANARY));
    const before = new Map<string, ApiVersion | undefined>();
    for (const method of methods) {
      const own = routeOf(accountId, method);
      const earlier = own?.actor === CANARY && own.route === route ? left.get(method) : own?.route;
      const usual = earlier ?? routeOf(EVERY_ACCOUNT, method)?.route ?? defaultRoute(method);
      if (usual !== route) before.set(method, earlier);
    }
    return { before, left };
  }

  /**
   * Counts a finished call if it took the tried route. A call that would have failed on any route says nothing about
   * this one: a program that asks for an unknown record must not end the trial. Does no I/O and never throws.
   */
  record({ accountId, method, source, route, at, failed, lost, isOfCall }: EndedCall): void {
    if (isOfCall === true) return;
    const canary = this.#running.find((one) => one.accountId === accountId);
    if (canary === undefined || at < canary.begunAt || !canary.methods.includes(method)) return;
    if ((route ?? source) !== canary.route) return;
    this.#add(accountId, { calls: 1, failed: failed ? 1 : 0, lost: lost ? 1 : 0 });
  }

  /**
   * Stores the counts of this process, and ends trials that are over or must be reverted. `listeners`: the listeners
   * to calls; this object is among them only while a trial runs. Never rejects.
   */
  async look(listeners: Listeners): Promise<void> {
    try {
      await this.#write();
      this.#running = (await this.list()).filter(({ outcome }) => outcome === undefined);
      this.#listen(listeners);
      await this.#judgeAll(this.#running);
    } catch (error) {
      this.#parts.log.warn('canary.not-judged', { error: wordsOf(error) });
    }
  }

  #listen(listeners: Listeners): void {
    const at = listeners.indexOf(this);
    if (this.#running.length > 0 && at < 0) listeners.push(this);
    if (this.#running.length === 0 && at >= 0) listeners.splice(at, 1);
  }

  async #write(): Promise<void> {
    for (const canary of this.#running) {
      const counts = this.#counts.get(canary.accountId);
      if (counts === undefined) continue;
      this.#counts.delete(canary.accountId);
      await this.#parts.repository.count(canary, counts).catch((error: unknown) => {
        this.#add(canary.accountId, counts);
        throw error;
      });
    }
  }

  #add(accountId: string, { calls, failed, lost }: Counts): void {
    const since = this.#counts.get(accountId) ?? NONE;
    this.#counts.set(accountId, {
      calls: since.calls + calls,
      failed: since.failed + failed,
      lost: since.lost + lost,
    });
  }

  /** First those whose counts are enough, so that they do not wait while the calls of others are read. */
  async #judgeAll(running: readonly Canary[]): Promise<void> {
    this.#judging?.keep(running);
    const { clock } = this.#parts;
    const begunAt = clock.now();
    const isSure = (canary: Canary): number => (isSurelyReturned(canary, begunAt) ? 1 : 0);
    for (const canary of running.toSorted((a, b) => isSure(b) - isSure(a))) {
      if (clock.now() - begunAt > LONGEST_LOOK) return; // those judged now are not due with the next look
      await this.#judge(canary);
    }
  }

  async #judge(canary: Canary): Promise<void> {
    const now = this.#parts.clock.now();
    const judgement = await this.#judgement(canary, now);
    const isBegun = now >= canary.begunAt + BEGINNING;
    if (judgement.outcome === 'returned') await this.#takeBack(canary);
    else if (isBegun && (await this.#endWithout(canary, 'its routes were set again', CANARY))) return;
    if (judgement.outcome !== 'running') await this.#end(canary, judgement.outcome, judgement.reason, CANARY);
  }

  async #judgement(canary: Canary, now: number): Promise<Judgement> {
    const { Judging } = await import('./judging.ts'); // only while there are trials
    this.#judging ??= new Judging(this.#parts.calls);
    return this.#judging.judged(canary, now);
  }

  /** Ends the account's trial if `who`, an operator, has left it no route. */
  async routesSet(accountId: string, who: string): Promise<void> {
    const canary = (await this.list()).find((one) => one.accountId === accountId);
    if (canary !== undefined && canary.outcome === undefined)
      await this.#endWithout(canary, `ended by ${who}`, who);
  }

  /**
   * Ends a trial that has no route left; returns whether that is so. The row is read again after the routes: another
   * process may have reverted them for counts that came after `canary` was read.
   */
  async #endWithout(canary: Canary, reason: string, who: string): Promise<boolean> {
    if ((await this.#tried(canary)).length > 0) return false;
    const now = (await this.list()).find(
      ({ accountId, begunAt }) => accountId === canary.accountId && begunAt === canary.begunAt,
    );
    const judgement = await this.#judgement(now ?? canary, this.#parts.clock.now());
    if (judgement.outcome === 'returned') await this.#end(canary, 'returned', judgement.reason, CANARY);
    else await this.#end(canary, 'ended', reason, who);
    return true;
  }

  async #end(
    canary: Canary,
    outcome: NonNullable<Canary['outcome']>,
    reason: string,
    who: string,
  ): Promise<void> {
    const { repository, audit, clock, log, ended } = this.#parts;
    const at = clock.now();
    if (!(await repository.end(canary, { outcome, reason, by: who, at }))) return;
    const { accountId, methods, route } = canary;
    ended?.(outcome);
    log.warn(`canary.${outcome}`, { account: accountId, methods: methods.length, route, reason });
    const detail = endingOf(canary, reason);
    await audit.write({ at, who, action: `route.${outcome}`, accountIds: [accountId], detail });
  }

  /** The account's routes that still belong to the trial. */
  async #tried({ accountId, methods, route }: Canary): Promise<readonly RouteOverride[]> {
    return (await this.#parts.routes.list()).filter(
      (one) =>
        one.account === accountId &&
        one.actor === CANARY &&
        one.route === route &&
        methods.includes(one.method),
    );
  }

  async #takeBack(canary: Canary): Promise<void> {
    const { accountId, before } = canary;
    const { routes } = this.#parts;
    const tried = await this.#tried(canary);
    for (const earlier of new Set(before.values())) {
      const methods = tried.flatMap(({ method }) =>
        before.has(method) && before.get(method) === earlier ? [method] : [],
      );
      await routes.set(methods, accountId, earlier, CANARY);
    }
  }
}
