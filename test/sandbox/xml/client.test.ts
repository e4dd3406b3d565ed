import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HEAD, missing, refusal, Service, statusOnly, textOf } from './service.ts';

/** The detailed client that the reference of the wire prints, as a seed. */
const example = {
  number: 1000000,
  uuid: '11111111-1111-4111-8111-111111111111',
  name: 'Example & Sons',
  email: 'office@example.org',
  address: '1 High Street\nFloor 2',
  city: 'Wellington',
  postCode: '6011',
  country: 'New Zealand',
  phone: '(04) 555 0100',
  accountManager: 7,
  contacts: [
    {
      number: 193,
      uuid: '22222222-2222-4222-8222-222222222222',
      name: 'Ben Example',
      email: 'ben@example.org',
      position: 'Owner',
      salutation: 'Ben',
      addressee: 'Mr B Example',
      isPrimary: true,
    },
  ],
};

const staff = [{ number: 7, uuid: '33333333-3333-4333-8333-333333333333', name: 'Ada Example' }];

const plain =
  '<Address>1 High Street\nFloor 2</Address><City>Wellington</City><Region></Region><PostCode>6011</PostCode>' +
  '<Country>New Zealand</Country><PostalAddress></PostalAddress><PostalCity></PostalCity>' +
  '<PostalRegion></PostalRegion><PostalPostCode></PostalPostCode><PostalCountry></PostalCountry>' +
  '<Phone>(04) 555 0100</Phone><Fax></Fax><Website></Website><ReferralSource></ReferralSource>' +
  '<ExportCode></ExportCode><IsProspect>No</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted>';

const contactRest =
  '<Name>Ben Example</Name><Mobile></Mobile><Email>ben@example.org</Email><Phone></Phone><Position>Owner</Position>' +
  '<Salutation>Ben</Salutation><Addressee>Mr B Example</Addressee><IsPrimary>Yes</IsPrimary>';

const v1Client = (notes: string): string =>
  '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name><Email>office@example.org</Email>' +
  plain +
  '<AccountManager><ID>7</ID><Name>Ada Example</Name></AccountManager>' +
  `<Contacts><Contact><ID>193</ID>${contactRest}</Contact></Contacts>${notes}</Client>`;

const v3Client = (notes: string): string =>
  '<Client><UUID>11111111-1111-4111-8111-111111111111</UUID><Name>Example &amp; Sons</Name>' +
  '<Email>office@example.org</Email>' +
  plain +
  '<AccountManager><UUID>33333333-3333-4333-8333-333333333333</UUID><Name>Ada Example</Name></AccountManager>' +
  `<Contacts><Contact><UUID>22222222-2222-4222-8222-222222222222</UUID>${contactRest}</Contact></Contacts>${notes}</Client>`;

const ok = (apiMethod: string, rest: string): string =>
  `${HEAD}<Response api-method="${apiMethod}"><Status>OK</Status>${rest}</Response>`;

const UNKNOWN = 'Invalid client identifier';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const seedExample = async (): Promise<void> => service.seed({ staff, clients: [example] });

describe('client.api/get', () => {
  beforeEach(seedExample);

  it('answers the detailed client of the reference, byte for byte', async () => {
    const answer = await service.call('GET', 'v1/client.api/get/1000000');
    expect(answer.text).toBe(ok('Get', v1Client('<Notes />')));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  });

  it('prints UUID for ID on V3, nested records too', async () => {
    const answer = await service.v3('GET', `client.api/get/${example.uuid}`);
    expect(answer).toBe(ok('Get', v3Client('<Notes />')));
  });

  it('accepts a trailing slash, path and method in any case, keys in the query', async () => {
    const expected = ok('Get', v1Client('<Notes />'));
    expect(await service.v1('GET', 'client.api/get/1000000/')).toBe(expected);
    expect(await service.v1('GET', 'CLIENT.api/GET/1000000?apiKey=a&accountKey=b')).toBe(expected);
  });

  it.each(['1000001', '0', '-1', 'abc', '1e6', '1000000.0', '99999999999', example.uuid])(
    'refuses %s on V1 with the known words',
    async (identifier) => {
      const answer = await service.call('GET', `v1/client.api/get/${identifier}`);
      expect(answer.text).toBe(refusal('Get', UNKNOWN));
      expect(answer.status).toBe(200);
    },
  );

  it('refuses a number on V3', async () => {
    expect(await service.v3('GET', 'client.api/get/1000000')).toBe(refusal('Get', UNKNOWN));
  });

  it('does not show the client of another organisation', async () => {
    const answer = await service.call('GET', 'v1/client.api/get/1000000', undefined, { organisation: 'two' });
    expect(answer.text).toBe(refusal('Get', UNKNOWN));
  });
});
