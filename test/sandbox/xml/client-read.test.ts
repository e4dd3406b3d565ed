import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  exampleClient,
  exampleStaff,
  ok,
  transitionClient,
  UNKNOWN_CLIENT,
  v1Client,
  v3Client,
} from './example.ts';
import { defaultSwitches, namesIn, refusal, Service } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const seedExample = async (more: Record<string, unknown> = {}): Promise<void> =>
  service.seed({ staff: exampleStaff, clients: [{ ...exampleClient, ...more }] });

describe('client.api/get', () => {
  it('returns the detailed client of the reference, byte for byte', async () => {
    await seedExample();
    const answer = await service.call('GET', 'v1/client.api/get/1000000');
    expect(answer.text).toBe(ok('Get', v1Client('<Notes />')));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
  });

  it('prints UUID for ID on V3, nested records too', async () => {
    await seedExample();
    expect(await service.v3('GET', `client.api/get/${exampleClient.uuid}`)).toBe(
      ok('Get', v3Client('<Notes />')),
    );
  });

  it('has V1 numbers on V3 if the organisation is set so', async () => {
    await seedExample();
    service.switches = { ...defaultSwitches, v3Identifiers: 'number' };
    expect(await service.v3('GET', 'client.api/get/1000000')).toBe(ok('Get', v1Client('<Notes />')));
    expect(await service.v3('GET', `client.api/get/${exampleClient.uuid}`)).toBe(
      refusal('Get', UNKNOWN_CLIENT),
    );
  });

  it('adds UUID as the last child in transition mode, by query or switch', async () => {
    await seedExample();
    const expected = ok('Get', transitionClient('<Notes />'));
    expect(await service.v1('GET', 'client.api/get/1000000?UuidMode=Transition')).toBe(expected);
    service.switches = { ...defaultSwitches, transition: true };
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(expected);
    expect(await service.v1('GET', `client.api/get/${exampleClient.uuid.toUpperCase()}`)).toBe(expected);
  });

  it('accepts a trailing slash, path and method in any case, keys in the query', async () => {
    await seedExample();
    const expected = ok('Get', v1Client('<Notes />'));
    expect(await service.v1('GET', 'client.api/get/1000000/')).toBe(expected);
    expect(await service.v1('GET', 'CLIENT.api/GET/1000000?apiKey=a&accountKey=b')).toBe(expected);
  });

  it.each(['1000001', '0', '-1', 'abc', '1e6', '1000000.0', '99999999999', exampleClient.uuid])(
    'refuses %s on V1 with the documented message',
    async (identifier) => {
      await seedExample();
      const answer = await service.call('GET', `v1/client.api/get/${identifier}`);
      expect(answer.text).toBe(refusal('Get', UNKNOWN_CLIENT));
      expect(answer.status).toBe(200);
    },
  );

  it('refuses a number on V3', async () => {
    await seedExample();
    expect(await service.v3('GET', 'client.api/get/1000000')).toBe(refusal('Get', UNKNOWN_CLIENT));
  });

  it('does not show the client of another organisation', async () => {
    await seedExample();
    const answer = await service.call('GET', 'v1/client.api/get/1000000', undefined, { organisation: 'two' });
    expect(answer.text).toBe(refusal('Get', UNKNOWN_CLIENT));
  });

  it('prints date of birth, type, notes, billing client and groups in their places', async () => {
    await service.seed({
      staff: exampleStaff,
      groups: [{ number: 31, name: 'Key <accounts>' }],
      clientTypes: [{ name: 'Wholesale', costMarkup: '7.5', paymentTerm: 'DayOfMonth', paymentDay: 20 }],
      clients: [
        { number: 5, name: 'Payer' },
        {
          ...exampleClient,
          dateOfBirth: '1980-02-03',
          type: 'Wholesale',
          billingClient: 5,
          groups: ['Key <accounts>'],
          notes: [
            { title: 'Call', text: 'one\ntwo', folder: 'F', date: '2026-01-02T03:04:05Z', createdBy: 'Ada' },
          ],
        },
      ],
    });
    const expected = v1Client(
      '<Notes><Note><Title>Call</Title><Text>one\ntwo</Text><Folder>F</Folder><Date>2026-01-02T03:04:05</Date>' +
        '<CreatedBy>Ada</CreatedBy></Note></Notes><BillingClient><ID>5</ID><Name>Payer</Name></BillingClient>' +
        '<Groups><Group><ID>31</ID><Name>Key &lt;accounts&gt;</Name></Group></Groups>',
    )
      .replace('<Address>', '<DateOfBirth>1980-02-03</DateOfBirth><Address>')
      .replace(
        '<Contacts>',
        '<Type><Name>Wholesale</Name><CostMarkup>7.50</CostMarkup><PaymentTerm>DayOfMonth</PaymentTerm>' +
          '<PaymentDay>20</PaymentDay></Type><Contacts>',
      );
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(ok('Get', expected));
  });

  it('has a WebUrl at the end if the organisation is set so', async () => {
    await seedExample();
    service.switches = { ...defaultSwitches, webUrl: 'numeric' };
    const link = 'http://service.example/Client/1000000/Detail';
    expect(await service.v3('GET', `client.api/get/${exampleClient.uuid}`)).toBe(
      ok('Get', v3Client(`<Notes /><WebUrl>${link}</WebUrl>`)),
    );
    service.switches = { ...defaultSwitches, webUrl: 'uuid' };
    expect(await service.v1('GET', 'client.api/get/1000000?uuidMode=transition')).toBe(
      ok('Get', transitionClient(`<Notes /><WebUrl>${link.replace('1000000', exampleClient.uuid)}</WebUrl>`)),
    );
  });

  it('writes awkward text as raw UTF-8 with three escapes', async () => {
    const name = '𝔘 🏔️ "q" \'a\' <b> & ]]> +64 1e5';
    await service.seed({ clients: [{ number: 9, name, exportCode: '00123', phone: '1.10' }] });
    const answer = await service.v1('GET', 'client.api/get/9');
    expect(answer).toContain('<Name>𝔘 🏔️ "q" \'a\' &lt;b&gt; &amp; ]]&gt; +64 1e5</Name>');
    expect(answer).toContain('<Phone>1.10</Phone>');
    expect(answer).toContain('<ExportCode>00123</ExportCode>');
  });
});

