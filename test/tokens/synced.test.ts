import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { profileWith, type Orders } from '../../scripts/chaos/orders.ts';
import { needs } from '../../scripts/testing/needs.ts';
import { openStore } from '../../src/app/store.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { client, Judge } from './judge.ts';

/** R7 (design/trust.md): looked at from outside, by the calls the process makes to the kernel. */
const WORKER = join(import.meta.dirname, '..', '..', 'scripts', 'chaos', 'worker.ts');
const given = process.env.CAUSEWAY_TEST_STRACE ?? '';
const strace = given === '' ? (needs.strace.find() ?? '') : given;
// Containers may have it and not let it look.
const suite =
  strace !== '' && spawnSync(strace, ['-o', '/dev/null', 'true']).status === 0 ? describe : describe.skip;

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const deeds = [
  [/ pwrite64\(\d+<[^>]*-wal>/, 'written'],
  [/ fdatasync\(\d+<[^>]*-wal>|fsync\(\d+<[^>]*-wal>/, 'synced'],
  [/ (?:write|writev|sendto|sendmsg)\(\d+<(?:socket|TCP)[^]*POST /, 'sent'],
  [/ write\(1<[^>]*>, "usable/, 'used'],
] as const;
type Deed = (typeof deeds)[number][1];

/** In the order in which they began, each once where it follows itself; all are made by one thread, which waits for each. */
function deedsIn(trace: string): readonly Deed[] {
  const all = trace.split('\n').flatMap((line) => deeds.find(([form]) => form.test(line))?.[1] ?? []);
  return all.filter((deed, at) => deed !== all[at - 1]);
}

async function traceOf(folder: string, orders: Orders): Promise<readonly Deed[]> {
  const file = join(folder, 'trace');
  const calls = 'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg';
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', WORKER, JSON.stringify(orders)];
  const child = spawn(strace, ['-f', '-y', '-s', '16', '-e', calls, '-o', file, ...node], {
    stdio: 'ignore',
  });
  expect((await once(child, 'exit'))[0]).toBe(0);
  return deedsIn(await readFile(file, 'utf8'));
}

suite('a refresh on SQLite, as the kernel sees it', () => {
  it('is on disk before the token is sent, and the new pair is before it is used', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-synced-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const database = `sqlite:${join(folder, 'store.db')}`;
    const store = await openStore(database);
    closers.push(() => store.close());
    const judge = await Judge.open();
    closers.push(() => judge.close());
    const [keys, profile] = [newKeyLine(), profileWith({})];
    const grant = await judge.consent(store.grants, KeyRing.parse(new Secret(keys)), profile);
    const done = await traceOf(folder, {
      database,
      keys,
      sandbox: judge.url,
      client,
      durations: {},
      holder: 'traced',
      seed: 1,
      spill: join(folder, 'spill'),
      deaths: {},
      now: judge.clock.now(),
      work: { renew: grant },
    });
    expect(done.slice(0, done.indexOf('used') + 1)).toEqual([
      'written',
      'synced',
      'sent',
      'written',
      'synced',
      'used',
    ]);
  });
});
