import { EventEmitter } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { Channel, type ChannelEnd } from '../../src/lib/channel.ts';
import { RateLimiter } from '../../src/upstream/limiter/rate-limiter.ts';
import { type Slot } from '../../src/upstream/limiter/slot.ts';
import { PermitBroker } from '../../src/upstream/limiter/workers/permit-broker.ts';
import { brokerChannel } from '../../src/upstream/limiter/workers/broker-channel.ts';
import { permitMessages, WorkerPermits } from '../../src/upstream/limiter/workers/worker-permits.ts';
import { PermitReserve } from '../../src/upstream/limiter/permit-reserve.ts';
import type { PermitsLeft, Unwritten, WrittenPermits } from '../../src/upstream/limiter/written-permits.ts';
import { HandTimers, turn } from '../support/hand-timers.ts';
import { fc } from '../support/random.ts';
import { ListLog } from '../tokens/harness.ts';

const LIMIT = 60;
const SECOND = 1_000;
const MINUTE = 60_000;
const LATEST = 5 * MINUTE;

/** One end of a pipe in memory: what is sent arrives at the other end in a later turn. */
class MemoryEnd extends EventEmitter implements ChannelEnd {
  other: MemoryEnd | undefined;
  sent = 0;

  send(message: object): void {
    this.sent += 1;
    const text = JSON.stringify(message);
    setImmediate(() => this.other?.emit('message', JSON.parse(text)));
  }
}

function pipe(): readonly [MemoryEnd, MemoryEnd] {
  const [one, other] = [new MemoryEnd(), new MemoryEnd()];
  one.other = other;
  other.other = one;
  return [one, other];
}

interface Worker {
  readonly id: number;
  readonly rateLimiter: RateLimiter;
  readonly permits: WorkerPermits;
  readonly end: MemoryEnd;
}

/** A primary with its workers, in one process, with one clock that is moved by hand. */
class Bridge {
  readonly timers: HandTimers;
  readonly workers: Worker[] = [];
  /** When the service counted a request. */
  readonly arrivals: number[] = [];
  readonly broker: PermitBroker;
  readonly #channels = new Map<number, Channel>();
  readonly #concurrent: number | undefined;
  #ids = 0;

  constructor(workers: number, timers = new HandTimers(rest), reserve?: PermitReserve, concurrent?: number) {
    this.timers = timers;
    this.#concurrent = concurrent;
    this.broker = new PermitBroker({
      clock: timers.clock,
      latestHandling: LATEST,
      reserve,
      recall: (worker, key) => this.#channels.get(worker)?.tell(permitMessages.recall, key),
      pause: (worker, pause) => this.#channels.get(worker)?.tell(permitMessages.pause, pause),
    });
    for (let n = 0; n < workers; n += 1) this.add();
  }

  add(): Worker {
    const { clock, timer } = this.timers;
    const [primary, end] = pipe();
    const id = (this.#ids += 1);
    const channel = new Channel(primary);
    brokerChannel(this.broker, id, channel);
    this.#channels.set(id, channel);
    const permits = new WorkerPermits(new Channel(end), () => 0);
    const rateLimiter = new RateLimiter({
      ...{ clock, timer, perMinute: LIMIT, latestHandling: LATEST, pool: permits },
      concurrent: this.#concurrent,
    });
    const worker = { id, rateLimiter, permits, end };
    this.workers.push(worker);
    return worker;
  }

  at(place: number): Worker {
    const worker = this.workers[place % this.workers.length];
    if (worker === undefined) throw new Error('no worker');
    return worker;
  }

  /** Killed: nothing more comes from it. */
  kill(worker: Worker): void {
    this.workers.splice(this.workers.indexOf(worker), 1);
    worker.rateLimiter.close();
    if (worker.end.other !== undefined) worker.end.other.other = undefined;
    worker.end.other = undefined;
    this.broker.ended(worker.id);
  }

  /** Its slot, if it gets one within `patience` of the moved clock. */
  async slot(worker: Worker, patience = 0, key = 'key'): Promise<Slot | undefined> {
    let outcome: { readonly slot: Slot | undefined } | undefined;
    worker.rateLimiter.acquire(key, patience).then(
      (slot) => (outcome = { slot }),
      () => (outcome = { slot: undefined }),
    );
    for (;;) {
      await rest();
      if (outcome !== undefined) return outcome.slot;
      await this.timers.advance(50);
    }
  }

  /** Sends and is answered: whether it could. */
  async sends(worker: Worker, patience = 0): Promise<boolean> {
    const slot = await this.slot(worker, patience);
    if (slot === undefined) return false;
    this.arrivals.push(this.timers.clock.now());
    slot.answered();
    return true;
  }

  /** The most requests that any rolling minute of the service saw. */
  get most(): number {
    const times = this.arrivals.toSorted((a, b) => a - b);
    return Math.max(0, ...times.map((end) => times.filter((at) => at > end - MINUTE && at <= end).length));
  }
}

/** Everything that was sent has arrived, and the answers to it. */
async function rest(): Promise<void> {
  for (let turns = 0; turns < 6; turns += 1) await turn();
}

class MemoryRepository {
  unwritten: Unwritten = 'free';
  readonly rows = new Map<string, WrittenPermits>();

