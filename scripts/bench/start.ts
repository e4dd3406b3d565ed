import { setTimeout as pause } from 'node:timers/promises';
import { withServers, type Bench } from './bench.ts';
import { spread, spreadOf, table } from './figures.ts';
import { seed } from './seed.ts';
import { startBridge, startUpstream } from './servers.ts';

const SETTLED_MS = 2_000;

/** From the start of the process to its line `ready`; its memory two seconds later. */
export async function start({ folder, runs, note }: Bench): Promise<string> {
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'start', accounts: 1, clients: 0 });
    const millis: number[] = [];
    const bytes: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const begun = performance.now();
      const bridge = await startBridge({ folder, upstream, seeded, name: 'bridge', identifiers: 'uuid' });
      millis.push(performance.now() - begun);
      await pause(SETTLED_MS);
      bytes.push(bridge.residentBytes());
      await bridge.stop();
    }
    note([
      {
        ...{ section: 'start', subject: 'bridge', accounts: 1, cpuMicros: null, ratio: null, peer: null },
        peakMb: null,
        other: { readyMs: spreadOf(millis).median, idleMb: spreadOf(bytes).median * 1e-6 },
      },
    ]);
    return `## Start\n\n${table(
      ['', ''],
      [
        ['start to ready, ms', spread(spreadOf(millis))],
        ['idle memory, MB', spread(spreadOf(bytes), 1e-6)],
      ],
    )}`;
  });
}
