import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, request as ask, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemTimer } from '../../../src/lib/time/timer.ts';
import { freePort, RunningBridge } from '../../support/bridge.ts';
import { eventually } from '../../support/clock.ts';
import { attributeOf, OtlpReceiver, type ReceivedSpan } from '../../support/otlp-receiver.ts';
import { RunningSandbox } from '../../support/sandbox.ts';

const API_KEY = '0123456789abcdef0123456789ABCDEF';
const moved = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D001',
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  clients: [{ number: 1, name: 'Client' }],
};
const legacy = { ...moved, name: 'Old Mill', accountKey: 'A000000000000000000000000000D002' };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
/** Ten times the usual: what goes beyond half of it waits for a tenth of a second each, instead of seconds. */
const PER_MINUTE = 600;
const SOON_MS = 500;

/** Passes requests on to the sandbox, and notes their headers. */
class Relay {
  readonly seen: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = [];
  readonly #server: Server;

  target = '';

  constructor() {
    this.#server = createServer((incoming, outgoing) => {
      const { method, url = '', headers } = incoming;
      const { hostname, port } = new URL(this.target);
      this.seen.push({ url, headers });
      const passed = ask({ hostname, port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
        answer.pipe(outgoing);
      });
      incoming.pipe(passed);
    });
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('the traces of calls', () => {
  let sandbox: RunningSandbox;
  let relay: Relay;
  let receiver: OtlpReceiver;
  let bridge: RunningBridge;

  beforeAll(async () => {
    const port = await freePort();
    relay = new Relay();
    const root = await relay.open();
    const redirectUris = [`http://127.0.0.1:${port}/_causeway/callback`];
    const limits = { perMinute: PER_MINUTE };
    sandbox = await RunningSandbox.start({ redirectUris, publicUrl: root, protocol: { limits } });
    relay.target = sandbox.url;
    await sandbox.seed([moved, legacy]);
    receiver = await OtlpReceiver.open();
    bridge = await RunningBridge.start({
      port,
      sandbox: sandbox.url,
      profile: { limits },
      // Nobody waits for seconds until spans are sent.
      timer: (millis, callback) => systemTimer(Math.min(millis, SOON_MS), callback),
      env: {
        CAUSEWAY_V1_BASE_URL: `${root}/v1`,
        CAUSEWAY_V2_BASE_URL: `${root}/v2`,
        CAUSEWAY_V3_BASE_URL: `${root}/3.0`,
        CAUSEWAY_OTLP_URL: receiver.url,
        CAUSEWAY_OTLP_HEADERS: 'authorization=Bearer%20canary-token,x-team=bridge',
        CAUSEWAY_TRACE_PERCENT: '0',
        CAUSEWAY_ROUTES: 'staff.list=v2',
        // Each of the identical calls has a request of its own to trace.
        CAUSEWAY_SHARE_READS: 'off',
      },
    });
    for (const account of [moved, legacy])
      await bridge.add({ ...account, apiKey: API_KEY, product: 'standard' });
    await bridge.migrate(moved.name, 'Ana Owner');
  });

  afterAll(async () => {
    await bridge.stop();
    await receiver.close();
    relay.close();
    await sandbox.close();
  });

  const traceIds = new Set<string>();
  /** A trace of its own for each call. */
  function newTrace(): string {
    const id = TRACE.slice(0, -4) + (traceIds.size + 1).toString(16).padStart(4, '0');
    traceIds.add(id);
    return id;
  }

  interface Called {
    readonly traceId: string;
    readonly status: number;
    readonly text: string;
    readonly request: string | null;
  }

  async function call(
    path: string,
    {
      account = moved,
      flags = '01',
      init = {},
    }: { account?: typeof moved; flags?: string; init?: RequestInit } = {},
  ): Promise<Called> {
    const traceId = newTrace();
    const headers = { traceparent: `00-${traceId}-${PARENT}-${flags}`, tracestate: 'vendor=opaque' };
    const answer = await fetch(`${bridge.url}/${path}?apiKey=${API_KEY}&accountKey=${account.accountKey}`, {
      ...init,
      headers: { ...headers, ...(init.headers as object) },
    });
    return {
      ...{ traceId, status: answer.status, text: await answer.text() },
      request: answer.headers.get('x-request-id'),
    };
  }

  /** The spans of a trace, once its call's own is there. */
  const spansOf = (traceId: string): Promise<readonly ReceivedSpan[]> =>
    eventually(`the spans of ${traceId} have arrived`, () => {
      const spans = receiver.spans.filter((one) => one.traceId === traceId);
      return spans.some(({ parentSpanId }) => parentSpanId === PARENT) ? spans : undefined;
    });

  const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
    const [first, ...others] = spans.filter((span) => span.name === name);
    if (first === undefined || others.length > 0) throw new Error(`not one span is named ${name}`);
    return first;
  };

  it("show what a call waited for and what was sent, within the caller's trace", async () => {
    const { traceId, status, request } = await call('client.api/get/1');
    expect(status).toBe(200);
    const spans = await spansOf(traceId);
    const root = one(spans, 'GET client.get');
    expect(root).toMatchObject({ parentSpanId: PARENT, traceState: 'vendor=opaque', kind: 2, status: {} });
    expect(attributeOf(root, 'causeway.request')).toBe(request);
    expect(attributeOf(root, 'causeway.source')).toBe('v3');
    expect(attributeOf(root, 'http.response.status_code')).toBe('200');
    const translation = one(spans, 'translation');
    expect(translation).toMatchObject({ parentSpanId: root.spanId, kind: 1 });
    expect(attributeOf(translation, 'causeway.route')).toBe('v3');
    const sent = one(spans, 'GET');
    expect(sent).toMatchObject({ parentSpanId: translation.spanId, kind: 3 });
    const seen = relay.seen.filter(({ headers }) => headers.traceparent?.includes(traceId) === true);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.headers.traceparent).toBe(`00-${traceId}-${sent.spanId}-01`);
    expect(seen[0]?.headers.tracestate).toBe('vendor=opaque');
    for (const { startTimeUnixNano: begun, endTimeUnixNano: ended } of spans) {
      expect(BigInt(begun)).toBeGreaterThanOrEqual(BigInt(root.startTimeUnixNano));
      expect(BigInt(ended)).toBeLessThanOrEqual(BigInt(root.endTimeUnixNano));
    }
  });

  it('show a call that V1 serves, without permit or token', async () => {
    const { traceId, status } = await call('client.api/get/1', { account: legacy });
    expect(status).toBe(200);
    const spans = await spansOf(traceId);
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['GET', 'GET client.get', 'pass-through']);
    const seen = relay.seen.find(({ headers }) => headers.traceparent?.includes(traceId) === true);
    expect(seen?.url).toMatch(/^\/v1\//);
  });

  it('show each request of a call that V2 serves, and of a write', async () => {
    const { traceId, status } = await call('staff.api/list');
    expect(status).toBe(200);
    const spans = await spansOf(traceId);
    expect(attributeOf(one(spans, 'translation'), 'causeway.route')).toBe('v2');
    expect(spans.filter(({ kind }) => kind === 3).length).toBeGreaterThan(0);
    const init = { method: 'POST', body: '<Client><Name>Traced</Name></Client>' };
    const written = await call('client.api/add', { init });
    expect(written.status).toBe(200);
    const ofWrite = await spansOf(written.traceId);
    expect(attributeOf(one(ofWrite, 'POST'), 'http.response.status_code')).toBe('200');
    expect(one(ofWrite, 'POST client.add').kind).toBe(2);
  });

  it('say what went wrong', async () => {
    const { traceId, status } = await call('client.api/nonsense');
    expect(status).toBe(404);
    const spans = await spansOf(traceId);
    expect(one(spans, 'GET').status).toEqual({ code: 2, message: '404' });
    expect(one(spans, 'GET generic').status).toEqual({ code: 2, message: 'unknownMethod' });
  });

  it('have their ids in the log lines of their calls', async () => {
    const { traceId } = await call('client.api/get/1');
    expect(bridge.lines.filter((line) => line.includes('"call"') && line.includes(traceId))).toHaveLength(1);
  });

  it('are omitted, and not passed on, if the caller records nothing', async () => {
    const before = relay.seen.length;
    const { traceId, status } = await call('client.api/list', { flags: '00' });
    expect(status).toBe(200);
    expect(relay.seen.slice(before).map(({ headers }) => headers.traceparent)).toEqual([undefined]);
    const later = await call('client.api/get/1');
    await spansOf(later.traceId);
    expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('start for the configured share of calls without one, here none', async () => {
    const before = relay.seen.length;
    const query = `apiKey=${API_KEY}&accountKey=${moved.accountKey}`;
    expect((await fetch(`${bridge.url}/client.api/get/1?${query}`)).status).toBe(200);
    expect(relay.seen.slice(before).map(({ headers }) => headers.traceparent)).toEqual([undefined]);
  });

  it('contain no key, and are sent with the configured headers', async () => {
    const { traceId } = await call('client.api/get/1');
    await spansOf(traceId);
    const bodies = receiver.requests.map(({ body }) => body).join();
    expect(bodies).not.toContain(API_KEY);
    expect(bodies).not.toContain(moved.accountKey);
    expect(bodies).not.toMatch(/canary|Bearer|Client A/);
    for (const { headers } of receiver.requests)
      expect([headers.authorization, headers['x-team']]).toEqual(['Bearer canary-token', 'bridge']);
    expect(receiver.faults).toEqual([]);
    expect(JSON.stringify(receiver.resources)).toContain('"service.name","value":{"stringValue":"causeway"}');
  });

  it('show how long a call waited for the rate limit', async () => {
    // Half of the limit goes at once.
    const length = PER_MINUTE / 2 + 1;
    const several = await Promise.all(Array.from({ length }, () => call('client.api/get/1')));
    const traces = new Set(several.map(({ traceId }) => traceId));
    const ofWait = await eventually('the spans of a call that waited have arrived', () => {
      const all = receiver.spans.filter(({ traceId }) => traces.has(traceId));
      const waited = all.find(({ name }) => name === 'wait for a permit')?.traceId;
      const spans = all.filter(({ traceId }) => traceId === waited);
      return spans.some(({ parentSpanId }) => parentSpanId === PARENT) ? spans : undefined;
    });
    const wait = one(ofWait, 'wait for a permit');
    expect(wait).toMatchObject({ parentSpanId: one(ofWait, 'translation').spanId, kind: 1, status: {} });
    expect(BigInt(one(ofWait, 'GET').startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(wait.endTimeUnixNano));
  });
});
