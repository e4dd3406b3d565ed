import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const field = (number: number, name: string, type: string, more: object = {}) => ({
  ...{ number, name, type, use: ['Client', 'Job'] },
  ...more,
});

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D001',
  customFieldDefinitions: [
    field(51, 'Seats', 'Number'),
    field(52, 'Area', 'Decimal'),
    field(53, 'Story', 'Multi-line Text'),
    field(54, 'Homepage', 'Value Link', { linkUrl: 'https://example.org/[value]' }),
    field(55, 'Colour', 'Dropdown List', { options: ['Red', 'Green & Blue'] }),
    field(56, 'Since', 'Date'),
    field(57, 'Open', 'Checkbox'),
    field(58, 'Motto', 'Text'),
  ],
  clients: [
    {
      number: 1_000_000,
      name: 'Fjord & Söhne',
      customFields: [
        { name: 'Seats', value: '12' },
        { name: 'Area', value: '7' },
        { name: 'Homepage', value: 'fjord' },
        { name: 'Since', value: '2020-02-03' },
      ],
    },
  ],
};

const reads = ['customfield.api/definition', 'client.api/get/1000000/customfield'];
const bodyOf = (text: string): string => text.replace(/^.*?<Status>/s, '<Status>');

describe('custom fields on V2, from the snapshot that V1 gave before the move,', () => {
  let world: SnapshotWorld;
  const before = new Map<string, string>();

  beforeAll(async () => {
    world = await SnapshotWorld.open(studio);
    for (const path of reads) before.set(path, (await world.read(path)).text);
    await world.move();
  });

  afterAll(() => SnapshotWorld.closeAll());

  it.each(reads)('are in %s byte for byte as on V1, with their date', async (path) => {
    const { source, told, text } = await world.read(path);
    expect(source).toBe('v2');
    // What was made in the same second comes in V2's own order.
    expect(recordsIn(text)).toEqual(recordsIn(before.get(path) ?? ''));
    expect(String(told)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('refuse a whole number for a Decimal in Number, in the words of V1, and accept it in Decimal', async () => {
    const put = (element: string): Promise<{ text: string }> =>
      world.program.put(
        'client.api/update/1000000/customfield',
        `<CustomFields><CustomField><ID>52</ID><UUID>${uuidOf(before, 'Area')}</UUID><${element}>9</${element}></CustomField></CustomFields>`,
      );
    expect((await put('Number')).text).toContain(
      'The custom field Area takes exactly one value element, Decimal',
    );
    expect(bodyOf((await put('Decimal')).text)).toBe('<Status>OK</Status></Response>');
    expect((await world.read(reads[1] ?? '')).text).toContain('<Name>Area</Name><Decimal>9.00</Decimal>');
  });

  it('follow V2 if the type of a definition was changed since', async () => {
    const kept = await world.bridge.services.snapshot.of(await world.accountId);
    expect(kept?.kinds.has('customField')).toBe(true);
    await world.bridge.services.snapshot.keep(
      await world.accountId,
      [
        {
          kind: 'customField',
          uuid: uuidOf(before, 'Seats'),
          fields: { Type: 'Text', ValueElement: 'Text' },
        },
      ],
      1_000,
    );
    const { text, told } = await world.read(reads[0] ?? '');
    expect(text).toContain('<Name>Seats</Name><Type>Decimal</Type>');
    expect(told).toBe('1970-01-01T00:00:01.000Z');
  });

  it('show what V2 can say once the snapshot has been erased', async () => {
    expect(await world.bridge.services.snapshot.erase(await world.accountId)).toBe(8);
    const [definitions, values] = await Promise.all(reads.map((path) => world.read(path)));
    expect(definitions?.text).toContain('<Name>Homepage</Name><Type>Text</Type><LinkUrl></LinkUrl>');
    expect(definitions?.text).toContain('<Name>Seats</Name><Type>Decimal</Type>');
    expect([definitions?.told, values?.told]).toEqual([undefined, undefined]);
  });
});

describe('the snapshot of V1', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it('stores and returns nothing if CAUSEWAY_SNAPSHOT is off', async () => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: 'off' });
    await world.move();
    expect(await world.bridge.services.store.snapshot.kinds(await world.accountId)).toEqual([]);
    const { text, told } = await world.read(reads[0] ?? '');
    expect(text).toContain('<Name>Homepage</Name><Type>Text</Type><LinkUrl></LinkUrl>');
    expect(told).toBeUndefined();
  });

  it('leaves no clear text in the database file', async () => {
    const world = await SnapshotWorld.open(studio);
    await world.learn();
    expect(await world.bridge.services.store.snapshot.kinds(await world.accountId)).toContain('customField');
    const file = world.bridge.services.settings.database.reveal().slice('sqlite:'.length);
    const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join('');
    for (const clear of ['example.org', 'Multi-line', 'Value Link', 'LinkUrl'])
      expect(bytes).not.toContain(clear);
  });

  it('stores each record completely or not at all if V1 is cut off, and all of them the next time', async () => {
    const world = await SnapshotWorld.open(studio);
    const on = { surface: 'v1', operation: 'customfield.definition' };
    await world.sandbox.control('POST', 'faults', { on, do: 'cut', times: 1 });
    expect(await world.learn()).toMatchObject({ outcome: 'failed' });
    expect(await world.learn()).toMatchObject({ outcome: 'learned' });
    expect(await world.bridge.services.snapshot.erase(await world.accountId)).toBe(8);
  });
});

const recordsIn = (text: string): readonly string[] =>
  text.split(/<(?=\/?CustomField(?:Definition)?>)/).sort();

const uuidOf = (answers: ReadonlyMap<string, string>, name: string): string =>
  new RegExp(`<UUID>([^<]*)</UUID><Name>${name}<`).exec([...answers.values()].join())?.[1] ?? '';
