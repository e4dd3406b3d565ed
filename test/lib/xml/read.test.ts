import { describe, expect, it } from '@jest/globals';
import { element } from '../../../src/lib/xml/document.ts';
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { defaultLimits, readDocument } from '../../../src/lib/xml/read.ts';
import { faultOf } from './fault.ts';

describe('readDocument', () => {
  it('returns names, attributes, children and text in order', () => {
    const text =
      '<Client id="7" b="x"><Name>Harbour Lane</Name><Contacts><Contact><Name/></Contact></Contacts></Client>';
    expect(readDocument(text)).toEqual({
      name: 'Client',
      attributes: [
        ['id', '7'],
        ['b', 'x'],
      ],
      text: '',
      selfClosing: false,
      children: [
        element('Name', 'Harbour Lane'),
        element('Contacts', [element('Contact', [{ ...element('Name'), selfClosing: true }])]),
      ],
    });
  });

  it('distinguishes the two forms of an empty element, which it keeps', () => {
    const [pair, closed] = readDocument('<a><b></b><c /></a>').children;
    expect([pair?.selfClosing, closed?.selfClosing]).toEqual([false, true]);
  });

  it('drops the indentation between children and keeps the white space of a text', () => {
    const root = readDocument('<a>\n  <b>  two  words\t</b>\n  <c> </c>\n</a>');
    expect(root.text).toBe('');
    expect(root.children.map(({ text }) => text)).toEqual(['  two  words\t', ' ']);
  });

  it('keeps the texts beside children if one of them is more than white space', () => {
    const textsIn = (text: string): XmlElement['texts'] => readDocument(text).texts;
    expect(textsIn('<a> <b/> <c/>d<!-- no -->&lt;</a>')).toEqual([' ', ' ', 'd<']);
    expect(textsIn('<a>1<b/></a>')).toEqual(['1', '']);
    expect(textsIn('<a> <b/>\n</a>')).toBeUndefined();
    expect(readDocument('<a> <b/>\n</a>').blanks).toEqual([' ', '\n']);
  });

  it('limits the text beside children', () => {
    const limits = { ...defaultLimits, textLength: 10 };
    expect(readDocument('<a><b/>0123456789</a>', limits).texts).toEqual(['', '0123456789']);
    expect(faultOf(() => readDocument('<a><b/>01234<!-- -->567890</a>', limits)).reason).toBe('too-large');
  });

  it('joins text, references and CDATA, and skips comments and instructions', () => {
    const root = readDocument(
      '<a>1 &lt;<!-- no --><![CDATA[<b>&amp;]]><?no no?>&#50;&#x33;&apos;&quot;&gt;</a>',
    );
    expect(root.text).toBe('1 <<b>&amp;23\'">');
  });

  it('reads CR LF and CR as one line feed and keeps a carriage return given by reference', () => {
    expect(readDocument('<a>1\r\n2\r3&#13;4</a>').text).toBe('1\n2\n3\r4');
  });

  it('reads namespace declarations as attributes', () => {
    const root = readDocument(
      '<XmlClient xmlns:xsi="urn:x" xmlns:xsd="urn:y"><ID xsi:nil="true">0</ID></XmlClient>',
    );
    expect(root.attributes.map(([name]) => name)).toEqual(['xmlns:xsi', 'xmlns:xsd']);
    expect(root.children[0]?.attributes).toEqual([['xsi:nil', 'true']]);
  });

  it.each([
    '<?xml version="1.0" encoding="utf-16"?><a/>',
    '<?xml version="1.0" encoding="utf-16"?>\r\n<a/>',
    "<?xml version='1.0' standalone='yes'?><a/>",
    '<?xml version="1.1"?><a/>',
    '\r\n <a/>\n',
    '<!-- one --><?two?><a/><!-- three -->',
  ])('accepts the prolog %j', (text) => {
    expect(readDocument(text).name).toBe('a');
  });

  it('keeps the rules of XML 1.0 where 1.1 is declared', () => {
    expect(faultOf(() => readDocument('<?xml version="1.1"?><a>&#1;</a>')).reason).toBe('malformed');
    expect(readDocument('<?xml version="1.1"?><a>1\u0085\u20282</a>').text).toBe('1\u0085\u20282');
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'length'])(
    'treats %s as a name like any other',
    (name) => {
      const root = readDocument(`<${name} ${name}="1"><${name}>2</${name}></${name}>`);
      expect(root).toEqual(element(name, [element(name, '2')], [[name, '1']]));
      expect(Object.getPrototypeOf(root)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>)['1']).toBeUndefined();
    },
  );

  it.each([
    ['nothing', ''],
    ['white space only', ' \n'],
    ['text', 'hello'],
    ['JSON', '{"Name":"x"}'],
    ['a form', 'name=x&phone=1'],
    ['only a declaration', '<?xml version="1.0"?>'],
    ['only a comment', '<!-- -->'],
    ['an open comment', '<!-- '],
    ['an open instruction', '<?x '],
    ['an unclosed element', '<a><b></b>'],
    ['crossed elements', '<a><b></a></b>'],
    ['an end without start', '</a>'],
    ['an instruction with a mark behind its target', '<?a?b?><a/>'],
    ['two roots', '<a/><b/>'],
    ['text behind the root', '<a/>x'],
    ['CDATA behind the root', '<a/><![CDATA[x]]>'],
    ['a doubled attribute', '<a b="1" b="2"/>'],
    ['a doubled attribute named __proto__', '<a __proto__="1" __proto__="2"/>'],
    ['an attribute without value', '<a b/>'],
    ['an unquoted attribute', '<a b=1/>'],
    ['attributes that touch', '<a b="1"c="2"/>'],
    ['< in an attribute', '<a b="<"/>'],
    ['a bare ampersand', '<a>Smith & Sons</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an entity named like a member of every object', '<a>&constructor;</a>'],
    ['an entity named __proto__', '<a>&__proto__;</a>'],
    ['a reference to NUL', '<a>&#0;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a reference of a thousand digits', `<a>&#${'9'.repeat(1000)};</a>`],
    ['a reference without digits', '<a>&#;</a>'],
    ['a reference in upper case', '<a>&#X41;</a>'],
    ['NUL', '<a>\0</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['U+FFFE', '<a>\uFFFE</a>'],
    ['a lone high surrogate', '<a>\uD800</a>'],
    ['a high surrogate before a letter', '<a>\uD800x</a>'],
    ['a lone low surrogate', '<a>\uDC00</a>'],
    ['two high surrogates', '<a>\uD800\uD800\uDC00</a>'],
    [']]> in text', '<a>]]></a>'],
    ['-- in a comment', '<a><!-- a -- b --></a>'],
    ['an XML declaration behind a space', ' <?xml version="1.0"?><a/>'],
    ['an XML declaration inside', '<a><?xml version="1.0"?></a>'],
    ['a declaration without version', '<?xml encoding="UTF-8"?><a/>'],
    ['version 2.0', '<?xml version="2.0"?><a/>'],
    ['a wrong standalone', '<?xml version="1.0" standalone="maybe"?><a/>'],
    ['an encoding that is no name', '<?xml version="1.0" encoding="?"?><a/>'],
    ['an element that starts with a digit', '<1a/>'],
    ['a byte-order mark', '\uFEFF<a/>'],
    ['an unknown declaration', '<!ELEMENT a ANY><a/>'],
  ])('refuses %s', (_case, text) => {
    const fault = faultOf(() => readDocument(text));
    expect(fault.reason).toBe('malformed');
  });

  it('names the position and never the input', () => {
    const fault = faultOf(() => readDocument('<Client>\n<Secret>4111</Oops></Client>'));
    expect(fault.message).toMatch(/^XML refused: malformed at 2:\d+$/);
  });

  it.each([
    '<!DOCTYPE a><a/>',
    '<!doctype a><a/>',
    '<!DocType a SYSTEM "http://example.org/a.dtd"><a/>',
    '\n\t<!DOCTYPE a><a/>',
    '<?xml version="1.0"?>\n<!-- <a> -->\n<?x <!-- ?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://example.org/b"> %b;]><a/>',
    '<!DOCTYPE',
    '<!DOCTYPE a [<!-- never closed',
  ])('refuses a document type: %j', (text) => {
    const fault = faultOf(() => readDocument(text));
    expect(fault.reason).toBe('doctype');
    expect(fault.message).toMatch(/^XML refused: doctype at \d+:\d+$/);
  });

  it.each([
    '<a>&lt;!DOCTYPE b></a>',
    '<a><![CDATA[<!DOCTYPE b [<!ENTITY c "d">]>]]></a>',
    '<a><!-- <!DOCTYPE b> --></a>',
    '<!-- <!DOCTYPE b> --><a/>',
    '<?x <!DOCTYPE b> ?><a/>',
    '<a b="&lt;!DOCTYPE c>"/>',
    '<a><?x <!DOCTYPE b>?></a>',
  ])('reads what only mentions a document type: %j', (text) => {
    expect(readDocument(text).name).toBe('a');
  });

  it.each(['<a/><!DOCTYPE a>', '<a><!DOCTYPE a></a>', '<a><!doctype a></a>'])(
    'refuses a document type in the wrong place: %j',
    (text) => {
      expect(['malformed', 'doctype']).toContain(faultOf(() => readDocument(text)).reason);
    },
  );
});

