/** Which form of the service a method is served from, where it could be served from either. */
export const apiVersions = ['v2', 'v3'] as const;
/** The API version that serves a call. */
export type ApiVersion = (typeof apiVersions)[number];

/** A method of the mapping, as far as its route is concerned. */
export interface RoutedMethod {
  /** `client.list` */
  readonly id: string;
  /** The mapping's default. */
  readonly route: ApiVersion;
  /** How well V2 carries it, A to C; `none`: not at all. */
  readonly v2: 'A' | 'B' | 'C' | 'none';
  /** Why V2 does not carry it. */
  readonly why: string | undefined;
  readonly losses: readonly string[];
  /** Which of its calls V3 answers although the route is V2. */
  readonly toV3: readonly string[];
  /** What the specification leaves open and the mapping takes for granted. */
  readonly assumed: readonly string[];
}

/** One decision of an operator that differs from the mapping's default. */
export interface RouteOverride {
  /** As the mapping names it: `client.list`. */
  readonly method: string;
  /** An account's own override wins over the one for `all`. */
  readonly account: string;
  readonly route: ApiVersion;
  readonly at: number;
  readonly actor: string;
}

/** Stands where an account id stands, for every account that has no override of its own. Ids are UUIDs. */
export const EVERY_ACCOUNT = 'all';

/** The overrides of routes: few rows, read whole and held by whoever serves calls. */
export interface RouteRepository {
  /** Ordered by method, then account. */
  list(): Promise<readonly RouteOverride[]>;
  /**
   * All of the methods or none. `undefined` takes the override away. Whether a method is known is the caller's affair.
   */
  set(
    methods: readonly string[],
    account: string,
    route: ApiVersion | undefined,
    actor: string,
  ): Promise<void>;
  /**
   * Grows with every `set` of any process. Answered from memory for a second after it was read, so that asking
   * before every call costs nothing; a change is seen everywhere after a second at the latest.
   */
  version(): Promise<number>;
  /** What `version` would answer, and until when, by `performance.now`; undefined where it would have to be read. */
  readonly believed?: { readonly version: number; readonly until: number } | undefined;
}
