import { describe, expect, it } from '@jest/globals';
import { element } from '../../../src/lib/xml/document.ts';
import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import type { FieldValue, RecordValue, Row, Shape } from '../../../src/lib/xml/shape.ts';
import { replaceForbidden } from '../../../src/lib/xml/text.ts';
import { readTrusted } from '../../../src/lib/xml/second/trusted.ts';
import { compileWriter } from '../../../src/lib/xml/writer.ts';
import { fc } from '../../support/random.ts';

const contact: Shape = {
  rows: [
    { element: 'ID', text: 'always' },
    { element: 'Name', text: 'always' },
  ],
};

const client: Shape = {
  rows: [
    { element: 'ID', text: 'always' },
    { element: 'Name', text: 'always' },
    { element: 'Email', text: 'whenSet' },
    { element: 'Text', text: 'asGiven' },
    { element: 'AccountManager', record: contact },
    { element: 'Contacts', list: { element: 'Contact', of: contact }, empty: 'present' },
    { element: 'Notes', list: { element: 'Note', of: contact }, empty: 'whenSet' },
  ],
};

describe('compileWriter', () => {
  const write = compileWriter('Client', client);

  it('writes a whole record on one line, in the order of the table', () => {
    const value = [
      '7',
      'A & B',
      'a@b.example',
      'x',
      ['3', 'Jo'],
      [
        ['1', 'One'],
        ['2', ''],
      ],
      [['9', 'N']],
    ];
    expect(write(value)).toBe(
      '<Client><ID>7</ID><Name>A &amp; B</Name><Email>a@b.example</Email><Text>x</Text>' +
        '<AccountManager><ID>3</ID><Name>Jo</Name></AccountManager>' +
        '<Contacts><Contact><ID>1</ID><Name>One</Name></Contact><Contact><ID>2</ID><Name></Name></Contact></Contacts>' +
        '<Notes><Note><ID>9</ID><Name>N</Name></Note></Notes></Client>',
    );
  });

  it('writes an empty scalar as a pair and an empty list self-closing with a space', () => {
    expect(write(['7', undefined, undefined, undefined, undefined, undefined, undefined])).toBe(
      '<Client><ID>7</ID><Name></Name><Contacts /></Client>',
    );
    expect(write(['7', '', '', '', undefined, [], []])).toBe(
      '<Client><ID>7</ID><Name></Name><Text></Text><Contacts /><Notes /></Client>',
    );
  });

  it('treats values missing at the end as absent', () => {
    expect(write(['7'])).toBe('<Client><ID>7</ID><Name></Name><Contacts /></Client>');
  });

  it('writes line breaks literally', () => {
    expect(write(['7', 'Level 2\r\nHarbour Lane'])).toContain('<Name>Level 2\r\nHarbour Lane</Name>');
  });

  it('follows a recursive shape', () => {
    const rows: Row[] = [{ element: 'Name', text: 'always' }];
    const tree: Shape = { rows };
    rows.push({ element: 'Parent', record: tree });
    rows.push({ element: 'Children', list: { element: 'Child', of: tree }, empty: 'whenSet' });
    expect(compileWriter('Node', tree)(['1', ['2', ['3']], [['4', undefined, []]]])).toBe(
      '<Node><Name>1</Name><Parent><Name>2</Name><Parent><Name>3</Name></Parent></Parent>' +
        '<Children><Child><Name>4</Name><Children /></Child></Children></Node>',
    );
  });

  it.each(['', 'a b', '1', 'a>', '<a', 'a/', '-a', 'a\n'])('refuses a table with the name %j', (name) => {
    expect(() => compileWriter(name, contact)).toThrow(RangeError);
    expect(() => compileWriter('a', { rows: [{ element: name, text: 'always' }] })).toThrow(RangeError);
    expect(() => compileWriter('a', { rows: [{ element: name, record: contact }] })).toThrow(RangeError);
    const list: Row = { element: 'b', list: { element: name, of: contact }, empty: 'present' };
    expect(() => compileWriter('a', { rows: [list] })).toThrow(RangeError);
  });

  it.each<[string, RecordValue]>([
    ['a list where text belongs', [[]]],
    ['text where a record belongs', ['7', '', '', '', 'x']],
    ['text where a list belongs', ['7', '', '', '', undefined, 'x']],
    ['more values than rows', ['7', '', '', '', undefined, [], [], 'x']],
  ])('refuses %s', (_case, value) => {
    expect(() => write(value)).toThrow(TypeError);
  });
});

/** A value for one row, and the elements that have to be read back for it. */
interface Sample {
  readonly row: Row;
  readonly value: FieldValue;
  readonly expected: readonly XmlElement[];
}

const name = fc
  .stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/)
  .filter((text) => !(text in Object.prototype));
const text = fc.string({ unit: 'binary', maxLength: 20 });
const read = (value: string): string => replaceForbidden(value).replace(/\r\n?/g, '\n');

const textSample = fc
  .record({
    name,
    form: fc.constantFrom('always', 'whenSet', 'asGiven'),
    value: fc.option(text, { nil: undefined }),
  })
  .map(({ name: row, form, value }): Sample => {
    const absent = form === 'whenSet' ? !value : form === 'asGiven' && value === undefined;
    return {
      row: { element: row, text: form },
      value,
      expected: absent ? [] : [element(row, read(value ?? ''))],
    };
  });

const { record: recordSample } = fc.letrec<{
  record: { shape: Shape; value: RecordValue; children: XmlElement[] };
}>((tie) => ({
  record: fc
    .array(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        textSample,
        fc.record({ name, record: tie('record'), present: fc.boolean() }).map((given): Sample => {
          const { shape, value, children } = given.record;
          return {
            row: { element: given.name, record: shape },
            value: given.present ? value : undefined,
            expected: given.present ? [element(given.name, children.length > 0 ? children : '')] : [],
          };
        }),
        fc.record({ name, item: name, record: tie('record'), count: fc.nat(3) }).map((given): Sample => {
          const { shape, value, children } = given.record;
          const items = Array.from({ length: given.count }, () =>
            element(given.item, children.length > 0 ? children : ''),
          );
          return {
            row: { element: given.name, list: { element: given.item, of: shape }, empty: 'present' },
            value: items.map(() => value),
            expected: [element(given.name, items)],
          };
        }),
      ),
      { maxLength: 5 },
    )
    .map((samples) => ({
      shape: { rows: samples.map(({ row }) => row) },
      value: samples.map(({ value }) => value),
      children: samples.flatMap(({ expected }) => expected),
    })),
}));

describe('the output of a compiled writer', () => {
  it('is read back unchanged by both readers', () => {
    fc.assert(
      fc.property(name, recordSample, (root, { shape, value, children }) => {
        const written = compileWriter(root, shape)(value);
        const expected = element(root, children.length > 0 ? children : '');
        expect(readDocument(written)).toEqual(expected);
        expect(formless(readTrusted(written))).toEqual(formless(expected));
      }),
    );
  });
});

/** Without the form of empty elements, which the second reader cannot see. */
function formless(tree: XmlElement): unknown {
  return {
    name: tree.name,
    attributes: tree.attributes,
    text: tree.text,
    children: tree.children.map(formless),
  };
}
