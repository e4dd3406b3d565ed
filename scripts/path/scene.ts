import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import type { Application } from '../../src/app/running-bridge.ts';
import type { Services } from '../../src/app/wiring/services.ts';
import { freePort } from '../../src/lib/free-port.ts';

/** The two sample organisations of the sandbox, alike except for their keys. */
const MOVED = { name: 'Sample organisation 1', accountKey: 'B0000000000000000000000000000001' };
const PASSED = { name: 'Sample organisation 2', accountKey: 'B0000000000000000000000000000002' };
const API_KEY = 'sample';
const CLIENTS = 10;
const ADMINISTRATOR = 'Maren Holt';
const OAUTH_CLIENT = { id: 'path', secret: 'path-secret' };
const READY_MS = 120_000;
const MOVED_MS = 120_000;
/** After this time the bridge sees the choices of another process. */
const NOTICED_MS = 1_100;
const AFTERWARDS_MS = 20;

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * A bridge in this process, in front of a sandbox in a process of its own: one account that has moved and one that is
 * passed through. Import this module after the trace is installed.
 */
export class Scene {
  readonly #sandbox: ChildProcess;
  readonly #application: Application;
  readonly #services: Services;
  readonly #url: string;
  readonly #folder: string;
  readonly #clock: { advanced: number };

  private constructor(
    sandbox: ChildProcess,
    application: Application,
    services: Services,
    url: string,
    folder: string,
    clock: { advanced: number },
  ) {
    this.#sandbox = sandbox;
    this.#application = application;
    this.#services = services;
    this.#url = url;
    this.#folder = folder;
    this.#clock = clock;
  }

  static async open(): Promise<Scene> {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-path-'));
    const [bridgePort, sandboxPort] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${bridgePort}`;
    const service = `http://127.0.0.1:${sandboxPort}`;
    const sandbox = await startSandbox(sandboxPort, `${url}/_causeway/callback`);
    await control(service, 'seed', { size: CLIENTS });
    await control(service, 'seed', { size: CLIENTS });
    await control(service, 'settings', { protocol: { limits: { perMinute: null } } });
    const clock = { advanced: 0 };
    const { application, services } = await startBridge(folder, bridgePort, service, clock);
    const scene = new Scene(sandbox, application, services, url, folder, clock);
    await scene.#addAccounts();
    return scene;
  }

  /** Sends one call and reads its whole answer. */
  async call(route: Route, verb: string, path: string, body?: string): Promise<string> {
    const { accountKey } = route === 'v1' ? PASSED : MOVED;
    const separator = path.includes('?') ? '&' : '?';
    const answer = await fetch(
      `${this.#url}/${path}${separator}apiKey=${API_KEY}&accountKey=${accountKey}`,
      body === undefined ? { method: verb } : { method: verb, body, headers: { 'content-type': 'text/xml' } },
    );
    const text = await answer.text();
    if (!text.includes('<Status>OK</Status>')) throw new Error(`${verb} ${path} was answered: ${text}`);
    // Work of the bridge after the reply also belongs to the call.
    await pause(AFTERWARDS_MS);
    return text;
  }

  /** Lets V2 serve the method for the moved account from now on, if it has V2 for it; returns whether it has. */
  async routeTo(method: string, route: Route): Promise<boolean> {
    if (route === 'v1') return true;
    const { EVERY_ACCOUNT } = await import('../../src/mapping/routes/routes.ts');
    const { mapping, store } = this.#services;
    const row = mapping.methods.find(({ id }) => id === method);
    if (route === 'v2' && row?.v2?.way !== 'steps') return false;
    await store.routes.set([method], EVERY_ACCOUNT, route, 'path');
    await pause(NOTICED_MS);
    return true;
  }

  /** Moves the bridge's clock. */
  passMinutes(count: number): void {
    this.#clock.advanced += count * 60_000;
  }

