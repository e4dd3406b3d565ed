import type { AccountBook } from '../domain/accounts.ts';
import type { AuditBook } from '../domain/audit.ts';
import type { Clock } from '../domain/clock.ts';
import type { MappingSample, MappingTrial } from '../domain/mapping-trial.ts';
import {
  EVERY_ACCOUNT,
  type Lane,
  type RouteBook,
  type RoutedMethod,
  type RouteOverride,
} from '../domain/routes.ts';
import { DeskRefusal } from './desk-refusal.ts';

export interface DeskRoutesParts {
  readonly book: Pick<AccountBook, 'byId'>;
  readonly routes: Pick<RouteBook, 'list' | 'set'>;
  readonly methods: () => readonly RoutedMethod[];
  /** Whether V2 is configured: until it is, V3 serves what is routed to V2. */
  readonly hasV2: boolean;
  /** Throws `DeskRefusal` unusable for a method that cannot be tried. */
  readonly try: (method: string, sample: MappingSample) => Promise<MappingTrial>;
  readonly audit: Pick<AuditBook, 'write'>;
  readonly clock: Clock;
}

/** Which form of the service a method is served from. */
export class DeskRoutes {
  readonly #parts: DeskRoutesParts;

  constructor(parts: DeskRoutesParts) {
    this.#parts = parts;
  }

  get hasV2(): boolean {
    return this.#parts.hasV2;
  }

  methods(): readonly RoutedMethod[] {
    return this.#parts.methods();
  }

  /** What was set by operators; `account` is an id or `all`. */
  list(): Promise<readonly RouteOverride[]> {
    return this.#parts.routes.list();
  }

  /**
   * `route` undefined takes back what was set; `account` undefined: for every account that has no route of its own.
   * Throws `DeskRefusal` unknown (account or method), unusable.
   */
  async set(
    method: string,
    accountId: string | undefined,
    route: Lane | undefined,
    who: string,
  ): Promise<RoutedMethod> {
    const { routes, audit, clock } = this.#parts;
    const known = this.methods().find(({ id }) => id === method);
    if (known === undefined) throw new DeskRefusal('unknown', 'there is no such method');
    if (route === 'v2' && known.v2 === 'none')
      throw new DeskRefusal('unusable', `${method} has no V2 way: ${known.why ?? 'the mapping knows none'}`);
    if (accountId !== undefined) await this.#check(accountId, route);
    await routes.set(method, accountId ?? EVERY_ACCOUNT, route, who);
    await audit.write({
      at: clock.now(),
      who,
      action: 'route.set',
      accountIds: accountId === undefined ? [] : [accountId],
      detail: `${method} ${route === undefined ? `by default (${known.route})` : `from ${route}`}${accountId === undefined ? ', every account' : ''}`,
    });
    return known;
  }

  /** Nothing of it is kept. Throws `DeskRefusal` unusable. */
  try(method: string, sample: MappingSample): Promise<MappingTrial> {
    return this.#parts.try(method, sample);
  }

  async #check(accountId: string, route: Lane | undefined): Promise<void> {
    const account = await this.#parts.book.byId(accountId);
    if (account === undefined) throw new DeskRefusal('unknown', 'there is no such account');
    if (route === 'v2' && account.product === 'practice')
      throw new DeskRefusal('unusable', `${account.name} is of the practice product, which has no V2`);
  }
}
