import { definitionsFor } from '../../../records/custom-field-rules.ts';
import { type Use, type ValueElement, valueElements } from '../../../records/kinds/custom-fields.ts';
import type { CustomValues } from '../../../records/kinds.ts';
import type { XmlCall } from '../../call.ts';
import { unknownRecord } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { missing, Refusal } from '../../refusal.ts';
import {
  readChoice,
  readDate,
  readDecimal,
  readFlag,
  readInteger,
  trueFalse,
} from '../../../tables/values.ts';
import type { Definition } from './fields.ts';

const readBoolean = (given: string): string | undefined => {
  const flag = readFlag(given);
  return flag === undefined ? undefined : trueFalse(flag);
};

const readers: Readonly<Record<ValueElement, (given: string) => string | undefined>> = {
  Date: readDate,
  Number: readInteger,
  Decimal: readDecimal,
  Boolean: readBoolean,
  Text: (given) => given,
};

/**
 * Converts a value to its stored form; '' for none. Throws `Refusal`. Seeds use it too, so that a stored
 * value fits its definition, except for a choice that is no longer on its list.
 */
export function readCustomValue(
  { name, fields }: Pick<Definition, 'name' | 'fields'>,
  given: string,
): string {
  if (given.trim() === '') return '';
  const value =
    fields.type === 'Dropdown List' ? readChoice(given, fields.options) : readers[fields.valueElement](given);
  if (value === undefined) throw new Refusal(`Invalid value for custom field ${name}`);
  return value;
}

/**
 * Returns the values after a message: those it does not name are kept, an empty element clears. Throws
 * `Refusal`.
 */
export async function customValuesAfter(
  call: XmlCall,
  use: Use,
  before: CustomValues,
): Promise<CustomValues> {
  const given = ofRoot(call.message, 'CustomFields')?.children('CustomField') ?? [];
  if (given.length === 0) throw missing('CustomFields', 'CustomField');
  for (const field of given) requireDefinition(call, field);
  const after = new Map(Object.entries(before));
  for (const field of given) {
    const definition = await definitionOf(call, field, use);
    const value = readCustomValue(definition, givenValue(field, definition));
    if (value === '') after.delete(definition.uuid);
    else after.set(definition.uuid, value);
  }
  return Object.fromEntries(after);
}

/** The specification prints `UUID` on V1 and V3; V1 programs also send `ID`. */
const idsOf = (call: XmlCall, field: Message): { readonly number: string; readonly uuid: string } => ({
  number: call.dialect.ids === 'uuid' ? '' : (field.text('ID')?.trim() ?? ''),
  uuid: field.text('UUID')?.trim() ?? '',
});

function requireDefinition(call: XmlCall, field: Message): void {
  const { number, uuid } = idsOf(call, field);
  if (!number && !uuid) throw missing('CustomFields', 'CustomField', 'UUID');
}

async function definitionOf(call: XmlCall, field: Message, use: Use): Promise<Definition> {
  const { number, uuid } = idsOf(call, field);
  const definitions = await definitionsFor(call.records, use);
  const found = definitions.find(
    (definition) =>
      (number === '' || String(definition.number) === number) &&
      (uuid === '' || definition.uuid === uuid.toLowerCase()),
  );
  if (!found) throw unknownRecord('customField');
  return found;
}

/** Exactly one value element, the one that the definition names ("Custom field methods", rule 2). */
function givenValue(field: Message, { name, fields }: Definition): string {
  const given = valueElements.filter((element) => field.text(element) !== undefined);
  const value = field.text(fields.valueElement);
  if (given.length !== 1 || value === undefined)
    throw new Refusal(`The custom field ${name} takes exactly one value element, ${fields.valueElement}`);
  return value;
}
