import { expect, it } from '@jest/globals';
import { addAccount, arrive, depart, linkFor, ok, openVillage, uuid } from '../harness.ts';

it.each([
  ['without a client', ''],
  ['with an empty list', '<Clients />'],
  ['with another client', `<Client><UUID>${uuid(999)}</UUID><Name>Somebody else</Name></Client>`],
])('an answer of V3 %s does not prove whose organisation it is', async (_name, content) => {
  const village = await openVillage();
  const { id } = await addAccount(village);
  village.v3.answer = () => ok(content);
  await arrive(village, await depart(village, await linkFor(village, id)));
  expect((await village.store.accounts.byId(id))?.life).toEqual({ stage: 'legacy' });
});

it('a client in capitals is the one that was asked for', async () => {
  const village = await openVillage();
  const { id } = await addAccount(village);
  village.v3.answer = (asked) =>
    ok(asked === '' ? '<Clients />' : `<Client><UUID>${asked.toUpperCase()}</UUID></Client>`);
  await arrive(village, await depart(village, await linkFor(village, id)));
  expect((await village.store.accounts.byId(id))?.life.stage).toBe('migrated');
});
