import pg from 'pg';
import { copyPostgres, startPostgres, type PrivatePostgres } from '../../scripts/testing/private-postgres.ts';
import { eventually } from './clock.ts';
import { Switch } from './switch.ts';

type Row = Readonly<Record<string, unknown>>;

/** Statements in a session of their own. */
export async function ask(url: string, ...statements: readonly string[]): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const rows: Row[] = [];
    for (const statement of statements) {
      // Several statements in one text have several results, which the types of pg do not know.
      const results = (await client.query<Row>(statement)) as pg.QueryResult<Row> | pg.QueryResult<Row>[];
      rows.push(...[results].flat().flatMap((one) => one.rows));
    }
    return rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A primary, a standby, and one address in front of both, as a proxy or a virtual address gives it. */
export class ReplicatedPostgres {
  readonly primary: PrivatePostgres;
  readonly standby: PrivatePostgres;
  readonly #line: Switch;

  private constructor(primary: PrivatePostgres, standby: PrivatePostgres, line: Switch) {
    this.primary = primary;
    this.standby = standby;
    this.#line = line;
  }

  /** `binaries`: the folder of PostgreSQL's programs. Every commit waits until the standby's disk has it, too. */
  static async start(binaries: string): Promise<ReplicatedPostgres> {
    const primary = await startPostgres(binaries);
    try {
      const standby = await copyPostgres(binaries, primary, 'standby');
      const pair = new ReplicatedPostgres(primary, standby, await Switch.before(primary.url));
      await pair.waitForStandby('*');
      return pair;
    } catch (error) {
      await primary.stop();
      throw error;
    }
  }

  get url(): string {
    return this.#line.address(this.primary.url);
  }

  /** Sets `synchronous_standby_names`. The standby is a copy of before: alone, it will wait for nobody. */
  async waitForStandby(names: '*' | ''): Promise<void> {
    await ask(
      this.primary.url,
      `alter system set synchronous_standby_names = '${names}'`,
      'select pg_reload_conf()',
    );
    const wanted = names === '' ? 'async' : 'sync';
    await eventually(`replication is ${wanted}`, async () => {
      const [row] = await ask(this.primary.url, 'select sync_state from pg_stat_replication');
      return row?.sync_state === wanted ? true : undefined;
    });
  }

  /** As a cluster manager does it: the primary is certainly dead, the standby is promoted, the address leads to it. */
  async failover(): Promise<void> {
    await this.primary.kill();
    await this.promote();
  }

  async promote(): Promise<void> {
    await ask(this.standby.url, 'select pg_promote()');
    this.#line.turn(this.standby.url);
  }

  async stop(): Promise<void> {
    await this.#line.close();
    await this.standby.stop();
    await this.primary.stop();
  }
}