describe('client.api/list', () => {
  it('returns an empty container for no clients', async () => {
    expect(await service.v1('GET', 'client.api/list')).toBe(ok('List', '<Clients />'));
  });

  it('omits the detailed-only elements unless they are requested', async () => {
    await service.seed({
      groups: [{ number: 3, name: 'G' }],
      staff: exampleStaff,
      clients: [{ ...exampleClient, groups: ['G'] }],
    });
    const group = '<Groups><Group><ID>3</ID><Name>G</Name></Group></Groups>';
    const short = ok('List', `<Clients>${v1Client('')}</Clients>`);
    expect(await service.v1('GET', 'client.api/list')).toBe(short);
    expect(await service.v1('GET', 'client.api/list?detailed=false')).toBe(short);
    expect(await service.v1('GET', 'client.api/list?Detailed=True')).toBe(
      ok('List', `<Clients>${v1Client(`<Notes />${group}`)}</Clients>`),
    );
  });

  it('includes archived clients, and deleted ones by a switch', async () => {
    await service.seed({
      clients: [{ name: 'a' }, { name: 'b', isArchived: true }, { name: 'c', isDeleted: true }],
    });
    const all = await service.v1('GET', 'client.api/list');
    expect(namesIn(all)).toEqual(['a', 'b', 'c']);
    expect(all).toContain('<Name>c</Name>');
    expect(all.match(/<IsArchived>Yes/g)).toHaveLength(1);
    expect(all.match(/<IsDeleted>Yes/g)).toHaveLength(1);
    service.switches = { ...defaultSwitches, listDeleted: false };
    expect(namesIn(await service.v1('GET', 'client.api/list'))).toEqual(['a', 'b']);
    expect(await service.v3('GET', 'client.api/list?page=1')).toContain('<TotalRecords>2</TotalRecords>');
  });

  it('treats modifiedsince as UTC, and includes changes at that moment', async () => {
    await service.seed({
      clients: [
        { name: 'old', modifiedAt: '2026-03-01T11:59:59Z' },
        { name: 'same', modifiedAt: '2026-03-01T12:00:00Z' },
        { name: 'new', modifiedAt: '2026-03-02T00:00:00Z' },
      ],
    });
    const since = async (value: string): Promise<string[]> =>
      namesIn(await service.v1('GET', `client.api/list?modifiedsince=${value}`));
    expect(await since('2026-03-01T12:00:00')).toEqual(['same', 'new']);
    expect(await since('2026-03-01T12:00:01Z')).toEqual(['new']);
    expect(await since('20260302')).toEqual(['new']);
    expect(await since('')).toEqual(['old', 'same', 'new']);
    expect(await service.v1('GET', 'client.api/list?modifiedsince=yesterday')).toBe(
      refusal('List', 'Invalid value for modifiedsince'),
    );
  });

  it('never pages on V1', async () => {
    await service.seed({ clients: [{ name: 'a' }, { name: 'b' }] });
    const answer = await service.v1('GET', 'client.api/list?page=1&pagesize=1');
    expect(namesIn(answer)).toEqual(['a', 'b']);
    expect(answer).not.toContain('TotalRecords');
  });

  it('has pages on V3 only with a paging parameter, 100 records each', async () => {
    await service.seed({ clients: Array.from({ length: 250 }, (_, at) => ({ name: `c${at}` })) });
    const whole = await service.v3('GET', 'client.api/list');
    expect(namesIn(whole)).toHaveLength(250);
    expect(whole).not.toContain('TotalRecords');
    const third = await service.v3('GET', 'client.api/list?page=3');
    expect(third).toContain(
      '<Status>OK</Status><TotalRecords>250</TotalRecords><Page>3</Page><PageSize>100</PageSize><Clients><Client><UUID>',
    );
    expect(namesIn(third)).toEqual(Array.from({ length: 50 }, (_, at) => `c${at + 200}`));
    const small = await service.v3('GET', 'client.api/list?PageSize=7&page=2');
    expect(namesIn(small)).toEqual(['c7', 'c8', 'c9', 'c10', 'c11', 'c12', 'c13']);
    expect(await service.v3('GET', 'client.api/list?page=4')).toBe(
      ok('List', '<TotalRecords>250</TotalRecords><Page>4</Page><PageSize>100</PageSize><Clients />'),
    );
  });

  it('has pages with numbers if V3 has numbers', async () => {
    await service.seed({ staff: exampleStaff, clients: [exampleClient] });
    service.switches = { ...defaultSwitches, v3Identifiers: 'number' };
    expect(await service.v3('GET', 'client.api/list?page=1')).toBe(
      ok(
        'List',
        `<TotalRecords>1</TotalRecords><Page>1</Page><PageSize>100</PageSize><Clients>${v1Client('')}</Clients>`,
      ),
    );
  });

  it('sends a list longer than a batch completely and in order', async () => {
    await service.seed({ generate: { clients: 2_300 } });
    const answer = await service.v1('GET', 'client.api/list?detailed=true');
    const numbers = [...answer.matchAll(/<Client><ID>(\d+)</g)].map((match) => Number(match[1]));
    expect(numbers).toEqual(Array.from({ length: 2_300 }, (_, at) => 1_000_000 + at));
    expect(answer.endsWith('</Client></Clients></Response>')).toBe(true);
  });
});