  async close(): Promise<void> {
    await this.#application.stop();
    await this.#services.close();
    this.#sandbox.kill('SIGTERM');
    await once(this.#sandbox, 'exit');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #addAccounts(): Promise<void> {
    const { Secret } = await import('../../src/lib/secret/secret.ts');
    const { giveConsent } = await import('../../src/replay/consent.ts');
    for (const { name, accountKey } of [MOVED, PASSED])
      await this.#services.accounts.add({
        name,
        product: 'standard',
        accountKey: new Secret(accountKey),
        apiKey: new Secret(API_KEY),
      });
    const { path } = await this.#services.accounts.invite(MOVED.name);
    await giveConsent({ link: `${this.#url}${path}`, person: ADMINISTRATOR, organisation: MOVED.name });
    const end = performance.now() + MOVED_MS;
    while ((await this.#services.accounts.show(MOVED.name))?.account.life.stage !== 'migrated') {
      if (performance.now() > end) throw new Error('the account did not move');
      await pause(50);
    }
  }
}

export type Route = 'v1' | 'v3' | 'v2';

async function startBridge(
  folder: string,
  port: number,
  service: string,
  clock: { readonly advanced: number },
): Promise<{ readonly application: Application; readonly services: Services }> {
  const { compose } = await import('../../src/app/compose.ts');
  const { readSettings } = await import('../../src/app/settings/settings.ts');
  const { openServices } = await import('../../src/app/wiring/services.ts');
  const { newKeyLine } = await import('../../src/tokens/sealing/keyring.ts');
  const settings = readSettings({
    env: {
      CAUSEWAY_PORT: String(port),
      CAUSEWAY_METRICS_PORT: '0',
      CAUSEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      CAUSEWAY_V1_BASE_URL: `${service}/v1`,
      CAUSEWAY_V2_BASE_URL: `${service}/v2`,
      CAUSEWAY_V3_BASE_URL: `${service}/3.0`,
      CAUSEWAY_AUTH_URL: service,
      CAUSEWAY_CONNECTIONS_URL: `${service}/connections`,
      CAUSEWAY_UPSTREAM_PROFILE: unlimitedProfile(folder),
      CAUSEWAY_CLIENT_ID: OAUTH_CLIENT.id,
      CAUSEWAY_CLIENT_SECRET: OAUTH_CLIENT.secret,
    },
  });
  const surroundings = { clock: { now: () => Date.now() + clock.advanced }, log: silent };
  const application = await compose(settings, surroundings);
  await application.start();
  return { application, services: await openServices(settings, surroundings) };
}

/** The built-in profile without its rate limit; V2 serves every method routed there. */
function unlimitedProfile(folder: string): string {
  const builtIn = join(import.meta.dirname, '..', '..', 'mappings', 'profiles', 'spec.yaml');
  const path = join(folder, 'profile.yaml');
  const profile = parse(readFileSync(builtIn, 'utf8')) as { readonly v3: object };
  writeFileSync(
    path,
    stringify({ ...profile, v3: { ...profile.v3, standsInForV2: false }, limits: { perMinute: 1_000_000 } }),
  );
  return path;
}

async function startSandbox(port: number, redirectUri: string): Promise<ChildProcess> {
  const application = {
    id: OAUTH_CLIENT.id,
    name: 'The path of a call',
    secrets: [OAUTH_CLIENT.secret],
    redirectUris: [redirectUri],
  };
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', '..', 'src/sandbox/main.ts')], {
    env: {
      ...process.env,
      SANDBOX_PORT: String(port),
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([application]),
    },
    stdio: 'ignore',
  });
  const end = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/_sandbox/clock`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) return child;
    if (child.exitCode !== null || performance.now() > end) throw new Error('the sandbox did not start');
    await pause(50);
  }
}

async function control(service: string, path: string, body: object): Promise<void> {
  const answer = await fetch(`${service}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`the sandbox refused ${path}: ${await answer.text()}`);
  await answer.body?.cancel();
}
