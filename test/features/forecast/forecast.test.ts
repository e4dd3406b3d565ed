import { describe, expect, it } from '@jest/globals';
import { ExpectedRequests } from '../../../src/features/forecast/expected-requests.ts';
import { forecastOf, type Forecast } from '../../../src/features/forecast/forecast.ts';
import { play, type Arrival, type Limit } from '../../../src/features/forecast/play.ts';
import { adviceWords, forecastWords } from '../../../src/features/forecast/words.ts';
import type { CallRecord } from '../../../src/features/usage/call-log.ts';
import { addCall, noUse } from '../../../src/features/usage/names/account-use.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { loadProfile } from '../../../src/app/settings/profiles.ts';
import { readFileSync } from 'node:fs';
import { NOW, callRecord } from '../../db/records.ts';
import { deliveredMapping } from '../../support/mapping.ts';

const LIMIT: Limit = { perMinute: 60, waitMs: 25 * SECOND, continuedWaitMs: 2 * MINUTE };
/** As profiles a and b have it. */
const FEW_AT_ONCE: Limit = { ...LIMIT, concurrent: 5 };
/** Two in the morning, UTC. */
const TWO = NOW - (NOW % DAY) + 2 * HOUR;
const RECORD_BYTES = 400;

const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
if (!('v3' in profile)) throw new Error('no profile');

/** Usage in which a list of 100 clients and one of 100 costs were read. */
function useOfLists(): ReturnType<typeof noUse> {
  const use = noUse();
  addCall(use, {
    ...{ at: NOW, program: { key: 'p', agent: '' }, method: 'cost.list', source: 'v1', failed: false },
    ...{ parameters: [], sent: undefined, bytes: 100 * RECORD_BYTES },
    received: new Map([['Costs/Cost/ID', 100]]),
  });
  addCall(use, {
    ...{ at: NOW, program: { key: 'p', agent: '' }, method: 'client.list', source: 'v1', failed: false },
    ...{ parameters: [], sent: undefined, bytes: 100 * RECORD_BYTES },
    received: new Map([
      ['Clients/Client/ID', 100],
      ['Clients/Client/Name', 98],
      ['Clients/Client/Contacts/Contact/ID', 250],
    ]),
  });
  return use;
}

const expected = new ExpectedRequests({ methods: deliveredMapping().methods, profile }, useOfLists());

const call = (at: number, change: Partial<CallRecord> = {}): CallRecord => ({
  ...callRecord('account'),
  ...{ at, verb: 'GET', method: 'client.get', source: 'v1', status: 200, failed: false },
  ...{ millis: 0, upstreamMillis: 0, bytes: 900 },
  ...change,
});

const many = (count: number, at: number, change?: Partial<CallRecord>): readonly CallRecord[] =>
  Array.from({ length: count }, () => call(at, change));

async function made(calls: readonly CallRecord[], limit = LIMIT): Promise<Forecast> {
  const forecast = await forecastOf(calls, expected, limit);
  if (forecast === undefined) throw new Error('nothing was played');
  return forecast;
}

const list = (at: number, clients: number): CallRecord =>
  call(at, { method: 'client.list', bytes: clients * RECORD_BYTES });

describe('the requests that a call needs after the move', () => {
  it('are the pages of a list, from the size of its reply and of a record', () => {
    const pages = [1, 500, 501, 10_000].map((clients) => expected.of(list(NOW, clients)).requests);
    expect(pages).toEqual([1, 1, 2, 20]);
  });

  it('are the pages of the service where it accepts no page size', () => {
    expect(profile.v3.pageSizes.default).toBe(500);
    expect(expected.of(call(NOW, { method: 'cost.list', bytes: 5_000 * RECORD_BYTES })).requests).toBe(50);
  });

  it('are none for what the bridge itself refuses, and one for an unknown method', () => {
    const refused = call(NOW, { source: 'bridge', failed: true, upstreamMillis: undefined });
    expect(expected.of(refused).requests).toBe(0);
    expect(expected.of(call(NOW, { method: 'none' })).requests).toBe(0);
    expect(expected.of(call(NOW, { method: 'generic' })).requests).toBe(1);
  });

  it('are one for a call whose answer from V1 never came or could not be used', () => {
    const failed = { source: 'bridge', failed: true, upstreamMillis: 60_000, bytes: 200 } as const;
    expect(expected.of(call(NOW, { ...failed, failure: 'upstreamTimeout' })).requests).toBe(1);
    const refused = { why: 'wrong-api-key', from: '' } as const;
    expect(expected.of(call(NOW, { ...failed, refused })).requests).toBe(0);
  });

  it('are one page if no reply of the method was ever read', () => {
    expect(expected.of(call(NOW, { method: 'job.list', bytes: 5_000_000 })).requests).toBe(1);
  });

  it('precede reads if they write', () => {
    expect(expected.of(call(NOW, { verb: 'POST', method: 'client.add' }))).toEqual({
      requests: 1,
      priority: 'write',
    });
  });
});

