import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FastPathChoice } from '../../src/http/legacy/legacy.ts';
import { unchanged } from '../../src/proxy/pass-through.ts';
import type { ReadyRead } from '../../src/upstream/ready-read.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { V1Client } from '../../src/upstream/v1.ts';
import { carried, bulkheadTo } from '../upstream/bench.ts';
import { answer, badServer, type BadServer } from '../upstream/server.ts';
import { KEYS, open, openTestServer, type TestServer } from './harness.ts';

/** Counts what a warm read on the fast path costs, never the clock; each guard is shown to see one that is added. */

const REQUEST = `GET /client.api/get/1?${KEYS} HTTP/1.1\r\nHost: a\r\n\r\n`;
/** Longer than what is copied to be sent together with its head. */
const CLIENT = `<Response><Status>OK</Status><Client><Name>${'x'.repeat(10_000)}</Name></Client></Response>`;
const CALLS = 40;

let service: BadServer;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  service = await badServer(answer(CLIENT));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await service.close();
});

/** Pass-through on the fast path. `added`: what a change might add to a call. */
async function bridge(
  added: { readonly begin?: () => void; readonly reply?: (bytes: Buffer) => Buffer } = {},
): Promise<TestServer> {
  const { clock } = carried();
  const transport = new Transport({ answerMs: 10_000, stallMs: 10_000 });
  const bulkhead = bulkheadTo(service.origin, { transport, clock });
  closing.push(() => bulkhead.close(0));
  const v1 = new V1Client({ root: service.origin, bulkhead });
  const begin: FastPathChoice['begin'] = (request) => {
    added.begin?.();
    const ready: ReadyRead | undefined = v1.ready('a1', request);
    const reply = (bytes: Buffer): string | Buffer | undefined => unchanged(added.reply?.(bytes) ?? bytes);
    return ready && { ready, reply, accountId: 'a1', method: 'client.get', source: 'v1' };
  };
  const server = await openTestServer({ fastPath: { begin } });
  await calls(server, 1);
  return server;
}

/** One after the other on one connection, without a promise for each. */
function calls({ port }: TestServer, count: number): Promise<void> {
  const socket = open(port);
  let received = '';
  let left = count;
  return new Promise((resolve) => {
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (!received.endsWith('</Response>')) return;
      received = '';
      left -= 1;
      if (left > 0) socket.write(REQUEST);
      else resolve();
    });
    socket.write(REQUEST);
  });
}

/** How often something is done for each of many calls; what is done once for all of them counts as nothing. */
async function perCall(server: TestServer, count: () => number): Promise<number> {
  const before = count();
  await calls(server, CALLS);
  expect(server.figures.filter(({ isFast }) => isFast === true)).toHaveLength(CALLS + 1);
  return Math.floor((count() - before) / CALLS);
}

/**
 * Promises of the calls, on either side of the bridge. What suites before this one left running in the process makes
 * promises as well, in a context of its own: a server's connections inherit the context it was opened in.
 */
async function promisesOf(open: () => Promise<TestServer>): Promise<number> {
  const ours = new AsyncLocalStorage<true>();
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'PROMISE' && ours.getStore() === true) count += 1;
    },
  });
  return ours.run(true, async () => {
    const server = await open();
    hook.enable();
    try {
      return await perCall(server, () => count);
    } finally {
      hook.disable();
    }
  });
}

/** Objects that the calls add to Sets and Maps, whose tables would keep calls alive (`lib/register.ts`); see `promisesOf`. */
async function membersOf(open: () => Promise<TestServer>): Promise<number> {
  const ours = new AsyncLocalStorage<true>();
  const [add, set] = [
    Reflect.get(Set.prototype, 'add') as (...given: readonly unknown[]) => unknown,
    Reflect.get(Map.prototype, 'set') as (...given: readonly unknown[]) => unknown,
  ];
  let count = 0;
  const counted = (original: typeof add) =>
    function (this: object, ...given: readonly unknown[]): unknown {
      const isObject = given.some((one) => typeof one === 'object' && one !== null);
      if (isObject && ours.getStore() === true) count += 1;
      return Reflect.apply(original, this, given);
    };
  return ours.run(true, async () => {
    const server = await open();
    Object.assign(Set.prototype, { add: counted(add) });
    Object.assign(Map.prototype, { set: counted(set) });
    try {
      return await perCall(server, () => count);
    } finally {
      Object.assign(Set.prototype, { add });
      Object.assign(Map.prototype, { set });
    }
  });
}

/** How many of the bodies that are sent are not the bytes that arrived. */
async function copiesOf(arrived: ReadonlySet<unknown>, server: TestServer): Promise<number> {
  const end = Reflect.get(ServerResponse.prototype, 'end') as (...given: readonly unknown[]) => unknown;
  const fresh = { count: 0 };
  Object.assign(ServerResponse.prototype, {
    end(this: ServerResponse, ...given: readonly unknown[]): unknown {
      const isOurs = this.getHeader('x-causeway-source') !== undefined || this.req.url?.includes('apiKey');
      if (isOurs === true && Buffer.isBuffer(given[0]) && !arrived.has(given[0])) fresh.count += 1;
      return Reflect.apply(end, this, given);
    },
  });
  try {
    return await perCall(server, () => fresh.count);
  } finally {
    Object.assign(ServerResponse.prototype, { end });
  }
}

describe('a warm read on the fast path', () => {
  it('creates no promise', async () => {
    expect(await promisesOf(() => bridge())).toBe(0);
    expect(await promisesOf(() => bridge({ begin: () => void Promise.resolve() }))).toBe(1);
    const reply = (bytes: Buffer): Buffer => {
      void Promise.resolve();
      return bytes;
    };
    expect(await promisesOf(() => bridge({ reply }))).toBe(1);
  });

  it('creates no entry in a Set or Map', async () => {
    expect(await membersOf(() => bridge())).toBe(0);
    const known = new Set<object>();
    expect(await membersOf(() => bridge({ begin: () => void known.add({}) }))).toBe(1);
  });

  it('copies no long body: the bytes that arrived are sent', async () => {
    const arrived = new Set<unknown>();
    const watched = (bytes: Buffer): Buffer => {
      arrived.add(bytes);
      return bytes;
    };
    expect(await copiesOf(arrived, await bridge({ reply: watched }))).toBe(0);
    const slower = await bridge({ reply: (bytes) => Buffer.from(watched(bytes)) });
    expect(await copiesOf(arrived, slower)).toBe(1);
  });
});
