import { afterEach, describe, expect, it } from '@jest/globals';
import {
  ask,
  closeWorlds,
  json,
  legacyOk,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type Setting,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const CLIENT = uuid('c1', 12);
const OTHER = uuid('c1', 13);
const CONTACT = uuid('c0', 193);
const STAFF = uuid('5a', 7);
const FIELD = uuid('cf', 51);
const pairs = [
  pair('client', 12, CLIENT),
  pair('client', 13, OTHER),
  pair('contact', 193, CONTACT),
  pair('staff', 7, STAFF),
  pair('customField', 51, FIELD),
];
const open = (setting: Setting): Promise<World> => world({ pairs, ...setting });

/** Expected: what is known of V1 in transition mode; UUID is the last child of each record. */
describe('a reply to a call in transition mode', () => {
  const group = `<Group><UUID>${uuid('90', 31)}</UUID><Name>G</Name><Taxable>No</Taxable><Clients><Client><UUID>${CLIENT}</UUID><Name>A</Name></Client></Clients></Group>`;
  const learned = [...pairs, pair('group', 31, uuid('90', 31))];
  const shown = legacyOk(
    'Get',
    `<Group><ID>31</ID><Name>G</Name><Taxable>No</Taxable><Clients><Client><ID>12</ID><Name>A</Name><UUID>${CLIENT}</UUID></Client></Clients><UUID>${uuid('90', 31)}</UUID></Group>`,
  );

  it.each(['uuidMode=transition', 'UUIDMODE=Transition'])(
    'has the UUID last in each record of V3: %s',
    async (query) => {
      const to = await world({ pairs: learned, v3: () => ok(group) });
      expect(await ask(to, `GET clientgroup.api/get/31?${query}`)).toBe(shown);
      expect(to.v3.requests[0]?.query).toEqual([]);
    },
  );

  it.each(['', '?uuidMode=off'])('has no UUID without it: "%s"', async (query) => {
    const to = await world({ pairs: learned, v3: () => ok(group) });
    expect(await ask(to, `GET clientgroup.api/get/31${query}`)).not.toContain('UUID');
  });

  it('has the UUID for replies of V2 as well', async () => {
    const task = { uuid: uuid('7a', 41), name: 'T', description: 'D' };
    const to = await world({ pairs: [pair('task', 41, task.uuid)], v2: () => json(task) });
    const record = `<Task><ID>41</ID><Name>T</Name><Description>D</Description><UUID>${task.uuid}</UUID></Task>`;
    expect(await ask(to, 'GET task.api/get/41?uuidMode=transition')).toBe(legacyOk('Get', record));
  });

  it('has the UUID if no number is known', async () => {
    const v3 = (): ReturnType<typeof ok> =>
      ok(`<TaskList><Task><UUID>${CLIENT}</UUID><Name>T</Name></Task></TaskList>`);
    const record = `<Task><ID></ID><Name>T</Name><Description></Description><UUID>${CLIENT}</UUID></Task>`;
    const to = await world({ v3 });
    expect(await ask(to, 'GET task.api/list?uuidMode=transition')).toContain(record);
  });

  it('leaves custom fields unchanged: they have their UUID after the ID', async () => {
    const field = `<CustomFields><CustomField><UUID>${FIELD}</UUID><Name>F</Name><Text>x</Text></CustomField></CustomFields>`;
    const to = await open({ v3: () => ok(field) });
    const reply = await ask(to, 'GET client.api/get/12/customfield?uuidMode=transition');
    expect(reply).toContain(
      `<CustomField><ID>51</ID><UUID>${FIELD}</UUID><Name>F</Name><Text>x</Text></CustomField>`,
    );
  });
});

describe('a request in transition mode', () => {
  const update = 'PUT client.api/update?uuidMode=transition';
  const of = (inner: string): { readonly body: string } => ({
    body: `<Client>${inner}<Name>n</Name></Client>`,
  });
  const answering: Setting = { v3: () => ok(`<Client><UUID>${CLIENT}</UUID></Client>`) };

  it.each([
    ['by UUID', `<UUID>${CLIENT}</UUID>`],
    ['by UUID in the element of the number', `<ID>${CLIENT}</ID>`],
    ['by both', `<ID>12</ID><UUID>${CLIENT.toUpperCase()}</UUID>`],
    ['by UUID beside an empty number', `<ID></ID><UUID>${CLIENT}</UUID>`],
  ])('can identify a record %s, on V3 and V2', async (_, inner) => {
    const v3 = await open(answering);
    await ask(v3, update, of(inner));
    expect(v3.v3.sent.match(/<UUID>[^<]+/g)?.map((one) => one.slice(6).toLowerCase())).toEqual([CLIENT]);
    const v2 = await open({ v2: () => json({ uuid: CLIENT, name: 'n' }) });
    await ask(v2, update, of(inner));
    const named = v2.v2.requests.map(({ segments }) => segments.join('/').toLowerCase());
    expect(named.every((path) => path.includes(CLIENT))).toBe(true);
  });

  it('can refer to other records by UUID', async () => {
    const to = await open(answering);
    await ask(to, update, of(`<ID>12</ID><AccountManagerUUID>${STAFF}</AccountManagerUUID>`));
    expect(to.v3.sent).toContain(`<AccountManagerUUID>${STAFF}</AccountManagerUUID>`);
  });

  it('is refused if it identifies two records, and nothing is sent', async () => {
    const both = of(`<ID>12</ID><UUID>${OTHER}</UUID>`);
    const text = 'Invalid client identifier';
    const v3 = await open(answering);
    expect(await refusal(v3, update, both)).toMatchObject({ code: 'refused', text });
    expect(v3.v3.requests).toEqual([]);
    const v2 = await open({ v2: () => json({ uuid: CLIENT }) });
    expect(await refusal(v2, update, both)).toMatchObject({ code: 'refused', text });
    expect(v2.v2.requests).toEqual([]);
  });

  it('can have the UUID of a job beside its number, as it was read', async () => {
    for (const [inner, sent] of [
      ['<ID>J1</ID><Name>n</Name><UUID>x</UUID>', 'J1'],
      ['<UUID>x</UUID><ID>J1</ID><Name>n</Name>', 'J1'],
      ['<Name>n</Name><UUID>x</UUID>', 'x'],
    ] as const) {
      const to = await open({ v3: () => ok('<Job><ID>J1</ID></Job>') });
      await ask(to, 'PUT job.api/update?uuidMode=transition', { body: `<Job>${inner}</Job>` });
      expect(to.v3.sent).toContain(`<ID>${sent}</ID>`);
    }
  });

  it('still requires an identifier or a number', async () => {
    const text = 'Message not in expected format. The following required element was missing - /Client/ID';
    expect(await refusal(await open(answering), update, of(''))).toMatchObject({ text });
  });

  it('alone accepts such elements: otherwise they are ignored, as on V1', async () => {
    const to = await open(answering);
    const text = 'Message not in expected format. The following required element was missing - /Client/ID';
    expect(await refusal(to, 'PUT client.api/update', of(`<UUID>${CLIENT}</UUID>`))).toMatchObject({ text });
  });
});
