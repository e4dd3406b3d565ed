/**
 * The API version that serves a method: the configured routes, the effect of a change, and the change itself.
 *
 * An operator sets a route for one account or for all. An account's own route takes precedence over the one for all,
 * which takes precedence over the mapping's default. The practice product has no V2, so its accounts stay on V3.
 * `preview` counts the accounts that a change affects now and later, from the same status report that operators see.
 */
import { shownStage, type Account } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { AuditRepository } from './audit.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { MappingSample, MappingTrial } from '../../mapping/mapping-trial.ts';
import {
  EVERY_ACCOUNT,
  isAssumedWrite,
  type ApiVersion,
  type RouteRepository,
  type RoutedMethod,
  type RouteOverride,
} from '../../mapping/routes/routes.ts';
import type { Canaries } from '../canary/canaries.ts';
import type { Canary } from '../canary/canary.ts';
import type { ReportedAccount } from '../status/model.ts';
import { isHere } from '../status/report/funnel.ts';
import type { Status } from '../status/status.ts';
import { AdminRefusal, unknownAccount } from './refusal.ts';

/** The parts of the service. */
export interface AdminRoutesParts {
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly routes: Pick<RouteRepository, 'list' | 'set'>;
  readonly canaries: Pick<Canaries, 'list' | 'routesSet'>;
  readonly methods: () => readonly RoutedMethod[];
  /** Whether V2 is configured. Until it is, V3 serves calls routed to V2. */
  readonly hasV2: boolean;
  /** Throws `AdminRefusal` unusable if the method cannot be tried. */
  readonly try: (method: string, sample: MappingSample) => Promise<MappingTrial>;
  readonly status: Pick<Status, 'statusReport'>;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** The effect of a change of route. */
export interface RouteForecast {
  readonly method: RoutedMethod;
  /** Undefined: every account without a route of its own. */
  readonly account: Account | undefined;
  readonly from: ApiVersion;
  readonly to: ApiVersion;
  /** Accounts that have moved: their calls change route within a second. */
  readonly now: number;
  /** Accounts that have not moved yet and will follow when they do. */
  readonly later: number;
  /** The accounts of both counts. */
  readonly following: readonly Pick<ReportedAccount, 'id' | 'product'>[];
  /** Accounts that keep a route of their own. */
  readonly own: number;
  /** Accounts of the practice product, which has no V2 and stays on V3. */
  readonly practice: number;
  /** Data lost if the methods are routed to V2. */
  readonly losses: readonly string[];
  /** Calls that V3 answers nevertheless. */
  readonly toV3: readonly string[];
}

/** The route of methods as text: `from v2`, `by default (v3)`. */
export function destinationOf(methods: readonly RoutedMethod[], route: ApiVersion | undefined): string {
  if (route !== undefined) return `from ${route}`;
  return `by default (${[...new Set(methods.map((method) => method.route))].join(' or ')})`;
}

/** Which of the methods V3 serves although their route is V2, as a sentence; undefined: none. */
export function stayingWords(
  methods: readonly RoutedMethod[],
  route: ApiVersion | undefined,
): string | undefined {
  const staying = methods.filter((method) => method.staysOnV3 && (route ?? method.route) === 'v2');
  if (staying.length === 0) return undefined;
  return methods.length === 1
    ? 'V3 still serves all its calls.'
    : `V3 still serves all calls of ${staying.length} of them: ${staying.map(({ id }) => id).join(', ')}.`;
}

/**
 * Those of the accounts that a route for all concerns, including those that have not moved yet: not those that keep routes
 * of their own for all of the methods, nor those of the practice product.
 */
export function followingOf(
  methods: readonly string[],
  set: readonly RouteOverride[],
  accounts: readonly Account[],
): readonly Account[] {
  const own = new Set(set.map(({ account, method }) => `${account} ${method}`));
  return accounts.filter(
    ({ id, life, product }) =>
      isHere({ stage: shownStage(life.stage, life.stage === 'lost' ? life.reason : undefined) }) &&
      product !== 'practice' &&
      methods.some((method) => !own.has(`${id} ${method}`)),
  );
}

/** The admin service for routes. */
export class AdminRoutes {
  readonly #parts: AdminRoutesParts;

  constructor(parts: AdminRoutesParts) {
    this.#parts = parts;
  }

  get hasV2(): boolean {
    return this.#parts.hasV2;
  }

