import { describe, expect, it } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import { DeferredWrites } from '../../src/db/deferred-writes.ts';
import { AccountObserver } from '../../src/app/wiring/observer.ts';
import { PeriodicJobs } from '../../src/app/wiring/jobs/periodic-jobs.ts';

describe('the runs of a periodic job', () => {
  it('follow one another, and a stop waits for the one that is running', async () => {
    let begun = 0;
    let ended = 0;
    const third = Promise.withResolvers<undefined>();
    const jobs = new PeriodicJobs([
      {
        pause: 1,
        run: async () => {
          begun += 1;
          if (begun === 3) third.resolve(undefined);
          await new Promise((resolve) => setImmediate(resolve));
          ended += 1;
        },
      },
    ]);
    jobs.start();
    await third.promise;
    await jobs.stop();
    expect([begun, ended]).toEqual([3, 3]);
  });

  it('can start earlier than their interval', async () => {
    const begun = Promise.withResolvers<undefined>();
    const jobs = new PeriodicJobs([
      {
        pause: 1_000_000,
        first: 1,
        run: async () => {
          begun.resolve(undefined);
        },
      },
    ]);
    jobs.start();
    await begun.promise;
    await jobs.stop();
  });

  it('leave nothing behind on the stop signal', async () => {
    const tenth = Promise.withResolvers<AbortSignal>();
    let begun = 0;
    const jobs = new PeriodicJobs([
      {
        pause: 1,
        run: async (signal) => {
          begun += 1;
          if (begun === 10) tenth.resolve(signal);
        },
      },
    ]);
    jobs.start();
    expect(getEventListeners(await tenth.promise, 'abort')).toEqual([]);
    await jobs.stop();
  });

  it('are told to stop when the bridge stops', async () => {
    const begun = Promise.withResolvers<undefined>();
    let told = false;
    const jobs = new PeriodicJobs([
      {
        pause: 1,
        run: (signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              told = true;
              resolve();
            });
            begun.resolve(undefined);
          }),
      },
    ]);
    jobs.start();
    await begun.promise;
    await jobs.stop();
    expect(told).toBe(true);
  });
});

describe('the notice of keys that V1 accepts in pass-through', () => {
  const keys = (apiKey: string) => ({ apiKey: new Secret(apiKey), accountKey: new Secret('A') });
  const seal = { index: (value: Secret) => [value.reveal()] };
  const caller = (id: string) => ({ known: true, account: { ...account, id }, to: undefined }) as const;
  const account: Account = {
    id: 'a',
    name: 'A',
    product: 'standard',
    application: 'default',
    origin: 'added',
    createdAt: 0,
    stageSince: 0,
    lastCallAt: undefined,
    life: { stage: 'legacy' },
  };

  it('is stored once for each key of each account', async () => {
    const written: string[] = [];
    const accounts = {
      discover: () => Promise.reject(new Error('not asked')),
      observed: async (id: string, { apiKey }: { apiKey: Secret }) => {
        written.push(`${id} ${apiKey.reveal()}`);
      },
    };
    const deferred = new DeferredWrites();
    const observer = new AccountObserver({ accounts, seal, log: silentLog, deferred });
    for (const key of ['one', 'one', 'two', 'two', 'one']) {
      observer.accepted(caller('a'), keys(key));
      await deferred.settled();
    }
    observer.accepted(caller('b'), keys('one'));
    await deferred.settled();
    expect(written).toEqual(['a one', 'a two', 'b one']);
  });

  it('never affects the caller if it cannot be stored', async () => {
    const fail = () => Promise.reject(new Error('the disk is full'));
    const errors: string[] = [];
    const log = { ...silentLog, error: (event: string) => void errors.push(event) };
    const deferred = new DeferredWrites();
    const observer = new AccountObserver({
      accounts: { discover: fail, observed: fail },
      seal,
      log,
      deferred,
    });
    observer.accepted(caller('a'), keys('one'));
    observer.discovered(keys('one'));
    await deferred.settled();
    expect(errors).toEqual(['account.not-noted', 'account.not-noted']);
  });
});
