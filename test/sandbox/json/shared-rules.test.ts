import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

interface Listed {
  readonly uuid: string;
}

const DAY = 86_400;
const CLIENT = `/clients/${uuidOf('client')}`;
const SECOND = `/clients/${uuidOf('secondClient')}`;
let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

/** The V1 number of a client or member of staff. */
const numberOf = async (list: string, name: string): Promise<string> => {
  const { text } = await world.v1(list);
  return new RegExp(`<ID>(\\d+)</ID><Name>${name}</Name>`).exec(text)?.[1] ?? '';
};

describe('the rules that XML and V2 share', () => {
  it('make a client with a lead that is not won a prospect', async () => {
    expect((await world.data('GET', SECOND)).prospect).toBe(false);
    const client = await numberOf('client.api/list', 'Second client');
    const owner = await numberOf('staff.api/list', 'Bo');
    const body = `<Lead><Name>Shed</Name><ClientID>${client}</ClientID><OwnerID>${owner}</OwnerID></Lead>`;
    const { text } = await world.v1('lead.api/add', { method: 'POST', body });
    expect(text).toContain('<Status>OK</Status>');
    expect((await world.data('GET', SECOND)).prospect).toBe(true);
    expect((await world.v1(`client.api/get/${client}`)).text).toContain('<IsProspect>Yes</IsProspect>');
  });

  it('mark a client with a new document as modified', async () => {
    const client = await numberOf('client.api/list', 'Second client');
    await world.sandbox.advance(DAY);
    const access = (await world.sandbox.connect([world.one.id])).access;
    const changed = async (): Promise<readonly string[]> => {
      const { json } = await world.call('GET', '/clients?updatedSince=2026-03-03', { token: access });
      return (json.data as readonly Listed[]).map(({ uuid }) => uuid);
    };
    expect(await changed()).toEqual([]);
    const body = `<Document><ClientID>${client}</ClientID><Title>T</Title><FileName>a.txt</FileName><Content>aGk=</Content></Document>`;
    await world.v1('client.api/document', { method: 'POST', body });
    expect(await changed()).toEqual([uuidOf('secondClient')]);
    const listed = await world.v1('client.api/list?modifiedsince=2026-03-03T00:00:00');
    expect(listed.text).toContain('<Name>Second client</Name>');
  });

  it('refuse a lead whose contact is of another client', async () => {
    const lead = {
      name: 'Boat shed',
      clientUUID: uuidOf('secondClient'),
      contactUUID: uuidOf('contact'),
      ownerUUID: uuidOf('staff'),
    };
    expect(await world.refused('POST', '/leads', lead)).toEqual({ status: 422, fields: ['contactUUID'] });
    const made = await world.data<Listed>('POST', '/leads', {
      ...lead,
      clientUUID: uuidOf('client').toUpperCase(),
    });
    expect(made).toMatchObject({ contactUUID: uuidOf('contact') });
    const moved = await world.data('PUT', `/leads/${made.uuid}`, { clientUUID: uuidOf('secondClient') });
    expect(moved).toMatchObject({ clientUUID: uuidOf('secondClient'), contactUUID: null });
    const named = { contactUUID: uuidOf('contact') };
    expect((await world.refused('PUT', `/leads/${made.uuid}`, named)).fields).toEqual(['contactUUID']);
  });

  it('show no value of a custom field that no longer applies to the record', async () => {
    const client = await numberOf('client.api/list', 'Saffron &amp; Co');
    const shown = async () => [
      (await world.v1(`client.api/get/${client}/customfield`)).text.includes('<Text>R-1</Text>'),
      JSON.stringify(await world.data('GET', `${CLIENT}?includes=custom-fields`)).includes('R-1'),
    ];
    const field = { name: 'Reference', type: 'text' };
    const path = `/custom-fields/${uuidOf('customField')}`;
    expect(await shown()).toEqual([true, true]);
    await world.data('PUT', path, { ...field, useClient: false });
    expect(await shown()).toEqual([false, false]);
    await world.data('PUT', path, { ...field, useClient: true });
    expect(await shown()).toEqual([true, true]);
  });
});
