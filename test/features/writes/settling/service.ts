import { identifierSyncOf } from '../../../../src/app/wiring/features/moving.ts';
import { EVERY_ACCOUNT } from '../../../../src/mapping/routes/routes.ts';
import { freePort, RunningBridge, type ProfileChange } from '../../../support/bridge.ts';
import { RunningSandbox } from '../../../support/sandbox.ts';

export const API_KEY = '0123456789ABCDEF0123456789ABCDEF';

export const surfaces = ['v1', 'v3', 'v2'] as const;
export type Surface = (typeof surfaces)[number];

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A bridge before the played service, with one account that is served by one of its three forms. */
export interface Scene {
  readonly bridge: RunningBridge;
  readonly sandbox: RunningSandbox;
  call(line: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** So far the bridge's clock is ahead of the service's from now on. */
  ahead(millis: number): void;
  /** The next request of the operation goes wrong. */
  fault(operation: string, fault: object): Promise<void>;
  close(): Promise<void>;
}

interface Seed {
  readonly name: string;
  readonly accountKey: string;
  readonly users: readonly { readonly name: string }[];
}

/** `database`: PostgreSQL's address; a file of its own otherwise. */
export async function scene(
  surface: Surface,
  seed: object,
  {
    durations = {},
    env = {},
  }: {
    readonly durations?: NonNullable<ProfileChange['durations']>;
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Scene> {
  const { name, accountKey, users } = seed as Seed;
  let ahead = 0;
  const port = await freePort();
  const sandbox = await RunningSandbox.start({
    protocol: { limits: { perMinute: null } },
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([seed]);
  const bridge = await RunningBridge.start({
    ...{ port, sandbox: sandbox.url, clock: { now: () => Date.now() + ahead } },
    profile: { limits: { perMinute: 1_000_000 }, durations },
    env: { ...(surface === 'v2' && { CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2` }), ...env },
  });
  await bridge.add({ name, accountKey, apiKey: API_KEY, product: 'standard' });
  // As the hourly job does: without it nobody knows which numbers V1 has given already.
  const { account } = (await bridge.services.accounts.show(name)) ?? {};
  if (surface === 'v1' && account) await identifierSyncOf(bridge.services).learn(account);
  if (surface !== 'v1') await bridge.migrate(name, users[0]?.name ?? '');
  if (surface === 'v2')
    for (const { id, v2 } of bridge.services.mapping.methods)
      if (v2?.way === 'steps') await bridge.services.store.routes.set([id], EVERY_ACCOUNT, 'v2', 'test');
  return {
    bridge,
    sandbox,
    async call(line, body, headers = {}) {
      const [verb = '', path = ''] = line.split(' ');
      const url = `${bridge.url}/${path}${path.includes('?') ? '&' : '?'}apiKey=${API_KEY}&accountKey=${accountKey}`;
      const answer = await fetch(url, { method: verb, headers, ...(body !== undefined && { body }) });
      return { status: answer.status, headers: answer.headers, body: await answer.text() };
    },
    ahead: (millis) => {
      ahead = millis;
    },
    fault: async (operation, fault) => {
      await sandbox.control('POST', 'faults', { on: { surface, operation }, ...fault });
    },
    async close() {
      await bridge.stop();
      await sandbox.close();
    },
  };
}
