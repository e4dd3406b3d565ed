import type { Use } from './kinds/custom-fields.ts';
import type { StoredRecord } from './kinds.ts';
import type { Records } from './records.ts';

type Definition = StoredRecord<'customField'>;

/** The definitions that apply to records of one use, in order. */
export async function definitionsFor(records: Records, use: Use): Promise<readonly Definition[]> {
  return (await records.all('customField')).filter(({ fields }) => fields.use.includes(use));
}

export interface HeldValue {
  readonly definition: Definition;
  readonly value: string;
}

/** The values that a record holds of these definitions; a value of a field that no longer applies is not shown. */
export const valuesHeld = (
  definitions: readonly Definition[],
  { customValues }: Pick<StoredRecord, 'customValues'>,
): readonly HeldValue[] =>
  definitions.flatMap((definition) => {
    const value = customValues[definition.uuid];
    return value === undefined ? [] : [{ definition, value }];
  });
