import { withServers, type Bench } from './bench.ts';
import { quantile, spread, spreadOf, table } from './figures.ts';
import { accountKey, seed } from './seed.ts';
import { steady } from './load.ts';
import { legacyCall, v3Call } from './small-reply.ts';
import { startBridge, startReplyFrom, startUpstream } from './servers.ts';

const PER_SECOND = 1_000;

/** The time that a proxy adds to a small reply, at a rate far from its limit. */
export async function latency({ folder, quick, runs, note }: Bench): Promise<string> {
  const seconds = quick ? 2 : 4;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'latency', accounts: 1, clients: 0 });
    const peer = await keep(startReplyFrom(folder, upstream));
    const bridge = await keep(
      startBridge({
        folder,
        upstream,
        seeded,
        name: 'bridge, forward, crosswalk off',
        identifiers: 'number',
      }),
    );
    const direct = { origin: upstream.origin, ...v3Call() };
    const proxies = [
      {
        name: peer.name,
        asked: { origin: peer.origin, ...v3Call() },
        p50: [] as number[],
        p99: [] as number[],
      },
      {
        name: bridge.name,
        asked: { origin: bridge.origin, ...legacyCall(accountKey(0)) },
        p50: [] as number[],
        p99: [] as number[],
      },
    ];
    for (const { asked } of proxies) await steady(asked, PER_SECOND, 2 * seconds);
    for (let run = 0; run < runs; run += 1) {
      const bare = await steady(direct, PER_SECOND, seconds);
      for (const { asked, p50, p99 } of proxies) {
        const millis = await steady(asked, PER_SECOND, seconds);
        p50.push(quantile(millis, 0.5) - quantile(bare, 0.5));
        p99.push(quantile(millis, 0.99) - quantile(bare, 0.99));
      }
    }
    note(
      proxies.map(({ name, p50, p99 }) => ({
        ...{ section: 'latency', subject: name, accounts: 1, cpuMicros: null, peakMb: null },
        ratio: spreadOf(p99).median / spreadOf(proxies[0]?.p99 ?? []).median,
        peer: peer.name,
        other: { p50: spreadOf(p50).median, p99: spreadOf(p99).median },
      })),
    );
    return `## Added latency at ${PER_SECOND.toLocaleString('en')} requests a second\n\n${table(
      ['proxy', 'p50, ms', 'p99, ms'],
      proxies.map(({ name, p50, p99 }) => [name, spread(spreadOf(p50)), spread(spreadOf(p99))]),
    )}`;
  });
}
