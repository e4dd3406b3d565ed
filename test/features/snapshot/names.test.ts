import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D006',
  clients: [
    { number: 1_000_000, name: 'Fjord & Söhne', contacts: [{ number: 501, name: 'Ben Example' }] },
    { number: 1_000_001, name: 'Plain Ltd' },
  ],
  staff: [{ number: 7, name: 'Ada Example', email: 'ada@studio.example' }],
  leadStatuses: [{ number: 81, name: 'Current', type: 'open' }],
  leads: [{ number: 441, name: 'Sign', client: 1_000_000, owner: 7, state: 'Current', date: '2026-11-01' }],
};

const LEAD = 'lead.api/get/441';
const remove = async (world: SnapshotWorld, path: string, root: string, id: number): Promise<void> => {
  const { text } = await world.program.post(path, `<${root}><ID>${String(id)}</ID></${root}>`);
  expect(text).toContain('<Status>OK</Status>');
};

describe('the name of a deleted record, if V2 only returns its identifier,', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it('is that from before the move with CAUSEWAY_SNAPSHOT=all, or the one the account gave it since', async () => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: 'all' }, false);
    await world.move();
    expect((await world.read(LEAD)).told).toBeUndefined();
    const body = '<Client><ID>1000000</ID><Name>Fjord Ltd</Name></Client>';
    expect((await world.program.put('client.api/update', body)).text).toContain('<Name>Fjord Ltd</Name>');
    await remove(world, 'client.api/delete', 'Client', 1_000_000);
    await remove(world, 'staff.api/delete', 'Staff', 7);
    const { source, told, text } = await world.read(LEAD);
    expect(text).toContain('<Client><ID>1000000</ID><Name>Fjord Ltd</Name></Client>');
    expect(text).toContain('<Owner><ID>7</ID><Name>Ada Example</Name></Owner>');
    expect([source, told]).toEqual(['v2', expect.any(String)]);
  });

  it('is not stored with CAUSEWAY_SNAPSHOT=structure', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    await remove(world, 'staff.api/delete', 'Staff', 7);
    const { text, told } = await world.read(LEAD);
    expect(text).toContain('<Owner><ID>7</ID><Name></Name></Owner>');
    expect(told).toBeUndefined();
  });

  it.each([
    ['V2', false],
    ['V3', true],
  ])(
    'is dropped with the mark of deletion, once the account has deleted it through %s',
    async (_, standsIn) => {
      const world = await SnapshotWorld.open(studio, {}, standsIn);
      await world.move();
      const { snapshot, store } = world.bridge.services;
      const accountId = await world.accountId;
      const [uuid = ''] = (
        await store.crosswalk.uuids(accountId, [{ kind: 'client', number: 1_000_001 }])
      ).values();
      if (standsIn) await store.routes.set(['client.delete'], '*', 'v3', 'test');
      await remove(world, 'client.api/delete', 'Client', 1_000_001);
      const account = await snapshot.of(accountId);
      const [kept] = account === undefined ? [] : await snapshot.read(account, [{ kind: 'client', uuid }]);
      expect(kept?.fields).toMatchObject({ IsDeleted: 'Yes' });
    },
  );
});
