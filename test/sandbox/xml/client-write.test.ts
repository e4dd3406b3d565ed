import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleClient, exampleStaff, ok, UNKNOWN_CLIENT, v1Client } from './example.ts';
import { missing, namesIn, refusal, Service, statusOnly, textOf } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await service.seed({ staff: exampleStaff, clients: [exampleClient] });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const NAME_REQUIRED = 'The client name is required';
const update = async (elements: string): Promise<string> =>
  service.v1(
    'PUT',
    'client.api/update',
    `<Client><ID>1000000</ID><Name>Example &amp; Sons</Name>${elements}</Client>`,
  );

describe('client.api/add', () => {
  it('requires only the name, and returns the detailed client with a new number of seven digits', async () => {
    const answer = await service.v1('POST', 'client.api/add', '<Client><Name>New</Name></Client>');
    expect(answer).toBe(
      ok(
        'Add',
        '<Client><ID>1000001</ID><Name>New</Name><Address></Address><City></City><Region></Region><PostCode></PostCode>' +
          '<Country></Country><PostalAddress></PostalAddress><PostalCity></PostalCity><PostalRegion></PostalRegion>' +
          '<PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone></Phone><Fax></Fax>' +
          '<Website></Website><ReferralSource></ReferralSource><ExportCode></ExportCode><IsProspect>No</IsProspect>' +
          '<IsArchived>No</IsArchived><IsDeleted>No</IsDeleted><Contacts /><Notes /></Client>',
      ),
    );
  });

  it('stores every field of the message, names in any case, and ignores unknown elements', async () => {
    const answer = await service.v1(
      'POST',
      'client.api/add',
      '<client><NAME>N</NAME><email>e@x.example</email><Address>1 A\r\nB</Address><City>C</City><Region>R</Region>' +
        '<Postcode>0110</Postcode><Country>NZ</Country><PostalAddress>PA</PostalAddress><PostalCity>PC</PostalCity>' +
        '<PostalRegion>PR</PostalRegion><PostalPostCode>PP</PostalPostCode><PostalCountry>PN</PostalCountry>' +
        '<Phone>+64 1</Phone><Fax>1e5</Fax><WebSite>http://w.example/?a=1&amp;b</WebSite>' +
        '<ReferralSource>Friend</ReferralSource><ExportCode>0001</ExportCode><IsProspect>yes</IsProspect>' +
        '<DateOfBirth>19800203</DateOfBirth><AccountManagerID>7</AccountManagerID><BillingClientID>1000000</BillingClientID>' +
        '<Nonsense><ID>3</ID></Nonsense><Notes><Note type="array"><Note>x</Note></Note></Notes><TaxNumber>123</TaxNumber></client>',
    );
    expect(answer).toBe(
      ok(
        'Add',
        '<Client><ID>1000001</ID><Name>N</Name><Email>e@x.example</Email><DateOfBirth>1980-02-03</DateOfBirth>' +
          '<Address>1 A\nB</Address><City>C</City><Region>R</Region><PostCode>0110</PostCode><Country>NZ</Country>' +
          '<PostalAddress>PA</PostalAddress><PostalCity>PC</PostalCity><PostalRegion>PR</PostalRegion>' +
          '<PostalPostCode>PP</PostalPostCode><PostalCountry>PN</PostalCountry><Phone>+64 1</Phone><Fax>1e5</Fax>' +
          '<Website>http://w.example/?a=1&amp;b</Website><ReferralSource>Friend</ReferralSource>' +
          '<ExportCode>0001</ExportCode><IsProspect>Yes</IsProspect><IsArchived>No</IsArchived>' +
          '<IsDeleted>No</IsDeleted><AccountManager><ID>7</ID><Name>Ada Example</Name></AccountManager><Contacts />' +
          '<Notes /><BillingClient><ID>1000000</ID><Name>Example &amp; Sons</Name></BillingClient></Client>',
      ),
    );
    expect(await service.v1('GET', 'client.api/get/1000001')).toBe(answer.replace('"Add"', '"Get"'));
  });

  it('ignores the root, as programs send XmlClient with ID 0', async () => {
    const answer = await service.v1(
      'POST',
      'client.api/add/',
      '<?xml version="1.0" encoding="utf-16"?><XmlClient xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><ID>0</ID>' +
        '<Name>J&#252;rgen</Name></XmlClient>',
    );
    expect(textOf(answer, 'Name')).toBe('Jürgen');
  });

  it.each(['<Client></Client>', '<Client><Name/></Client>', '<Client><Name>  </Name></Client>', ''])(
    'refuses a client without a name: %s',
    async (body) => {
      const answer = await service.call('POST', 'v1/client.api/add', body);
      expect(answer.text).toBe(refusal('Add', NAME_REQUIRED));
      expect(answer.status).toBe(200);
    },
  );

  it('accepts contacts; the last one marked primary is the primary', async () => {
    const answer = await service.v1(
      'POST',
      'client.api/add',
      '<Client><Name>N</Name><Contacts>' +
        '<Contact><Name>One</Name><IsPrimary>YES</IsPrimary></Contact>' +
        '<Contact><Name>Two</Name><IsPrimary>true</IsPrimary></Contact>' +
        '<Contact><Name>Three</Name><Mobile>+64</Mobile><Email>t@x</Email><Phone>1</Phone><Position>P</Position>' +
        '<Salutation>S</Salutation><Addressee>A</Addressee><IsPrimary>no</IsPrimary></Contact></Contacts></Client>',
    );
    const contact = (id: number, name: string, primary: string): string =>
      `<Contact><ID>${id}</ID><Name>${name}</Name><Mobile></Mobile><Email></Email><Phone></Phone><Position></Position>` +
      `<Salutation></Salutation><Addressee></Addressee><IsPrimary>${primary}</IsPrimary></Contact>`;
    expect(answer).toContain(
      `<Contacts>${contact(1000000, 'One', 'No')}${contact(1000001, 'Two', 'Yes')}` +
        '<Contact><ID>1000002</ID><Name>Three</Name><Mobile>+64</Mobile><Email>t@x</Email><Phone>1</Phone>' +
        '<Position>P</Position><Salutation>S</Salutation><Addressee>A</Addressee><IsPrimary>No</IsPrimary></Contact></Contacts>',
    );
  });

  it('leaves no trace if something in it is refused', async () => {
    const contact = '<Contacts><Contact><Name></Name></Contact></Contacts>';
    expect(await service.v1('POST', 'client.api/add', `<Client><Name>N</Name>${contact}</Client>`)).toBe(
      refusal('Add', missing('/Client/Contacts/Contact/Name')),
    );
    expect(namesIn(await service.v1('GET', 'client.api/list'))).toEqual(['Example &amp; Sons']);
  });

  it.each([
    ['<IsProspect>maybe</IsProspect>', 'Invalid value for IsProspect'],
    ['<DateOfBirth>2026-02-30</DateOfBirth>', 'Invalid value for DateOfBirth'],
    ['<AccountManagerID>8</AccountManagerID>', 'Invalid staff identifier'],
    ['<BillingClientID>8</BillingClientID>', UNKNOWN_CLIENT],
  ])('refuses %s', async (element, text) => {
    const body = `<Client><Name>N</Name>${element}</Client>`;
    expect(await service.v1('POST', 'client.api/add', body)).toBe(refusal('Add', text));
  });

  it.each([
    ['Yes', 'Yes'],
    ['TRUE', 'Yes'],
    ['1', 'Yes'],
    ['no', 'No'],
    ['False', 'No'],
    ['0', 'No'],
    ['', 'No'],
  ])('reads the flag %s', async (given, shown) => {
    const body = `<Client><Name>N</Name><IsProspect>${given}</IsProspect></Client>`;
    expect(textOf(await service.v1('POST', 'client.api/add', body), 'IsProspect')).toBe(shown);
  });

  it('accepts UUID elements on V3 and returns UUIDs', async () => {
    const answer = await service.v3(
      'POST',
      'client.api/add',
      `<Client><Name>N</Name><AccountManagerUUID>${exampleStaff[0]?.uuid ?? ''}</AccountManagerUUID><AccountManagerID>999</AccountManagerID></Client>`,
    );
    expect(answer).toContain(
      '<AccountManager><UUID>33333333-3333-4333-8333-333333333333</UUID><Name>Ada Example</Name></AccountManager>',
    );
    expect(answer).not.toContain('<ID>');
  });

  it('gives every one of many parallel calls its own number', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, async (_, at) =>
        service.v1('POST', 'client.api/add', `<Client><Name>n${at}</Name></Client>`),
      ),
    );
    const numbers = answers.map((answer) => textOf(answer, 'ID'));
    expect(new Set(numbers).size).toBe(25);
    expect(namesIn(await service.v1('GET', 'client.api/list'))).toHaveLength(26);
  });
});

