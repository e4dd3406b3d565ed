import { describe, expect, it } from '@jest/globals';
import { decodeBody, decodeBodyInSteps } from '../../../src/lib/xml/bytes/decode.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { faultOf } from './fault.ts';

const UTF_8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const declared = (encoding: string, content = ''): string =>
  `<?xml version="1.0" encoding="${encoding}"?><Name>${content}</Name>`;

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();

describe('decodeBody', () => {
  it('returns empty text for an empty body', () => {
    expect(decodeBody(Buffer.alloc(0))).toBe('');
  });

  it.each([
    ['no declaration', '<Name>Zoë 😀</Name>'],
    ['UTF-8 declared', declared('utf-8', 'Zoë 😀')],
    ['utf-16 declared, as a legacy serialiser does', declared('utf-16', 'Zoë 😀')],
    ['ISO-8859-1 declared over UTF-8', declared('ISO-8859-1', 'Zoë')],
    ['another encoding declared over ASCII', declared('ISO-8859-15', 'Zoe')],
  ])('reads valid UTF-8: %s', (_case, text) => {
    expect(decodeBody(utf8(text))).toBe(text);
    expect(readDocument(decodeBody(utf8(text))).name).toBe('Name');
  });

  it.each(['UTF-8', 'utf8', 'utf-16', 'UTF-16', 'utf-16le'])(
    'reads a UTF-8 byte-order mark with %s declared, without the mark',
    (encoding) => {
      const text = declared(encoding, 'Zoë');
      expect(decodeBody(Buffer.concat([UTF_8_MARK, utf8(text)]))).toBe(text);
    },
  );

  it('reads a byte-order mark without declaration', () => {
    expect(decodeBody(Buffer.concat([UTF_8_MARK, utf8('<a/>')]))).toBe('<a/>');
  });

  it('removes one mark only, so that a second one is refused as a character', () => {
    const text = decodeBody(Buffer.concat([UTF_8_MARK, UTF_8_MARK, utf8('<a/>')]));
    expect(faultOf(() => readDocument(text)).reason).toBe('malformed');
  });

  it.each([
    ['UTF-16LE', utf16le],
    ['UTF-16BE', utf16be],
  ])('reads real %s with its mark', (name, encode) => {
    for (const text of [declared('utf-16', 'Zoë 😀'), declared(name, 'Zoë'), '<Name>Zoë</Name>']) {
      expect(decodeBody(encode(`\uFEFF${text}`))).toBe(text);
    }
  });

  it.each([
    ['UTF-8 mark, ISO-8859-1 declared', Buffer.concat([UTF_8_MARK, utf8(declared('ISO-8859-1'))])],
    ['UTF-8 mark, bytes that are not UTF-8', Buffer.concat([UTF_8_MARK, latin1('<a>é</a>')])],
    ['UTF-16 mark, UTF-8 declared', utf16le(`\uFEFF${declared('UTF-8')}`)],
    ['little-endian mark, big-endian declared', utf16le(`\uFEFF${declared('UTF-16BE')}`)],
    ['big-endian mark, little-endian declared', utf16be(`\uFEFF${declared('UTF-16LE')}`)],
    ['UTF-16 with half a character', Buffer.concat([utf16le('\uFEFF<a/>'), Buffer.from([0x20])])],
    ['UTF-16 with a lone surrogate', utf16le('\uFEFF<a>\uD800</a>')],
    ['UTF-16LE without a mark', utf16le(declared('utf-16'))],
    ['UTF-16BE without a mark', utf16be(declared('utf-16'))],
    ['UTF-32LE', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])],
    ['UTF-32BE', Buffer.from([0, 0, 0xfe, 0xff, 0, 0, 0, 0x3c])],
    ['bytes that are not UTF-8, no declaration', latin1('<a>é</a>')],
    ['bytes that are not UTF-8, UTF-8 declared', latin1(declared('utf-8', 'é'))],
    ['bytes that are not UTF-8, utf-16 declared', latin1(declared('utf-16', 'é'))],
    ['an encoding nobody knows, over UTF-8', utf8(declared('x-unknown', 'Zoë'))],
    ['an encoding nobody knows, over ASCII', utf8(declared('x-unknown', 'Zoe'))],
    ['an encoding that is not read here, over UTF-8', utf8(declared('Shift_JIS', 'Zoë'))],
    ['bytes that are not UTF-8, Shift_JIS declared', latin1(declared('Shift_JIS', 'é'))],
    ['overlong UTF-8', Buffer.concat([utf8('<a>'), Buffer.from([0xc0, 0xbc]), utf8('</a>')])],
    ['a surrogate in UTF-8', Buffer.concat([utf8('<a>'), Buffer.from([0xed, 0xa0, 0x80]), utf8('</a>')])],
    ['UTF-8 cut inside a character', utf8('<a>é').subarray(0, 4)],
  ])('refuses %s', (_case, bytes) => {
    const fault = faultOf(() => decodeBody(bytes));
    expect(fault.reason).toBe('encoding');
    expect(fault.message).toBe('XML refused: encoding');
  });

  it.each(['ISO-8859-1', 'iso-8859-1', 'Windows-1252', 'us-ascii'])('reads %s if declared', (encoding) => {
    const text = declared(encoding, 'Zoë für £5');
    expect(decodeBody(latin1(text))).toBe(text);
  });

  it('reads a declaration in single quotes and with spaces', () => {
    const text = `<?xml version = '1.0'  encoding = 'ISO-8859-1' ?><a>é</a>`;
    expect(decodeBody(latin1(text))).toBe(text);
  });

  it('knows the quotation marks and the euro sign of Windows-1252', () => {
    const start = utf8('<?xml version="1.0" encoding="windows-1252"?><a>');
    const body = Buffer.concat([start, Buffer.from([0x80, 0x91, 0x92]), utf8('</a>')]);
    expect(readDocument(decodeBody(body)).text).toBe('€‘’');
  });

  it('looks for the declaration at the start only', () => {
    const body = latin1(`<a b="1"><?xml version="1.0" encoding="ISO-8859-1"?>é</a>`);
    expect(faultOf(() => decodeBody(body)).reason).toBe('encoding');
  });
});

