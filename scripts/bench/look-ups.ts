import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withServers, type Bench } from './bench.ts';
import { spread, spreadOf, table } from './figures.ts';
import { seed } from './seed.ts';
import { bridgeEnvironment, startUpstream } from './servers.ts';

/** The look-up of a call's account and token, in a process of its own. */
export async function lookUps({ folder, runs }: Bench): Promise<string> {
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'lookup', accounts: 10_000, clients: 0 });
    const env = bridgeEnvironment({ upstream, seeded, identifiers: 'number' });
    const warm: number[] = [];
    const cold: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(import.meta.dirname, 'lookup.ts')],
        {
          env: { ...process.env, ...env },
        },
      );
      const figures = JSON.parse(stdout) as { readonly warm: number; readonly cold: number };
      warm.push(figures.warm);
      cold.push(figures.cold);
    }
    return `## Account and token of a call\n\n${table(
      ['', 'CPU µs'],
      [
        ['warm: the same account again and again', spread(spreadOf(warm))],
        ['cold: accounts never asked for before, SQLite with 10,000', spread(spreadOf(cold))],
      ],
    )}`;
  });
}
