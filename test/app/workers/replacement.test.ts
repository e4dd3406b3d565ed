import { afterEach, expect, it } from '@jest/globals';
import cluster from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../src/app/settings/settings.ts';
import { Primary } from '../../../src/app/workers/primary.ts';
import { aloneSettings } from '../../support/bridge.ts';
import { eventually } from '../../support/clock.ts';
import { ListLog } from '../../tokens/harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-replacement-'));
const exec = join(import.meta.dirname, 'ready-worker.ts');
const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0)) await end();
  rmSync(folder, { recursive: true, force: true });
});

/** From now on the system refuses to start a process, as it does when there are too many. */
const refuseProcesses = (): void => {
  cluster.setupPrimary({ cwd: join(folder, 'gone') });
};
const allowProcesses = (): void => {
  cluster.setupPrimary({ exec, args: [], execArgv: [], cwd: import.meta.dirname });
};

function primary(log: ListLog): Primary {
  allowProcesses();
  const settings = readSettings({ env: { ...aloneSettings(folder), CAUSEWAY_WORKERS: '2' } });
  const made = new Primary({ settings, log, lock: undefined, limit: undefined });
  over.push(() => made.stop('SIGINT'));
  return made;
}

it('a worker that cannot be replaced at once leaves the others serving, and is replaced later', async () => {
  const log = new ListLog();
  await primary(log).start();
  const [killed, other] = Object.values(cluster.workers ?? {});
  refuseProcesses();
  killed?.process.kill('SIGKILL');
  await eventually('a failed start', () => log.named('worker.not-started')[0]);
  expect(other?.isConnected()).toBe(true);
  allowProcesses();
  await eventually('the replacement', () => log.named('worker.replaced')[0]);
  expect(log.named('worker.not-started')[0]).toMatchObject({ number: 1 });
});

it('a primary whose workers cannot be started says so and ends', async () => {
  const made = primary(new ListLog());
  refuseProcesses();
  await expect(made.start()).rejects.toThrow('worker 1 could not be started: spawn');
});