describe('a forecast', () => {
  it('does not exist for an account without calls', async () => {
    expect(await forecastOf([], expected, LIMIT)).toBeUndefined();
  });

  it('shows no waiting if there are few calls', async () => {
    const quiet = Array.from({ length: 100 }, (_, n) => call(NOW + n * 2 * SECOND));
    const forecast = await made(quiet);
    expect(forecast).toMatchObject({
      calls: 100,
      requests: 100,
      waited: 0,
      minutes: 0,
      refused: 0,
      causes: [],
    });
    expect(forecastWords(forecast)).toBe('no call would have waited');
  });

  it('lets half of the limit pass at once, delays further calls and refuses those with too long a wait', async () => {
    const forecast = await made(many(70, NOW));
    expect(forecast.waited + forecast.refused).toBe(70 - LIMIT.perMinute / 2);
    expect(forecast.refused).toBeGreaterThan(0);
    expect(forecast.longestMillis).toBeLessThanOrEqual(LIMIT.waitMs);
  });

  it('names a nightly list as the reason why other calls wait, with a remedy', async () => {
    const forecast = await made([list(TWO, 25_000), ...many(5, TWO + SECOND), ...many(20, TWO + 5 * HOUR)]);
    const [cause] = forecast.causes;
    expect(cause).toMatchObject({ method: 'client.list', hour: 2, requests: 50, advice: 'list' });
    expect(cause?.share).toBeGreaterThan(0.8);
    expect(forecastWords(forecast)).toMatch(
      /^would have waited in \d+ minutes?, \d[\d.]* s at the longest; mainly because of client\.list at 02:00 UTC$/,
    );
    expect(cause && adviceWords(cause)).toMatch(
      /^client\.list at 02:00 UTC: \d+ % of the waiting, 50 requests a call; ask for/,
    );
  });

  it('is the same for the same calls in any order', async () => {
    const singles = Array.from({ length: 70 }, (_, n) => call(TWO + 1 + n * 150));
    const calls = [list(TWO, 25_000), ...singles];
    expect(await made(calls.toReversed())).toEqual(await made(calls));
  });

  it('lets calls wait if more are made at once than the service allows, and says so', async () => {
    const slow = many(25, TWO + 8 * SECOND, { millis: 8 * SECOND, upstreamMillis: 8 * SECOND });
    expect(await made(slow)).toMatchObject({ waited: 0, refused: 0 });
    const forecast = await made([...slow, ...many(20, TWO + HOUR)], FEW_AT_ONCE);
    expect(forecast).toMatchObject({ waited: 15, longestMillis: 25_001, refused: 5 });
    expect(forecast.causes.map(({ method, advice }) => [method, advice])).toEqual([
      ['client.get', 'together'],
    ]);
    expect(forecastWords(forecast)).toBe(
      'would have waited in 1 minute, 25 s at the longest; 5 calls refused; mainly because of client.get at 02:00 UTC, too many at once',
    );
  });

  it('does not blame calls at once for waiting for the minute', async () => {
    const calls = many(40, TWO, { upstreamMillis: 100 });
    const forecast = await made(calls, { ...FEW_AT_ONCE, perMinute: 20 });
    expect(forecast.refused).toBeGreaterThan(15);
    expect(forecast.causes[0]?.advice).toBe('many');
  });

  it('blames the program whose calls are refused rather than one whose calls wait', async () => {
    const nightly = many(400, TWO, { method: 'job.get' });
    const hourly = Array.from({ length: 24 }, (_, n) => many(40, TWO + n * HOUR + 30 * MINUTE)).flat();
    const forecast = await made([...nightly, ...hourly]);
    expect(forecast.causes.map(({ method }) => method)).toEqual(['job.get', 'client.get']);
  });

  it('speaks of no waiting where calls are only refused', async () => {
    const forecast = await made(many(40, TWO), { ...LIMIT, waitMs: 0 });
    expect(forecast).toMatchObject({ waited: 0, refused: 10, minutes: 1 });
    expect(forecastWords(forecast)).toBe(
      '10 calls would have been refused; mainly because of client.get at 02:00 UTC',
    );
  });

  it('counts minutes in real time, not calls', async () => {
    const forecast = await made([...many(35, TWO), ...many(35, TWO + HOUR)]);
    expect(forecast).toMatchObject({ waited: 10, minutes: 2 });
  });
});

describe('the simulation of calls', () => {
  const arrivals = (count: number, millis = 0): readonly Arrival[] =>
    Array.from({ length: count }, () => ({
      ...{ at: NOW, method: 'client.get', requests: 1, priority: 'read' as const, millis },
    }));

  it('never lets more than the limit pass in any minute', async () => {
    const patient = { ...LIMIT, waitMs: 10 * MINUTE };
    const played = await play(arrivals(300, 700), patient);
    const sent = played.flatMap((one) => one.sent.map(({ at }) => at)).sort((a, b) => a - b);
    expect(sent).toHaveLength(300);
    for (const [place, at] of sent.entries())
      expect(at - (sent[place - LIMIT.perMinute] ?? -Infinity)).toBeGreaterThanOrEqual(MINUTE);
  });

  it('stops when its result is not needed any more', async () => {
    await expect(play(arrivals(5), LIMIT, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});
