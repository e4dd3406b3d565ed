import { afterEach, describe, expect, it } from '@jest/globals';
import { giveConsent } from '../../src/replay/consent.ts';
import { freePort } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { Mortal, type Customer } from './killed.ts';

const studio: Customer = {
  name: 'Crew Studio',
  accountKey: 'E0000000000000000000000000000001',
  person: 'Ana Owner',
};
const seed = {
  ...{ name: studio.name, accountKey: studio.accountKey, apiKeys: [API_KEY] },
  users: [{ name: studio.person, email: 'ana@crew.example' }],
  clients: [{ number: 1_000_000, name: 'Seeded' }],
};

const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end();
});

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a bridge with three workers on one SQLite file', () => {
  it('serves calls in all of them, adds up their metrics, replaces a killed one, and stops together', async () => {
    const port = await freePort();
    const metrics = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const mortal = await Mortal.start([seed], undefined, {
      CAUSEWAY_WORKERS: '3',
      CAUSEWAY_METRICS_PORT: String(port),
    });
    over.push(() => mortal.end());
    await mortal.rise();
    await mortal.add(studio);
    const link = await mortal.link(studio.name);
    await giveConsent({ link, person: studio.person, organisation: studio.name });
    await mortal.moved(studio.name);
    const call = async (): Promise<number> => {
      // Each on a connection of its own, which goes to the next worker.
      const program = new LegacyProgram(mortal.bridge, studio.accountKey);
      try {
        return (await program.get('client.api/list')).status;
      } finally {
        program.close();
      }
    };
    const servedBy = (): ReadonlySet<string | undefined> =>
      new Set(Array.from(mortal.output.matchAll(/"event":"call","worker":(\d)/g), ([, worker]) => worker));

    for (let n = 0; n < 9; n += 1) expect(await call()).toBe(200);
    await eventually('all three have served', () => (servedBy().size === 3 ? true : undefined));
    expect(await metrics()).toMatch(
      /causeway_calls_total\{method="client.list",lane="v3",status="2xx"\} 9\n/,
    );

    const write = { on: { surface: '3.0', operation: 'client.add' }, do: 'latency', ms: 600_000, times: 1 };
    await mortal.control.fault({ ...write, on: { surface: 'v3', operation: 'client.add' } });
    const program = new LegacyProgram(mortal.bridge, studio.accountKey);
    const cut = program
      .post('client.api/add', '<Client><Name>Cut</Name></Client>')
      .then(({ status }) => status)
      .catch(() => undefined);
    const owner = await mortal.comes('the write has left', async () => {
      const [entry] = await mortal.writes();
      return (await mortal.control.struck()) === 1 ? entry?.owner : undefined;
    });
    const victim = Number(/-(\d+)-[0-9a-f]+$/.exec(owner)?.[1]);
    process.kill(victim, 'SIGKILL');
    expect(await cut).toBeUndefined();
    await mortal.comes('it is replaced', async () =>
      /"event":"worker.replaced"/.test(mortal.output) ? true : undefined,
    );
    await mortal.comes('its write is unknown, or was looked up since', async () => {
      const [entry] = await mortal.writes();
      return entry?.state === 'unknown' || entry?.state === 'settled' ? true : undefined;
    });
    for (let n = 0; n < 6; n += 1) expect(await call()).toBe(200);
    expect(await metrics()).toMatch(/causeway_worker_restarts_total 1\n/);

    const pids = await processesOf(mortal);
    expect(pids).toHaveLength(3);
    process.kill(mortal.pid, 'SIGTERM');
    await eventually('all have ended', () =>
      !mortal.lives && pids.every((pid) => !isThere(pid)) ? true : undefined,
    );
  });
});

/** The workers, as the log of the system has them. */
async function processesOf({ pid }: Mortal): Promise<readonly number[]> {
  const { readFile } = await import('node:fs/promises');
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(/\s+/).map(Number);
}