describe('client.api/update', () => {
  it('keeps what is missing, clears what is empty, and returns the detailed client', async () => {
    const answer = await update('<City></City><Email/><Phone>1</Phone>');
    expect(answer).toBe(
      ok(
        'Update',
        v1Client('<Notes />')
          .replace('<Email>office@example.org</Email>', '')
          .replace('<City>Wellington</City>', '<City></City>')
          .replace('<Phone>(04) 555 0100</Phone>', '<Phone>1</Phone>'),
      ),
    );
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(answer.replace('"Update"', '"Get"'));
  });

  it('clears references by an empty element', async () => {
    expect(await update('<AccountManagerID></AccountManagerID>')).not.toContain('AccountManager');
  });

  it('ignores ExportCode, Contacts and a changed root case', async () => {
    const answer = await service.v1(
      'PUT',
      'client.api/update',
      '<CLIENT><id>1000000</id><name>Example &amp; Sons</name><ExportCode>999</ExportCode>' +
        '<Contacts><Contact><Name>X</Name></Contact></Contacts></CLIENT>',
    );
    expect(answer).toBe(ok('Update', v1Client('<Notes />')));
  });

  it.each([
    ['<Client><Name>N</Name></Client>', missing('/Client/ID')],
    ['<Client><ID></ID><Name>N</Name></Client>', missing('/Client/ID')],
    ['<Client><ID>42</ID></Client>', NAME_REQUIRED],
    ['<Client><ID>42</ID><Name></Name></Client>', NAME_REQUIRED],
    ['<Client><ID>42</ID><Name>N</Name></Client>', UNKNOWN_CLIENT],
    ['<XmlClient><ID>1000000</ID><Name>N</Name></XmlClient>', missing('/Client/ID')],
    ['', missing('/Client/ID')],
  ])('checks required elements before identifiers: %s', async (body, text) => {
    expect(await service.v1('PUT', 'client.api/update', body)).toBe(refusal('Update', text));
  });

  it('names the element of V3', async () => {
    expect(
      await service.v3('PUT', 'client.api/update', '<Client><ID>1000000</ID><Name>N</Name></Client>'),
    ).toBe(refusal('Update', missing('/Client/UUID')));
  });

  it('requires ID and UUID to agree in transition mode, and accepts either', async () => {
    await service.seed({ clients: [{ number: 5, name: 'Other' }] });
    const transition = async (ids: string): Promise<string> =>
      service.v1('PUT', 'client.api/update?uuidMode=transition', `<Client>${ids}<Name>N</Name></Client>`);
    const uuid = `<UUID>${exampleClient.uuid}</UUID>`;
    expect(textOf(await transition(uuid), 'ID')).toBe('1000000');
    expect(textOf(await transition(`<ID>1000000</ID>${uuid}`), 'ID')).toBe('1000000');
    expect(await transition(`<ID>5</ID>${uuid}`)).toBe(refusal('Update', UNKNOWN_CLIENT));
    expect(await transition(`<ID>77</ID><UUID>99999999-9999-4999-8999-999999999999</UUID>`)).toBe(
      refusal('Update', UNKNOWN_CLIENT),
    );
  });

  it('appears in modifiedsince', async () => {
    const since = 'client.api/list?modifiedsince=2026-11-20T10:00:00';
    expect(namesIn(await service.v1('GET', since))).toEqual([]);
    service.clock.moment = Date.UTC(2026, 10, 20, 10, 0, 0);
    await update('');
    expect(namesIn(await service.v1('GET', since))).toHaveLength(1);
  });
});

