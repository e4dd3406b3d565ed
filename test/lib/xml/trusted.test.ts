import { describe, expect, it } from '@jest/globals';
import { element } from '../../../src/lib/xml/document.ts';
import { readTrusted } from '../../../src/lib/xml/second/trusted.ts';
import { faultOf } from './fault.ts';

describe('readTrusted', () => {
  it('returns the same shape as the strict reader, everything as text', () => {
    const text =
      '<?xml version="1.0" encoding="UTF-8"?>\r\n<Maps a="1e3"><Map><Type>Client</Type><ID>00123</ID><N>1e3</N></Map></Maps>';
    const map = element('Map', [element('Type', 'Client'), element('ID', '00123'), element('N', '1e3')]);
    expect(readTrusted(text)).toEqual(element('Maps', [map], [['a', '1e3']]));
  });

  it('returns an empty list in its form if the caller names it, and as a pair otherwise', () => {
    const root = readTrusted('<a><Clients></Clients><Name/></a>', (name) => name === 'Clients');
    expect(root.children).toEqual([element('Clients', []), element('Name')]);
  });

  it('keeps the order of different children and the white space of a text', () => {
    const root = readTrusted('<a>\n<b> 1 </b><c/><b>2</b></a>');
    expect(root).toEqual(element('a', [element('b', ' 1 '), element('c'), element('b', '2')]));
  });

  it('decodes numeric references', () => {
    expect(readTrusted('<a>&#65;&#x42;&amp;lt;</a>').text).toBe('AB&lt;');
  });

  it('accepts a byte-order mark', () => {
    expect(readTrusted('\uFEFF<a/>')).toEqual(element('a'));
  });

  it.each([
    ['nothing', '', 'malformed'],
    ['text', 'hello', 'malformed'],
    ['an unclosed element', '<a><b></a>', 'malformed'],
    ['two roots', '<a/><b/>', 'malformed'],
    ['text behind the root', '<a></a>x', 'malformed'],
    ['a doubled attribute', '<a b="1" b="2"/>', 'malformed'],
    ['a name that is a member of every object', '<a><__proto__>1</__proto__></a>', 'malformed'],
    ['a name the parser would change', '<a><toString>1</toString></a>', 'malformed'],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 'doctype'],
    ['a document type in lower case', ' <!-- --><!doctype a><a/>', 'doctype'],
  ])('refuses %s', (_case, text, reason) => {
    const fault = faultOf(() => readTrusted(text));
    expect(fault.reason).toBe(reason);
  });

  it('refuses a document that exceeds the length limit', () => {
    expect(faultOf(() => readTrusted(' '.repeat(33 * 1_048_576))).reason).toBe('too-large');
  });
});
