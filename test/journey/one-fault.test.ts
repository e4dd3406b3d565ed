import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { answer, badServer, nobody, silence, type BadServer } from '../upstream/server.ts';
import { until } from '../support/clock.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const accounts = { slow: 'B0000000000000000000000000000001', quick: 'B0000000000000000000000000000002' };

let bridge: RunningBridge;
let service: BadServer;

afterEach(async () => {
  await service.close();
  await bridge.stop();
});

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  service = await badServer((request, response, nth) => {
    const isSlow = request.url?.includes(accounts.slow) === true;
    (isSlow ? silence : answer('<Response><Status>OK</Status></Response>'))(request, response, nth);
  });
  // No job runs by itself: that which learns the numbers of new accounts asks the service as well.
  const timer = () => () => undefined;
  bridge = await RunningBridge.start({ port: await freePort(), sandbox: service.origin, timer, env });
  for (const [name, accountKey] of Object.entries(accounts))
    await bridge.add({ name, accountKey, apiKey: API_KEY, product: 'standard' });
}

const call = (accountKey: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${bridge.url}/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey}`, signal ? { signal } : {});

describe('a bridge with a customer whose calls hang', () => {
  it('refuses further calls of that customer in the legacy form, and serves the others', async () => {
    await start({ CAUSEWAY_UPSTREAM_CONNECTIONS: '8', CAUSEWAY_CONNECTION_WAIT_SECONDS: '0' });
    const leaving = new AbortController();
    const hanging = call(accounts.slow, leaving.signal).catch(() => 'left');
    await until('the call that hangs', () => service.seen.length === 1);
    const refused = await call(accounts.slow);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.text()).toContain(
      '<ErrorDescription>No connection to the service came free in time: nothing was sent. Try again later</ErrorDescription>',
    );
    expect((await call(accounts.quick)).status).toBe(200);
    expect(service.seen).toHaveLength(2);
    leaving.abort();
    expect(await hanging).toBe('left');
  });
});

describe('a bridge whose upstream refuses connections', () => {
  it('reports that to callers, in health, log and metrics', async () => {
    await start({ CAUSEWAY_V1_BASE_URL: nobody });
    for (let nth = 0; nth < 3; nth += 1) expect((await call(accounts.quick)).status).toBe(503);
    const refused = await call(accounts.slow);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await refused.text()).toContain(
      '<ErrorDescription>The service cannot be reached at the moment: nothing was sent. Try again later</ErrorDescription>',
    );
    const ready = await fetch(`${bridge.url}/_causeway/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({
        degraded: { v1: 'V1 does not answer: nothing is sent there' },
      }),
    ]);
    const metrics = await (await fetch(bridge.metrics)).text();
    expect(metrics).toContain('causeway_breaker_open{breaker="v1"} 1');
    expect(metrics).toContain('causeway_breaker_open{breaker="v3"} 0');
    expect(bridge.lines.some((line) => line.includes('"upstream.unavailable","root":"v1"'))).toBe(true);
  });
});
