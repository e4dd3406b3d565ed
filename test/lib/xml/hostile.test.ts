import { describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { faultOf } from './fault.ts';

const MEGA = 1_000_000;

/** An entity that doubles `levels` times: ten levels of ten are a billion characters. */
function bomb(levels: number): string {
  const lines = ['<!ENTITY e0 "lol">'];
  for (let level = 1; level <= levels; level += 1) {
    lines.push(`<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`);
  }
  return `<!DOCTYPE a [${lines.join('')}]><a>&e${levels};</a>`;
}

const quadratic = `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(50_000)}">]><a>${'&b;'.repeat(50_000)}</a>`;

/** Built when the test runs: together they are large. */
const documents: readonly (readonly [what: string, reason: string, text: () => string])[] = [
  ['a nested entity bomb', 'doctype', () => bomb(10)],
  ['a quadratic entity bomb', 'doctype', () => quadratic],
  ['a recursive entity', 'doctype', () => '<!DOCTYPE a [<!ENTITY a "&b;"><!ENTITY b "&a;">]><a>&a;</a>'],
  ['a document type that never ends', 'doctype', () => `<!DOCTYPE a [${'<!ENTITY b "c">'.repeat(100_000)}`],
  ['a parameter entity', 'doctype', () => '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/">%x;]><a/>'],
  ['a million elements deep', 'too-large', () => '<a>'.repeat(MEGA)],
  ['a million elements deep, closed', 'too-large', () => '<a>'.repeat(MEGA) + '</a>'.repeat(MEGA)],
  ['a million elements wide', 'too-large', () => `<a>${'<b/>'.repeat(MEGA)}</a>`],
  [
    '100,000 attributes',
    'too-large',
    () => `<a ${Array.from({ length: 100_000 }, (_, n) => `b${n}=""`).join(' ')}/>`,
  ],
  ['100,000 namespace declarations', 'too-large', () => `<a ${'xmlns:b="c" '.repeat(100_000)}/>`],
  ['a name of a million characters', 'too-large', () => `<${'a'.repeat(MEGA)}/>`],
  ['an attribute name of a million characters', 'too-large', () => `<a ${'b'.repeat(MEGA)}=""/>`],
  ['two million characters of text', 'too-large', () => `<a>${'b'.repeat(2 * MEGA)}</a>`],
  ['two million characters of CDATA', 'too-large', () => `<a><![CDATA[${'b'.repeat(2 * MEGA)}]]></a>`],
  ['two million characters of attribute', 'too-large', () => `<a b="${'b'.repeat(2 * MEGA)}"/>`],
  ['a million references', 'too-large', () => `<a>${'&#65;'.repeat(1_100_000)}</a>`],
  ['a comment that never ends', 'too-large', () => `<a><!--${' '.repeat(10 * MEGA)}`],
  ['an instruction that never ends', 'too-large', () => `<a><?b ${'c'.repeat(10 * MEGA)}`],
  ['an entity that never ends', 'too-large', () => `<a>&${'b'.repeat(10 * MEGA)}`],
  ['an end tag that never ends', 'too-large', () => `<a></${'a'.repeat(10 * MEGA)}`],
  ['a million <', 'malformed', () => '<'.repeat(MEGA)],
  ['a million < in an element', 'malformed', () => `<a>${'<'.repeat(MEGA)}`],
  ['a million &', 'malformed', () => `<a>${'&'.repeat(MEGA)}</a>`],
  ['a million ]', 'malformed', () => `<a>${']'.repeat(MEGA)}></a>`],
  ['a million open comments', 'malformed', () => '<!--'.repeat(MEGA / 4)],
  ['a million open CDATA', 'malformed', () => `<a>${'<![CDATA['.repeat(100_000)}</a>`],
  ['a million spaces', 'malformed', () => ' '.repeat(MEGA)],
  ['a million comments and no root', 'malformed', () => '<!---->'.repeat(MEGA / 4)],
];

describe('hostile documents', () => {
  it.each(documents)('such as %s are refused as %s', (_what, reason, text) => {
    const fault = faultOf(() => readDocument(text()));
    expect(fault.reason).toBe(reason);
    expect(fault.message).toMatch(/^XML refused: [a-z-]+ at \d+:\d+$/);
  });

  it('have no includes: XInclude is an element like any other', () => {
    const text =
      '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/hostname"/></a>';
    expect(readDocument(text).children[0]?.children).toEqual([]);
  });

  it('can have a million short comments beside the root, of which none is kept', () => {
    expect(readDocument(`${'<!---->'.repeat(MEGA / 4)}<a/>`).name).toBe('a');
  });
});
