import { withServers, type Bench } from './bench.ts';
import { clientNumber, clientUuid, smallLegacy, smallV3 } from './documents.ts';
import { accountKey, API_KEY, seed, PASSED_KEY } from './seed.ts';
import { saturate, WARM_UP, type Asked } from './load.ts';
import { peers, REPLY_FROM } from './peers.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn, type Subject } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startUpstream } from './servers.ts';

interface Warmed extends Subject {
  readonly accounts: number;
  readonly warmUp: () => Promise<void>;
}

/**
 * Processor time of a proxy for one small reply, saturated, with one account and with many; each bridge is a process of
 * its own, so that none profits from another's calls.
 */
export async function smallReply({ folder, quick, runs, accounts, note }: Bench): Promise<string> {
  const requests = quick ? 3_000 : 12_000;
  return withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, 1));
    const seeded = await seed({ folder, name: 'small', accounts: 1, clients: 2 });
    const others = await seed({ folder, name: 'numbers', accounts, clients: 0 });
    const subjects: Warmed[] = [];
    const missing: string[] = [];
    for (const { name, start } of peers) {
      const server = await keep(start(folder, upstream));
      if (server === undefined) missing.push(name);
      else subjects.push(subject(name, server, v3Call));
    }
    const uuids = { folder, upstream, seeded, identifiers: 'uuid' } as const;
    const numbers = { folder, upstream, seeded: others, identifiers: 'number' } as const;
    const bridge = await keep(startBridge({ ...uuids, name: 'bridge' }));
    const one = await keep(startBridge({ ...numbers, name: 'bridge with numbers' }));
    const copy = await seed({ folder, name: 'many', accounts, clients: 0 });
    const many = await keep(
      startBridge({ ...numbers, seeded: copy, name: `bridge with ${accounts} accounts` }),
    );
    subjects.push(
      subject('bridge, pass-through', bridge, () => legacyCall(PASSED_KEY)),
      subject('bridge, forward, crosswalk off', one, () => legacyCall(accountKey(0))),
      subject(
        `bridge, forward, crosswalk off, ${accounts} accounts`,
        many,
        () => inTurnOf(accounts),
        accounts,
      ),
      subject('bridge, forward with the crosswalk', bridge, () => legacyCall(accountKey(0))),
    );
    for (const { warmUp } of subjects) await warmUp();
    const figures = await inTurn(subjects, runs);
    const calling = new Map(subjects.map((each) => [each.name, each.accounts]));
    note(rowsOf(figures, { section: 'small', peer: REPLY_FROM, micros: 1, accounts: calling }));
    const left = missing.length === 0 ? '' : `\n\nNot installed, and left out: ${missing.join(', ')}.`;
    return `## Small reply\n\n${compared(['proxy', 'CPU µs per request'], figures, [
      { name: REPLY_FROM, short: 'reply-from' },
      { name: 'nginx', short: 'nginx' },
    ])}${left}`;

    function subject(
      name: string,
      server: ServerProcess,
      call: () => Pick<Asked, 'path' | 'body'>,
      calling = 1,
    ): Warmed {
      const asked = { origin: server.origin, ...call() };
      return {
        name,
        accounts: calling,
        warmUp: () => saturate(asked, quick ? 2 * requests : WARM_UP),
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

/** The same for many accounts, one after the other. */
export function inTurnOf(accounts: number): Pick<Asked, 'path' | 'body'> {
  let at = 0;
  const path = (): string => legacyCall(accountKey(at++ % accounts)).path();
  return { path, body: smallLegacy() };
}

/** The same call of V3, for a peer that only passes it on. */
export const v3Call = (): Pick<Asked, 'path' | 'body'> => ({
  path: () => `/v3/client.api/get/${clientUuid(1)}`,
  body: smallV3(),
});
