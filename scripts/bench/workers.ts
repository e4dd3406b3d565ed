import { withServers, type Bench } from './bench.ts';
import { saturate } from './load.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn, type Subject } from './runs.ts';
import { seed } from './seed.ts';
import { startBridge, startUpstream } from './servers.ts';
import { inTurnOf } from './small-reply.ts';

const ONE = 'one process';

/**
 * Processor time of a call when two workers share the calls of many accounts, beside one process. All processes of the
 * bridge count, the primary too. Throughput is not measured: load and service need cores as well.
 */
export async function workers({ folder, quick, runs, accounts, note }: Bench): Promise<string> {
  const requests = quick ? 3_000 : 6_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const subjects: Subject[] = [];
    for (const [name, count] of [
      [ONE, 1],
      ['two workers and their primary', 2],
    ] as const) {
      const seeded = await seed({ folder, name: `workers-${count}`, accounts, clients: 0 });
      const settings = { folder, upstream, seeded, name, identifiers: 'number', workers: count } as const;
      const server = await keep(startBridge(settings));
      const asked = { origin: server.origin, ...inTurnOf(accounts) };
      await saturate(asked, 2 * requests);
      subjects.push({
        name,
        measure: async () => {
          const before = server.cpuSecondsOfAll();
          await saturate(asked, requests);
          return ((server.cpuSecondsOfAll() - before) / requests) * 1_000_000;
        },
      });
    }
    const figures = await inTurn(subjects, runs);
    const calling = new Map(subjects.map(({ name }) => [name, accounts]));
    note(rowsOf(figures, { section: 'workers', peer: ONE, micros: 1, accounts: calling }));
    return `## Workers, ${accounts} accounts in turn\n\n${compared(
      ['bridge', 'CPU µs per request'],
      figures,
      [{ name: ONE, short: 'one process' }],
    )}`;
  });
}
