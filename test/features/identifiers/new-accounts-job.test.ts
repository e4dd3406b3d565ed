import { expect, it } from '@jest/globals';
import { NewAccountsJob } from '../../../src/features/identifiers/new-accounts-job.ts';
import { v1Events } from '../../../src/features/identifiers/learning.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { HandClock } from '../../support/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { event, newAccount } from '../../db/records.ts';

describeOnBoth('the numbers of a new account', (bench) => {
  it('are read at the next run, once, whoever added it; a fault of one does not stop the others', async () => {
    const store = await bench.store();
    const before = await store.accounts.add(newAccount());
    const asked: string[] = [];
    const job = new NewAccountsJob({
      history: store.history,
      repository: store.accounts,
      identifierSync: {
        async learn({ id }) {
          asked.push(id);
          return asked.length === 1
            ? Promise.reject(new Error('no'))
            : Promise.resolve({ outcome: 'absent' });
        },
      },
      clock: new HandClock(),
      log: silentLog,
    });
    await job.run();
    const added = [await store.accounts.add(newAccount()), await store.accounts.add(newAccount())];
    await job.run();
    await job.run();
    expect(asked).toEqual(added.map(({ id }) => id));
    await store.accounts.note(before.id, event('changed'));
    await store.accounts.note(before.id, event('invited'));
    await job.run();
    expect(asked.slice(2)).toEqual([before.id]);
  });

  it('are read again after V1 refused the keys, as soon as a program has called, until V1 accepts them', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const clock = new HandClock();
    const asked: string[] = [];
    let lastCallAt: number | undefined;
    const job = new NewAccountsJob({
      history: store.history,
      repository: {
        async byId(one) {
          const account = await store.accounts.byId(one);
          return account && { ...account, lastCallAt };
        },
      },
      identifierSync: {
        async learn(account) {
          asked.push(account.id);
          return { outcome: 'refused' };
        },
      },
      clock,
      log: silentLog,
    });
    const later = async () => {
      clock.advance(2 * MINUTE);
      await job.run();
    };
    await job.run();
    await store.accounts.note(id, event(v1Events.refused, clock.now()));
    await later();
    expect(asked).toEqual([]);
    lastCallAt = clock.now();
    await later();
    await later();
    expect(asked).toEqual([id]);
    lastCallAt = clock.now();
    await later();
    expect(asked).toEqual([id, id]);
    await later();
    lastCallAt = clock.now();
    await later();
    await later();
    expect(asked).toEqual([id, id]);
    await later();
    expect(asked).toEqual([id, id, id]);
    await store.accounts.note(id, event(v1Events.accepted, clock.now()));
    lastCallAt = clock.now();
    await later();
    for (let more = 0; more < 8; more += 1) await later();
    expect(asked).toEqual([id, id, id]);
  });
});
