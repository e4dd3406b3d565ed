import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';

/** Connections of one process. */
export const CONNECTIONS = 16;

/**
 * Requests before a measurement: as many as it takes until V8 has compiled what a call runs through. A process that
 * serves calls for days has its code compiled; one of the first 20,000 requests costs up to twice as much, much of it on
 * the threads of the compiler.
 */
export const WARM_UP = 40_000;

/** A request to a server, and the answer it must give, to the byte. */
export interface Asked {
  readonly origin: string;
  /** The path and query of a request; called once for each. */
  readonly path: () => string;
  /** For a write; `message` is called once for each request. */
  readonly sent?: { readonly verb: 'PUT' | 'POST'; readonly message: () => string };
  readonly body: string;
}

/**
 * Sends requests as fast as the server can answer. Throws unless every reply is complete and correct: a fast wrong
 * answer does not count.
 */
export async function saturate(asked: Asked, requests: number, connections = CONNECTIONS): Promise<void> {
  const { sent } = asked;
  const result = await autocannon({
    url: asked.origin,
    connections: Math.min(connections, requests),
    amount: requests,
    timeout: 300,
    verifyBody: (body) => body === asked.body,
    requests: [
      {
        setupRequest: (request) => ({
          ...request,
          path: asked.path(),
          ...(sent && { method: sent.verb, body: sent.message(), headers: { 'content-type': 'text/xml' } }),
        }),
      },
    ],
  });
  const right = result['2xx'] - result.mismatches;
  if (right !== requests || result.errors > 0)
    throw new Error(`${asked.origin}: ${right} of ${requests} replies were right, ${result.errors} errors`);
}

/** Fetches replies of any length, one after the other; each is compared when it is complete. */
export async function fetchOneByOne(asked: Asked, requests: number): Promise<void> {
  const { sent } = asked;
  const expected = Buffer.from(asked.body);
  const pool = new Pool(asked.origin, { connections: 1 });
  try {
    for (let done = 0; done < requests; done += 1) {
      const { body } = await pool.request({
        path: asked.path(),
        method: sent?.verb ?? 'GET',
        body: sent?.message() ?? null,
      });
      if (!Buffer.from(await body.arrayBuffer()).equals(expected))
        throw new Error(`${asked.origin}: a wrong reply`);
    }
  } finally {
    await pool.close();
  }
}

/**
 * Sends at a steady rate, whether or not earlier replies have come. Returns the milliseconds from the moment each
 * request was due to the last byte of its reply, sorted: a server that stalls is charged for every request it kept
 * waiting.
 */
export async function steady(asked: Asked, perSecond: number, seconds: number): Promise<readonly number[]> {
  const pool = new Pool(asked.origin, { connections: 64 });
  const millis: number[] = [];
  const one = async (due: number): Promise<void> => {
    const { body } = await pool.request({ path: asked.path(), method: 'GET' });
    const text = await body.text();
    millis.push(performance.now() - due);
    if (text !== asked.body) throw new Error(`${asked.origin}: a wrong reply`);
  };
  const running: Promise<void>[] = [];
  const begun = performance.now();
  try {
    for (let sent = 0; sent < perSecond * seconds;) {
      const now = performance.now();
      for (; sent < perSecond * seconds && begun + (sent * 1_000) / perSecond <= now; sent += 1)
        running.push(one(begun + (sent * 1_000) / perSecond));
      await pause(1);
    }
    await Promise.all(running);
  } finally {
    await pool.close();
  }
  return millis.sort((a, b) => a - b);
}
