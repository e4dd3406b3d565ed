import { z } from 'zod';
import type { Use } from '../../records/kinds/custom-fields.ts';
import { definitionsFor, valuesHeld } from '../../records/custom-field-rules.ts';
import type { CustomValues, StoredRecord } from '../../records/kinds.ts';
import { readCustomValue } from '../../xml/methods/customfield/values.ts';
import { Refusal } from '../../xml/refusal.ts';
import type { JsonCall } from '../operation/call.ts';
import { invalid } from '../operation/refusal.ts';
import { id, idIn, text } from './values.ts';

/** The value is a string whatever the field's type. */
export const customValue = z.strictObject({ uuid: id, name: text, value: text });

export const customValuesIn = z
  .array(
    z.object({
      uuid: idIn,
      value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
    }),
  )
  .nullish();

type Shown = z.infer<typeof customValue>;

/** Returns the values of records of one use, in the order of their definitions. */
export async function customValuesShown(
  call: JsonCall,
  use: Use,
): Promise<(record: Pick<StoredRecord, 'customValues'>) => Shown[]> {
  const definitions = await definitionsFor(call.records, use);
  return (record) =>
    valuesHeld(definitions, record).map(({ definition: { uuid, name }, value }) => ({ uuid, name, value }));
}

/**
 * Returns the values after a call (`customFields` of its body): fields it does not name are kept, null and ''
 * clear. Throws `JsonRefusal` 422 for a field that is not defined for this use, or a value that does not fit
 * it.
 */
export async function customValuesAfter(
  call: JsonCall,
  use: Use,
  body: object,
  record?: Partial<Pick<StoredRecord, 'customValues'>>,
): Promise<CustomValues> {
  const { customFields: given } = body as { readonly customFields?: z.infer<typeof customValuesIn> };
  const before = record?.customValues ?? {};
  if (!given || given.length === 0) return before;
  const definitions = new Map((await definitionsFor(call.records, use)).map((one) => [one.uuid, one]));
  const after = new Map(Object.entries(before));
  given.forEach(({ uuid, value }, at) => {
    const definition = definitions.get(uuid.toLowerCase());
    if (!definition)
      throw invalid(`customFields[${at}].uuid`, 'names no custom field of this kind of record');
    const stored = storedValue(definition, value, `customFields[${at}].value`);
    if (stored === '') after.delete(definition.uuid);
    else after.set(definition.uuid, stored);
  });
  return Object.fromEntries(after);
}

function storedValue(
  definition: StoredRecord<'customField'>,
  value: string | number | boolean | null | undefined,
  field: string,
): string {
  try {
    return readCustomValue(definition, value === null || value === undefined ? '' : String(value));
  } catch (error) {
    if (error instanceof Refusal) throw invalid(field, error.message);
    throw error;
  }
}
