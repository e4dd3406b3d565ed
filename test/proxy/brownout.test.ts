import { expect, it } from '@jest/globals';
import { DeferredWrites } from '../../src/db/deferred-writes.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import { Failure } from '../../src/lib/failure.ts';
import { HOUR } from '../../src/lib/time/clock.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { Brownouts } from '../../src/proxy/brownout.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { callOf } from './world.ts';
import { HandClock } from '../support/clock.ts';

it('a brown-out counts each refused read once, whatever happens to the database meanwhile', async () => {
  const clock = new HandClock();
  const deferred = new DeferredWrites();
  let written = 0;
  let failures = 1;
  const brownouts = new Brownouts({
    methods: deliveredMapping().methods,
    count: async (_accountId, count) => {
      // One more read is refused while this is being written.
      if (written === 0) refuse();
      if (failures-- > 0) throw new StoreFault('unavailable', 'it is away');
      written += count;
    },
    later: (key, write) => {
      deferred.add({ key, write, failed: () => undefined });
    },
    clock,
  });
  const account: Account = {
    ...{ id: 'a', name: 'A', product: 'standard', application: 'default', origin: 'added', createdAt: 0 },
    ...{ stageSince: 0, lastCallAt: undefined, life: { stage: 'legacy' }, notices: true },
    brownout: { from: clock.now(), to: clock.now() + HOUR },
  };
  const check = (isOwn: boolean): void => {
    const call = callOf('GET client.api/list');
    call.trace.method = 'client.list';
    brownouts.check(account, { ...call, isOwn });
  };
  const refuse = (): void => {
    expect(() => {
      check(false);
    }).toThrow(Failure);
  };
  refuse();
  refuse();
  // The bridge looks for the outcome of a write.
  check(true);
  await deferred.settled();
  expect(written).toBe(0);
  await deferred.settled();
  expect(written).toBe(4);
  await deferred.close();
});
