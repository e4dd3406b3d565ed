import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '../../src/lib/failure.ts';
import { Trace } from '../../src/proxy/call/call.ts';
import { SECOND } from '../../src/lib/time/clock.ts';
import { RememberedLooks } from '../../src/proxy/sparing/flights.ts';
import { JoinedRead } from '../../src/proxy/sparing/joined-read.ts';
import { SparingUpstream } from '../../src/proxy/sparing/sparing-upstream.ts';
import { UpstreamClient } from '../../src/upstream/client.ts';
import type { CallTimes, Destination, UpstreamAnswer, UpstreamRequest } from '../../src/upstream/model.ts';
import { bulkheadTo, carried } from '../upstream/bench.ts';
import { answer, badServer, type BadServer, type Behaviour } from '../upstream/server.ts';
import { until, type HandClock } from '../support/clock.ts';

const to: Destination = {
  ...{ accountId: 'a1', product: 'standard', application: 'default', grantId: 'g' },
  organisationId: 'org-1',
};
const QUESTION = { segments: ['client.api', 'get', '1'], query: [] };

let service: BadServer;
/** Lets the service answer what has arrived so far. */
let released: PromiseWithResolvers<undefined>;
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  released = Promise.withResolvers();
  service = await badServer();
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await service.close();
});

/** V3 behind shared reads; whoever waits for the limit waits up to 25 seconds, on a clock that then moves by itself. */
async function bench(
  concurrent?: number,
): Promise<{ readonly v3: SparingUpstream; readonly clock: HandClock }> {
  const { clock, ...rest } = carried(concurrent);
  const bulkhead = bulkheadTo(service.origin, { clock });
  closing.push(() => bulkhead.close(0));
  const root = `${service.origin}/3.0`;
  const client = new UpstreamClient({
    ...{ ...rest, clock, version: 'v3', roots: { standard: root, practice: root } },
    bulkheads: { standard: bulkhead, practice: bulkhead },
  });
  const looks = new RememberedLooks({ look: async () => ({ counts: new Map(), open: new Set() }) });
  await looks.look(to.accountId);
  const sparing = { looks, clock, isShared: true, kept: undefined, count: () => undefined };
  return { v3: new SparingUpstream(client, 'v3', sparing), clock };
}

const read = (changes: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  ...{ verb: 'GET', ...QUESTION, method: 'client.get', signal: new AbortController().signal },
  ...changes,
});

/** The status of the answer, or the code of the failure. */
const endOf = (sent: Promise<UpstreamAnswer>): Promise<unknown> =>
  sent.then(
    ({ status }) => status,
    (error: unknown) => (error instanceof Failure ? error.code : error),
  );

/** The first request is held, and then refused for so long; later ones are served. */
function refusing(seconds: number): void {
  const refused = answer('', 429, { 'retry-after': String(seconds) });
  let isFirst = true;
  const behave: Behaviour = (...given) => {
    if (!isFirst) {
      answer('<ok/>')(...given);
      return;
    }
    isFirst = false;
    void released.promise.then(() => {
      refused(...given);
    });
  };
  service.behave(behave);
}

/** Times that name each turn. */
function timesInto(seen: string[]): CallTimes {
  const turn = (open: number, waiting: number): void => {
    seen.push(open === 0 ? (waiting > 0 ? 'waits' : 'goes on') : open > 0 ? 'open' : 'closed');
  };
  return Object.assign(new Trace(), { turn });
}

describe('the times of a read that waits for the answer to an identical one', () => {
  it('count as a wait for the rate limit while the other one waits for it', async () => {
    refusing(8);
    const { v3 } = await bench();
    const following: string[] = [];
    const first = endOf(v3.send(to, read()));
    await until('it has left', () => service.seen.length === 1);
    const second = endOf(v3.send(to, read({ times: timesInto(following) })));
    await until('it waits, too', () => following.length === 1);
    released.resolve(undefined);
    expect([await first, await second]).toEqual([200, 200]);
    expect(service.seen).toHaveLength(2);
    expect(following).toEqual(['open', 'closed', 'waits', 'goes on', 'open', 'closed']);
  });

  it('begin with that wait if it joins then, also after the fast path', async () => {
    service.behave((...given) => {
      void released.promise.then(() => {
        answer('<ok/>')(...given);
      });
    });
    const { v3 } = await bench(1);
    const leading: string[] = [];
    const following: string[] = [];
    const other = endOf(v3.send(to, read({ segments: ['client.api', 'get', '2'] })));
    await until('another read has left', () => service.seen.length === 1);
    const first = endOf(v3.send(to, read({ times: timesInto(leading) })));
    await until('it waits for the limit', () => leading.includes('waits'));
    expect(v3.ready(to, QUESTION.segments, QUESTION.query, 'client.get')).toBeUndefined();
    const second = endOf(v3.send(to, read({ times: timesInto(following) })));
    await until('it waits, too', () => following.length > 0);
    released.resolve(undefined);
    expect([await other, await first, await second]).toEqual([200, 200, 200]);
    expect(following).toEqual(['waits', 'goes on', 'open', 'closed']);
  });
});

describe('a read whose identical one is refused after a wait', () => {
  it.each([
    {
      seconds: 15,
      ends: 'is refused, if the limit opens only after its own waiting time',
      end: 'budgetExhausted',
    },
    { seconds: 8, ends: 'is sent, if the limit opens within its own waiting time', end: 200 },
  ])('$ends', async ({ seconds, end }) => {
    refusing(seconds);
    const { v3, clock } = await bench();
    const first = endOf(v3.send(to, read()));
    await until('it has left', () => service.seen.length === 1);
    clock.advance(5 * SECOND);
    const second = endOf(v3.send(to, read()));
    clock.advance(15 * SECOND);
    released.resolve(undefined);
    expect([await first, await second]).toEqual(['budgetExhausted', end]);
  });

  it('counts the time that it has waited on the fast path', async () => {
    refusing(15);
    const { v3, clock } = await bench();
    const first = endOf(v3.send(to, read()));
    await until('it has left', () => service.seen.length === 1);
    const joined = v3.ready(to, QUESTION.segments, QUESTION.query, 'client.get');
    if (!(joined instanceof JoinedRead)) throw new Error('it has joined nothing');
    const missed = new Promise<void>((resolve) => {
      joined.send({ shared: () => undefined, missed: resolve });
    });
    clock.advance(20 * SECOND);
    released.resolve(undefined);
    await missed;
    const { sent } = joined.handOver();
    expect([await first, await endOf(v3.send(to, read({ sent })))]).toEqual([
      'budgetExhausted',
      'budgetExhausted',
    ]);
  });
});
