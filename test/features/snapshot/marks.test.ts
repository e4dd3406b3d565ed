import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D003',
  clients: [
    {
      number: 1_000_000,
      name: 'Fjord & Söhne',
      isProspect: true,
      contacts: [
        { number: 501, name: 'Ben Example', position: 'Owner & more', isPrimary: true },
        { number: 502, name: 'Cat Example' },
      ],
    },
    { number: 1_000_001, name: 'Plain Ltd' },
  ],
};
const owner = 'client.api/contact/501';
const other = 'client.api/contact/502';
const marks = (text: string): string => /<IsProspect>.*?<\/IsProspect>/.exec(text)?.[0] ?? '';
const recordOf = (text: string): string => text.replace(/^.*?<Status>/s, '');

describe('values that V1 returned before the move', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it('are in a contact that V2 alone serves, byte for byte as on V1, with the time', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    const before = await Promise.all([owner, other].map((path) => world.read(path)));
    await world.move();
    const after = await Promise.all([owner, other].map((path) => world.read(path)));
    expect(after.map(({ text }) => recordOf(text))).toEqual(before.map(({ text }) => recordOf(text)));
    expect(after[0]?.text).toContain('<Position>Owner &amp; more</Position>');
    expect(after[1]?.text).toContain('<Position></Position>');
    for (const { source, told } of after) {
      expect(source).toBe('v2');
      expect(String(told)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  });

  it('are missing from a contact once they have been erased', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    // Two contacts and the one client that has a mark.
    expect(await world.bridge.services.snapshot.erase(await world.accountId)).toBe(3);
    const { text, told } = await world.read(owner);
    expect(text).not.toContain('<Position>');
    expect(told).toBeUndefined();
  });

  it('are neither sent nor lost if a write on V2 alone repeats them; another value is refused', async () => {
    const world = await SnapshotWorld.open(studio, {}, false);
    await world.move();
    const put = (position: string, isPrimary: string): Promise<{ readonly text: string }> =>
      world.program.put(
        owner,
        `<Contact><Name>Ben Other</Name><Position>${position}</Position><IsPrimary>${isPrimary}</IsPrimary></Contact>`,
      );
    expect((await put('Owner &amp; more', 'yes')).text).toContain('<Name>Ben Other</Name>');
    expect((await put('Owner &amp; more', 'no')).text).toContain('Contact/IsPrimary cannot be written');
    expect((await put('Clerk', 'Yes')).text).toContain('Contact/Position cannot be written');
    expect((await world.read(owner)).text).toContain('<Position>Owner &amp; more</Position>');
    const empty = '<Contact><Name>Cat Other</Name><Position></Position><IsPrimary>No</IsPrimary></Contact>';
    expect((await world.program.put(other, empty)).text).toContain('<Name>Cat Other</Name>');
  });

  it('do not send a write to V3 if it only repeats them', async () => {
    const world = await SnapshotWorld.open(studio);
    await world.move();
    const update = async (mark: string): Promise<unknown> => {
      const body = `<Client><ID>1000000</ID><Name>Fjord</Name><IsProspect>${mark}</IsProspect></Client>`;
      const { headers, text } = await world.program.put('client.api/update', body);
      expect(text).toContain('<Status>OK</Status>');
      return headers['x-causeway-source'];
    };
    expect(await update('Yes')).toBe('v2');
    expect(await update('No')).toBe('v3');
    expect(marks((await world.read('client.api/get/1000000')).text)).toBe('<IsProspect>No</IsProspect>');
  });

  it('follow what the account has written since, without a time, even for a client without any', async () => {
    const world = await SnapshotWorld.open(studio);
    await world.move();
    const body = '<Client><ID>1000001</ID><Name>Plain</Name><IsProspect>Yes</IsProspect></Client>';
    expect(marks((await world.program.put('client.api/update', body)).text)).toContain('Yes');
    const { source, text, told } = await world.read('client.api/get/1000001');
    expect(source).toBe('v2');
    expect(marks(text)).toBe('<IsProspect>Yes</IsProspect>');
    expect(told).toBeUndefined();
    await world.program.put('client.api/update', body.replace('Yes', 'No'));
    expect(marks((await world.read('client.api/get/1000001')).text)).toBe('<IsProspect>No</IsProspect>');
  });

  it('do not follow a value that was left out of a write', async () => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_LOSSY_WRITES: 'drop' }, false);
    await world.move();
    const prospect = '<Client><ID>1000001</ID><Name>Plain</Name><IsProspect>Yes</IsProspect></Client>';
    expect(marks((await world.program.put('client.api/update', prospect)).text)).toContain('No');
    expect(marks((await world.read('client.api/get/1000001')).text)).toBe('<IsProspect>No</IsProspect>');
    const clerk =
      '<Contact><Name>Ben Other</Name><Position>Clerk</Position><IsPrimary>No</IsPrimary></Contact>';
    expect((await world.program.put(owner, clerk)).text).toContain('<Name>Ben Other</Name>');
    const { text, told } = await world.read(owner);
    expect(text).toContain('<Position>Owner &amp; more</Position>');
    expect(text).toContain('<IsPrimary>Yes</IsPrimary>');
    expect(told).toBeDefined();
  });
});
