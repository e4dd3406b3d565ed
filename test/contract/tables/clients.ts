import {
  get,
  missing,
  ok,
  post,
  put,
  del,
  refused,
  statusOnly,
  studio,
  without,
  exactly,
  type Table,
} from '../case.ts';
import { clientLosses } from '../clientLosses.ts';
import { awkwardName, studioSeed } from '../seed.ts';

const UNKNOWN_CLIENT = 'Invalid client identifier';
const UNKNOWN_CONTACT = 'Invalid contact identifier';
const NAME_REQUIRED = 'The client name is required';
const UNKNOWN = '999999999';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const client = (inner: string): string => `<Client>${inner}</Client>`;
const contact = (inner: string): string => `<Contact>${inner}</Contact>`;
const contacts = (...inner: readonly string[]): string =>
  `<Contacts>${inner.map(contact).join('')}</Contacts>`;

/** What a client of which nothing but the name is known shows. */
const blank =
  '<Address></Address><City></City><Region></Region><PostCode></PostCode><Country></Country>' +
  '<PostalAddress></PostalAddress><PostalCity></PostalCity><PostalRegion></PostalRegion>' +
  '<PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone></Phone><Fax></Fax><Website></Website>' +
  '<ReferralSource></ReferralSource><ExportCode></ExportCode>';

