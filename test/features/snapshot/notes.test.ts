import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D004',
  jobStatuses: [{ number: 91, name: 'Under way', type: 'in progress' }],
  clients: [{ number: 1_000_000, name: 'Fjord & Söhne' }],
  jobs: [
    {
      number: 'J000159',
      internalId: 3_000_159,
      name: 'Shop front',
      client: 1_000_000,
      state: 'Under way',
      notes: [
        { number: 611, title: 'Called', text: 'a\nb', date: '2026-11-04T09:15:00Z' },
        { number: 612, title: 'Called', text: 'a\nb', date: '2026-11-04T16:45:30Z' },
      ],
    },
  ],
};
const one = 'job.api/get/J000159';
const list = 'job.api/current?detailed=true';
const notesIn = (text: string): string => /<Notes>.*<\/Notes>/s.exec(text)?.[0] ?? '';
const times = (text: string): readonly string[] =>
  [...notesIn(text).matchAll(/<ID>(\d+)<.*?<Date>(.*?)</gs)].map(
    ([, id, date]) => `${id ?? ''} ${date ?? ''}`,
  );

describe('the time of day of a job note, which V2 does not return,', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it.each([one, list])('is in %s byte for byte as on V1, with the time of the snapshot', async (path) => {
    const world = await SnapshotWorld.open(studio, {}, false);
    const before = notesIn((await world.read(path)).text);
    expect(before).toContain('<Date>2026-11-04T16:45:30</Date>');
    await world.move();
    const { source, told, text } = await world.read(path);
    expect(notesIn(text)).toBe(before);
    expect([source, told]).toEqual(['v2', expect.any(String)]);
  });

  it('is omitted if V2 has another day, or there is no snapshot', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    const { snapshot, store } = world.bridge.services;
    const accountId = await world.accountId;
    const uuid = (await store.crosswalk.uuids(accountId, [{ kind: 'note', number: 611 }]))
      .values()
      .next().value;
    const changed = { kind: 'note', uuid: uuid ?? '', fields: { Date: '2026-11-03T09:15:00' } };
    await snapshot.keep(accountId, [changed], 1_000);
    expect(times((await world.read(one)).text)).toEqual([
      '611 2026-11-04T00:00:00',
      '612 2026-11-04T16:45:30',
    ]);
    await snapshot.erase(accountId);
    const { told, text } = await world.read(one);
    expect(times(text)).toEqual(['611 2026-11-04T00:00:00', '612 2026-11-04T00:00:00']);
    expect(told).toBeUndefined();
  });

  it('needs no further V1 call: the list of jobs is read once in a pass, with its notes', async () => {
    const world = await SnapshotWorld.open(studio);
    await world.learn();
    const jobs = (await world.sandbox.requests()).filter(({ path }) => path.endsWith('/job.api/list'));
    expect(jobs).toHaveLength(1);
    expect(await world.bridge.services.store.snapshot.kinds(await world.accountId)).toContain('note');
  });
});
