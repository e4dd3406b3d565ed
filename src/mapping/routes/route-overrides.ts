import type { Transaction } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { ApiVersion, RouteRepository, RouteOverride } from './routes.ts';
import { counterOf, raise } from '../../db/counters.ts';
import type { Engine } from '../../db/engine.ts';

/** How long a version is cached; changes by other processes are seen after this. */
const BELIEVED = SECOND;

/** The operators' choices of routes, as both databases store them. */
export class StoredRoutes implements RouteRepository {
  readonly #engine: Engine;
  readonly #elapsed: () => number;
  believed: { readonly version: number; readonly until: number } | undefined;
  #version: { readonly value: Promise<number>; readonly until: number } | undefined;

  /** `elapsed`: milliseconds of a clock that is never set back. */
  constructor(engine: Engine, elapsed: () => number = () => performance.now()) {
    this.#engine = engine;
    this.#elapsed = elapsed;
  }

  async list(): Promise<readonly RouteOverride[]> {
    const rows = await this.#engine.read((reads) =>
      reads.selectFrom('route_overrides').selectAll().orderBy('method').orderBy('account_id').execute(),
    );
    return rows.map(({ account_id: account, ...row }) => ({ ...row, account }));
  }

  /**
   * Raises the version last: a process that sees the new one also sees the row, and takes no other lock after
   * it.
   */
  async set(
    methods: readonly string[],
    account: string,
    route: ApiVersion | undefined,
    actor: string,
    also?: (trx: Transaction<Tables>) => Promise<void>,
  ): Promise<void> {
    if (methods.length === 0) return;
    await this.#engine.db.transaction().execute(async (trx) => {
      await also?.(trx);
      await trx
        .deleteFrom('route_overrides')
        .where('method', 'in', methods)
        .where('account_id', '=', account)
        .execute();
      if (route !== undefined)
        await trx
          .insertInto('route_overrides')
          .values(
            methods.map((method) => ({ method, account_id: account, route, at: this.#engine.now, actor })),
          )
          .execute();
      await raise(trx, 'routes');
    });
    this.#version = this.believed = undefined;
  }

  version(): Promise<number> {
    const now = this.#elapsed();
    if (this.#version !== undefined && now < this.#version.until) return this.#version.value;
    const value = this.#engine.read((reads) => counterOf(reads, 'routes')).then((version) => version ?? 0);
    const read = { value, until: now + BELIEVED };
    this.#version = read;
    void value.then(
      (version) => {
        if (this.#version === read) this.believed = { version, until: read.until };
      },
      // the caller gets the failure; it is not cached
      () => {
        if (this.#version === read) this.#version = undefined;
      },
    );
    return value;
  }
}
