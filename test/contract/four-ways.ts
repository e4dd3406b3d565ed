import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from '../../src/lib/xml/read.ts';
import { defaultLimits } from '../../src/lib/xml/limits.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { clockFrom } from '../support/clock.ts';
import { Sender } from '../support/http.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { API_KEY } from './lanes.ts';
import { RecordWatch } from './record-watch.ts';

/** The methods that have a way over V2. */
const overV2 = deliveredMapping().methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? id : []));

/** The ways between a program and the service: by V1 itself, and over the bridge by V3, by V2 with V3 behind, and by V2. */
export const ways = ['V1', 'V3', 'V2 and V3', 'V2 alone'] as const;
export type Way = (typeof ways)[number];

/** An organisation of the service. */
export interface Seed {
  readonly name: string;
  readonly accountKey: string;
  readonly users: readonly { readonly name: string }[];
}

/** One service and its bridges: every way to it. */
export class Service {
  readonly sandbox: RunningSandbox;
  readonly watch: RecordWatch;
  readonly #bridges: readonly RunningBridge[];
  readonly #folder: string;
  readonly #senders: ReadonlyMap<Way, Sender>;
  readonly #key: string;

  private constructor(
    sandbox: RunningSandbox,
    folder: string,
    bridges: readonly [RunningBridge, RunningBridge, RunningBridge],
    key: string,
  ) {
    this.sandbox = sandbox;
    this.#folder = folder;
    this.watch = new RecordWatch(join(folder, 'service.db'));
    this.#bridges = bridges;
    const roots = [`${sandbox.url}/v1/`, ...bridges.map(({ url }) => `${url}/`)];
    this.#senders = new Map(ways.map((way, at) => [way, new Sender(roots[at] ?? '')]));
    this.#key = key;
  }

  /** `alone`: settings of the bridge that has V2 alone. */
  static async open(seed: Seed, alone: Readonly<Record<string, string>> = {}): Promise<Service> {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-round-trip-'));
    const ports = [await freePort(), await freePort(), await freePort()];
    const clock = clockFrom('2026-11-20T09:30:00Z');
    const sandbox = await RunningSandbox.start({
      clock,
      database: join(folder, 'service.db'),
      protocol: { limits: { perMinute: null } },
      redirectUris: ports.map((port) => `http://127.0.0.1:${String(port)}/_causeway/callback`),
    });
    await sandbox.seed([seed]);
    const opened = async (at: number, way: Way): Promise<RunningBridge> => {
      const hasV2 = way !== 'V3';
      const bridge = await RunningBridge.start({
        port: ports[at] ?? 0,
        sandbox: sandbox.url,
        clock,
        profile: {
          limits: { perMinute: 1_000_000 },
          v3: { pageSizes: { default: 100 }, standsInForV2: way !== 'V2 alone' },
        },
        env: {
          ...(hasV2 && { CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2` }),
          ...(way === 'V2 alone' && alone),
        },
      });
      await bridge.add({
        name: seed.name,
        accountKey: seed.accountKey,
        apiKey: API_KEY,
        product: 'standard',
      });
      await bridge.migrate(seed.name, seed.users[0]?.name ?? '');
      if (hasV2) await bridge.services.store.routes.set(overV2, EVERY_ACCOUNT, 'v2', 'test');
      return bridge;
    };
    const bridges = [
      await opened(0, 'V3'),
      await opened(1, 'V2 and V3'),
      await opened(2, 'V2 alone'),
    ] as const;
    return new Service(sandbox, folder, [bridges[0], bridges[1], bridges[2]], seed.accountKey);
  }

  async send(way: Way, verb: string, path: string, body?: string): Promise<XmlElement> {
    const joined = path.includes('?') ? '&' : '?';
    const root = way === 'V1' ? '/v1/' : '/';
    const target = `${root}${path}${joined}apiKey=${API_KEY}&accountKey=${this.#key}`;
    const sender = this.#senders.get(way);
    const answer = await sender?.send({ verb, target, body });
    return readDocument(answer?.text ?? '', { ...defaultLimits, elements: 1_000_000 });
  }

  /** The records that a read shows, by their place. */
  async records(way: Way, path: string, names: readonly string[]): Promise<readonly XmlElement[]> {
    const answer = await this.send(way, 'GET', path);
    return names.reduce<readonly XmlElement[]>(
      (all, name) => all.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [answer],
    );
  }

  async close(): Promise<void> {
    for (const sender of this.#senders.values()) sender.close();
    for (const bridge of this.#bridges) await bridge.stop();
    this.watch.close();
    await this.sandbox.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