describe('the charset of the header Content-Type', () => {
  const bare = '<Name>Zoë</Name>';

  it.each([
    ['windows-1252, nothing declared', latin1(bare), 'windows-1252', bare],
    ['ISO-8859-1 in capitals, nothing declared', latin1(bare), 'ISO-8859-1', bare],
    [
      'windows-1252 where the bytes contradict their declaration',
      latin1(declared('utf-8', 'Zoë')),
      'windows-1252',
      declared('utf-8', 'Zoë'),
    ],
    ['a one-byte charset over UTF-8', utf8(bare), 'windows-1252', bare],
    [
      'the declaration before the header',
      latin1(declared('iso-8859-1', '\u0080')),
      'windows-1252',
      declared('iso-8859-1', '\u0080'),
    ],
    ['utf-16 without a mark, little end first', utf16le(bare), 'utf-16', bare],
    ['utf-16 without a mark, big end first', utf16be(bare), 'UTF-16', bare],
    ['utf-16 over UTF-8', utf8(bare), 'utf-16', bare],
    ['a mark before the header', Buffer.concat([UTF_8_MARK, utf8(bare)]), 'utf-16', bare],
    ['a charset nobody knows', utf8(bare), 'x-unknown', bare],
  ])('is used: %s', (_case, bytes, charset, text) => {
    expect(decodeBody(bytes, charset)).toBe(text);
    expect([...decodeBodyInSteps(bytes, charset)].join('')).toBe(text);
  });

  it.each([
    ['nothing', latin1(bare), undefined],
    ['utf-8', latin1(bare), 'utf-8'],
    ['a charset nobody knows', latin1(bare), 'x-unknown'],
    ['the other order of bytes', utf16le(bare), 'utf-16be'],
    ['sixteen bits under a one-byte name', utf16le(bare), 'windows-1252'],
    ['thirty-two bits', Buffer.from([0x3c, 0, 0, 0, 0x4e, 0, 0, 0]), 'utf-16'],
  ])('does not make an invalid body readable: %s', (_case, bytes, charset) => {
    expect(faultOf(() => decodeBody(bytes, charset)).reason).toBe('encoding');
  });
});