const reads = [
  studio(
    'one client in detail, every element in its place',
    get(
      'client.api/get/1000000',
      ok(
        '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name><Email>office@example.org</Email><DateOfBirth>1970-02-28</DateOfBirth><Address>1 High Street\nFloor 2</Address>',
        '<AccountManager><ID>7</ID><Name>Ada Example</Name></AccountManager><Type><Name>Standard</Name><CostMarkup>12.50</CostMarkup><PaymentTerm>DayOfMonth</PaymentTerm><PaymentDay>20</PaymentDay></Type><Contacts><Contact><ID>193</ID>',
        '<Notes><Note><Title>First &lt;call&gt;</Title><Text>Line one\nLine two &amp; three</Text><Folder>Calls</Folder><Date>2026-03-04T05:06:07</Date><CreatedBy>Ada Example</CreatedBy></Note>',
        `<BillingClient><ID>1000001</ID><Name>${escaped(awkwardName)}</Name></BillingClient>`,
        '<Groups><Group><ID>61</ID><Name>Friends</Name></Group><Group><ID>62</ID><Name>A &lt; B</Name></Group></Groups>',
      ),
    ),
  ),
  studio(
    'one client of which only the name is known',
    get(
      'client.api/get/1000004',
      exactly(
        `<Client><ID>1000004</ID><Name>Bare</Name>${blank}<IsProspect>Yes</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted><Contacts /><Notes /></Client>`,
      ),
    ),
  ),
  studio(
    'a name of many scripts, quotes and almost-markup',
    get('client.api/get/1000001', ok(`<Name>${escaped(awkwardName)}</Name>`)),
  ),
  studio(
    'a client with the largest numbers',
    get('client.api/get/2000000000', ok('<ID>2000000000</ID><Name>Large number</Name>')),
  ),
  studio(
    'an archived client is still there',
    get('client.api/get/1000002', ok('<IsArchived>Yes</IsArchived>')),
  ),
  studio('a deleted client is known no longer', get('client.api/get/1000003', refused(UNKNOWN_CLIENT))),
  ...[
    UNKNOWN,
    '0',
    '-1',
    '00',
    'abc',
    '1e6',
    '1000000.0',
    '99999999999',
    '4294967297',
    '2147483648',
    '%20',
    '%31000000x',
    'J000101',
  ].map((id) => studio(`a client that is none: ${id}`, get(`client.api/get/${id}`, refused(UNKNOWN_CLIENT)))),
  studio('a client, its number percent-encoded', get('client.api/get/%31000000', ok('<ID>1000000</ID>'))),
  studio(
    'the list, archived and deleted clients included, without detail',
    get(
      'client.api/list',
      without(
        ok(
          '<Clients><Client><ID>1000000</ID>',
          '<ID>1000002</ID>',
          '<ID>1000003</ID>',
          '<IsDeleted>Yes</IsDeleted>',
          '<ID>2000000000</ID>',
          '</Client></Clients></Response>',
        ),
        '<Notes',
        '<Groups',
        '<TotalRecords',
      ),
    ),
  ),
  studio(
    'the list in detail',
    get('client.api/list?detailed=true', ok('<Notes><Note><Title>First', '<Notes />', '<Groups><Group>')),
    get('client.api/list?Detailed=TRUE', ok('<Notes><Note><Title>First')),
    get('client.api/list?detailed=false', without(ok('<Clients>'), '<Notes')),
    get('client.api/list?detailed=', without(ok('<Clients>'), '<Notes')),
  ),
  studio(
    'the list since a moment, inclusive',
    get(
      'client.api/list?modifiedsince=2026-03-10T12:00:00',
      without(ok('<ID>1000002</ID>'), '<ID>1000001</ID>', '<ID>1000000</ID>'),
    ),
    get(
      'client.api/list?modifiedsince=2026-03-10T12:00:01',
      without(ok('<ID>1000003</ID>'), '<ID>1000002</ID>'),
    ),
    get(
      'client.api/list?modifiedsince=2026-03-10T12%3A00%3A01&detailed=true',
      without(ok('<Notes />'), '<ID>1000002</ID>'),
    ),
    get(
      'client.api/list?modifiedsince=20260310T12:00:01',
      without(ok('<ID>1000003</ID>'), '<ID>1000002</ID>'),
    ),
    get('client.api/list?ModifiedSince=20260601', ok('<Clients><Client><ID>2000000000</ID>')),
    get('client.api/list?modifiedsince=2099-01-01T00:00:00', exactly('<Clients />')),
    get('client.api/list?modifiedsince=', ok('<ID>1000000</ID>')),
  ),
  studio(
    'a moment that is none',
    get('client.api/list?modifiedsince=yesterday', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T25:00:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T12:60:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T24:00:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T12:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T12:00:60', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T7:00:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=20260310T25:99:00', refused('Invalid value for modifiedsince')),
    get('client.api/list?modifiedsince=2026-03-10T12:30:00:99', refused('Invalid value for modifiedsince')),
  ),
  studio(
    'parameters nobody knows are ignored',
    get(
      'client.api/list?page=2&pagesize=1&foo=bar&x',
      without(ok('<ID>1000000</ID>', '<ID>2000000000</ID>'), '<TotalRecords'),
    ),
    get('client.api/get/1000004?detailed=false&format=json', ok('<Notes />')),
  ),
  studio(
    'a search by name, contact, mail, phone and export code, in any case',
    get('client.api/search?query=example', ok('<Clients><Client><ID>1000000</ID>')),
    get('client.api/search?query=CLEO', ok('<ID>1000000</ID>')),
    get('client.api/search?query=office%40example', ok('<ID>1000000</ID>')),
    get('client.api/search?query=555+0100', ok('<ID>1000000</ID>')),
    get('client.api/search?query=ex-1&detailed=true', ok('<Groups>')),
    get('client.api/search?query=Zo%C3%AB', ok('<ID>1000001</ID>')),
    get('client.api/search?query=%F0%9F%8D%9E', ok('<ID>1000001</ID>')),
    get('client.api/search?query=%26', ok('<ID>1000000</ID>')),
    get('client.api/search?query=a%3Db%26c', exactly('<Clients />')),
    get('client.api/search?query=50%&x=%ex%2', exactly('<Clients />')),
  ),
  studio('a search that finds nothing', get('client.api/search?query=nobody+at+all', exactly('<Clients />'))),
  studio(
    'a search for nothing',
    get('client.api/search', refused('The parameter query is required')),
    get('client.api/search?query=', refused('The parameter query is required')),
  ),
  studio(
    'a search finds the archived, never the deleted',
    get('client.api/search?query=Archived', ok('<ID>1000002</ID>')),
    get('client.api/search?query=Deleted', exactly('<Clients />')),
  ),
];

