import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D002',
  clients: [{ number: 1_000_000, name: 'Fjord & Söhne', dateOfBirth: '1970-02-03' }],
};
const read = 'client.api/get/1000000';
const birth = (text: string): string => /<DateOfBirth>.*<\/DateOfBirth>/.exec(text)?.[0] ?? '';

describe('personal values', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it.each([
    ['structure', '', undefined],
    ['all', '<DateOfBirth>1970-02-03</DateOfBirth>', expect.any(String)],
  ] as const)('with CAUSEWAY_SNAPSHOT=%s a client has %j on V2', async (mode, element, told) => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: mode });
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1970-02-03</DateOfBirth>');
    await world.move();
    const answer = await world.read(read);
    expect(answer).toMatchObject({ source: 'v2', told });
    expect(birth(answer.text)).toBe(element);
  });

  it('follow what the account has written since, and stay unchanged if the write was refused', async () => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: 'all' });
    await world.move();
    const update = (name: string, day: string): Promise<{ readonly text: string }> =>
      world.program.put(
        'client.api/update',
        `<Client><ID>1000000</ID><Name>${name}</Name><DateOfBirth>${day}</DateOfBirth></Client>`,
      );
    expect((await update('Fjord', '19800405')).text).toContain('<Status>OK</Status>');
    expect(await world.read(read)).toMatchObject({ source: 'v2' });
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1980-04-05</DateOfBirth>');
    expect((await update('', '19900506')).text).toContain('<Status>ERROR</Status>');
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1980-04-05</DateOfBirth>');
  });
});

describe('the fields of contacts in lists that V2 alone leaves out', () => {
  const withContacts = {
    ...studio,
    clients: [
      {
        number: 1_000_000,
        name: 'Fjord & Söhne',
        contacts: [
          { number: 501, name: 'Ben Example', mobile: '021 1', email: 'ben@x.example', addressee: 'Mr B' },
          { number: 502, name: 'Cat Example' },
        ],
      },
    ],
  };
  const contactsIn = (text: string): string => /<Contacts>.*<\/Contacts>/s.exec(text)?.[0] ?? '';
  const put = (world: SnapshotWorld, name: string, mobile: string): Promise<{ readonly text: string }> =>
    world.program.put(
      'client.api/contact/501',
      `<Contact><Name>${name}</Name><Mobile>${mobile}</Mobile></Contact>`,
    );

  afterEach(() => SnapshotWorld.closeAll());

  it('are those of V1, byte for byte, with CAUSEWAY_SNAPSHOT=all', async () => {
    const world = await SnapshotWorld.open(withContacts, { CAUSEWAY_SNAPSHOT: 'all' }, false);
    const before = contactsIn((await world.read('client.api/list')).text);
    expect(before).toContain('<Mobile>021 1</Mobile><Email>ben@x.example</Email>');
    await world.move();
    const { source, told, text } = await world.read('client.api/list');
    expect(contactsIn(text)).toBe(before);
    expect([source, told]).toEqual(['v2', expect.any(String)]);
    expect((await world.read('client.api/get/1000000')).text).toContain(before);
  });

  it('are omitted, not empty, with CAUSEWAY_SNAPSHOT=structure', async () => {
    const world = await SnapshotWorld.open(withContacts, {}, false);
    await world.move();
    const { told, text } = await world.read('client.api/list');
    expect(contactsIn(text)).toContain('<ID>502</ID><Name>Cat Example</Name><Position></Position>');
    expect(told).toBeUndefined();
  });

  it('are omitted from a contact added since, unless the account has written them', async () => {
    const world = await SnapshotWorld.open(withContacts, { CAUSEWAY_SNAPSHOT: 'all' }, false);
    await world.move();
    const added = await world.program.post(
      'client.api/contact',
      '<Contact><Client><ID>1000000</ID></Client><Name>New</Name><Email>new@x.example</Email></Contact>',
    );
    const [, id = ''] = /<Contact><ID>(\d+)/.exec(added.text) ?? [];
    const body = '<Contact><Name>New</Name><Mobile>021 9</Mobile></Contact>';
    expect((await world.program.put(`client.api/contact/${id}`, body)).text).toContain('021 9');
    const { text } = await world.read('client.api/list');
    expect(text).toContain(`<ID>${id}</ID><Name>New</Name><Mobile>021 9</Mobile><Position>`);
  });

  it('are cleared by an empty element, even if V1 had none and they were filled in since', async () => {
    const world = await SnapshotWorld.open(withContacts, { CAUSEWAY_SNAPSHOT: 'all' }, false);
    await world.move();
    const { snapshot, store } = world.bridge.services;
    const accountId = await world.accountId;
    const ids = await store.crosswalk.uuids(accountId, [{ kind: 'contact', number: 501 }]);
    const [uuid = ''] = ids.values();
    await snapshot.keep(accountId, [{ kind: 'contact', uuid, fields: { IsPrimary: 'No' } }], 1_000);
    expect((await put(world, 'Ben Example', '')).text).toContain('<Mobile></Mobile>');
  });

  it('follow what the account has written since, once the service has accepted it', async () => {
    const world = await SnapshotWorld.open(withContacts, { CAUSEWAY_SNAPSHOT: 'all' }, false);
    await world.move();
    const mobile = async (): Promise<string | undefined> =>
      /<Mobile>.*?<\/Mobile>/.exec((await world.read('client.api/list')).text)?.[0];
    expect((await put(world, 'Ben Example', '021 2')).text).toContain('<Mobile>021 2</Mobile>');
    expect(await mobile()).toBe('<Mobile>021 2</Mobile>');
    expect((await put(world, '', '021 3')).text).toContain('<Status>ERROR</Status>');
    expect(await mobile()).toBe('<Mobile>021 2</Mobile>');
    expect((await put(world, 'Ben Example', '')).text).toContain('<Mobile></Mobile>');
    expect(await mobile()).toBe('<Mobile></Mobile>');
  });
});
