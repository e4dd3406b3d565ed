import { withServers, type Bench } from './bench.ts';
import { listLegacy, pageV3 } from './documents.ts';
import { digits, spread, spreadOf } from './figures.ts';
import { accountKey, API_KEY, seed } from './seed.ts';
import { fetchOneByOne, type Asked } from './load.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startReplyFrom, startUpstream } from './servers.ts';

const MEGABYTE = 1_000_000;
const CLIENTS = 6_000;

/** A list of 10 MB: the bridge fetches its pages and rewrites every record, the peer passes it on in one piece. */
export async function longList({ folder, quick, runs, note }: Bench): Promise<string> {
  const lists = quick ? 2 : 4;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, CLIENTS));
    const seeded = await seed({ folder, name: 'list', accounts: 1, clients: CLIENTS });
    const peer = await keep(startReplyFrom(folder, upstream));
    const bridge = await keep(
      startBridge({
        folder,
        upstream,
        seeded,
        name: 'bridge, forward with the crosswalk',
        identifiers: 'uuid',
      }),
    );
    const idle = bridge.residentBytes();
    const bytes = Buffer.byteLength(listLegacy(CLIENTS));
    const legacy = {
      path: () => `/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey(0)}`,
      body: listLegacy(CLIENTS),
    };
    const whole = { path: () => '/whole/', body: pageV3(1, CLIENTS, CLIENTS) };
    await fetchOneByOne({ origin: bridge.origin, ...legacy }, 4);
    await fetchOneByOne({ origin: peer.origin, ...whole }, 4);
    const figures = await inTurn([subject(peer, whole), subject(bridge, legacy)], runs);
    const speed = spreadOf((figures.get(bridge.name) ?? []).map((ms) => bytes / MEGABYTE / (ms / 1_000)));
    const peakMb = new Map([[bridge.name, bridge.peakBytes() / MEGABYTE]]);
    note(rowsOf(figures, { section: 'list', peer: peer.name, micros: 1_000, peakMb }));
    return (
      `## List of ${digits(bytes / MEGABYTE)} MB, ${CLIENTS.toLocaleString('en')} clients in pages of 500\n\n` +
      `${compared(['proxy', 'CPU ms per list'], figures, [{ name: peer.name, short: 'reply-from' }])}\n\n` +
      `Speed with the crosswalk: ${spread(speed)} MB of XML per second of processor time. ` +
      `Memory: ${digits(idle / MEGABYTE)} MB idle, ${digits(bridge.peakBytes() / MEGABYTE)} MB at the most.`
    );

    function subject(
      server: ServerProcess,
      call: Pick<Asked, 'path' | 'body'>,
    ): { readonly name: string; readonly measure: () => Promise<number> } {
      return {
        name: server.name,
        measure: async () => {
          const before = server.cpuSeconds();
          await fetchOneByOne({ origin: server.origin, ...call }, lists);
          return ((server.cpuSeconds() - before) / lists) * 1_000;
        },
      };
    }
  });
}