const writes = [
  studio(
    'a client with nothing but a name is added and read back',
    post(
      'client.api/add',
      client('<Name>Only a name</Name>'),
      ok(
        `<Name>Only a name</Name>${blank}<IsProspect>No</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted><Contacts /><Notes /></Client>`,
      ),
    ),
    get('client.api/get/{new Client}', ok('<Name>Only a name</Name>')),
    get('client.api/list', ok('<Name>Only a name</Name>')),
  ),
  studio(
    'a client with every element is added and read back',
    post(
      'client.api/add',
      client(
        '<Name>Whole &amp; <![CDATA[<all>]]></Name><Email>a@b.example</Email><Address>1 A\r\nB</Address><City>C</City><Region>R</Region><PostCode>1</PostCode><Country>NZ</Country><PostalAddress>P</PostalAddress><PostalCity>PC</PostalCity><PostalRegion>PR</PostalRegion><PostalPostCode>2</PostalPostCode><PostalCountry>AU</PostalCountry><Phone>3</Phone><Fax>4</Fax><WebSite>w.example</WebSite><ReferralSource>S</ReferralSource><ExportCode>EC-9</ExportCode><IsProspect>yes</IsProspect><DateOfBirth>19800229</DateOfBirth><AccountManagerID>8</AccountManagerID><BillingClientID>1000000</BillingClientID>',
      ),
      ok(
        '<Name>Whole &amp; &lt;all&gt;</Name><Email>a@b.example</Email><DateOfBirth>1980-02-29</DateOfBirth><Address>1 A\nB</Address>',
        '<Website>w.example</Website>',
        '<ExportCode>EC-9</ExportCode><IsProspect>Yes</IsProspect>',
        '<AccountManager><ID>8</ID><Name>Bo Example</Name></AccountManager>',
        '<BillingClient><ID>1000000</ID><Name>Example &amp; Sons</Name></BillingClient>',
      ),
    ),
    get('client.api/get/{new Client}', ok('<Fax>4</Fax>')),
    get('client.api/search?query=EC-9', ok('<ExportCode>EC-9</ExportCode>')),
  ),
  studio(
    'of several contacts sent together the last primary one is the primary',
    post(
      'client.api/add',
      client(
        `<Name>Many</Name>${contacts('<Name>One</Name><IsPrimary>Yes</IsPrimary><Mobile>1</Mobile>', '<Name>Two</Name><IsPrimary>YES</IsPrimary><Email>two@x.example</Email>', '<Name>Three</Name><IsPrimary>no</IsPrimary><Salutation>T</Salutation><Addressee>Mr T</Addressee><Phone>3</Phone><Position>P</Position>')}`,
      ),
      ok(
        '<Name>One</Name><Mobile>1</Mobile><Email></Email><Phone></Phone><Position></Position><Salutation></Salutation><Addressee></Addressee><IsPrimary>No</IsPrimary>',
        '<Name>Two</Name><Mobile></Mobile><Email>two@x.example</Email><Phone></Phone><Position></Position><Salutation></Salutation><Addressee></Addressee><IsPrimary>Yes</IsPrimary>',
        '<Name>Three</Name>',
      ),
    ),
    get(
      'client.api/get/{new Client}',
      ok(
        '<Name>Three</Name><Mobile></Mobile><Email></Email><Phone>3</Phone><Position>P</Position><Salutation>T</Salutation><Addressee>Mr T</Addressee><IsPrimary>No</IsPrimary>',
      ),
    ),
    get('client.api/contact/{new Contact}', ok('<Name>Three</Name>')),
  ),
  studio(
    'another root name, an ID of zero first, elements in another order and case',
    post(
      'client.api/add',
      '<XmlClient><ID>0</ID><city>Town</city><NAME>Renamed root</NAME><Postcode>77</Postcode><Website>x.example</Website></XmlClient>',
      ok(
        '<Name>Renamed root</Name>',
        '<City>Town</City>',
        '<PostCode>77</PostCode>',
        '<Website>x.example</Website>',
      ),
    ),
  ),
  studio(
    'unknown elements, comments and processing instructions are ignored',
    post(
      'client.api/add',
      '<?xml version="1.0"?><!-- a --><?do nothing?>\n<Client id="1">\n  <Name>Ignored</Name>\n  <Unknown><Name>Other</Name></Unknown>\n  <Notes><Note type="array"><Note><Title>T</Title></Note></Note></Notes>\n  <Type>Plain</Type>\n</Client>\n',
      without(ok('<Name>Ignored</Name>', '<Notes />'), 'Other', '<Type>'),
    ),
  ),
  studio(
    'awkward values are kept as they were sent',
    post(
      'client.api/add',
      client(
        `<Name>${escaped(awkwardName)}</Name><Address>  two  spaces\tand a tab </Address><City>'single' "double"</City><Region>&#x1F35E;&#252;</Region><Phone>00123</Phone><PostCode>1e3</PostCode><Fax>true</Fax><Country>${'x'.repeat(2_000)}</Country>`,
      ),
      ok(
        `<Name>${escaped(awkwardName)}</Name>`,
        '<Address>  two  spaces\tand a tab </Address>',
        `<City>'single' "double"</City>`,
        '<Region>🍞ü</Region>',
        '<Phone>00123</Phone>',
        '<PostCode>1e3</PostCode>',
        '<Fax>true</Fax>',
      ),
    ),
    get('client.api/get/{new Client}', ok('<Address>  two  spaces\tand a tab </Address>')),
  ),
  studio(
    'line breaks and tabs by reference',
    post(
      'client.api/add',
      client('<Name>Breaks</Name><Address>a&#10;b&#xA;c&#9;d</Address>'),
      ok('<Address>a\nb\nc\td</Address>'),
    ),
    get('client.api/get/{new Client}', ok('<Name>Breaks</Name>')),
  ),
  studio(
    'a client without a name is refused',
    post('client.api/add', client('<Email>a@b.example</Email>'), refused(NAME_REQUIRED)),
    post('client.api/add', client('<Name></Name>'), refused(NAME_REQUIRED)),
    post('client.api/add', client('<Name>  </Name>'), refused(NAME_REQUIRED)),
    post('client.api/add', client('<Name/>'), refused(NAME_REQUIRED)),
    post('client.api/add', '<Client/>', refused(NAME_REQUIRED)),
    post('client.api/add', '', refused(NAME_REQUIRED)),
  ),
  studio(
    'a contact without a name refuses the client with it, and nothing is made',
    post(
      'client.api/add',
      client(`<Name>Half made</Name>${contacts('<Email>x@y.example</Email>')}`),
      missing('/Client/Contacts/Contact/Name'),
    ),
    get('client.api/search?query=Half+made', exactly('<Clients />')),
  ),
  studio(
    'values that are none',
    post(
      'client.api/add',
      client('<Name>N</Name><IsProspect>maybe</IsProspect>'),
      refused('Invalid value for IsProspect'),
    ),
    post(
      'client.api/add',
      client('<Name>N</Name><DateOfBirth>30.2.1980</DateOfBirth>'),
      refused('Invalid value for DateOfBirth'),
    ),
    post(
      'client.api/add',
      client('<Name>N</Name><DateOfBirth>1981-02-29</DateOfBirth>'),
      refused('Invalid value for DateOfBirth'),
    ),
    post(
      'client.api/add',
      client('<Name>N</Name><AccountManagerID>999999999</AccountManagerID>'),
      refused('Invalid staff identifier'),
    ),
    post(
      'client.api/add',
      client('<Name>N</Name><BillingClientID>abc</BillingClientID>'),
      refused(UNKNOWN_CLIENT),
    ),
    get('client.api/search?query=N', ok('<Clients>')),
  ),
  studio(
    'an update keeps what is absent, clears what is empty, ignores the export code',
    put(
      'client.api/update',
      client(
        '<ID>1000000</ID><Name>Example &amp; Daughters</Name><Email></Email><City>Nelson</City><ExportCode>NEW</ExportCode><Region/><BillingClientID></BillingClientID><DateOfBirth></DateOfBirth>',
      ),
      without(
        ok(
          '<ID>1000000</ID><Name>Example &amp; Daughters</Name><Address>1 High Street\nFloor 2</Address><City>Nelson</City><Region></Region>',
          '<ExportCode>EX-1</ExportCode>',
          '<AccountManager><ID>7</ID>',
          '<Contacts><Contact><ID>193</ID>',
          '<Notes><Note>',
        ),
        '<BillingClient>',
        '<Email>office',
        '<DateOfBirth>',
      ),
    ),
    get('client.api/get/1000000', ok('<Name>Example &amp; Daughters</Name>')),
    put(
      'client.api/update',
      client('<Name>Example &amp; Sons</Name><ID> 1000000 </ID><AccountManagerID/>'),
      without(ok('<Name>Example &amp; Sons</Name>'), '<AccountManager>'),
    ),
    put(
      'client.api/update',
      client(
        '<ID>1000000</ID><Name>Example &amp; Sons</Name><AccountManagerID>8</AccountManagerID><IsProspect>1</IsProspect>',
      ),
      ok('<AccountManager><ID>8</ID>', '<IsProspect>Yes</IsProspect>'),
    ),
  ),
  studio(
    'an update without number, without name, of nobody',
    put('client.api/update', client('<Name>N</Name>'), missing('/Client/ID')),
    put('client.api/update', client('<ID></ID><Name>N</Name>'), missing('/Client/ID')),
    put('client.api/update', client('<ID>1000000</ID>'), refused(NAME_REQUIRED)),
    put('client.api/update', client(`<ID>${UNKNOWN}</ID>`), refused(NAME_REQUIRED)),
    put('client.api/update', client(`<ID>${UNKNOWN}</ID><Name>N</Name>`), refused(UNKNOWN_CLIENT)),
    put('client.api/update', client('<ID>1000003</ID><Name>N</Name>'), refused(UNKNOWN_CLIENT)),
    put('client.api/update', '<Customer><ID>1000000</ID><Name>N</Name></Customer>', missing('/Client/ID')),
    put('client.api/update', '', missing('/Client/ID')),
  ),
  studio(
    'an archived client says so, again and again',
    put(
      'client.api/archive',
      client('<ID>1000004</ID>'),
      ok('<ID>1000004</ID>', '<IsArchived>Yes</IsArchived>', '<Notes />'),
    ),
    put('client.api/archive', client('<ID>1000004</ID>'), ok('<IsArchived>Yes</IsArchived>')),
    get('client.api/list', ok('<ID>1000004</ID>')),
  ),
  studio(
    'an archive of nobody',
    put('client.api/archive', client(''), missing('/Client/ID')),
    put('client.api/archive', client(`<ID>${UNKNOWN}</ID>`), refused(UNKNOWN_CLIENT)),
  ),
  studio(
    'a deleted client is gone from get and search, and stays in the list',
    post(
      'client.api/add',
      client(`<Name>Short lived</Name>${contacts('<Name>Widow</Name>')}`),
      ok('<Name>Short lived</Name>'),
    ),
    post('client.api/delete', client('<ID>{new Client}</ID>'), statusOnly),
    get('client.api/get/{new Client}', refused(UNKNOWN_CLIENT)),
    get('client.api/contact/{new Contact}', refused(UNKNOWN_CONTACT)),
    get('client.api/search?query=Short+lived', exactly('<Clients />')),
    get('client.api/list', ok('<Name>Short lived</Name>', '<IsDeleted>Yes</IsDeleted>')),
    post('client.api/delete', client('<ID>{new Client}</ID>'), refused(UNKNOWN_CLIENT)),
    put('client.api/update', client('<ID>{new Client}</ID><Name>Back</Name>'), refused(UNKNOWN_CLIENT)),
  ),
  studio(
    'a delete of nobody',
    post('client.api/delete', client('<Name>x</Name>'), missing('/Client/ID')),
    post('client.api/delete', client('<ID>x</ID>'), refused(UNKNOWN_CLIENT)),
  ),
];

