import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import type { Forecast } from '../../src/features/forecast/forecast.ts';
import { DAY, MINUTE, SECOND } from '../../src/lib/time/clock.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { AheadClock } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

/**
 * A forecast, and then what really happens: the same week through V1, where nothing limits its calls, and after the move
 * through V3. Bridge and service share a clock that is set forward from one day to the next, as in the demo; within a day it
 * runs, so that calls wait for real minutes. What a busy machine adds is measured on V1, where no call waits, and allowed for.
 */
const CLIENTS = 1_700;
const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A0000000000000000000000000000A17',
  users: [{ name: 'Ana Owner', email: 'ana@studio.example', administrator: true, privilege: true }],
  clients: Array.from({ length: CLIENTS }, (_, n) => ({ number: 1_000_000 + n, name: `Client ${n}` })),
};
const KEYS = `apiKey=${'0'.repeat(32)}&accountKey=${studio.accountKey}`;
const TOKEN = 'forecast-admin-token-0123456789abcdef';

/** What the programs of the account do in a day: seconds after they begin, and the call. */
type Day = readonly (readonly [number, string])[];

/** A day on which nobody waits. */
const quiet: Day = [
  [0, 'client.api/get/1000000'],
  [0.1, 'client.api/list'],
  [0.2, 'client.api/get/1000001'],
];
const busy: Day = [
  ...Array.from({ length: 24 }, (_, n) => [n * 0.05, `client.api/get/${1_000_000 + n}`] as const),
  [2, 'client.api/list'],
  ...Array.from({ length: 18 }, (_, n) => [3 + n * 0.5, `client.api/get/${1_000_000 + n}`] as const),
  [14, 'client.api/list'],
  ...Array.from({ length: 30 }, (_, n) => [20 + n * 0.2, `client.api/get/${1_000_100 + n}`] as const),
];

const week: readonly Day[] = [quiet, quiet, quiet, quiet, quiet, quiet, busy];
const calls = week.flat();

const clock = new AheadClock();
let sandbox: RunningSandbox;
let bridge: RunningBridge;

beforeAll(async () => {
  const port = await freePort();
  sandbox = await RunningSandbox.start({
    clock,
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([studio]);
  const env = { CAUSEWAY_ADMIN_TOKEN: TOKEN };
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url, clock, env });
  await bridge.add({ ...studio, apiKey: '0'.repeat(32), product: 'standard' });
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

interface Lived {
  readonly status: number;
  /** How long after its time the call was made, and how long it took, in seconds. */
  readonly late: number;
  readonly took: number;
}

/** All calls of the week, in order. */
async function live(): Promise<readonly Lived[]> {
  const lived: Lived[] = [];
  for (const [at, day] of week.entries()) {
    if (at > 0) clock.advance(DAY);
    lived.push(...(await liveDay(day)));
  }
  return lived;
}

async function liveDay(day: Day): Promise<readonly Lived[]> {
  const begun = performance.now();
  return Promise.all(
    day.map(async ([second, path]) => {
      const due = begun + second * SECOND;
      await delay(Math.max(0, due - performance.now()));
      const left = performance.now();
      const answer = await fetch(`${bridge.url}/${path}?${KEYS}`);
      await answer.text();
      const took = (performance.now() - left) / SECOND;
      return { status: answer.status, late: (left - due) / SECOND, took };
    }),
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function forecast(): Promise<Forecast> {
  const path = `/_causeway/api/accounts/${encodeURIComponent(studio.name)}/forecast`;
  const answer = await fetch(bridge.url + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
  const body = (await answer.json()) as { readonly forecast: Forecast | null };
  if (body.forecast === null) throw new Error('nothing was played');
  return body.forecast;
}

/** How many calls have waited for the rate limit, and how many seconds in all. */
async function waits(): Promise<{ readonly count: number; readonly sum: number }> {
  const text = await (await fetch(bridge.metrics)).text();
  const figure = (name: string): number =>
    Number(new RegExp(`^causeway_budget_wait_seconds_${name} (.*)$`, 'm').exec(text)?.[1]);
  return { count: figure('count'), sum: figure('sum') };
}

describe('the forecast of an account', () => {
  it("is within five percent of what a week's calls really wait once the account has moved", async () => {
    const free = await live();
    expect(new Set(free.map(({ status }) => status))).toEqual(new Set([200]));
    const expected = await forecast();
    const lists = calls.filter(([, path]) => path === 'client.api/list');
    expect(expected).toMatchObject({
      calls: calls.length,
      requests: calls.length + lists.length * (Math.ceil(CLIENTS / 500) - 1),
    });
    expect(expected.waitedMillis).toBeGreaterThan(100 * SECOND);
    await bridge.migrate(studio.name, 'Ana Owner');
    // Until what the checks before the move took of the limit is free again.
    await delay(MINUTE + 5 * SECOND);
    const before = await waits();
    const limited = await live();
    const after = await waits();
    const real = after.sum - before.sum;
    const refused = limited.filter(({ status }) => status === 429).length;
    const busy = sum(free.map(({ took }) => took)) + sum([...free, ...limited].map(({ late }) => late));
    expect(Math.abs(real - expected.waitedMillis / SECOND)).toBeLessThanOrEqual(0.05 * real + busy);
    expect(Math.abs(refused - expected.refused)).toBeLessThanOrEqual(0.05 * refused);
    // Nearly three minutes on the real clock, on a machine that has nothing else to do.
  }, 900_000);
});
