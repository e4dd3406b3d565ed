import { type Use, uses, valueElements } from '../../../records/kinds/custom-fields.ts';
import type { HeldValue } from '../../../records/custom-field-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import type { Dialect } from '../../dialect.ts';
import { type Field, type Fields, optional, text } from '../../record/fields.ts';
import { trueFalse } from '../../../tables/values.ts';

export type Definition = StoredRecord<'customField'>;

/** The identifiers of a field, of one kind or of both: `ID` first, `UUID` directly after it. */
function identifiers<T>(dialect: Dialect, definition: (of: T) => Definition): Fields<T> {
  const id: Field<T> = text('ID', (of) => String(definition(of).number));
  const uuid: Field<T> = text('UUID', (of) => definition(of).uuid);
  switch (dialect.customFieldIds) {
    case 'id':
      return [id];
    case 'uuid':
      return [uuid];
    case 'both':
      return [id, uuid];
  }
}

const useElement = (use: Use): Field<Definition> =>
  text(`Use${use}`, ({ fields }) => trueFalse(fields.use.includes(use)));

/** The elements of a definition of a custom field. */
export const definitionFields = (dialect: Dialect): Fields<Definition> => [
  ...identifiers<Definition>(dialect, (definition) => definition),
  text('Name', ({ name }) => name),
  text('Type', ({ fields }) => fields.type),
  text('LinkUrl', ({ fields }) => fields.linkUrl),
  text('Options', ({ fields }) => fields.options.join('\n')),
  ...uses.map(useElement),
  text('ValueElement', ({ fields }) => fields.valueElement),
];

/** Exactly one value element, the one that the definition names. */
export const valueFields = (dialect: Dialect): Fields<HeldValue> => [
  ...identifiers<HeldValue>(dialect, ({ definition }) => definition),
  text('Name', ({ definition }) => definition.name),
  ...valueElements.map((element) =>
    optional<HeldValue>(element, ({ definition, value }) =>
      definition.fields.valueElement === element ? shown(element, value) : undefined,
    ),
  ),
];

/** Answers print dates with a time ("Custom field value"). */
const shown = (element: string, value: string): string => (element === 'Date' ? `${value}T00:00:00` : value);