  async read(): Promise<PermitsLeft> {
    return { unwritten: this.unwritten, permits: new Map(this.rows) };
  }

  async write(rows: ReadonlyMap<string, WrittenPermits>): Promise<void> {
    for (const [key, row] of rows) this.rows.set(key, row);
  }

  async mark(unwritten: Unwritten): Promise<void> {
    this.unwritten = unwritten;
  }
}

describe('the rate limit over the workers of one bridge', () => {
  it('lets sixty requests through in a minute, whichever workers send them, and no fewer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(2), fc.nat(700)), { minLength: 250, maxLength: 400 }),
        async (calls) => {
          const bridge = new Bridge(3);
          for (const [place, pause] of calls) {
            await bridge.sends(bridge.at(place), 25_000);
            await bridge.timers.advance(pause);
          }
          expect(bridge.most).toBeLessThanOrEqual(LIMIT);
          // Callers who wait long enough all get their turn.
          expect(bridge.arrivals).toHaveLength(calls.length);
        },
      ),
      { numRuns: 4 },
    );
  });

  it('holds sixty a minute while workers are killed with requests in progress and replaced', async () => {
    const bridge = new Bridge(3);
    for (let n = 0; n < 200; n += 1) {
      await bridge.sends(bridge.at(n));
      if (n % 40 === 39) {
        const victim = bridge.at(0);
        // The service may handle what a killed worker has sent at any time until `latestHandling`.
        if ((await bridge.slot(victim)) !== undefined)
          bridge.arrivals.push(bridge.timers.clock.now() + LATEST);
        bridge.kill(victim);
        bridge.add();
      }
      await bridge.timers.advance(2_000);
    }
    expect(bridge.most).toBeLessThanOrEqual(LIMIT);
  });

  it('gives back every permit of a killed worker once its requests cannot be handled any more', async () => {
    const bridge = new Bridge(2);
    const victim = bridge.at(0);
    for (let n = 0; n < 10; n += 1) await bridge.slot(victim);
    bridge.kill(victim);
    await bridge.timers.advance(LATEST + MINUTE);
    let sent = 0;
    while (await bridge.sends(bridge.at(0))) sent += 1;
    // The burst goes at once; then one at a time.
    expect(sent).toBeGreaterThanOrEqual(LIMIT / 2);
    expect(bridge.broker.permits.get('key')?.inUse).toBeLessThanOrEqual(LIMIT);
  });

  it('serves waiting calls in the order in which they came, across workers', async () => {
    const bridge = new Bridge(2);
    while (await bridge.sends(bridge.at(bridge.arrivals.length)));
    const order: string[] = [];
    const wait = async (place: number, name: string): Promise<void> => {
      const slot = await bridge.at(place).rateLimiter.acquire('key', 25_000);
      order.push(name);
      slot.answered();
    };
    const waiting: Promise<void>[] = [];
    for (const [place, name] of [
      [0, 'first'],
      [1, 'second'],
      [0, 'third'],
      [1, 'fourth'],
    ] as const) {
      waiting.push(wait(place, name));
      await bridge.timers.advance(100);
    }
    while (order.length < 4) await bridge.timers.advance(250);
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('makes one request to the primary for several calls of an account', async () => {
    const bridge = new Bridge(2);
    for (let n = 0; n < 6; n += 1) await bridge.sends(bridge.at(0));
    expect(bridge.at(0).end.sent).toBe(1);
  });

  it('returns permits taken ahead to a worker that lacks them', async () => {
    const bridge = new Bridge(2);
    await bridge.sends(bridge.at(0));
    let sent = 1;
    for (let n = 0; n < LIMIT - 1; n += 1) if (await bridge.sends(bridge.at(1), 25_000)) sent += 1;
    expect(sent).toBe(LIMIT);
    expect(bridge.most).toBeLessThanOrEqual(LIMIT);
  });

  it('makes every worker wait when the service asks one of them for a pause', async () => {
    const bridge = new Bridge(2);
    await bridge.sends(bridge.at(0));
    bridge.at(0).rateLimiter.block('key', 30_000);
    await rest();
    expect(await bridge.sends(bridge.at(1))).toBe(false);
    await bridge.timers.advance(30_000);
    expect(await bridge.sends(bridge.at(1))).toBe(true);
  });

  it('sends nothing in any worker while the service wants a pause, also where permits are left', async () => {
    const bridge = new Bridge(4);
    for (const worker of bridge.workers) await bridge.sends(worker, SECOND);
    const sendsNow = (): readonly boolean[] =>
      bridge.workers.map(({ rateLimiter }) => rateLimiter.acquireAtOnce('key') !== undefined);
    const isAhead = sendsNow();
    expect(isAhead).toContain(true);
    bridge.at(0).rateLimiter.block('key', 30_000);
    await rest();
    for (let n = 0; n < 29; n += 1) {
      expect(sendsNow()).toEqual([false, false, false, false]);
      await bridge.timers.advance(SECOND);
    }
    await bridge.timers.advance(2 * SECOND);
    for (const worker of bridge.workers) expect(await bridge.sends(worker, MINUTE)).toBe(true);
  });

  it('ends such a pause within an hour if the clock is set back', async () => {
    let now = 24 * 60 * MINUTE;
    const broker = new PermitBroker({
      clock: { now: () => now },
      latestHandling: MINUTE,
      recall: () => undefined,
      pause: () => undefined,
    });
    const claim = { key: 'key', limit: LIMIT, burst: LIMIT, held: 0, unused: 0, busyFor: [], isBusy: false };
    const blockedFor = async (): Promise<number> =>
      (await broker.exchange(1, { ...claim, waiting: [] })).blockedFor;
    broker.block(1, { key: 'key', millis: 2_000 });
    now = 0;
    expect(await blockedFor()).toBe(60 * MINUTE);
    now = 60 * MINUTE;
    expect(await blockedFor()).toBe(0);
  });

  it('asks for no more permits than a worker may use while all its calls are in progress', async () => {
    const bridge = new Bridge(1, undefined, undefined, 2);
    const worker = bridge.at(0);
    const slots = [await bridge.slot(worker), await bridge.slot(worker)];
    const went: Slot[] = [];
    for (let n = 0; n < 20; n += 1)
      void worker.rateLimiter.acquire('key', MINUTE).then((slot) => went.push(slot));
    await rest();
    const { sent } = worker.end;
    await bridge.timers.advance(20_000);
    expect([went.length, worker.end.sent - sent]).toEqual([0, 0]);
    for (const slot of slots) slot?.answered();
    for (const slot of slots) slot?.ended();
    await rest();
    expect(went).toHaveLength(2);
  });

  it('sends nothing in a worker that has not heard the primary for twenty seconds', async () => {
    let now = 0;
    const permits = new WorkerPermits(new Channel(new MemoryEnd()), () => now);
    now = 20_001;
    expect(permits.membership).toEqual({ state: 'closed' });
    permits.heard();
    expect(permits.membership).toEqual({ state: 'shared' });
  });

  it('keeps to the limit when the primary is killed and started again', async () => {
    const timers = new HandTimers(rest);
    const repository = new MemoryRepository();
    const open = (): Promise<PermitReserve> =>
      PermitReserve.open({
        ...{ repository, clock: timers.clock, timer: timers.timer, log: new ListLog() },
        limit: LIMIT,
        longest: LATEST + MINUTE,
      });
    const first = new Bridge(2, timers, await open());
    for (let n = 0; n < LIMIT; n += 1) await first.sends(first.at(n), 25_000);
    const second = new Bridge(2, timers, await open());
    second.arrivals.push(...first.arrivals);
    for (let n = 0; n < 80; n += 1) await second.sends(second.at(n), 5_000);
    expect(second.most).toBeLessThanOrEqual(LIMIT);
  });

  it('keeps exactly the permits in use when the workers stop', async () => {
    const bridge = new Bridge(2);
    for (let n = 0; n < 7; n += 1) await bridge.sends(bridge.at(n));
    for (const worker of [...bridge.workers]) await worker.permits.leave();
    expect(bridge.broker.permits.get('key')).toEqual({ inUse: 7, unanswered: 0 });
  });
});
