import { describe, expect, it } from '@jest/globals';
import { element } from '../../../src/lib/xml/document.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { countForbidden, escapeAttribute, escapeText, replaceForbidden } from '../../../src/lib/xml/text.ts';
import { fc } from '../../support/random.ts';

const forbidden = [
  '\0',
  '\u0001',
  '\u0008',
  '\u000B',
  '\u000C',
  '\u001F',
  '\uD800',
  '\uDFFF',
  '\uFFFE',
  '\uFFFF',
];
const allowed = [
  '\t',
  '\n',
  '\r',
  ' ',
  '\u007F',
  '\u0085',
  '\u2028',
  '\uD7FF',
  '\uE000',
  '\uFFFD',
  '😀',
  '\u{1FFFE}',
];

const anyText = fc.string({ unit: 'binary' });

describe('the function escapeText', () => {
  it('escapes exactly the ampersand and the angle brackets', () => {
    expect(escapeText(`<a b="c" d='e'>&amp;]]>`)).toBe(`&lt;a b="c" d='e'&gt;&amp;amp;]]&gt;`);
  });

  it('keeps line breaks and everything beyond ASCII', () => {
    const text = 'Level 2\r\nHarbour Lane\nZoë 😀 日本語\tend';
    expect(escapeText(text)).toBe(text);
  });

  it.each(forbidden)('replaces %j', (character) => {
    expect(escapeText(`a${character}b`)).toBe('a\uFFFDb');
    expect(countForbidden(`${character}b${character}`)).toBe(2);
  });

  it.each(allowed)('keeps %j', (character) => {
    expect(escapeText(`a${character}b`)).toBe(`a${character}b`);
    expect(countForbidden(character)).toBe(0);
  });

  it('replaces surrogates in the wrong order, one by one', () => {
    expect(escapeText('\uDE00\uD83D')).toBe('\uFFFD\uFFFD');
    expect(escapeText('\uD83D\uD83D\uDE00')).toBe('\uFFFD😀');
  });

  it('writes what is read back unchanged, except for forbidden characters and line ends', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readDocument(`<a>${escapeText(text)}</a>`).text;
        expect(read).toBe(replaceForbidden(text).replace(/\r\n?/g, '\n'));
      }),
    );
  });

  it('replaces as many characters as it counts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const marks = (value: string): number => value.split('\uFFFD').length - 1;
        expect(marks(escapeText(text))).toBe(marks(text) + countForbidden(text));
      }),
    );
  });
});

describe('the function escapeAttribute', () => {
  it('escapes the quotation mark, too, and white space a reader would change', () => {
    expect(escapeAttribute('"a"\t<b>\r\n&')).toBe('&quot;a&quot;&#9;&lt;b&gt;&#13;&#10;&amp;');
  });

  it('writes what is read back unchanged, except for forbidden characters', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const root = readDocument(`<a b="${escapeAttribute(value)}"/>`);
        expect(root).toEqual({ ...element('a', [], [['b', replaceForbidden(value)]]) });
      }),
    );
  });
});
