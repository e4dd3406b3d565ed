import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { smallLegacy } from '../bench/documents.ts';
import { accountKey, API_KEY, seed, PASSED_KEY } from '../bench/seed.ts';

/**
 * The effect of a fault at one upstream root, or of one account, on all others. Runs the whole bridge in this process,
 * in front of a service that hangs, refuses or resets as the scene requires; 40 accounts on V3 and one on V1. The
 * others call once every half second each; counted are those of their calls that were answered during the fault.
 *
 * node scripts/chaos/bulkheads.ts [--seconds N] [--only WORD]
 */

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '15' }, only: { type: 'string' } },
});
const SECONDS = Number(values.seconds);
const ACCOUNTS = 40;
/** Accounts whose own calls hang in the first scene. */
const SLOW = 3;
/** How long the service's answers to abandoned calls are awaited, on connections of their accounts. */
const LINGER_MS = 11_000;
const GET = '/client.api/get/1000000';

type Behaviour = 'answer' | 'hang' | 'reset';

/** A service whose two halves behave as set. */
class Service {
  readonly #server = createServer((request, response) => {
    this.#serve(request, response);
  }).on('connection', (socket) => {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  });
  readonly #sockets = new Set<Socket>();
  v1: Behaviour = 'answer';
  v3: Behaviour = 'answer';
  /** The behaviour for calls of one method, by any account. */
  list: Behaviour = 'answer';
  /** Requests for data of an account. */
  requests = 0;
  probes = 0;

  async open(port = 0): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  /** Refuses connections from now on. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    if (url === '/v1/' || url === '/v3/') this.probes += 1;
    else this.requests += 1;
    const behaviour = url.includes('.api/list') ? this.list : url.startsWith('/v1/') ? this.v1 : this.v3;
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') request.socket.destroy();
    else response.writeHead(200, { 'content-type': 'text/xml' }).end(smallLegacy());
  }
}

interface Ended {
  readonly status: number | 'unanswered';
  readonly millis: number;
}

interface Scene {
  readonly name: string;
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
  /** Calls that meet the fault, all at the same time. */
  readonly struck: readonly string[];
  /** The calls of the other accounts, and which accounts make them. */
  readonly others: readonly string[];
}

const legacy = (path: string, key: string): string => `${path}?apiKey=${API_KEY}&accountKey=${key}`;
const times = <T>(many: number, make: (index: number) => T): T[] =>
  Array.from({ length: many }, (_, index) => make(index));

const folder = await mkdtemp(join(tmpdir(), 'causeway-bulkheads-'));
const service = new Service();
const port = await service.open();
const root = `http://127.0.0.1:${port}`;
const seeded = await seed({ folder, name: 'bulkheads', accounts: ACCOUNTS, clients: 10 });
const settings = readSettings({
  env: {
    CAUSEWAY_PORT: '0',
    CAUSEWAY_METRICS_PORT: '0',
    CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
    CAUSEWAY_DATABASE_URL: seeded.database,
    CAUSEWAY_ENCRYPTION_KEYS: seeded.encryptionKeys,
    CAUSEWAY_V1_BASE_URL: `${root}/v1`,
    CAUSEWAY_V3_BASE_URL: `${root}/v3`,
    CAUSEWAY_AUTH_URL: root,
    CAUSEWAY_CONNECTIONS_URL: `${root}/connections`,
    CAUSEWAY_CLIENT_ID: 'chaos',
    CAUSEWAY_CLIENT_SECRET: 'chaos',
    CAUSEWAY_UPSTREAM_PROFILE: seeded.profile('number'),
  },
});
const bridge = await compose(settings, { clock: systemClock, log: silentLog });
const { port: bridgePort } = await bridge.start();

