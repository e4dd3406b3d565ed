import { expect, it } from '@jest/globals';
import { openStore } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, newAccount } from '../../db/records.ts';
import { openConsole } from '../../http/console-setting.ts';

it('an account of which V1 has shown only some kinds of records is not ready for its invitation', async () => {
  const setting = await openConsole({
    env: { CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9/v1' },
  });
  const { admin, services } = setting;
  const { store, mapping } = services;
  const id = await setting.add('Old Mill Engineering', 'mill@example.com');
  const lacks = async () => (await admin.view({})).accounts[0]?.inviteReady?.lacks;
  const others = [...mapping.kinds.keys()].filter((kind) => kind !== 'time');
  await store.crosswalk.learn(id, [
    { kind: 'client', number: 11, uuid: '00000000-0000-4000-8000-000000000011' },
  ]);
  await store.crosswalk.markComplete(id, others);
  expect(await lacks()).toEqual(['identifiers', 'v1', 'usage']);
  expect((await admin.statusOf(id))?.inviteReady?.lacks).toEqual(['identifiers', 'v1', 'usage']);
  await store.crosswalk.markComplete(id, ['time']);
  expect(await lacks()).toEqual(['usage']);
  expect((await admin.statusOf(id))?.inviteReady?.lacks).toEqual(['usage']);
});

describeOnBoth('the numbers of an account', (bench) => {
  it('count as read once every kind is complete, whatever other kinds there are', async () => {
    const store = await openStore(bench.url());
    const { id } = newAccount();
    await store.accounts.add({ ...newAccount(), id });
    const isIdentified = async () =>
      (await store.statusReport.read(NOW, ['client', 'time'])).identified.has(id);
    await store.crosswalk.markComplete(id, ['client', 'gone']);
    expect(await isIdentified()).toBe(false);
    await store.crosswalk.markComplete(id, ['time']);
    expect(await isIdentified()).toBe(true);
    await store.close();
  });
});
