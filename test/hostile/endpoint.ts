import { freePort, RunningBridge } from '../support/bridge.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import { API_KEY } from '../support/legacy.ts';
import { Recorder } from './recorder.ts';

const seedOf = (name: string, accountKey: string) => ({
  name,
  accountKey,
  apiKeys: [API_KEY],
  users: [{ name: `${name} Owner`, email: `${name.toLowerCase()}@hostile.example` }],
  clients: [{ number: 1_000_000, name: 'Target & Co', contacts: [{ number: 193, name: 'Person' }] }],
});

/** A migrated and a legacy account, a closed one, and what the bridge sends on to the service. */
export const accounts = {
  migrated: 'C0000000000000000000000000000001',
  legacy: 'C0000000000000000000000000000002',
  closed: 'C0000000000000000000000000000003',
} as const;

export interface OpenEndpoint {
  readonly port: number;
  readonly bridge: RunningBridge;
  readonly recorder: Recorder;
  close(): Promise<void>;
}

/** The bridge as composed for production, with a recorder between it and the service. */
export async function openEndpoint(): Promise<OpenEndpoint> {
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${String(port)}/_causeway/callback`];
  const recorder = await Recorder.start();
  const protocol = { limits: { perMinute: null } };
  const sandbox = await RunningSandbox.start({ redirectUris, protocol, publicUrl: recorder.url });
  await sandbox.seed([seedOf('Migrated', accounts.migrated), seedOf('Legacy', accounts.legacy)]);
  recorder.lead(sandbox.url);
  const profile = { limits: { perMinute: 1_000_000 } };
  const bridge = await RunningBridge.start({ port, sandbox: recorder.url, profile });
  for (const [name, accountKey] of [
    ['Migrated', accounts.migrated],
    ['Legacy', accounts.legacy],
    ['Closed', accounts.closed],
  ] as const)
    await bridge.add({ name, accountKey, apiKey: API_KEY, product: 'standard' });
  await bridge.migrate('Migrated', 'Migrated Owner');
  await closeAccount(bridge, 'Closed');
  return {
    port,
    bridge,
    recorder,
    async close() {
      await bridge.stop();
      await recorder.close();
      await sandbox.close();
    },
  };
}

async function closeAccount({ services }: RunningBridge, name: string): Promise<void> {
  const view = await services.accounts.show(name);
  if (view === undefined) throw new Error(`there is no account ${name}`);
  const event = { at: services.clock.now(), kind: 'closed', actor: 'operator', detail: 'closed' };
  await services.store.accounts.change(view.account.id, () => ({ stage: 'closed' }), event);
}
