import type { Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { RouteEvidence } from '../evidence.ts';

/** The API versions that can serve a method. */
export const apiVersions = ['v2', 'v3'] as const;
/** The API version that serves a call. */
export type ApiVersion = (typeof apiVersions)[number];

/** A method of the mapping, with the facts that bear on its route. */
export interface RoutedMethod {
  /** `client.list` */
  readonly id: string;
  /** The mapping's default. */
  readonly route: ApiVersion;
  /** How well V2 supports it, A to C; `none`: not at all. */
  readonly v2: 'A' | 'B' | 'C' | 'none';
  /** Why V2 does not support the method. */
  readonly why: string | undefined;
  readonly losses: readonly string[];
  /** Which of its calls V3 answers although the route is V2. */
  readonly toV3: readonly string[];
  /** All of its calls go to V3, whatever its route. */
  readonly staysOnV3: boolean;
  /** The evidence for its calls. */
  readonly evidence: RouteEvidence;
  readonly isWrite: boolean;
  /** Assumptions of the mapping where the specification leaves something open. */
  readonly assumed: readonly string[];
}

/**
 * A write that V2 would carry out on an assumption: an operator must accept this before routing it there. A
 * wrong read can be repeated; a wrong write changes the customer's own data.
 */
export const isAssumedWrite = ({ isWrite, evidence }: RoutedMethod, route: ApiVersion | undefined): boolean =>
  route === 'v2' && isWrite && evidence.v2 === 'assumed';

/** An operator's decision that differs from the mapping's default. */
export interface RouteOverride {
  /** The mapping's name: `client.list`. */
  readonly method: string;
  /** An account's own override takes precedence over the one for `all`. */
  readonly account: string;
  readonly route: ApiVersion;
  readonly at: number;
  readonly actor: string;
}

/** Used instead of an account id for every account without its own override. Ids are UUIDs. */
export const EVERY_ACCOUNT = 'all';

/** The routes set by operators: few rows, read whole and cached by every process that serves calls. */
export interface RouteRepository {
  /** Ordered by method, then account. */
  list(): Promise<readonly RouteOverride[]>;
  /**
   * For all of the methods or none. `undefined` removes the override. The caller checks that the methods
   * exist. `also`: is stored with them, or not at all.
   */
  set(
    methods: readonly string[],
    account: string,
    route: ApiVersion | undefined,
    actor: string,
    also?: (trx: Transaction<Tables>) => Promise<void>,
  ): Promise<void>;
  /**
   * Increases with every `set` of any process. Answered from memory for a second after it was read, so that
   * asking before every call costs nothing; a change is seen everywhere within a second.
   */
  version(): Promise<number>;
  /** The cached version, and until when it is valid by `performance.now`; undefined if it has to be read. */
  readonly believed?: { readonly version: number; readonly until: number } | undefined;
}
