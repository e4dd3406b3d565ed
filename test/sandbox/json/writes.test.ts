import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

interface Named {
  readonly uuid: string;
}

const CLIENT = `/clients/${uuidOf('client')}`;
const CONTACT = `/clients/contacts/${uuidOf('contact')}`;
let world: World;

beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

describe('a write on V2', () => {
  it('keeps the part of a contact’s name that the client’s contacts leave out', async () => {
    const write = (fields: object) =>
      world.data('PUT', CLIENT, { contacts: [{ uuid: uuidOf('contact'), ...fields }] });
    await write({ lastName: 'Smith' });
    expect(await world.data('GET', CONTACT)).toMatchObject({ firstName: 'Ana de', lastName: 'Smith' });
    await write({ firstName: 'Ana' });
    expect(await world.data('GET', CONTACT)).toMatchObject({ firstName: 'Ana', lastName: 'Smith' });
    await write({ firstName: null, position: 'Owner' });
    expect(await world.data('GET', CONTACT)).toMatchObject({ firstName: '', lastName: 'Smith' });
  });

  it('clears the terms of a client with null, so that those of its type apply', async () => {
    const billing = async () =>
      (await world.data('GET', `${CLIENT}?includes=billing-details`)).billingDetails;
    const ofType = { invoiceDueDate: 'WithinDays 20', markup: 10 };
    const own = { customPaymentDay: 5, customPaymentTerm: 'DayOfMonth', customRate: { markup: 3 } };
    expect(await billing()).toMatchObject(ofType);
    await world.data('PUT', CLIENT, own);
    expect(await billing()).toMatchObject({ invoiceDueDate: 'DayOfMonth 5', markup: 3 });
    await world.data('PUT', CLIENT, { customRate: {} });
    expect(await billing()).toMatchObject({ invoiceDueDate: 'DayOfMonth 5', markup: 3 });
    await world.data('PUT', CLIENT, { customPaymentDay: null, customPaymentTerm: null });
    expect(await billing()).toMatchObject({ ...ofType, markup: 3 });
    await world.data('PUT', CLIENT, { customRate: { markup: null } });
    expect(await billing()).toMatchObject(ofType);
    await world.data('PUT', CLIENT, own);
    await world.data('PUT', CLIENT, { customPaymentDay: null, customPaymentTerm: '', customRate: null });
    expect(await billing()).toMatchObject(ofType);
  });

  it('adds every client that a request names to a group', async () => {
    const group = await world.data<Named>('POST', '/client-groups', { name: 'Both' });
    const path = `/client-groups/${group.uuid}/client`;
    const both = [{ uuid: uuidOf('client') }, { UUID: uuidOf('secondClient') }];
    const unknown = { uuid: '99999999-0000-4000-8000-000000000001' };
    const refused = await world.refused('POST', path, { clients: [both[0], unknown] });
    expect(refused).toEqual({ status: 422, fields: ['clients[1].uuid'] });
    expect(await world.data('GET', `/client-groups/${group.uuid}`)).toMatchObject({ clients: [] });
    const { clients } = await world.data<{ clients: readonly Named[] }>('POST', path, { clients: both });
    expect(clients.map(({ uuid }) => uuid).sort()).toEqual([uuidOf('client'), uuidOf('secondClient')]);
    expect((await world.refused('POST', path, { clients: [] })).status).toBe(422);
  });
});
