import type { AccountBook } from '../domain/accounts.ts';
import type { AuditBook } from '../domain/audit.ts';
import type { Clock } from '../domain/clock.ts';
import { EVERY_ACCOUNT, type Lane, type RouteBook, type RouteOverride } from '../domain/routes.ts';
import { DeskRefusal } from './desk-refusal.ts';

/** A method of the mapping, as far as its route is concerned. */
export interface RoutedMethod {
  /** `client.list` */
  readonly id: string;
  /** The default. */
  readonly route: Lane;
  /** How well V2 carries it, A to C; `none`: not at all. */
  readonly v2: 'A' | 'B' | 'C' | 'none';
  /** Why V2 does not carry it. */
  readonly why: string | undefined;
  readonly losses: readonly string[];
}

/** What a method of the mapping is tried on. */
export interface MappingSample {
  /** V2's answer as JSON text, or several by call. */
  readonly json?: string | undefined;
  /** The request of a legacy program. */
  readonly xml?: string | undefined;
  readonly query?: readonly (readonly [string, string])[] | undefined;
}

export interface MappingTrial {
  /** What went to V2, in order. */
  readonly requests: readonly { readonly call: string; readonly body: string | undefined }[];
  /** What the legacy program gets; undefined where the call failed. */
  readonly reply: string | undefined;
  readonly failure: string | undefined;
  /** Elements of the request that have no place in V2. */
  readonly dropped: readonly string[];
  /** Elements of the reply that say less than V2's value. */
  readonly rounded: readonly string[];
}

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
