import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contactElements, exampleClient, exampleStaff, ok, UNKNOWN_CLIENT } from './example.ts';
import { missing, refusal, Service, textOf } from './service.ts';

let service: Service;
const UNKNOWN_CONTACT = 'Invalid contact identifier';
const uuid = exampleClient.contacts[0]?.uuid ?? '';

beforeEach(async () => {
  service = await Service.start();
  await service.seed({ staff: exampleStaff, clients: [exampleClient] });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const printed = `<Contact><ID>193</ID>${contactElements}</Contact>`;

describe('client.api/contact', () => {
  it('reads one, on V1, in transition mode and on V3', async () => {
    expect(await service.v1('GET', 'client.api/contact/193')).toBe(ok('Contact', printed));
    expect(await service.v1('GET', 'client.api/contact/193?uuidmode=transition')).toBe(
      ok('Contact', `<Contact><ID>193</ID>${contactElements}<UUID>${uuid}</UUID></Contact>`),
    );
    expect(await service.v3('GET', `client.api/contact/${uuid}`)).toBe(
      ok('Contact', `<Contact><UUID>${uuid}</UUID>${contactElements}</Contact>`),
    );
    expect(await service.v1('GET', 'client.api/contact/194')).toBe(refusal('Contact', UNKNOWN_CONTACT));
  });

  it('adds one; marking it primary clears the others', async () => {
    const body =
      '<Contact><Client><ID>1000000</ID></Client><Name>Zoë</Name><IsPrimary>Yes</IsPrimary><Salutation>Z</Salutation>' +
      '<Addressee>Ms Z</Addressee><Mobile>021</Mobile><Email>z@x</Email><Phone>0800</Phone><Position>CEO</Position></Contact>';
    const added = await service.v1('POST', 'client.api/contact', body);
    const record =
      '<Contact><ID>1000000</ID><Name>Zoë</Name><Mobile>021</Mobile><Email>z@x</Email><Phone>0800</Phone>' +
      '<Position>CEO</Position><Salutation>Z</Salutation><Addressee>Ms Z</Addressee><IsPrimary>Yes</IsPrimary></Contact>';
    expect(added).toBe(ok('Contact', record));
    expect(await service.v1('GET', 'client.api/get/1000000')).toContain(
      `<Contacts>${printed.replace('<IsPrimary>Yes', '<IsPrimary>No')}${record}</Contacts>`,
    );
  });

  it('adds one by UUID on V3', async () => {
    const body = `<Contact><Client><UUID>${exampleClient.uuid}</UUID></Client><Name>V3</Name></Contact>`;
    expect(textOf(await service.v3('POST', 'client.api/contact', body), 'Name')).toBe('V3');
    expect(await service.v3('POST', 'client.api/contact', '<Contact><Name>V3</Name></Contact>')).toBe(
      refusal('Contact', missing('/Contact/Client/UUID')),
    );
  });

  it.each([
    ['<Contact><Name>N</Name></Contact>', missing('/Contact/Client/ID')],
    ['<Contact><Client><ID></ID></Client><Name>N</Name></Contact>', missing('/Contact/Client/ID')],
    ['<Contact><Client><ID>1</ID></Client></Contact>', missing('/Contact/Name')],
    ['<Contact><Client><ID>1</ID></Client><Name>N</Name></Contact>', UNKNOWN_CLIENT],
    [
      '<Contact><Client><ID>1000000</ID></Client><Name>N</Name><IsPrimary>?</IsPrimary></Contact>',
      'Invalid value for IsPrimary',
    ],
    ['<Wrong><Client><ID>1000000</ID></Client><Name>N</Name></Wrong>', missing('/Contact/Client/ID')],
  ])('refuses to add %s', async (body, text) => {
    expect(await service.v1('POST', 'client.api/contact', body)).toBe(refusal('Contact', text));
  });

  it('updates one: a missing element keeps the value, an empty one clears it', async () => {
    const body = '<Contact><Name>Ben E</Name><Position></Position><Mobile>+64</Mobile></Contact>';
    expect(await service.v1('PUT', 'client.api/contact/193', body)).toBe(
      ok(
        'Contact',
        printed
          .replace('Ben Example', 'Ben E')
          .replace('<Position>Owner</Position>', '<Position></Position>')
          .replace('<Mobile></Mobile>', '<Mobile>+64</Mobile>'),
      ),
    );
    const unmarked = await service.v1(
      'PUT',
      'client.api/contact/193',
      '<Contact><Name>B</Name><IsPrimary>no</IsPrimary></Contact>',
    );
    expect(textOf(unmarked, 'IsPrimary')).toBe('No');
  });

  it('clears the others when an update marks one primary', async () => {
    await service.v1(
      'POST',
      'client.api/contact',
      '<Contact><Client><ID>1000000</ID></Client><Name>Two</Name></Contact>',
    );
    await service.v1(
      'PUT',
      'client.api/contact/1000000',
      '<Contact><Name>Two</Name><IsPrimary>1</IsPrimary></Contact>',
    );
    expect(textOf(await service.v1('GET', 'client.api/contact/193'), 'IsPrimary')).toBe('No');
  });

  it('checks the name of an update before the identifier', async () => {
    expect(await service.v1('PUT', 'client.api/contact/9', '<Contact/>')).toBe(
      refusal('Contact', missing('/Contact/Name')),
    );
    expect(await service.v1('PUT', 'client.api/contact/9', '<Contact><Name>N</Name></Contact>')).toBe(
      refusal('Contact', UNKNOWN_CONTACT),
    );
  });

  it('deletes one and returns it as it was', async () => {
    expect(await service.v1('DELETE', 'client.api/contact/193')).toBe(ok('Contact', printed));
    expect(await service.v1('GET', 'client.api/contact/193')).toBe(refusal('Contact', UNKNOWN_CONTACT));
    expect(await service.v1('DELETE', 'client.api/contact/193')).toBe(refusal('Contact', UNKNOWN_CONTACT));
    expect(await service.v1('GET', 'client.api/get/1000000')).toContain('<Contacts />');
  });

  it('counts as a change of the client', async () => {
    service.clock.moment += 60_000;
    await service.v1('DELETE', 'client.api/contact/193');
    const since = new Date(service.clock.moment).toISOString().slice(0, 19);
    expect(await service.v1('GET', `client.api/list?modifiedsince=${since}`)).toContain('<ID>1000000</ID>');
  });

  it('leaves one primary if many are marked at once', async () => {
    await Promise.all(
      Array.from({ length: 12 }, async (_, at) =>
        service.v1(
          'POST',
          'client.api/contact',
          `<Contact><Client><ID>1000000</ID></Client><Name>c${at}</Name><IsPrimary>Yes</IsPrimary></Contact>`,
        ),
      ),
    );
    const client = await service.v1('GET', 'client.api/get/1000000');
    expect(client.match(/<Contact>/g)).toHaveLength(13);
    expect(client.match(/<IsPrimary>Yes/g)).toHaveLength(1);
  });
});
