import { setTimeout as pause } from 'node:timers/promises';
import { withServers, type Bench } from './bench.ts';
import { smallLegacy, clientNumber } from './documents.ts';
import { digits, spread, spreadOf, table } from './figures.ts';
import { accountKey, API_KEY, seed } from './seed.ts';
import { saturate, WARM_UP, type Asked } from './load.ts';
import { inTurn, type Subject } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startUpstream } from './servers.ts';

const SIZES = [10, 1_000, 100_000];
const QUICK_SIZES = [10, 1_000];
/** Accounts that call in one round. */
const CALLING = 10;

/** With fewer accounts their memory cannot be told from everything else's. */
const ENOUGH = 10_000;

/** How long a bridge is left alone before its idle memory is read: its periodic jobs have run by then. */
const IDLE_MS = 40_000;

/**
 * The same calls with an increasing number of accounts in the store; and the memory held for an account that has not
 * called since the start, and for one that has called once.
 */
export async function manyAccounts({ folder, quick, runs }: Bench): Promise<string> {
  const sizes = quick ? QUICK_SIZES : SIZES;
  const requests = quick ? 3_000 : 12_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const bridges: Started[] = [];
    for (const size of sizes) {
      const seeded = await seed({ folder, name: `accounts-${size}`, accounts: size, clients: 0 });
      const name = `${size.toLocaleString('en')} accounts`;
      const settings = { folder, upstream, seeded, name, identifiers: 'number' } as const;
      bridges.push({ size, server: await keep(startBridge(settings)) });
    }
    const idle = await idleMemory(bridges);
    for (const { size, server } of bridges)
      await saturate(spreadOver(server, size, CALLING), quick ? 2 * requests : WARM_UP);
    const figures = await inTurn(
      bridges.map(({ size, server }) => subject(server, size, requests)),
      runs,
    );
    const memory = new Map<string, number>();
    for (const { size, server } of bridges)
      if (size >= ENOUGH) memory.set(server.name, await grown(server, size));
    return (
      `## Cost and number of accounts\n\nEach round calls for ${CALLING} accounts out of all.\n\n` +
      table(
        ['in the store', 'CPU µs per request', 'bytes for each account, idle', 'when all have called once'],
        [...figures].map(([name, values]) => [
          name,
          spread(spreadOf(values)),
          bytes(idle, name),
          bytes(memory, name),
        ]),
      )
    );
  });
}

interface Started {
  readonly size: number;
  readonly server: ServerProcess;
}

/** What a bridge holds for an account that has not called: the difference to the bridge with the fewest, in bytes. */
async function idleMemory(bridges: readonly Started[]): Promise<Map<string, number>> {
  const large = bridges.filter(({ size }) => size >= ENOUGH);
  const [few] = bridges;
  if (few === undefined || large.length === 0) return new Map();
  await pause(IDLE_MS);
  const held = few.server.residentBytes();
  return new Map(
    large.map(({ size, server }) => [server.name, (server.residentBytes() - held) / (size - few.size)]),
  );
}

function bytes(of: ReadonlyMap<string, number>, name: string): string {
  const value = of.get(name);
  return value === undefined ? '–' : digits(value);
}

function subject(server: ServerProcess, size: number, requests: number): Subject {
  return {
    name: server.name,
    measure: async () => {
      const asked = spreadOver(server, size, CALLING);
      const before = server.cpuSeconds();
      await saturate(asked, requests);
      return ((server.cpuSeconds() - before) / requests) * 1_000_000;
    },
  };
}

/** Calls for `calling` of the accounts in turn, evenly distributed. */
function spreadOver({ origin }: ServerProcess, size: number, calling: number): Asked {
  let turn = 0;
  return {
    origin,
    path: () => {
      const index = Math.floor((turn++ % calling) * (size / calling));
      return `/client.api/get/${clientNumber(1)}?apiKey=${API_KEY}&accountKey=${accountKey(index)}`;
    },
    body: smallLegacy(),
  };
}

/** The growth of the process in bytes per account when all have called. */
async function grown(server: ServerProcess, size: number): Promise<number> {
  const before = server.residentBytes();
  await saturate(spreadOver(server, size, size), size);
  await pause(1_000);
  return (server.residentBytes() - before) / size;
}
