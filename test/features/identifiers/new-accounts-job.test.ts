import { expect, it } from '@jest/globals';
import { NewAccountsJob } from '../../../src/features/identifiers/new-accounts-job.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
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
});
