import { afterEach, expect, it } from '@jest/globals';
import { canariesOf } from '../../../src/app/wiring/canaries.ts';
import { until } from '../../support/clock.ts';
import { SnapshotWorld } from '../snapshot/world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000C0A1',
  clients: [{ number: 1_000_000, name: 'Fjord & Söhne' }],
};
const READ = 'client.api/get/1000000';
const DAY = 86_400_000;

afterEach(() => SnapshotWorld.closeAll());

it('a bridge resets a route by itself if calls fail that are tried on V2', async () => {
  const world = await SnapshotWorld.open(studio);
  await world.move();
  const { store, clock, mapping } = world.bridge.services;
  await store.routes.set(
    mapping.methods.map(({ id }) => id),
    'all',
    undefined,
    'test',
  );
  const canaries = canariesOf(world.bridge.services);
  const id = await world.accountId;
  await canaries.begin(id, ['client.get'], 'v2', clock.now() + DAY, 'test');
  const stateOf = async () => (await canaries.list())[0];
  await until('calls are counted', async () => {
    // A record that nobody knows is none on any route.
    await world.read('client.api/get/91');
    await world.read(READ);
    return ((await stateOf())?.counts.calls ?? 0) > 3;
  });
  expect(await stateOf()).toMatchObject({ outcome: undefined, counts: { failed: 0 } });
  await world.sandbox.control('POST', 'faults', {
    ...{ on: { surface: 'v2' }, do: 'status', status: 500, times: 1_000 },
  });
  await until('the route is back', async () => {
    await world.read(READ);
    return (await stateOf())?.outcome === 'returned';
  });
  await until('V3 answers', async () => (await world.read(READ)).source === 'v3');
  expect(await store.routes.list()).toEqual([]);
});