const people = [
  studio(
    'one contact',
    get(
      'client.api/contact/193',
      exactly(
        '<Contact><ID>193</ID><Name>Ben Example</Name><Mobile>021 555</Mobile><Email>ben@example.org</Email><Phone>04 555</Phone><Position>Owner</Position><Salutation>Ben</Salutation><Addressee>Mr B Example</Addressee><IsPrimary>Yes</IsPrimary></Contact>',
      ),
    ),
  ),
  ...[UNKNOWN, '0', 'abc', '7', '311'].map((id) =>
    studio(`a contact that is none: ${id}`, get(`client.api/contact/${id}`, refused(UNKNOWN_CONTACT))),
  ),
  studio(
    'a contact is added to a client and becomes its primary one',
    post(
      'client.api/contact',
      contact(
        '<Client><ID>1000000</ID></Client><Name>Dora &amp; Co</Name><IsPrimary>yes</IsPrimary><Salutation>D</Salutation><Addressee>Ms D</Addressee><Mobile>1</Mobile><Email>d@x.example</Email><Phone>2</Phone><Position>Chair</Position>',
      ),
      ok(
        '<Name>Dora &amp; Co</Name><Mobile>1</Mobile><Email>d@x.example</Email><Phone>2</Phone><Position>Chair</Position><Salutation>D</Salutation><Addressee>Ms D</Addressee><IsPrimary>Yes</IsPrimary></Contact></Response>',
      ),
    ),
    get('client.api/contact/{new Contact}', ok('<Name>Dora &amp; Co</Name>')),
    get('client.api/contact/193', ok('<IsPrimary>No</IsPrimary>')),
    get('client.api/get/1000000', ok('<Name>Dora &amp; Co</Name>')),
    get('client.api/search?query=Dora', ok('<ID>1000000</ID>')),
  ),
  studio(
    'a contact needs a client and a name',
    post('client.api/contact', contact('<Name>E</Name>'), missing('/Contact/Client/ID')),
    post('client.api/contact', contact('<Client/><Name>E</Name>'), missing('/Contact/Client/ID')),
    post('client.api/contact', contact('<Client><ID>1000000</ID></Client>'), missing('/Contact/Name')),
    post(
      'client.api/contact',
      contact(`<Client><ID>${UNKNOWN}</ID></Client><Name>E</Name>`),
      refused(UNKNOWN_CLIENT),
    ),
    post(
      'client.api/contact',
      '<Person><Client><ID>1000000</ID></Client><Name>E</Name></Person>',
      missing('/Contact/Client/ID'),
    ),
    post('client.api/contact', '', missing('/Contact/Client/ID')),
  ),
  studio(
    'a contact is changed; absent stays, empty clears',
    put(
      'client.api/contact/194',
      contact('<Name>Cleo Changed</Name><Email>cleo@x.example</Email><IsPrimary>Yes</IsPrimary>'),
      ok(
        '<ID>194</ID><Name>Cleo Changed</Name><Mobile></Mobile><Email>cleo@x.example</Email>',
        '<IsPrimary>Yes</IsPrimary>',
      ),
    ),
    put(
      'client.api/contact/194',
      contact('<Name>Cleo Example</Name><Email/>'),
      ok('<Name>Cleo Example</Name><Mobile></Mobile><Email></Email>', '<IsPrimary>Yes</IsPrimary>'),
    ),
    get('client.api/get/1000000', ok('<Name>Cleo Example</Name>')),
    put(
      'client.api/contact/193',
      contact('<Name>Ben Example</Name><IsPrimary>TRUE</IsPrimary>'),
      ok('<IsPrimary>Yes</IsPrimary>'),
    ),
    get('client.api/contact/194', ok('<IsPrimary>No</IsPrimary>')),
  ),
  studio(
    'a contact change that cannot be',
    put('client.api/contact/193', contact('<Email>x</Email>'), missing('/Contact/Name')),
    put(`client.api/contact/${UNKNOWN}`, contact('<Name>E</Name>'), refused(UNKNOWN_CONTACT)),
    put(`client.api/contact/${UNKNOWN}`, contact(''), missing('/Contact/Name')),
    put(
      'client.api/contact/193',
      contact('<Name>E</Name><IsPrimary>perhaps</IsPrimary>'),
      refused('Invalid value for IsPrimary'),
    ),
    put('client.api/contact/193', '', missing('/Contact/Name')),
  ),
  studio(
    'a deleted contact is answered once more as it was',
    post(
      'client.api/contact',
      contact('<Client><ID>1000001</ID></Client><Name>Going</Name>'),
      ok('<Name>Going</Name>'),
    ),
    del(
      'client.api/contact/{new Contact}',
      ok('<Contact><ID>', '<Name>Going</Name>', '<IsPrimary>No</IsPrimary></Contact>'),
    ),
    get('client.api/contact/{new Contact}', refused(UNKNOWN_CONTACT)),
    del('client.api/contact/{new Contact}', refused(UNKNOWN_CONTACT)),
    get('client.api/get/1000001', ok('<Contacts />')),
  ),
  studio(
    'a delete of no contact, with Content-Length 0',
    del(`client.api/contact/${UNKNOWN}`, refused(UNKNOWN_CONTACT), { headers: { 'Content-Length': '0' } }),
  ),
];

export const clients: Table = {
  title: 'clients and contacts',
  seed: [studioSeed],
  cases: [...reads, ...writes, ...people],
  losses: clientLosses,
};
