import { withServers, type Bench } from './bench.ts';
import { clientNumber, clientUuid, smallLegacy, smallV3 } from './documents.ts';
import { accountKey, API_KEY, seed, PASSED_KEY } from './seed.ts';
import { saturate, type Asked } from './load.ts';
import { compared, inTurn, type Subject } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startNginx, startReplyFrom, startUpstream } from './servers.ts';

/** Accounts that call in turn: what is kept for each must not cost more than what is kept for one. */
const MANY = 500;

/** Processor time of a proxy for one small reply, saturated, with one account and with many. */
export async function smallReply(bench: Bench): Promise<string> {
  const { folder, quick, runs } = bench;
  const requests = quick ? 3_000 : 4_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'small', accounts: 1, clients: 2 });
    const common = { folder, upstream, seeded };
    const peer = await keep(startReplyFrom(folder, upstream));
    const nginx = await keep(startNginx(folder, upstream));
    const uuids = await keep(startBridge({ ...common, name: 'bridge', identifiers: 'uuid' }));
    const others = await seed({ folder, name: 'numbers', accounts: MANY, clients: 0 });
    const numbers = await keep(
      startBridge({ ...common, seeded: others, name: 'bridge with numbers', identifiers: 'number' }),
    );
    const subjects: (Subject & { readonly warmUp: () => Promise<void> })[] = [
      ...(nginx === undefined ? [] : [subject('nginx', nginx, v3Call)]),
      subject(peer.name, peer, v3Call),
      subject('bridge, pass-through', uuids, () => legacyCall(PASSED_KEY)),
      subject('bridge, forward, crosswalk off', numbers, () => legacyCall(accountKey(0))),
      subject(`bridge, forward, crosswalk off, ${MANY} accounts in turn`, numbers, () => inTurnOf(MANY)),
      subject('bridge, forward with the crosswalk', uuids, () => legacyCall(accountKey(0))),
    ];
    for (const { warmUp } of subjects) await warmUp();
    const figures = await inTurn(subjects, runs);
    const left = nginx === undefined ? '\n\nnginx is not installed and was left out.' : '';
    return `## Small reply\n\n${compared(['proxy', 'CPU µs per request'], figures, [
      { name: peer.name, short: 'reply-from' },
      { name: 'nginx', short: 'nginx' },
    ])}${left}`;

    function subject(
      name: string,
      server: ServerProcess,
      call: () => Pick<Asked, 'path' | 'body'>,
    ): (typeof subjects)[number] {
      const asked = { origin: server.origin, ...call() };
      return {
        name,
        warmUp: () => saturate(asked, 2 * requests),
        measure: async () => {
          const before = server.cpuSeconds();
          await saturate(asked, requests);
          return ((server.cpuSeconds() - before) / requests) * 1_000_000;
        },
      };
    }
  });
}

/** `client.get`, as a legacy program sends it. */
export const legacyCall = (key: string): Pick<Asked, 'path' | 'body'> => ({
  path: () => `/client.api/get/${clientNumber(1)}?apiKey=${API_KEY}&accountKey=${key}`,
  body: smallLegacy(),
});

/** The same of many accounts, one after the other. */
function inTurnOf(accounts: number): Pick<Asked, 'path' | 'body'> {
  let at = 0;
  const path = (): string => legacyCall(accountKey(at++ % accounts)).path();
  return { path, body: smallLegacy() };
}

/** The same call of V3, for a peer that only hands it on. */
export const v3Call = (): Pick<Asked, 'path' | 'body'> => ({
  path: () => `/v3/client.api/get/${clientUuid(1)}`,
  body: smallV3(),
});
