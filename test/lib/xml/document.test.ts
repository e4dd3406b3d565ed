import { describe, expect, it } from '@jest/globals';
import {
  buildDocument,
  CLOSE_RESPONSE,
  DECLARATION,
  element,
  errorDocument,
  openResponse,
  writeElement,
} from '../../../src/lib/xml/document.ts';
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { replaceForbidden } from '../../../src/lib/xml/text.ts';
import { readTrusted } from '../../../src/lib/xml/second/trusted.ts';
import { fc } from '../../support/random.ts';
import { trees } from './trees.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';

/** The tree as it has to be read: forbidden characters replaced, and with `lines` its line ends made one. */
function asRead(tree: XmlElement, lines: boolean): XmlElement {
  const text = replaceForbidden(tree.text);
  return {
    name: tree.name,
    attributes: tree.attributes.map(([name, value]) => [name, replaceForbidden(value)] as const),
    children: tree.children.map((child) => asRead(child, lines)),
    text: lines ? text.replace(/\r\n?/g, '\n') : text,
    selfClosing: tree.selfClosing,
  };
}

describe('the function element', () => {
  it('writes an empty text as a pair and an empty list self-closing', () => {
    expect(element('Name').selfClosing).toBe(false);
    expect(element('Contacts', []).selfClosing).toBe(true);
    expect(element('Contacts', [element('Contact')]).selfClosing).toBe(false);
  });

  it.each(['', 'a b', 'a"', '<a>', '1a'])('refuses the name %j', (name) => {
    expect(() => element(name)).toThrow(RangeError);
    expect(() => element('a', '', [[name, '']])).toThrow(RangeError);
  });
});

describe('the function writeElement', () => {
  it('writes the legacy form', () => {
    const tree = element('Client', [
      element('ID', '7'),
      element('Address'),
      element('Contacts', []),
      element('Note', 'a & <b>\r\n"c"', [['type', 'x"\ny']]),
    ]);
    expect(writeElement(tree)).toBe(
      '<Client><ID>7</ID><Address></Address><Contacts />' +
        '<Note type="x&quot;&#10;y">a &amp; &lt;b&gt;\r\n"c"</Note></Client>',
    );
  });

  it('writes what is read back unchanged, except for line ends', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(readDocument(writeElement(tree))).toEqual(asRead(tree, true));
      }),
    );
  });
});

describe('the function buildDocument', () => {
  it('writes declaration and root on one line', () => {
    expect(buildDocument(element('Client', [element('Name', 'A & B'), element('Phone')]))).toBe(
      `${HEAD}<Client><Name>A &amp; B</Name><Phone></Phone></Client>`,
    );
  });

  it('keeps line ends and text that looks like a reference', () => {
    const text = 'a\r\nb\rc &amp; &#13; &lt;x&gt; &nbsp;';
    const built = buildDocument(element('a', text, [['b', text]]));
    expect(readDocument(built)).toEqual(element('a', text, [['b', text]]));
    expect(built).not.toMatch(/[\r]/);
  });

  it('writes neither CDATA nor comments, whatever the text', () => {
    const built = buildDocument(element('a', '<![CDATA[x]]> <!-- y --> ]]>'));
    expect(built).toBe(`${HEAD}<a>&lt;![CDATA[x]]&gt; &lt;!-- y --&gt; ]]&gt;</a>`);
  });

  it('writes the namespace declarations of a root', () => {
    const root = element('a', [element('b', '', [['xsi:nil', 'true']])], [['xmlns:xsi', 'urn:x']]);
    expect(readDocument(buildDocument(root))).toEqual(root);
  });

  it('refuses a name that would be markup', () => {
    const tree = { ...element('a'), name: 'a><b' };
    expect(() => buildDocument(tree)).toThrow(RangeError);
    expect(() => buildDocument({ ...element('a'), attributes: [['b="" c', '']] })).toThrow(RangeError);
  });

  it('writes what is read back unchanged, including line ends', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(readDocument(buildDocument(tree))).toEqual(asRead(tree, false));
      }),
    );
  });

  it('writes what the second reader reads alike', () => {
    const selfClosing = (): boolean => false;
    fc.assert(
      fc.property(trees, (tree) => {
        const built = buildDocument(tree);
        expect(readTrusted(built, selfClosing)).toEqual(paired(readDocument(built)));
      }),
    );
  });
});

function paired(tree: XmlElement): XmlElement {
  return { ...tree, selfClosing: false, children: tree.children.map(paired) };
}

describe('the function errorDocument', () => {
  it('writes the legacy form, byte for byte', () => {
    expect(errorDocument('Get', 'Invalid client identifier')).toBe(
      `${HEAD}\r\n<Response api-method="Get"><Status>ERROR</Status>` +
        '<ErrorDescription>Invalid client identifier</ErrorDescription></Response>',
    );
  });

  it('omits the attribute if there is no method, and writes an empty description as a pair', () => {
    expect(errorDocument(undefined, '')).toBe(
      `${HEAD}\r\n<Response><Status>ERROR</Status><ErrorDescription></ErrorDescription></Response>`,
    );
  });

  it('escapes its arguments', () => {
    const document = readDocument(errorDocument('"><x>', '<b> & \0'));
    expect(document.attributes).toEqual([['api-method', '"><x>']]);
    expect(document.children[1]?.text).toBe('<b> & \uFFFD');
  });
});

describe('the envelope of a streamed reply', () => {
  it('contains the empty list of the legacy service, byte for byte', () => {
    const reply = [
      DECLARATION,
      openResponse('List'),
      writeElement(element('Status', 'OK')),
      writeElement(element('Categories', [])),
      CLOSE_RESPONSE,
    ].join('');
    expect(reply).toBe(`${HEAD}\r\n<Response api-method="List"><Status>OK</Status><Categories /></Response>`);
  });

  it('omits the attribute if there is no method', () => {
    expect(openResponse(undefined)).toBe('<Response>');
  });
});