describe('the limits of readDocument', () => {
  const limits = { depth: 3, elements: 5, attributes: 2, nameLength: 4, textLength: 10 };
  const readable = (text: string): boolean => {
    try {
      readDocument(text, limits);
      return true;
    } catch {
      return false;
    }
  };

  it.each([
    ['depth', '<a><b><c/></b></a>', '<a><b><c><d/></c></b></a>'],
    ['elements', '<a><b/><b/><b/><b/></a>', '<a><b/><b/><b/><b/><b/></a>'],
    ['attributes', '<a b="1" c="2"/>', '<a b="1" c="2" d="3"/>'],
    ['names of elements', '<abcd/>', '<abcde/>'],
    ['names of attributes', '<a abcd="1"/>', '<a abcde="1"/>'],
    ['text', '<a>0123456789</a>', '<a>0123456789A</a>'],
    ['text in pieces', '<a>01234<!---->56789</a>', '<a>01234<!---->56789A</a>'],
    ['text of references', `<a>${'&#65;'.repeat(10)}</a>`, `<a>${'&#65;'.repeat(11)}</a>`],
    ['CDATA', '<a><![CDATA[0123456789]]></a>', '<a><![CDATA[0123456789A]]></a>'],
    ['values of attributes', '<a b="0123456789"/>', '<a b="0123456789A"/>'],
  ])('apply to %s: one less is read, one more is refused', (_what, most, tooMuch) => {
    expect(readable(most)).toBe(true);
    const fault = faultOf(() => readDocument(tooMuch, limits));
    expect(fault.reason).toBe('too-large');
    expect(fault.message).toMatch(/^XML refused: too-large at 1:\d+$/);
  });

  it('start again with the next element', () => {
    expect(readable('<a><b c="1" d="2"/><b c="1" d="2"/><b>0123456789</b><b>0123456789</b></a>')).toBe(true);
  });

  it('limit all the text of a document together', () => {
    const large = { ...defaultLimits, textLength: 10 };
    const texts = (count: number): string => `<a>${'<b>0123456789</b>'.repeat(count)}</a>`;
    expect(readDocument(texts(16), large).children).toHaveLength(16);
    expect(faultOf(() => readDocument(texts(17), large)).reason).toBe('too-large');
  });
});
