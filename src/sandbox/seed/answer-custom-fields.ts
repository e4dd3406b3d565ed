/** Custom fields in answers of V1: their definitions, and their values in a record. */
import type { XmlElement } from '../../lib/xml/element.ts';
import { fieldTypes, uses } from '../records/kinds/custom-fields.ts';
import { childrenIn, numberIn, textIn } from './answer-elements.ts';
import type { SeedRecord } from './answer-tables.ts';

/** The definitions in an answer, by name, without those that no record can use. */
export function definitionsIn(root: XmlElement): ReadonlyMap<string, SeedRecord> {
  const definitions = new Map<string, SeedRecord>();
  for (const element of childrenIn(root, 'CustomFieldDefinitions')) {
    const name = textIn(element, 'Name');
    const use = uses.filter((one) => textIn(element, `Use${one}`) === 'true');
    if (name !== '' && use.length > 0) definitions.set(name, { name, use, ...furtherOf(element) });
  }
  return definitions;
}

function furtherOf(element: XmlElement): SeedRecord {
  const type = textIn(element, 'Type');
  const options = textIn(element, 'Options').split('\n').filter(Boolean);
  const further = {
    type: Object.hasOwn(fieldTypes, type) ? type : typeFor(textIn(element, 'ValueElement')),
    number: numberIn(element),
    uuid: textIn(element, 'UUID'),
    options: options.length > 0 ? options : undefined,
    linkUrl: textIn(element, 'LinkUrl'),
  };
  return Object.fromEntries(
    Object.entries(further).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** A type whose values use this element. */
const typeFor = (valueElement: string): string =>
  Object.entries(fieldTypes).find(([, element]) => element === valueElement)?.[0] ?? 'Text';

const NAMING: ReadonlySet<string> = new Set(['ID', 'UUID', 'Name']);

/** The values of one record. */
export const valuesOfFields = (root: XmlElement): readonly SeedRecord[] =>
  childrenIn(root, 'CustomFields').flatMap((field) => {
    const value = field.children.find(({ name }) => !NAMING.has(name));
    const name = textIn(field, 'Name');
    if (name === '' || value === undefined) return [];
    return [{ name, value: value.name === 'Date' ? value.text.slice(0, 10) : value.text }];
  });
