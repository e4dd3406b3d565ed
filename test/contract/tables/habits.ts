import {
  call,
  exactly,
  fails,
  get,
  ok,
  post,
  put,
  refused,
  del,
  studio,
  type Call,
  type Expected,
  type Table,
} from '../case.ts';
import { lossesInLists } from '../clientLosses.ts';
import { studioSeed } from '../seed.ts';

const UNKNOWN_METHOD = 'Unknown method';
const WRONG_VERB = 'This method does not accept the HTTP verb used';
const WRONG_KEYS = 'Invalid API key or account key';
const MALFORMED = 'The message is not well-formed XML';
const body = (name: string): string => `<Client><Name>${name}</Name></Client>`;
const add = (what: string | Buffer, expected: Expected, headers: Record<string, string> = {}): Call =>
  post('client.api/add', what, expected, { headers });

/** As real clients send it: whatever they call their body, it is read as XML. */
const bodies = [
  studio(
    'the JavaScript library: form type, bare XML, accepts JSON',
    add(body('Habit JavaScript'), ok('<Name>Habit JavaScript</Name>'), {
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json, text/plain, */*',
    }),
  ),
  studio(
    'the Ruby library: form type, declaration, indented, detailed in the query',
    post(
      'client.api/add?detailed=true',
      '<?xml version="1.0" encoding="UTF-8"?>\n<Client>\n  <Name>Habit Ruby</Name>\n  <Contacts type="array">\n    <Contact>\n      <Name>Ruby Contact</Name>\n    </Contact>\n  </Contacts>\n</Client>\n',
      ok('<Name>Habit Ruby</Name>', '<Name>Ruby Contact</Name>'),
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' } },
    ),
  ),
  studio(
    'the PHP library: a trailing slash',
    post('client.api/add/', body('Habit PHP'), ok('<Name>Habit PHP</Name>'), {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
    get('client.api/list/', ok('<Name>Habit PHP</Name>')),
    get('client.api/get/1000004/', ok('<Name>Bare</Name>')),
    get('client.api/get/1000000/customfield/', ok('<CustomFields>')),
  ),
  studio('no Content-Type, no Accept', add(body('Habit none'), ok('<Name>Habit none</Name>'))),
  studio(
    'the Python library: ASCII with references and raw CR LF',
    add(
      '<Client><Name>Habit M&#252;ller &#x1F35E;</Name><Address>one\r\ntwo</Address></Client>',
      ok('<Name>Habit Müller 🍞</Name>', '<Address>one\ntwo</Address>'),
    ),
  ),
  studio(
    'the C# serialiser: utf-16 declared over UTF-8 bytes, namespaces, another root',
    add(
      '<?xml version="1.0" encoding="utf-16"?>\r\n<XmlClient xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">\r\n  <ID>0</ID>\r\n  <Name>Habit C# ü</Name>\r\n  <Email xsi:nil="true" />\r\n</XmlClient>',
      ok('<Name>Habit C# ü</Name>'),
      { 'Content-Type': 'text/plain; charset=utf-8' },
    ),
  ),
  studio(
    'windows-1252, named by the content type alone',
    add(
      Buffer.from('<Client><Name>Habit \x80 \xe9</Name></Client>', 'latin1'),
      ok('<Name>Habit € é</Name>'),
      {
        'Content-Type': 'text/xml; charset="windows-1252"',
      },
    ),
  ),
  studio(
    'ISO-8859-1 and UTF-16, named by the content type alone, in a change too',
    add(Buffer.from(body('Habit Western \xe9'), 'latin1'), ok('<Name>Habit Western é</Name>'), {
      'Content-Type': 'text/xml; charset=iso-8859-1',
    }),
    put(
      'client.api/update',
      Buffer.from(
        '<Client><ID>2000000000</ID><Name>Large number</Name><City>Orl\xe9ans \x80</City></Client>',
        'latin1',
      ),
      ok('<City>Orléans €</City>'),
      { headers: { 'Content-Type': 'application/xml; charset=windows-1252' } },
    ),
    add(Buffer.from(body('Habit wide é 🍞'), 'utf16le'), ok('<Name>Habit wide é 🍞</Name>'), {
      'Content-Type': 'text/xml; charset=UTF-16',
    }),
  ),
  studio(
    'a byte-order mark',
    add(
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(body('Habit BOM é'))]),
      ok('<Name>Habit BOM é</Name>'),
    ),
  ),
  studio(
    'real UTF-16 with its mark',
    add(
      Buffer.from(`\ufeff<?xml version="1.0" encoding="utf-16"?>${body('Habit sixteen é')}`, 'utf16le'),
      ok('<Name>Habit sixteen é</Name>'),
    ),
  ),
  studio(
    'ISO-8859-1 and Windows-1252, declared',
    add(
      Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${body('Habit Latin é')}`, 'latin1'),
      ok('<Name>Habit Latin é</Name>'),
    ),
    add(
      Buffer.concat([
        Buffer.from('<?xml version="1.0" encoding="windows-1252"?><Client><Name>Habit '),
        Buffer.from([0x80]),
        Buffer.from('</Name></Client>'),
      ]),
      ok('<Name>Habit €</Name>'),
    ),
  ),
  studio(
    'a default namespace on the root',
    add(
      '<Client xmlns="http://tempuri.org/"><Name>Habit namespace</Name></Client>',
      ok('<Name>Habit namespace</Name>'),
    ),
  ),
  studio(
    'white space around the document',
    add(`\r\n\t ${body('Habit space')}\n\n`, ok('<Name>Habit space</Name>')),
  ),
  studio(
    'a body on a GET is not looked at',
    call('GET', 'client.api/get/1000004', '<not-xml', ok('<Name>Bare</Name>')),
  ),
];

const keys = [
  studio(
    'keys before other parameters, in lower case, in upper case',
    get('client.api/list?detailed=true', ok('<Notes>'), { keys: 'before' }),
    get('client.api/list?detailed=true', ok('<Notes>'), { keys: 'lower case' }),
    get('client.api/get/1000004', ok('<Name>Bare</Name>'), { keys: 'upper case' }),
    post('client.api/add', body('Keys'), ok('<Name>Keys</Name>'), { keys: 'lower case' }),
  ),
  studio(
    'missing keys',
    get('client.api/list', fails(401, WRONG_KEYS), { keys: 'none' }),
    post('client.api/add', body('x'), fails(401, WRONG_KEYS), { keys: 'none' }),
  ),
  studio('one key missing', get('client.api/list', fails(401, WRONG_KEYS), { keys: 'no API key' })),
  studio(
    'a wrong API key',
    get('client.api/list', fails(401, WRONG_KEYS), { keys: 'wrong API key' }),
    put('client.api/update', body('x'), fails(401, WRONG_KEYS), { keys: 'wrong API key' }),
  ),
  studio(
    'an unknown account',
    get('client.api/list', fails(401, WRONG_KEYS), { keys: 'unknown account' }),
    post('client.api/add', body('x'), fails(401, WRONG_KEYS), { keys: 'unknown account' }),
  ),
];

const broken = [
  '<Client><Name>x</Client>',
  '<Client>',
  'just text',
  '<Client><Name>&unknown;</Name></Client>',
  '<Client><Name>a</Name></Client><Client/>',
  '<Client a="1" a="2"/>',
  '{"name":"x"}',
  '<?xml version="1.0"?>',
  '<Client><Name>&#0;</Name></Client>',
  '<Client><Name>a & b</Name></Client>',
  '<!DOCTYPE Client><Client><Name>x</Name></Client>',
  '<!DOCTYPE c [<!ENTITY e SYSTEM "file:///etc/passwd">]><Client><Name>&e;</Name></Client>',
  'name=x&email=y',
];

const wrong = [
  ...broken.map((xml) =>
    studio(
      `a body that is no XML: ${xml.slice(0, 40)}`,
      add(xml, fails(500, MALFORMED)),
      put('client.api/update', xml, fails(500, MALFORMED)),
      put('client.api/update/1000000/customfield', xml, fails(500, MALFORMED)),
    ),
  ),
  studio(
    'bytes that are no text',
    add(Buffer.from([0x3c, 0x43, 0x3e, 0xff, 0xfe, 0x80]), fails(500, MALFORMED)),
  ),
  studio(
    'a method nobody knows',
    get('client.api/nothing', fails(404, UNKNOWN_METHOD)),
    post('client.api/nothing', body('x'), fails(404, UNKNOWN_METHOD)),
    get('client.api/get', fails(404, UNKNOWN_METHOD)),
    get('client.api/get/1000000/nothing', fails(404, UNKNOWN_METHOD)),
    get('client.api/list/all', fails(404, UNKNOWN_METHOD)),
    get('unicorn.api/list', fails(404, UNKNOWN_METHOD)),
  ),
  studio(
    'a path without a method',
    get('client.api', fails(404, UNKNOWN_METHOD)),
    get('client.api/', fails(404, UNKNOWN_METHOD)),
    get('', fails(404, UNKNOWN_METHOD)),
    get('index.html', fails(404, UNKNOWN_METHOD)),
  ),
  studio(
    'the wrong verb on a known method',
    post('client.api/list', '', fails(405, WRONG_VERB)),
    get('client.api/add', fails(405, WRONG_VERB)),
    put('client.api/add', body('x'), fails(405, WRONG_VERB)),
    del('client.api/get/1000000', fails(405, WRONG_VERB)),
    get('client.api/contact', fails(405, WRONG_VERB)),
    post('client.api/contact/193', '<Contact/>', fails(405, WRONG_VERB)),
    get('client.api/update/1000000/customfield', fails(405, WRONG_VERB)),
    call('PATCH', 'client.api/update', '<Client/>', fails(405, WRONG_VERB)),
  ),
  studio(
    'spaces around an identifier',
    get('client.api/get/1000004%20', ok('<Name>Bare</Name>')),
    get('client.api/get/%201000000/customfield', ok('<CustomFields>')),
    get('client.api/get/%20', refused('Invalid client identifier')),
    get('job.api/get/%20J000101%20', ok('<ID>J000101</ID>')),
    get('job.api/get/%20', refused('Invalid job identifier')),
  ),
  studio(
    'a parameter given twice: its first value counts',
    get('client.api/list?modifiedsince=2099-01-01T00:00:00&ModifiedSince=2000-01-01', exactly('<Clients />')),
    get('client.api/search?query=nobody%20at%20all&query=Bare', exactly('<Clients />')),
    get('client.api/search?query=&query=Bare', refused('The parameter query is required')),
  ),
  studio(
    'family and method in any case',
    get('CLIENT.API/LIST', ok('<ID>1000000</ID>')),
    get(
      'Client.api/Get/1000004',
      exactly(
        '<Client><ID>1000004</ID><Name>Bare</Name><Address></Address><City></City><Region></Region><PostCode></PostCode><Country></Country><PostalAddress></PostalAddress><PostalCity></PostalCity><PostalRegion></PostalRegion><PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone></Phone><Fax></Fax><Website></Website><ReferralSource></ReferralSource><ExportCode></ExportCode><IsProspect>Yes</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted><Contacts /><Notes /></Client>',
      ),
    ),
  ),
];

export const habits: Table = {
  title: 'habits and mistakes of real programs',
  seed: [studioSeed],
  losses: lossesInLists,
  cases: [...bodies, ...keys, ...wrong],
};
