import { withServers, type Bench } from './bench.ts';
import { saturate, WARM_UP } from './load.ts';
import { compared, inTurn } from './runs.ts';
import { accountKey, seed } from './seed.ts';
import type { ServerProcess } from './server-process.ts';
import { bridgeEnvironment, startBridgeIn, startUpstream } from './servers.ts';
import { legacyCall } from './small-reply.ts';

const UNTRACED = 'no call is traced';

/** The cost of tracing a call: processor time of a small read, with every call traced and sent, and with none. */
export async function traces({ folder, quick, runs }: Bench): Promise<string> {
  const requests = quick ? 3_000 : 12_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const bridge = async (name: string, percent: number): Promise<ServerProcess> => {
      const seeded = await seed({ folder, name, accounts: 1, clients: 2 });
      return keep(
        startBridgeIn(folder, name, {
          ...bridgeEnvironment({ upstream, seeded, identifiers: 'uuid' }),
          CAUSEWAY_OTLP_URL: upstream.origin,
          CAUSEWAY_TRACE_PERCENT: String(percent),
        }),
      );
    };
    const subjects = [
      { name: UNTRACED, server: await bridge('untraced', 0) },
      { name: 'every call is traced', server: await bridge('traced', 100) },
    ].map(({ name, server }) => ({
      name,
      server,
      asked: { origin: server.origin, ...legacyCall(accountKey(0)) },
    }));
    for (const { asked } of subjects) await saturate(asked, quick ? 2 * requests : WARM_UP);
    const figures = await inTurn(
      subjects.map(({ name, server, asked }) => ({
        name,
        measure: async () => {
          const before = server.cpuSeconds();
          await saturate(asked, requests);
          return ((server.cpuSeconds() - before) / requests) * 1_000_000;
        },
      })),
      runs,
    );
    return `## Traces\n\n${compared(['', 'CPU µs per request'], figures, [
      { name: UNTRACED, short: 'no trace' },
    ])}`;
  });
}
