import { isUuid } from '../../../lib/text/uuid.ts';
import { z } from 'zod';
import { type CustomFieldFields, fieldTypes, uses, type Use } from '../../records/kinds/custom-fields.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { column, tableOf, uuidColumn } from '../record/columns.ts';
import { area, one } from '../operation/operation.ts';
import { operationsOn } from '../operation/operations-on.ts';
import { conflict, invalid, notFound } from '../operation/refusal.ts';
import { flag, flagOptional, requiredText, text } from '../record/values.ts';

const types = ['text', 'number', 'date', 'dropdown', 'checkbox'] as const;
type FieldType = (typeof types)[number];

type UseKey = `use${Use}`;

/** One value for each kind of record that may have the field. */
const forUses = <T>(value: (use: Use) => T) =>
  Object.fromEntries(uses.map((use) => [`use${use}`, value(use)])) as Record<UseKey, T>;

const write = z.object({
  name: requiredText,
  type: z.enum(types),
  options: z.array(requiredText).nullish(),
  ...forUses(() => flagOptional),
  mandatory: flagOptional,
});
type Write = z.infer<typeof write>;

/** The nine types of the XML API are five here (V2 specification, "Resources and the attributes that are named"). */
const shownTypes: Readonly<Record<string, FieldType>> = {
  Text: 'text',
  'Multi-line Text': 'text',
  'Value Link': 'text',
  Number: 'number',
  Decimal: 'number',
  Date: 'date',
  'Dropdown List': 'dropdown',
  Checkbox: 'checkbox',
};

const storedTypes = {
  text: 'Text',
  number: 'Decimal',
  date: 'Date',
  dropdown: 'Dropdown List',
  checkbox: 'Checkbox',
} as const satisfies Record<FieldType, keyof typeof fieldTypes>;

const typeOf = ({ type }: CustomFieldFields): FieldType => shownTypes[type] ?? 'text';

const definition = tableOf('customField', 'CustomFieldDef', {
  uuid: uuidColumn,
  name: column(text, ({ name }) => name),
  type: column(z.enum(types), ({ fields }) => typeOf(fields)),
  options: column(z.array(text), ({ fields }) => [...fields.options]),
  ...forUses((use) => column(flag, ({ fields }: StoredRecord<'customField'>) => fields.use.includes(use))),
  mandatory: column(flag, ({ fields }) => fields.mandatory ?? false),
});

function fieldsAfter(body: Write, before: CustomFieldFields | undefined): CustomFieldFields {
  const options = optionsAfter(body, before);
  const type = before && typeOf(before) === body.type ? before.type : storedTypes[body.type];
  return {
    type,
    valueElement: fieldTypes[type as keyof typeof fieldTypes],
    linkUrl: before?.linkUrl ?? '',
    options,
    use: uses.filter((use) => body[`use${use}`] ?? before?.use.includes(use) ?? false),
    mandatory: body.mandatory ?? before?.mandatory ?? false,
  };
}

function optionsAfter({ type, options }: Write, before: CustomFieldFields | undefined): readonly string[] {
  if (type !== 'dropdown') {
    if (options && options.length > 0) throw invalid('options', 'options belong to the type dropdown');
    return [];
  }
  const after = options ?? before?.options ?? [];
  if (after.length === 0) throw invalid('options', 'options is required for the type dropdown');
  return after;
}

async function requireFreeName(
  call: JsonCall,
  name: string,
  use: readonly Use[],
  own?: string,
): Promise<void> {
  const rival = (await call.records.all('customField')).find(
    (one) =>
      one.uuid !== own &&
      one.name.toLowerCase() === name.toLowerCase() &&
      one.fields.use.some((each) => use.includes(each)),
  );
  if (rival) throw conflict('name', 'name is used by another custom field of the same kind of record');
}

async function make(call: JsonCall, body: Write, uuid?: string): Promise<string> {
  const fields = fieldsAfter(body, undefined);
  await requireFreeName(call, body.name, fields.use);
  return (await call.records.insert('customField', { name: body.name, fields, uuid }, call.now)).uuid;
}

async function change(call: JsonCall, before: StoredRecord<'customField'>, body: Write): Promise<string> {
  if (typeOf(before.fields) !== body.type && (await isUsed(call, before.uuid)))
    throw invalid('type', 'type cannot change: there are values of this field');
  const fields = fieldsAfter(body, before.fields);
  await requireFreeName(call, body.name, fields.use, before.uuid);
  await call.records.update(before, { name: body.name, fields }, call.now);
  return before.uuid;
}

async function isUsed(call: JsonCall, uuid: string): Promise<boolean> {
  const row = await call.db
    .selectFrom('records')
    .select('number')
    .where('organisation_id', '=', call.records.organisationId)
    .where('deleted', '=', 0)
    .where('custom_values', 'like', `%${uuid}%`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

const example = { name: 'Site code', type: 'dropdown', options: ['North', 'South'], useClient: true };

const operations = operationsOn({ kind: 'customField', path: '/custom-fields', word: 'custom field' });

export const customFields = area('Custom fields', [
  operations.list(definition, { summary: 'List custom field configurations', query: [] }),
  operations.create(definition, { body: write, example, make }),
  one({
    id: 'v2.custom-fields.put',
    method: 'PUT',
    path: '/custom-fields/{UUID}',
    summary: 'Create or modify a custom field',
    notes: 'An unknown UUID creates the field under it.',
    body: write,
    example: { ...example, name: 'Depot' },
    response: definition.response,
    serve: async (call, _on, body) => {
      const uuid = call.path('UUID');
      if (!isUuid(uuid)) throw notFound('custom field');
      const before = await call.records.byUuid('customField', uuid);
      const written = before ? await change(call, before, body) : await make(call, body, uuid);
      return definition.view(call, written);
    },
  }),
]);