  methods(): readonly RoutedMethod[] {
    return this.#parts.methods();
  }

  /** The routes that operators have set; `account` is an id or `all`. */
  list(): Promise<readonly RouteOverride[]> {
    return this.#parts.routes.list();
  }

  /** Routes that are or were tried on one account: the latest trial of each. */
  trials(): Promise<readonly Canary[]> {
    return this.#parts.canaries.list();
  }

  /**
   * `route` undefined removes the route; `account` undefined: for every account without its own. Throws
   * `AdminRefusal` unknown (account or method), unusable, or conflict: a write on V2 that rests on an assumption, unless
   * `acceptsAssumed`.
   */
  async set(
    methods: readonly string[],
    accountId: string | undefined,
    route: ApiVersion | undefined,
    who: string,
    acceptsAssumed = false,
  ): Promise<readonly RoutedMethod[]> {
    const { routes, canaries, audit, clock } = this.#parts;
    const known = methods.map((method) => this.#method(method, route));
    const assumed = acceptsAssumed ? undefined : known.find((method) => isAssumedWrite(method, route));
    if (assumed !== undefined)
      throw new AdminRefusal(
        'conflict',
        `on V2 ${assumed.id} would write on an assumption: nobody has seen V2 accept it; allow that first`,
      );
    if (accountId !== undefined) await this.#check(accountId, route);
    await routes.set(methods, accountId ?? EVERY_ACCOUNT, route, who);
    await audit.write({
      at: clock.now(),
      who,
      action: 'route.set',
      accountIds: accountId === undefined ? [] : [accountId],
      detail: `${methods.join(', ')} ${destinationOf(known, route)}${accountId === undefined ? ', every account' : ''}${acceptsAssumed ? ', assumptions accepted' : ''}`,
    });
    if (accountId !== undefined) await canaries.routesSet(accountId, who);
    return known;
  }

  /** Changes nothing. Throws `AdminRefusal` like `set`. */
  async preview(
    method: string,
    accountId: string | undefined,
    route: ApiVersion | undefined,
  ): Promise<RouteForecast> {
    const known = this.#method(method, route);
    const account = accountId === undefined ? undefined : await this.#check(accountId, route);
    const set = (await this.list()).filter((one) => one.method === method);
    const own = new Set(set.map((one) => one.account));
    const ofAll = set.find((one) => one.account === EVERY_ACCOUNT)?.route ?? known.route;
    const ofOne = set.find((one) => one.account === accountId)?.route ?? ofAll;
    const to = route ?? (account === undefined ? known.route : ofAll);
    const { accounts } = await this.#parts.status.statusReport();
    const concerned = accounts.filter((one) => isHere(one) && (account?.id ?? one.id) === one.id);
    const following = concerned.filter(
      ({ id, product }) => product !== 'practice' && (account !== undefined || !own.has(id)),
    );
    const moved = following.filter(({ stage }) => stage === 'migrated').length;
    return {
      method: known,
      account,
      following,
      from: account === undefined ? ofAll : ofOne,
      to,
      now: moved,
      later: following.length - moved,
      own: account === undefined ? concerned.filter(({ id }) => own.has(id)).length : 0,
      practice: concerned.filter(({ id, product }) => product === 'practice' && !own.has(id)).length,
      losses: to === 'v2' ? known.losses : [],
      toV3: to === 'v2' ? known.toV3 : [],
    };
  }

  /** Translates a sample; nothing is sent or stored. Throws `AdminRefusal` unusable. */
  try(method: string, sample: MappingSample): Promise<MappingTrial> {
    return this.#parts.try(method, sample);
  }

  #method(id: string, route: ApiVersion | undefined): RoutedMethod {
    const known = this.methods().find((one) => one.id === id);
    if (known === undefined) throw new AdminRefusal('unknown', 'there is no such method');
    if (route === 'v2' && known.v2 === 'none')
      throw new AdminRefusal(
        'unusable',
        `${id} cannot be served by V2: ${known.why ?? 'the mapping has no steps for it'}`,
      );
    return known;
  }

  async #check(accountId: string, route: ApiVersion | undefined): Promise<Account> {
    const account = await this.#parts.repository.byId(accountId);
    if (account === undefined) throw unknownAccount(accountId);
    if (route === 'v2' && account.product === 'practice')
      throw new AdminRefusal('unusable', `${account.name} belongs to the practice product, which has no V2`);
    return account;
  }
}