describe('client.api/search', () => {
  beforeEach(async () => {
    await service.seed({
      clients: [
        { name: 'Ōtaki Öl GmbH', email: 'Info@Oel.example' },
        { name: 'Beta', phone: '+64 21 555', exportCode: 'X-001', contacts: [{ name: 'Zoë Marsh' }] },
        { name: 'Gone', isDeleted: true },
        { name: 'Kept away', isArchived: true },
      ],
    });
  });

  it.each([
    ['öl g', ['Ōtaki Öl GmbH']],
    ['INFO@oel', ['Ōtaki Öl GmbH']],
    ['+64 21', ['Beta']],
    ['x-00', ['Beta']],
    ['ZOË', ['Beta']],
    ['away', ['Kept away']],
    ['gone', []],
    ['%', []],
    ['beta +64', []],
  ])('finds by part of name, e-mail, phone, export code, contact: %s', async (query, names) => {
    const answer = await service.v1('GET', `client.api/search?query=${encodeURIComponent(query)}`);
    expect(namesIn(answer)).toEqual(names);
  });

  it('returns an empty container for no match, and details on request', async () => {
    expect(await service.v1('GET', 'client.api/search?query=nobody')).toBe(ok('Search', '<Clients />'));
    expect(await service.v1('GET', 'client.api/search?query=beta&detailed=true')).toContain('<Notes />');
  });

  it('requires a search text', async () => {
    const expected = refusal('Search', 'The parameter query is required');
    expect(await service.v1('GET', 'client.api/search')).toBe(expected);
    expect(await service.v1('GET', 'client.api/search?query=%20')).toBe(expected);
  });

  it('follows changes of names and contacts', async () => {
    await service.v1('PUT', 'client.api/update', '<Client><ID>1000001</ID><Name>Renamed</Name></Client>');
    await service.v1('DELETE', 'client.api/contact/1000000');
    expect(namesIn(await service.v1('GET', 'client.api/search?query=renamed'))).toEqual(['Renamed']);
    expect(namesIn(await service.v1('GET', 'client.api/search?query=zo%C3%AB'))).toEqual([]);
    expect(namesIn(await service.v1('GET', 'client.api/search?query=555'))).toEqual(['Renamed']);
  });
});