describe('client.api/archive', () => {
  it('returns the client, archived', async () => {
    const expected = v1Client('<Notes />').replace('<IsArchived>No', '<IsArchived>Yes');
    const body = '<Client><ID>1000000</ID></Client>';
    expect(await service.v1('PUT', 'client.api/archive', body)).toBe(ok('Archive', expected));
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(ok('Get', expected));
  });

  it.each([
    ['<Client></Client>', missing('/Client/ID')],
    ['<Client><ID>1</ID></Client>', UNKNOWN_CLIENT],
  ])('refuses %s', async (body, text) => {
    expect(await service.v1('PUT', 'client.api/archive', body)).toBe(refusal('Archive', text));
  });
});

describe('client.api/delete', () => {
  const body = '<Client><ID>1000000</ID></Client>';

  it('returns Status only; then only the list still has the client', async () => {
    expect(await service.v1('POST', 'client.api/delete', body)).toBe(statusOnly('Delete'));
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(refusal('Get', UNKNOWN_CLIENT));
    expect(await update('')).toBe(refusal('Update', UNKNOWN_CLIENT));
    expect(await service.v1('POST', 'client.api/delete', body)).toBe(refusal('Delete', UNKNOWN_CLIENT));
    expect(await service.v1('GET', 'client.api/contact/193')).toBe(
      refusal('Contact', 'Invalid contact identifier'),
    );
    expect(textOf(await service.v1('GET', 'client.api/list'), 'IsDeleted')).toBe('Yes');
  });

  it('never assigns the number again', async () => {
    await service.v1('POST', 'client.api/add', '<Client><Name>A</Name></Client>');
    await service.v1('POST', 'client.api/delete', '<Client><ID>1000001</ID></Client>');
    const next = await service.v1('POST', 'client.api/add', '<Client><Name>B</Name></Client>');
    expect(textOf(next, 'ID')).toBe('1000002');
  });

  it.each([
    ['<Client><ID> </ID></Client>', missing('/Client/ID')],
    ['<Client><ID>1</ID></Client>', UNKNOWN_CLIENT],
  ])('refuses %s', async (wrong, text) => {
    expect(await service.v1('POST', 'client.api/delete', wrong)).toBe(refusal('Delete', text));
  });
});
