import { afterEach, describe, expect, it } from '@jest/globals';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import { Trace } from '../../src/proxy/call/call.ts';
import {
  anyRecord,
  ask,
  closeWorlds,
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

const CLIENT = uuid('c1', 1);
const OTHER = uuid('c1', 2);
const FIELD = uuid('cf', 51);

const pairs = [
  pair('client', 1000000, CLIENT),
  pair('client', 1000001, OTHER),
  pair('staff', 7, uuid('5a', 7)),
  pair('contact', 193, uuid('c0', 193)),
  pair('customField', 51, FIELD),
  pair('relationship', 12, uuid('4e', 12)),
  pair('jobTask', 71, uuid('7a', 71)),
  pair('group', 31, uuid('90', 31)),
];

const forward = (answer: ReturnType<typeof ok> = ok(), more: Setting = {}): Promise<World> =>
  world({ pairs, v3: () => answer, ...more });

describe('an unknown identifier is refused in the words of its kind, and nothing is sent', () => {
  const known = '<ID>1000000</ID><Name>n</Name>';
  const cases: readonly (readonly [line: string, body: string, text: string])[] = [
    ['GET client.api/get/999', '', 'Invalid client identifier'],
    ['GET client.api/get/0', '', 'Invalid client identifier'],
    ['GET client.api/get/abc', '', 'Invalid client identifier'],
    ['GET client.api/get/2147483648', '', 'Invalid client identifier'],
    ['GET client.api/get/-1', '', 'Invalid client identifier'],
    ['GET client.api/get/1e3', '', 'Invalid client identifier'],
    ['GET client.api/documents/999', '', 'Invalid client identifier'],
    ['GET client.api/contact/999', '', 'Invalid contact identifier'],
    ['GET client.api/contact/1000000', '', 'Invalid contact identifier'],
    ['DELETE client.api/contact/999', '', 'Invalid contact identifier'],
    ['PUT client.api/contact/999', '<Contact><Name>n</Name></Contact>', 'Invalid contact identifier'],
    ['PUT client.api/update', '<Client><ID>999</ID><Name>n</Name></Client>', 'Invalid client identifier'],
    ['PUT client.api/update', '<Client><ID>0</ID><Name>n</Name></Client>', 'Invalid client identifier'],
    ['PUT client.api/archive', '<Client><ID>999</ID></Client>', 'Invalid client identifier'],
    ['POST client.api/delete', '<Client><ID>999</ID></Client>', 'Invalid client identifier'],
    [
      'PUT client.api/update',
      `<Client>${known}<AccountManagerID>8</AccountManagerID></Client>`,
      'Invalid staff identifier',
    ],
    [
      'PUT client.api/update',
      `<Client>${known}<BillingClientID>9</BillingClientID></Client>`,
      'Invalid client identifier',
    ],
    [
      'POST client.api/contact',
      '<Contact><Client><ID>9</ID></Client><Name>n</Name></Contact>',
      'Invalid client identifier',
    ],
    [
      'POST client.api/document',
      '<Document><ClientID>9</ClientID><Title>t</Title><FileName>f</FileName><Content>QQ==</Content></Document>',
      'Invalid client identifier',
    ],
    [
      'POST client.api/deleterelationship',
      '<Relationship><ID>9</ID></Relationship>',
      'Invalid relationship identifier',
    ],
    ['GET supplier.api/get/9/customfield', '', 'Invalid supplier identifier'],
    ['GET supplier.api/contact/193/customfield', '', 'Invalid contact identifier'],
    ['GET job.api/task/9/customfield', '', 'Invalid task identifier'],
    ['GET job.api/cost/9/customfield', '', 'Invalid cost identifier'],
    ['GET time.api/get/9/customfield', '', 'Invalid time identifier'],
    ['GET lead.api/get/9/customfield', '', 'Invalid lead identifier'],
  ];

  it.each(cases)('%s %s: %s', async (line, body, text) => {
    const to = await forward();
    expect(await refusal(to, line, { body })).toMatchObject({ code: 'refused', text, retryAfter: undefined });
    expect(to.v3.requests).toEqual([]);
  });

  it('although another account knows it', async () => {
    const to = await forward(ok(), { pairs: [] });
    await to.store.crosswalk.learn('account-2', pairs);
    expect(await refusal(to, 'GET client.api/get/1000000')).toMatchObject({
      text: 'Invalid client identifier',
    });
  });
});

describe('an element that the legacy service requires', () => {
  const missing = (path: string): string =>
    `Message not in expected format. The following required element was missing - ${path}`;
  const cases: readonly (readonly [line: string, body: string, text: string])[] = [
    ['POST client.api/add', '', 'The client name is required'],
    ['POST client.api/add', '<Client><City>x</City></Client>', 'The client name is required'],
    ['POST client.api/add', '<Client><Name>  </Name></Client>', 'The client name is required'],
    ['PUT client.api/update', '<Client><ID>1000000</ID></Client>', 'The client name is required'],
    ['PUT client.api/update', '<Client><Name>n</Name></Client>', missing('/Client/ID')],
    ['PUT client.api/archive', '', missing('/Client/ID')],
    ['POST client.api/delete', '<Client></Client>', missing('/Client/ID')],
    ['POST client.api/delete', '<Kunde><ID>1000000</ID></Kunde>', missing('/Client/ID')],
    ['POST client.api/contact', '<Contact><Name>n</Name></Contact>', missing('/Contact/Client/ID')],
    [
      'POST client.api/contact',
      '<Contact><Client><ID>1000000</ID></Client></Contact>',
      missing('/Contact/Name'),
    ],
    ['PUT client.api/contact/193', '<Contact><Email>e</Email></Contact>', missing('/Contact/Name')],
    ['POST client.api/document', '<Document><Title>t</Title></Document>', missing('/Document/ClientID')],
    [
      'POST client.api/document',
      '<Document><ClientID>1000000</ClientID></Document>',
      missing('/Document/Title'),
    ],
    [
      'POST client.api/addrelationship',
      '<Relationship><ClientID>1000000</ClientID><Type>Owner</Type></Relationship>',
      missing('/Relationship/RelatedClientID'),
    ],
    ['POST client.api/updaterelationship', '<Relationship></Relationship>', missing('/Relationship/ID')],
    ['PUT client.api/update/1000000/customfield', '', missing('/CustomFields/CustomField')],
    ['PUT client.api/update/1000000/customfield', '<CustomField/>', missing('/CustomFields/CustomField')],
  ];

  it.each(cases)('%s %s: %s', async (line, body, text) => {
    const to = await forward();
    expect(await refusal(to, line, { body })).toMatchObject({ code: 'refused', text });
    expect(to.v3.requests).toEqual([]);
  });

  it('has any root for a new client, and any case elsewhere', async () => {
    const added = await forward(anyRecord());
    await ask(added, 'POST client.api/add', { body: '<Whatever><Name>n</Name></Whatever>' });
    expect(added.v3.sent).toContain('<Client><Name>n</Name></Client>');
    const archived = await forward(ok());
    await ask(archived, 'PUT client.api/archive', { body: '<CLIENT><id>1000000</id></CLIENT>' });
    expect(archived.v3.sent).toContain(`<Client><UUID>${CLIENT}</UUID></Client>`);
  });
});

describe('a request to V3', () => {
  const update = (inner: string): string => `<Client><ID>1000000</ID><Name>n</Name>${inner}</Client>`;

  it.each([
    '<City>a</City><City>b</City>',
    '<City>a</City><city>a</city>',
    '<ID>1000001</ID>',
    '<Postcode/><PostCode/>',
  ])('is refused if it has a doubled element: %s', async (inner) => {
    const to = await forward();
    const { code, text } = await refusal(to, 'PUT client.api/update', { body: update(inner) });
    expect(code).toBe('refused');
    expect(text).toMatch(/^Message not in expected format\. The element (City|ID|PostCode) was found twice$/);
    expect(to.v3.requests).toEqual([]);
  });

  it.each(['1 High St<br/>Suite 2', '<b>1 High St</b>'])(
    'is refused if a value contains elements, because it would be emptied: %s',
    async (address) => {
      const to = await forward();
      const body = update(`<Address>${address}</Address>`);
      expect(await refusal(to, 'PUT client.api/update', { body })).toMatchObject({
        ...{ code: 'refused', text: 'Invalid value for Address', isOfCall: true },
      });
      expect(to.v3.requests).toEqual([]);
    },
  );

  it('has no unknown elements, whose names are in the log', async () => {
    const to = await forward();
    const trace = new Trace();
    await ask(to, 'PUT client.api/update', {
      body: update('<ExportCode>X</ExportCode><__proto__>y</__proto__><Notes><Note/></Notes>'),
      trace,
    });
    expect(to.v3.sent).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><Client><UUID>${CLIENT}</UUID><Name>n</Name></Client>`,
    );
    expect([...trace.dropped]).toEqual(['Client/ExportCode', 'Client/__proto__', 'Client/Notes']);
  });

  it.each(['*******89', '******789', '*', '***9', ' ***789 '])(
    'has no masked tax number, which would overwrite the real one: %s',
    async (masked) => {
      const to = await forward();
      const trace = new Trace();
      await ask(to, 'PUT client.api/update', { body: update(`<TaxNumber>${masked}</TaxNumber>`), trace });
      expect(to.v3.sent).not.toContain('TaxNumber');
      expect([...trace.dropped]).toEqual(['Client/TaxNumber']);
    },
  );

  it.each(['123456789', '', '12*45', '****5678'])('has any other tax number: %s', async (number) => {
    const to = await forward();
    await ask(to, 'PUT client.api/update', { body: update(`<TaxNumber>${number}</TaxNumber>`) });
    expect(to.v3.sent).toContain(`<TaxNumber>${number}</TaxNumber>`);
  });

  it('clears an empty reference, and omits an absent one', async () => {
    const to = await forward();
    await ask(to, 'PUT client.api/update', { body: update('<BillingClientID/>') });
    expect(to.v3.sent).toContain('<BillingClientUUID></BillingClientUUID>');
    expect(to.v3.sent).not.toContain('AccountManager');
  });

  it('keeps UUIDs of the transition mode, in path and body', async () => {
    const to = await forward();
    await ask(to, 'PUT client.api/archive', { body: `<Client><ID>${OTHER}</ID></Client>` });
    expect(to.v3.sent).toContain(`<UUID>${OTHER}</UUID>`);
    const got = await forward(anyRecord());
    await ask(got, `GET client.api/get/${OTHER}`);
    expect(got.v3.path).toBe(`client.api/get/${OTHER}`);
  });

  it('has known parameters only, in any case', async () => {
    const to = await forward(ok('<Clients />'));
    await ask(to, 'GET client.api/search?Query=a%26b&DETAILED=true&uuidMode=transition&format=json');
    expect(to.v3.requests[0]?.query).toEqual([
      ['query', 'a&b'],
      ['detailed', 'true'],
    ]);
  });

  it('goes to the organisation of the account', async () => {
    const to = await forward(anyRecord());
    await ask(to, 'GET client.api/get/1000000');
    expect(to.v3.destinations).toEqual([
      {
        accountId: 'account-1',
        product: 'standard',
        application: 'default',
        grantId: 'grant-1',
        organisationId: 'organisation-1',
      },
    ]);
  });
});

describe('identifiers of custom fields: ID and UUID', () => {
  const put = (inner: string): string =>
    `<CustomFields><CustomField>${inner}<Text>x</Text></CustomField></CustomFields>`;
  const line = 'PUT job.api/update/J000123/customfield';

  it.each([
    '<ID>51</ID>',
    `<UUID>${FIELD}</UUID>`,
    `<ID>51</ID><UUID>${FIELD}</UUID>`,
    `<UUID>${FIELD.toUpperCase()}</UUID><ID>51</ID>`,
    `<UUID></UUID><ID>51</ID>`,
    `<ID></ID><UUID>${FIELD}</UUID>`,
  ])('are accepted if they agree: %s', async (inner) => {
    const to = await forward();
    await ask(to, line, { body: put(inner) });
    expect(to.v3.sent.toLowerCase()).toContain(
      `<customfield><uuid>${FIELD}</uuid><text>x</text></customfield>`,
    );
    expect(to.v3.path).toBe('job.api/update/J000123/customfield');
  });

  it('are refused if they disagree, and nothing is sent', async () => {
    const to = await forward();
    const { code, text } = await refusal(to, line, {
      body: put(`<ID>51</ID><UUID>${uuid('cf', 52)}</UUID>`),
    });
    expect({ code, text }).toEqual({ code: 'refused', text: 'Invalid custom field identifier' });
    expect(to.v3.requests).toEqual([]);
  });

  it('keep their order in several fields', async () => {
    const to = await forward();
    const field = (inner: string): string => `<CustomField>${inner}</CustomField>`;
    await ask(to, line, {
      body: `<CustomFields>${field('<ID>51</ID><Number>1</Number>')}${field(`<UUID>${FIELD}</UUID><Date/>`)}</CustomFields>`,
    });
    expect(to.v3.sent).toContain(
      `<CustomFields><CustomField><UUID>${FIELD}</UUID><Number>1</Number></CustomField><CustomField><UUID>${FIELD}</UUID><Date></Date></CustomField></CustomFields>`,
    );
  });
});

describe('a reply in the legacy form', () => {
  const contact = (id: string, name: string): string =>
    `<Contact><UUID>${id}</UUID><Name>${name}</Name></Contact>`;
  const legacyContact = (id: string, name: string): string =>
    `<Contact><ID>${id}</ID><Name>${name}</Name><Mobile></Mobile><Email></Email><Phone></Phone><Position></Position><Salutation></Salutation><Addressee></Addressee><IsPrimary></IsPrimary></Contact>`;
  /** `client.contact.get` leaves out what V3 does not tell of these, so that nobody sends it back as emptied. */
  const contactRead = (id: string, name: string): string =>
    legacyContact(id, name).replace(/<(Position|IsPrimary)><\/\1>/g, '');

  it('has an empty ID for an unlearned UUID, which is counted', async () => {
    const unknownKey = uuid('c0', 999);
    const to = await forward(ok(contact(unknownKey, 'n')));
    expect(await ask(to, 'GET client.api/contact/193')).toBe(legacyOk('Contact', contactRead('', 'n')));
    const report = await to.store.crosswalk.report('account-1');
    expect(report.find(({ kind }) => kind === 'contact')).toMatchObject({ unlearned: 1, allotted: 0 });
  });

  it('has a new number for an unknown UUID if every older record is known', async () => {
    const to = await forward(ok(contact(uuid('c0', 999), 'n')), { complete: ['contact'] });
    expect(await ask(to, 'GET client.api/contact/193')).toContain(`<ID>${FIRST_ALLOTTED}</ID>`);
  });

  it('has an allotted number that lasts for a record created by the call', async () => {
    const made = uuid('c0', 2);
    const to = await forward(ok(contact(made, 'n')));
    const body = '<Contact><Client><ID>1000000</ID></Client><Name>n</Name></Contact>';
    expect(await ask(to, 'POST client.api/contact', { body })).toBe(
      legacyOk('Contact', legacyContact(String(FIRST_ALLOTTED), 'n')),
    );
    await ask(to, `GET client.api/contact/${FIRST_ALLOTTED}`);
    expect(to.v3.requests[1]?.segments).toEqual(['client.api', 'contact', made]);
  });

  it('of a new client allots numbers only to what was sent with it', async () => {
    const group = uuid('90', 99);
    const staff = uuid('5a', 99);
    const to = await forward(
      ok(
        `<Client><UUID>${uuid('c1', 9)}</UUID><Name>n</Name><AccountManager><UUID>${staff}</UUID><Name>s</Name></AccountManager><Contacts>${contact(uuid('c0', 9), 'c')}</Contacts><Groups><Group><UUID>${group}</UUID><Name>g</Name></Group></Groups></Client>`,
      ),
    );
    const text = await ask(to, 'POST client.api/add', { body: '<Client><Name>n</Name></Client>' });
    expect(text).toContain(`<Client><ID>${FIRST_ALLOTTED}</ID><Name>n</Name>`);
    expect(text).toContain(`<Contact><ID>${FIRST_ALLOTTED}</ID><Name>c</Name>`);
    expect(text).toContain('<AccountManager><ID></ID><Name>s</Name></AccountManager>');
    expect(text).toContain('<Group><ID></ID><Name>g</Name></Group>');
  });

  it('allots no number to a changed record', async () => {
    const to = await forward(ok(contact(uuid('c0', 9), 'n')));
    const body = '<Contact><Name>n</Name></Contact>';
    expect(await ask(to, 'PUT client.api/contact/193', { body })).toContain('<Contact><ID></ID>');
  });

  it.each([
    ['596000.0000', '596000.00'],
    ['0.1', '0.10'],
    ['7', '7.00'],
    ['-12.5000', '-12.50'],
    ['1.0050', '1.01'],
    ['0.0049', '0.00'],
    ['-0.0010', '0.00'],
    ['9007199254740993.0000', '9007199254740993.00'],
    ['99999999999999999999.9950', '100000000000000000000.00'],
    ['n/a', 'n/a'],
    ['1e3', '1e3'],
    ['', ''],
  ])('has two decimal places, digit by digit: %s', async (given, written) => {
    const field = `<UUID>${FIELD}</UUID><Name>n</Name>`;
    const to = await forward(
      ok(`<CustomFields><CustomField>${field}<Decimal>${given}</Decimal></CustomField></CustomFields>`),
    );
    expect(await ask(to, 'GET job.api/get/J1/customfield')).toBe(
      legacyOk(
        'Get',
        `<CustomFields><CustomField><ID>51</ID>${field}<Decimal>${written}</Decimal></CustomField></CustomFields>`,
      ),
    );
  });

  it.each(['', ' ', '<!-- -->'])(
    'has the containers of a detailed record that V3 left out, but for those that V1 shows only with entries (%j)',
    async (unusual) => {
      const to = await forward(ok(`<Client>${unusual}<UUID>${CLIENT}</UUID><Name>n</Name></Client>`));
      const text = await ask(to, 'GET client.api/get/1000000');
      expect(text).toContain('<Contacts /><Notes /></Client>');
    },
  );

  it('has a list for a single record', async () => {
    const document = (url: string): string =>
      `<Document><Title>t</Title><Text></Text><Folder></Folder><Date>20261120</Date><CreatedBy>c</CreatedBy><URL>${url}</URL></Document>`;
    const to = await forward(ok(`<Documents>${document('https://v3.example/abc')}</Documents>`));
    expect(await ask(to, 'GET client.api/documents/1000000')).toBe(
      legacyOk('Documents', `<Documents>${document('https://bridge.example/account-1/22')}</Documents>`),
    );
  });

  it.each(['<Documents />', '<Documents></Documents>', '<Documents>\n</Documents>', ''])(
    'has a self-closing empty list, however V3 writes it: %j',
    async (list) => {
      const to = await forward(ok(list));
      expect(await ask(to, 'GET client.api/documents/1000000')).toBe(legacyOk('Documents', '<Documents />'));
    },
  );

  it('has no record that is not of the list', async () => {
    const to = await forward(
      ok('<Pagination><Links><First>x</First></Links></Pagination><Documents></Documents>'),
    );
    expect(await ask(to, 'GET client.api/documents/1000000')).toBe(legacyOk('Documents', '<Documents />'));
  });

  it('is cut to the Status if V1 returns that alone', async () => {
    const to = await forward(ok(`<Client><UUID>${CLIENT}</UUID></Client>`));
    const body = '<Client><ID>1000000</ID></Client>';
    expect(await ask(to, 'POST client.api/delete', { body })).toBe(legacyOk('Delete'));
  });

  it('has the identifier of an uploaded document beside Status', async () => {
    const body =
      '<Document><ClientID>1000000</ClientID><Title>t</Title><FileName>f</FileName><Content>QQ==</Content></Document>';
    const told = await forward(ok(`<UUID>${uuid('d0', 1)}</UUID>`));
    expect(await ask(told, 'POST client.api/document', { body })).toBe(
      legacyOk('Document', `<ID>${FIRST_ALLOTTED}</ID>`),
    );
    const silent = await forward(ok());
    expect((await refusal(silent, 'POST client.api/document', { body })).code).toBe('outcomeUnknown');
  });

  it.each([
    'a <b>c</b> d',
    'High St<br />Suite 2',
    '<p class="x">a &amp; b</p>',
    '<b>a</b> <i>b <u>c</u></i> &lt;d&gt;',
    '<b>a</b> <i><u>b</u> <u>c</u></i>',
    ' <p>a</p>\n<p>b</p> ',
  ])('keeps the markup of a value as it came: %s', async (name) => {
    const to = await forward(ok(contact(uuid('c0', 193), name)));
    expect(await ask(to, 'GET client.api/contact/193')).toBe(legacyOk('Contact', contactRead('193', name)));
  });

  it('is empty where V3 sends a record for a value', async () => {
    const to = await forward(ok(contact(uuid('c0', 193), `<UUID>${uuid('c0', 194)}</UUID><Name>x</Name>`)));
    expect(await ask(to, 'GET client.api/contact/193')).toBe(legacyOk('Contact', contactRead('193', '')));
  });

  it('is the same however it arrives in pieces', async () => {
    const whole = Buffer.from(
      `<Response><Status>OK</Status>${contact(uuid('c0', 193), 'Zoë 日本 😀')}</Response>`,
    );
    async function* bytewise(): AsyncGenerator<Buffer> {
      for (const byte of whole) yield Buffer.from([byte]);
    }
    const to = await world({ pairs, v3: () => ({ body: bytewise() }) });
    expect(await ask(to, 'GET client.api/contact/193')).toBe(
      legacyOk('Contact', contactRead('193', 'Zoë 日本 😀')),
    );
  });
});
