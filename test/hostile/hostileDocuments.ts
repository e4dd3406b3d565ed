export interface HostileDocument {
  readonly what: string;
  /** Built when it is sent: together they are large. */
  readonly make: () => string | Buffer;
  readonly statuses: readonly number[];
}

/** What a message may weigh, less its frame. */
const ROOM = 1_048_000;
const client = (inner: string): string => `<Client>${inner}</Client>`;
const wellFormed = [200, 413];
const refused = [500];
const tooLarge = [413];

function bomb(levels: number): string {
  const lines = ['<!ENTITY e0 "lol">'];
  for (let level = 1; level <= levels; level += 1)
    lines.push(`<!ENTITY e${String(level)} "${`&e${String(level - 1)};`.repeat(10)}">`);
  return `<!DOCTYPE Client [${lines.join('')}]>${client(`<Name>&e${String(levels)};</Name>`)}`;
}

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');

export const hostileDocuments: readonly HostileDocument[] = [
  { what: 'a nested entity bomb', make: () => bomb(10), statuses: refused },
  {
    what: 'a quadratic entity bomb',
    make: () => `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(50_000)}">]>${client('&b;'.repeat(50_000))}`,
    statuses: refused,
  },
  {
    what: 'a recursive entity',
    make: () => '<!DOCTYPE a [<!ENTITY a "&b;"><!ENTITY b "&a;">]><a>&a;</a>',
    statuses: refused,
  },
  {
    what: 'a parameter entity that calls out',
    make: () => '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/">%x;]><a/>',
    statuses: refused,
  },
  {
    what: 'an external entity that names a file',
    make: () => '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><Client><Name>&x;</Name></Client>',
    statuses: refused,
  },
  {
    what: 'a document type in another case',
    make: () => '<!doctype Client><Client><Name>x</Name></Client>',
    statuses: refused,
  },
  {
    what: 'a document type in UTF-16',
    make: () => Buffer.from('\ufeff<!DOCTYPE a><a/>', 'utf16le'),
    statuses: refused,
  },
  {
    what: 'a document type that never ends',
    make: () => `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(60_000)}`,
    statuses: refused,
  },
  {
    what: 'XInclude',
    make: () =>
      client('<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname"/>'),
    statuses: wellFormed,
  },
  {
    what: '150,000 elements deep',
    make: () => '<a>'.repeat(150_000) + '</a>'.repeat(150_000),
    statuses: tooLarge,
  },
  { what: '65 elements deep', make: () => '<a>'.repeat(65) + '</a>'.repeat(65), statuses: tooLarge },
  { what: '200,000 elements wide', make: () => client('<b/>'.repeat(200_000)), statuses: tooLarge },
  {
    what: '20,000 contacts',
    make: () =>
      client(`<Name>x</Name><Contacts>${'<Contact><Name>y</Name></Contact>'.repeat(20_000)}</Contacts>`),
    statuses: tooLarge,
  },
  {
    what: '50,000 attributes',
    make: () => `<Client ${times(50_000, (index) => `b${String(index)}="" `)}/>`,
    statuses: tooLarge,
  },
  {
    what: 'a doubled attribute',
    make: () => '<Client a="1" a="2"><Name>x</Name></Client>',
    statuses: refused,
  },
  {
    what: '50,000 namespace declarations',
    make: () => `<Client ${times(50_000, (index) => `xmlns:n${String(index)}="c" `)}/>`,
    statuses: tooLarge,
  },
  {
    what: 'an element name of a million characters',
    make: () => `<${'a'.repeat(ROOM)}/>`,
    statuses: tooLarge,
  },
  {
    what: 'an attribute name of a million characters',
    make: () => `<a ${'b'.repeat(ROOM)}=""/>`,
    statuses: tooLarge,
  },
  {
    what: 'a name of a million characters',
    make: () => client(`<Name>${'n'.repeat(ROOM)}</Name>`),
    statuses: [200, 413],
  },
  { what: 'a million <', make: () => '<'.repeat(ROOM), statuses: refused },
  { what: 'a million &', make: () => client('&'.repeat(ROOM)), statuses: refused },
  { what: 'a million ]', make: () => client(`${']'.repeat(ROOM)}>`), statuses: refused },
  { what: 'open comments', make: () => '<!--'.repeat(ROOM / 4), statuses: refused },
  { what: 'a comment that never ends', make: () => `<a><!--${' '.repeat(ROOM)}`, statuses: [413, 500] },
  { what: 'open CDATA', make: () => client('<![CDATA['.repeat(100_000)), statuses: refused },
  { what: 'a million spaces', make: () => ' '.repeat(ROOM), statuses: [200, 500] },
  {
    what: '200,000 references',
    make: () => client(`<Name>${'&#65;'.repeat(200_000)}</Name>`),
    statuses: [200, 413],
  },
  ...['\0', '\u0001', '\u000b', '\u001f', '\ufffe', '\uffff'].map((character) => ({
    what: `the character ${JSON.stringify(character)}`,
    make: () => client(`<Name>a${character}b</Name>`),
    statuses: refused,
  })),
  ...[
    '&#0;',
    '&#1;',
    '&#xB;',
    '&#xD800;',
    '&#xDFFF;',
    '&#xFFFE;',
    '&#x110000;',
    '&#99999999999;',
    '&#-1;',
    '&#x;',
    '&nbsp;',
    '&apos',
    '& ;',
  ].map((reference) => ({
    what: `the reference ${reference}`,
    make: () => client(`<Name>a${reference}b</Name>`),
    statuses: refused,
  })),
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'].map((name) => ({
    what: `elements named ${name}`,
    make: () =>
      client(`<Name>Polluter</Name><${name}><polluted>yes</polluted></${name}><${name} ${name}="polluted"/>`),
    statuses: [200],
  })),
  {
    what: 'a root named __proto__',
    make: () => '<__proto__><Name>x</Name><polluted>1</polluted></__proto__>',
    statuses: [200],
  },
  { what: 'a doubled name', make: () => client('<Name>One</Name><Name>Two</Name>'), statuses: [200] },
  { what: 'a doubled list', make: () => client('<Name>One</Name><Contacts/><Contacts/>'), statuses: [200] },
  { what: 'a name within a name', make: () => client('<Name><Name>Inner</Name></Name>'), statuses: [200] },
  { what: 'text between elements', make: () => client('text<Name>x</Name>text'), statuses: [200] },
  {
    what: 'half a surrogate pair in UTF-8',
    make: () =>
      Buffer.concat([
        Buffer.from('<Client><Name>'),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from('</Name></Client>'),
      ]),
    statuses: refused,
  },
  {
    what: 'an overlong slash',
    make: () =>
      Buffer.concat([
        Buffer.from('<Client><Name>'),
        Buffer.from([0xc0, 0xaf]),
        Buffer.from('</Name></Client>'),
      ]),
    statuses: refused,
  },
  {
    what: 'a mark of UTF-16 over UTF-8',
    make: () => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(client('<Name>x</Name>'))]),
    statuses: refused,
  },
  {
    what: 'a declared encoding nobody knows',
    make: () => '<?xml version="1.0" encoding="EBCDIC-xyz"?><Client><Name>x</Name></Client>',
    statuses: [200, 500],
  },
  {
    what: 'UTF-7',
    make: () => '<?xml version="1.0" encoding="utf-7"?><Client><Name>+ADw-script+AD4-</Name></Client>',
    statuses: [200, 500],
  },
  {
    what: 'a gzip stream',
    make: () => Buffer.from('1f8b0800000000000003b3c9cc2db0b3d1070000ffff', 'hex'),
    statuses: refused,
  },
  {
    what: 'a multipart form',
    make: () => '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n<Client/>\r\n--b--',
    statuses: refused,
  },
  { what: 'JSON with __proto__', make: () => '{"__proto__":{"polluted":true}}', statuses: refused },
];
