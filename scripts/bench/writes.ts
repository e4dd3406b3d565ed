import { join } from 'node:path';
import { withServers, type Bench } from './bench.ts';
import { clientNumber, clientUuid, updatedLegacy, updatedV3 } from './documents.ts';
import { fetchOneByOne, saturate, type Asked } from './load.ts';
import { compared, inTurn, type Subject } from './runs.ts';
import { accountKey, API_KEY, PASSED_KEY, seed } from './seed.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startReplyFrom, startUpstream, type BridgeSettings } from './servers.ts';

type Call = Omit<Asked, 'origin'>;

const WITHOUT = ['--import', join(import.meta.dirname, 'without-ledger.ts')];

/** The cost of the ledger for a write: processor time, saturated, and the time of one write after the other. */
export async function writes(bench: Bench): Promise<string> {
  const { folder, quick, runs } = bench;
  const requests = quick ? 1_000 : 2_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const bridge = async (name: string, more: Partial<BridgeSettings> = {}): Promise<ServerProcess> => {
      const seeded = await seed({ folder, name, accounts: 1, clients: 2 });
      return keep(startBridge({ ...{ folder, upstream, seeded, name }, identifiers: 'uuid', ...more }));
    };
    const peer = await keep(startReplyFrom(folder, upstream));
    const bare = await bridge('without', { nodeOptions: WITHOUT });
    const full = await bridge('with');
    const proxies: readonly (readonly [string, ServerProcess, Call])[] = [
      [peer.name, peer, onV3()],
      [PASSED_BARE, bare, onLegacy(PASSED_KEY)],
      ['pass-through', full, onLegacy(PASSED_KEY)],
      [FORWARD_BARE, bare, onLegacy(accountKey(0))],
      ['forward', full, onLegacy(accountKey(0))],
    ];
    const cpu: Subject[] = [];
    const alone: Subject[] = [];
    for (const [name, server, call] of proxies) {
      const asked = { ...call, origin: server.origin };
      await saturate(asked, requests);
      cpu.push({ name, measure: () => processorTime(server, asked, requests) });
      alone.push({ name, measure: () => timeOfOne(asked, requests / 10) });
    }
    const peers = [
      { name: peer.name, short: 'reply-from' },
      { name: PASSED_BARE, short: PASSED_BARE },
      { name: FORWARD_BARE, short: FORWARD_BARE },
    ];
    const [saturated, one] = [await inTurn(cpu, runs), await inTurn(alone, runs)];
    return `## Writes\n\n${compared(['proxy', 'CPU µs per write'], saturated, peers)}\n\n${compared(
      ['proxy', 'ms per write, one after the other'],
      one,
      peers,
    )}`;
  });
}

const PASSED_BARE = 'pass-through without the ledger';
const FORWARD_BARE = 'forward without the ledger';

async function processorTime(server: ServerProcess, asked: Asked, requests: number): Promise<number> {
  const before = server.cpuSeconds();
  await saturate(asked, requests);
  return ((server.cpuSeconds() - before) / requests) * 1_000_000;
}

async function timeOfOne(asked: Asked, requests: number): Promise<number> {
  const before = performance.now();
  await fetchOneByOne(asked, requests);
  return (performance.now() - before) / requests;
}

let nth = 0;

/** Different bytes each time, because an identical write would first be compared with the earlier one. */
const message = (id: string): string => {
  nth += 1;
  return `<Client>${id}<Name>Harbour &amp; Sons 1</Name><Phone>${nth}</Phone></Client>`;
};

/** `client.update`, as a legacy program sends it; the answer is the whole client. */
const onLegacy = (key: string): Call => ({
  path: () => `/client.api/update?apiKey=${API_KEY}&accountKey=${key}`,
  sent: { verb: 'PUT', message: () => message(`<ID>${clientNumber(1)}</ID>`) },
  body: updatedLegacy(),
});

/** The same on V3, for a peer that only passes it on. */
const onV3 = (): Call => ({
  path: () => '/v3/client.api/update',
  sent: { verb: 'PUT', message: () => message(`<UUID>${clientUuid(1)}</UUID>`) },
  body: updatedV3(),
});
