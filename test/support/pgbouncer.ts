import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { owner } from '../../scripts/testing/private-postgres.ts';
import { freePort } from './bridge.ts';
import { eventually } from './clock.ts';

/** The program pgbouncer; undefined where this machine has none. */
const program = process.env.CAUSEWAY_TEST_PGBOUNCER ?? '';
export const hasPgBouncer = program !== '';

/**
 * PgBouncer of the test's own on loopback, in transaction mode: nothing is allowed that it refuses by default, and each
 * transaction gets the session that was used longest ago (`server_round_robin`), so that no two in a row share one.
 */
export class RunningPgBouncer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'causeway-pgbouncer-'));
  readonly #port: number;
  #server: URL;
  #process: ChildProcess | undefined;

  private constructor(port: number, server: URL) {
    this.#port = port;
    this.#server = server;
  }

  /** In front of the server of that address, with all its databases. */
  static async before(server: string): Promise<RunningPgBouncer> {
    const made = new RunningPgBouncer(await freePort(), new URL(server));
    await made.run();
    return made;
  }

  /** `url` with the address of the pooler. */
  address(url: string): string {
    const changed = new URL(url);
    changed.port = String(this.#port);
    return changed.href;
  }

  async run(): Promise<void> {
    this.#configure();
    const log = openSync(join(this.#folder, 'log'), 'a');
    const runAs = owner();
    this.#process = spawn(program, [join(this.#folder, 'pgbouncer.ini')], {
      ...runAs,
      cwd: this.#folder,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const own = this.#process;
    await eventually('PgBouncer answers', async () => {
      if (own.exitCode !== null) throw new Error(`PgBouncer did not start: ${this.output}`);
      return this.admin('show version').then(
        () => true as const,
        () => undefined,
      );
    });
  }

  get output(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8');
  }

  /** A command of its console. */
  async admin(command: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const url = new URL(this.address(this.#server.href));
    url.pathname = '/pgbouncer';
    const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return ((await client.query(command)) as { rows: Record<string, unknown>[] }).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** New sessions are opened at that server, and those that are open end after their transaction. */
  async turn(server: string): Promise<void> {
    this.#server = new URL(server);
    this.#configure();
    await this.admin('reload');
    await this.admin('reconnect');
  }

  /** SIGKILL: every connection breaks. */
  async kill(): Promise<void> {
    const own = this.#process;
    this.#process = undefined;
    if (own?.exitCode !== null || own.signalCode !== null) return;
    const ended = once(own, 'exit');
    own.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configure(): void {
    const { hostname, port, username, password } = this.#server;
    const settings = [
      '[databases]',
      `* = host=${hostname} port=${port === '' ? '5432' : port}`,
      '[pgbouncer]',
      'pool_mode = transaction',
      'listen_addr = 127.0.0.1',
      `listen_port = ${this.#port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${join(this.#folder, 'users')}`,
      `admin_users = ${decodeURIComponent(username)}`,
      'server_round_robin = 1',
      'server_login_retry = 1',
      'default_pool_size = 6',
      'max_client_conn = 200',
    ];
    this.#write('pgbouncer.ini', `${settings.join('\n')}\n`);
    this.#write('users', `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  }

  #write(name: string, text: string): void {
    const path = join(this.#folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    const runAs = owner();
    if (runAs) for (const one of [this.#folder, path]) chownSync(one, runAs.uid, runAs.gid);
  }
}
