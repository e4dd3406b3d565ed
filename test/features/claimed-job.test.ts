import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mock } from 'node:test';
import { silentLog } from '../../src/lib/log/log.ts';
import { ClaimedJob, type Work } from '../../src/app/wiring/jobs/claimed-job.ts';
import type { Store } from '../../src/app/store.ts';
import { openMemoryStore } from '../support/store.ts';

const HOUR = 3_600_000;
const LEASE = 60_000;

/** A round that goes on until it is told to end, or cut off. */
class SlowJob implements Work {
  begun = 0;
  cut = 0;
  #end: () => void = () => undefined;

  run(signal?: AbortSignal): Promise<void> {
    this.begun += 1;
    return new Promise((resolve) => {
      this.#end = resolve;
      signal?.addEventListener('abort', () => {
        this.cut += 1;
        resolve();
      });
    });
  }

  end(): void {
    this.#end();
  }
}

describe('a run that one instance does for all', () => {
  let store: Store;
  const going = new AbortController();

  beforeEach(async () => {
    store = await openMemoryStore();
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  });

  afterEach(async () => {
    mock.timers.reset();
    await store.close();
  });

  const instance = (holder: string) => {
    const job = new SlowJob();
    const parts = {
      repository: store.jobs,
      job: 'learning',
      holder,
      pause: HOUR,
      lease: LEASE,
      log: silentLog,
    };
    return { job, claimed: new ClaimedJob(parts, job) };
  };

  /** Under way when it resolves; `over` when it is. */
  async function begun(
    one: ReturnType<typeof instance>,
    signal = going.signal,
  ): Promise<{ readonly over: Promise<void> }> {
    const before = one.job.begun;
    const over = one.claimed.run(signal);
    while (one.job.begun === before) await new Promise(setImmediate);
    return { over };
  }

  it('is done by one instance, and not again before its pause is over', async () => {
    const [a, b] = [instance('a'), instance('b')];
    const { over } = await begun(a);
    await b.claimed.run(going.signal);
    a.job.end();
    await over;
    await a.claimed.run(going.signal);
    await b.claimed.run(going.signal);
    expect([a.job.begun, b.job.begun]).toEqual([1, 0]);
  });

  it('is cancelled if the claim went to another instance, and does not count', async () => {
    const [a, b] = [instance('a'), instance('b')];
    const frozen = await begun(a);
    // As if it had been frozen for longer than its claim lasts.
    expect(await store.jobs.claim('learning', 'a', { lease: -1, pause: HOUR })).toBeDefined();
    const other = await begun(b);
    mock.timers.tick(LEASE);
    await frozen.over;
    expect([a.job.cut, b.job.cut]).toEqual([1, 0]);
    b.job.end();
    await other.over;
  });

  it('is free and due at once if its instance stops', async () => {
    const [a, b] = [instance('a'), instance('b')];
    const stopping = new AbortController();
    const cut = await begun(a, stopping.signal);
    stopping.abort();
    await cut.over;
    const other = await begun(b);
    b.job.end();
    await other.over;
    expect([a.job.begun, b.job.begun]).toEqual([1, 1]);
  });

  it('waits if the database cannot say who holds the claim', async () => {
    const a = instance('a');
    // What was never used is not closed by that.
    await store.ready();
    await store.close();
    await a.claimed.run(going.signal);
    expect(a.job.begun).toBe(0);
    store = await openMemoryStore();
  });
});
