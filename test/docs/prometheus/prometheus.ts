import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';
import { freePort } from '../../support/bridge.ts';
import { eventually } from '../../support/clock.ts';

/** The program; empty where this machine has none. */
const program = process.env.CAUSEWAY_TEST_PROMETHEUS ?? '';
export const hasPrometheus = program !== '';

export const alertFile = join(import.meta.dirname, '..', '..', '..', 'docs', 'operate', 'alerts.yaml');

export interface Told {
  readonly code: number;
  readonly text: string;
}

/** Runs promtool, which comes with it. */
export function promtool(...args: readonly string[]): Promise<Told> {
  const { promise, resolve } = Promise.withResolvers<Told>();
  execFile(join(dirname(program), 'promtool'), args, (error, out, err) => {
    resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: `${out}${err}` });
  });
  return promise;
}

/** What a query is answered. */
export interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly unknown[] };
}

/** A Prometheus of the test's own that scrapes one address each second; ended by its id. */
export class RunningPrometheus {
  readonly #url: string;
  readonly #process: ChildProcess;
  readonly #folder: string;

  private constructor(url: string, child: ChildProcess, folder: string) {
    this.#url = url;
    this.#process = child;
    this.#folder = folder;
  }

  static async start(target: string): Promise<RunningPrometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-prometheus-'));
    const address = `127.0.0.1:${await freePort()}`;
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [alertFile],
      scrape_configs: [{ job_name: 'causeway', static_configs: [{ targets: [target] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
    const args = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
    const child = spawn(program, [...args, `--web.listen-address=${address}`, '--log.level=error'], {
      stdio: 'ignore',
    });
    return new RunningPrometheus(`http://${address}`, child, folder);
  }

  async query(expression: string): Promise<Answer> {
    const answer = await fetch(
      `${this.#url}/api/v1/query?${new URLSearchParams({ query: expression }).toString()}`,
    );
    return (await answer.json()) as Answer;
  }

  /** Waits until it has scraped something of that name. */
  async has(name: string): Promise<void> {
    await eventually(`Prometheus has ${name}`, async () => {
      const answer = await this.query(name).catch(() => undefined);
      return (answer?.data?.result.length ?? 0) > 0 ? true : undefined;
    });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
