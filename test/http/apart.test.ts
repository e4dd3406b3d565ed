import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { API_KEY } from '../support/legacy.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const ACCOUNT_KEY = 'A0000000000000000000000000000001';

let sandbox: RunningSandbox;
let bridge: RunningBridge;
let programs: string;

beforeAll(async () => {
  const [port, legacyPort] = [await freePort(), await freePort()];
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([
    {
      name: 'Harbour Lane',
      accountKey: ACCOUNT_KEY,
      apiKeys: [API_KEY],
      users: [{ name: 'Ana', email: 'ana@x.example', administrator: true, privilege: true }],
      clients: [{ number: 1, name: 'Apex' }],
    },
  ]);
  programs = `http://127.0.0.1:${String(legacyPort)}`;
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    env: { CAUSEWAY_LEGACY_PORT: String(legacyPort) },
  });
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

const LIST = `/client.api/list?apiKey=${API_KEY}&accountKey=${ACCOUNT_KEY}`;

async function answer(url: string): Promise<{ status: number; type: string; body: string }> {
  const response = await fetch(url, { redirect: 'manual' });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: await response.text(),
  };
}

it('a bridge with a separate listener for operators serves legacy programs at theirs, and nowhere else', async () => {
  const served = await answer(`${programs}${LIST}`);
  expect(served).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' });
  expect(served.body).toContain('<Name>Apex</Name>');
  const elsewhere = await answer(`${bridge.url}${LIST}`);
  expect(elsewhere).toMatchObject({ status: 404, type: 'text/xml; charset=utf-8' });
  expect(elsewhere.body).toContain('<Status>ERROR</Status>');
});

it.each(['console', 'api/openapi.json', 'connect/x', 'callback', 'assets/pages.css'])(
  'a listener for legacy programs alone shows no %s: the reply is XML',
  async (page) => {
    const served = await answer(`${programs}/_causeway/${page}`);
    expect(served).toMatchObject({ status: 404, type: 'text/xml; charset=utf-8' });
    expect((await answer(`${bridge.url}/_causeway/${page}`)).type).not.toContain('xml');
  },
);

it('a bridge with two listeners serves its health checks at both', async () => {
  for (const base of [programs, bridge.url])
    for (const probe of ['live', 'ready'])
      expect((await answer(`${base}/_causeway/health/${probe}`)).status).toBe(200);
});
