import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const note = (title: string, text: string, date: string): object => ({ title, text, date });
const file = { fileName: 'plan.txt', content: Buffer.from('Plan').toString('base64') };

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D005',
  jobStatuses: [{ number: 91, name: 'Under way', type: 'in progress' }],
  clients: [
    {
      number: 1_000_000,
      name: 'Fjord & Söhne',
      notes: [
        note('Called', 'a\nb & c', '2026-11-04T09:15:07Z'),
        note('Called', 'twice', '2026-11-05T09:15:07Z'),
        note('Called', 'twice', '2026-11-05T11:30:00Z'),
      ],
      documents: [
        {
          number: 801,
          title: 'Agreement & terms',
          text: 'signed',
          folder: 'Legal',
          date: '2026-02-16',
          ...file,
        },
      ],
    },
    { number: 1_000_001, name: 'Plain Ltd' },
  ],
  suppliers: [
    { number: 301, name: 'Paper & Co', notes: [note('Asked', 'for a price', '2026-10-01T08:30:05Z')] },
  ],
  jobs: [
    {
      number: 'J000159',
      internalId: 3_000_159,
      name: 'Shop front',
      client: 1_000_000,
      state: 'Under way',
      notes: [
        {
          number: 611,
          title: 'Colours',
          date: '2026-11-04T09:15:00Z',
          comments: [
            { number: 621, text: 'Agreed', createdBy: 'Bo Example', date: '2026-11-05T10:00:01Z' },
            { number: 622, text: 'Not\nagreed', createdBy: 'Bo Example', date: '2026-11-05T10:00:02Z' },
          ],
        },
      ],
      documents: [{ number: 802, title: 'Plan', text: 'As <built>', date: '2026-03-04', ...file }],
    },
  ],
};

const CLIENT = 'client.api/get/1000000';
const SUPPLIER = 'supplier.api/get/301';
const JOB = 'job.api/get/J000159';
const CLIENT_FILES = 'client.api/documents/1000000';
const JOB_FILES = 'job.api/documents/J000159';

/** Of each answer, what V2 does not tell. */
const reads = [
  [SUPPLIER, 'Notes', 'Date'],
  [JOB, 'Comments', 'ID', 'Date'],
  [CLIENT_FILES, 'Documents', 'Date', 'Folder'],
  [JOB_FILES, 'Documents', 'Date'],
] as const;

const textsOf = (text: string, element: string): readonly string[] =>
  Array.from(text.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g')), ([, value]) => value ?? '');
const within = (text: string, element: string): string =>
  new RegExp(`<${element}>.*</${element}>`, 's').exec(text)?.[0] ?? '';

describe('the V1 fields of notes, comments and documents, which have no identifier in V2,', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it('are as on V1, except for two identical notes', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    const shown = async (): Promise<readonly unknown[]> => {
      const all: unknown[] = [];
      for (const [path, container, ...elements] of reads) {
        const { text } = await world.read(path);
        all.push([path, ...elements.map((element) => textsOf(within(text, container), element))]);
      }
      return all;
    };
    const before = await shown();
    expect(before.flat(2).filter((text) => text !== '')).toHaveLength(12);
    await world.move();
    expect(await shown()).toEqual(before);
    for (const [path] of reads)
      expect(await world.read(path)).toMatchObject({ source: 'v2', told: expect.any(String) as unknown });
    expect(textsOf(within((await world.read(CLIENT)).text, 'Notes'), 'Date')).toEqual([
      '2026-11-04T09:15:07',
      '2026-11-05T00:00:00',
      '2026-11-05T00:00:00',
    ]);
  });

  it('are not added to a document stored since, whatever its name', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    const content = Buffer.from('New').toString('base64');
    await world.sandbox.control('POST', 'clock', { advanceSeconds: 2 * 86_400 });
    const { text } = await world.program.post(
      'client.api/document',
      `<Document><ClientID>1000000</ClientID><Title>Agreement &amp; terms</Title><Text>signed</Text><FileName>a.txt</FileName><Content>${content}</Content></Document>`,
    );
    expect(text).toContain('<Status>OK</Status>');
    const dates = textsOf((await world.read(CLIENT_FILES)).text, 'Date');
    expect(dates).toHaveLength(2);
    expect(dates.filter((date) => date === '20260216')).toHaveLength(1);
  });

  it('are gone once they were erased', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    await world.bridge.services.snapshot.erase(await world.accountId);
    const { told, text } = await world.read(JOB);
    expect(textsOf(within(text, 'Comments'), 'ID')).toEqual(['', '']);
    expect(told).toBeUndefined();
  });

  it('need one V1 call for each client and job that can have documents, and none otherwise', async () => {
    const world = await SnapshotWorld.open(studio);
    await world.learn();
    const calls = (await world.sandbox.requests()).flatMap(({ path }) => /[a-z]+\.api\/.*/.exec(path) ?? []);
    expect(calls.filter((call) => call.includes('/documents/')).toSorted()).toEqual([
      'client.api/documents/1000000',
      'client.api/documents/1000001',
      'job.api/documents/J000159',
    ]);
    expect(calls.filter((call) => call === 'client.api/list')).toHaveLength(1);
    expect(calls.filter((call) => call === 'job.api/list')).toHaveLength(1);
    expect(calls.filter((call) => call === 'supplier.api/list')).toHaveLength(1);
  });
});
