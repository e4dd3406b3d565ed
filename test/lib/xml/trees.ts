import type { XmlElement } from '../../../src/lib/xml/element.ts';
import { fc } from '../../support/random.ts';

/** Names a reader could stumble over, but those of every object, which the second reader renames or refuses. */
const names = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,6}$/),
  fc.constantFrom('ID', 'Name', 'Clients', 'über', '日本', 'Ελ', '_', 'xmlish', 'a.b-c'),
);
const safeNames = names.filter((name) => !(name in Object.prototype) && !/^xml(ns)?$/i.test(name));

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    '\r\n',
    '\t',
    '&amp;',
    '&#13;',
    ']]>',
    '<!-- -->',
    '<a>',
    '"',
    "'",
    '\uFEFF',
    '00123',
    '1e3',
  ),
);

const attributes = fc.uniqueArray(fc.tuple(safeNames, texts), { maxLength: 3, selector: ([name]) => name });

/** Trees as a reader could give them: text only where there are no children. */
export const trees: fc.Arbitrary<XmlElement> = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc
    .record({
      name: safeNames,
      attributes,
      text: texts,
      children: fc.oneof(
        { depthSize: 'small' },
        fc.constant<XmlElement[]>([]),
        fc.array(tie('tree'), { maxLength: 4 }),
      ),
      closed: fc.boolean(),
    })
    .map(({ name, attributes: given, text, children, closed }) => ({
      name,
      attributes: given,
      children,
      text: children.length > 0 ? '' : text,
      selfClosing: children.length === 0 && text === '' && closed,
    })),
})).tree;