async function call(target: string, signal: AbortSignal): Promise<Ended> {
  const begun = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${bridgePort}${target}`, { signal });
    const text = await answer.text();
    if (answer.status === 200 && !text.includes('<Status>OK</Status>')) throw new Error(text);
    return { status: answer.status, millis: performance.now() - begun };
  } catch (error) {
    if (!signal.aborted) console.log(String(error));
    return { status: 'unanswered', millis: performance.now() - begun };
  }
}

/** Calls every half second, whatever the result of the previous call; the last one a second before the end. */
async function calling(target: string, until: AbortSignal): Promise<Ended[]> {
  const calls: Promise<Ended>[] = [];
  for (let nth = 0; nth < 2 * (SECONDS - 1); nth += 1) {
    calls.push(call(target, until));
    await pause(500);
  }
  return Promise.all(calls);
}

function counts(ends: readonly Ended[]): string {
  const byStatus = new Map<Ended['status'], number[]>();
  for (const { status, millis } of ends) byStatus.set(status, [...(byStatus.get(status) ?? []), millis]);
  return [...byStatus]
    .map(([status, millis]) => {
      const sorted = millis.toSorted((one, other) => one - other);
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
      return `${status} ×${millis.length} (median ${median.toFixed(0)} ms)`;
    })
    .join(', ');
}

async function play({ name, begin, end, struck, others }: Scene): Promise<void> {
  await begin();
  service.requests = 0;
  service.probes = 0;
  const fault = new AbortController();
  const hanging = struck.map((target) => call(target, fault.signal));
  await pause(500);
  const ends = others.map((target) => calling(target, fault.signal));
  await pause(SECONDS * 1_000);
  const { requests, probes } = service;
  fault.abort();
  const answered = (await Promise.all(ends)).flat();
  const met = await Promise.all(hanging);
  await end();
  const begun = performance.now();
  while ((await call(others[0] ?? '', AbortSignal.timeout(5_000))).status !== 200) await pause(100);
  console.log(`\n${name}`);
  if (met.length > 0) console.log(`  the calls that meet it: ${counts(met)}`);
  console.log(`  the others' calls:      ${counts(answered)}`);
  console.log(`  requests that reached the service ${requests}, probes ${probes}`);
  console.log(`  served again ${((performance.now() - begun) / 1_000).toFixed(1)} s after the fault`);
  await pause(LINGER_MS);
}

/** Makes a thousand calls of all accounts in turn, each of which is reset. */
async function resets(): Promise<void> {
  service.v3 = 'reset';
  service.requests = 0;
  const ends: Ended[] = [];
  for (let nth = 0; nth < 1_000; nth += 1)
    ends.push(await call(legacy(GET, accountKey(nth % ACCOUNTS)), AbortSignal.timeout(60_000)));
  service.v3 = 'answer';
  console.log('\n1,000 calls of 40 accounts, all reset');
  console.log(`  ${counts(ends)}`);
  console.log(`  requests that reached the service ${service.requests}`);
}

const atV3 = (from: number): string[] =>
  times(ACCOUNTS - from, (index) => legacy(GET, accountKey(from + index)));

const scenes: readonly Scene[] = [
  {
    name: `${SLOW} accounts × 50 calls of V3 hang; the other ${ACCOUNTS - SLOW} accounts call V3`,
    begin: () => {
      service.list = 'hang';
    },
    end: () => {
      service.list = 'answer';
    },
    struck: times(SLOW * 50, (index) => legacy('/client.api/list', accountKey(index % SLOW))),
    others: atV3(SLOW),
  },
  {
    name: `200 calls of V1 hang; ${ACCOUNTS} accounts call V3`,
    begin: () => {
      service.v1 = 'hang';
    },
    end: () => {
      service.v1 = 'answer';
    },
    struck: times(200, () => legacy(GET, PASSED_KEY)),
    others: atV3(0),
  },
  {
    name: `V3 answers nobody; ${ACCOUNTS} accounts call it, and one calls V1`,
    begin: () => {
      service.v3 = 'hang';
    },
    end: () => {
      service.v3 = 'answer';
    },
    struck: [],
    others: [...atV3(0), legacy(GET, PASSED_KEY)],
  },
  {
    name: `V1 and V3 refuse connections; ${ACCOUNTS} accounts call V3, and one calls V1`,
    begin: () => service.close(),
    end: async () => {
      await service.open(port);
    },
    struck: [],
    others: [...atV3(0), legacy(GET, PASSED_KEY)],
  },
];

console.log(`node ${process.version}, ${SECONDS} s for each scene`);
try {
  for (const scene of scenes)
    if (values.only === undefined || scene.name.includes(values.only)) await play(scene);
  if (values.only === undefined || 'reset'.includes(values.only)) await resets();
} finally {
  await service.close();
  await bridge.stop();
  await rm(folder, { recursive: true, force: true });
}
