import { z } from 'zod';
import { type CustomFieldFields, fieldTypes, uses, type Use } from '../../records/kinds/custom-fields.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { area, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { conflict, invalid, notFound } from '../refusal.ts';
import { flag, flagOptional, id, requiredText, text } from '../values.ts';

const types = ['text', 'number', 'date', 'dropdown', 'checkbox'] as const;
type FieldType = (typeof types)[number];

type UseKey = `use${Use}`;

/** One value for each kind of record that may have the field. */
const forUses = <T>(value: (use: Use) => T) =>
  Object.fromEntries(uses.map((use) => [`use${use}`, value(use)])) as Record<UseKey, T>;

const definition = shape(
  'CustomFieldDef',
  z.strictObject({
    uuid: id,
    name: text,
    type: z.enum(types),
    options: z.array(text),
    ...forUses(() => flag),
    mandatory: flag,
  }),
);

const write = z.object({
  name: requiredText,
  type: z.enum(types),
  options: z.array(requiredText).nullish(),
  ...forUses(() => flagOptional),
  mandatory: flagOptional,
});
type Write = z.infer<typeof write>;

/** The nine types of the XML form are five here (000_ef2b8fc3580d6af3.txt, "Resources and the attributes that are named"). */
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

const view = ({ uuid, name, fields }: StoredRecord<'customField'>): z.infer<typeof definition.schema> => ({
  uuid,
  name,
  type: typeOf(fields),
  options: [...fields.options],
  ...forUses((use) => fields.use.includes(use)),
  mandatory: fields.mandatory ?? false,
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

async function make(call: JsonCall, body: Write, uuid?: string) {
  const fields = fieldsAfter(body, undefined);
  await requireFreeName(call, body.name, fields.use);
  return view(await call.records.insert('customField', { name: body.name, fields, uuid }, call.now));
}

async function change(call: JsonCall, before: StoredRecord<'customField'>, body: Write) {
  if (typeOf(before.fields) !== body.type && (await isUsed(call, before.uuid)))
    throw invalid('type', 'type cannot change: there are values of this field');
  const fields = fieldsAfter(body, before.fields);
  await requireFreeName(call, body.name, fields.use, before.uuid);
  await call.records.update(before, { name: body.name, fields }, call.now);
  return view({ ...before, name: body.name, fields });
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
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const customFields = area('Custom fields', [
  list({
    id: 'v2.custom-fields.list',
    path: '/custom-fields',
    summary: 'List custom field configurations',
    response: definition,
    serve: (call) => shown(pageOf(call, 'customField'), (rows) => rows.map(view)),
  }),
  one({
    id: 'v2.custom-fields.create',
    method: 'POST',
    path: '/custom-fields',
    summary: 'Create a custom field',
    body: write,
    example,
    response: definition,
    serve: (call, _on, body) => make(call, body),
  }),
  one({
    id: 'v2.custom-fields.put',
    method: 'PUT',
    path: '/custom-fields/{UUID}',
    summary: 'Create or modify a custom field',
    notes: 'An unknown UUID creates the field under it.',
    body: write,
    example: { ...example, name: 'Depot' },
    response: definition,
    serve: async (call, _on, body) => {
      const uuid = call.path('UUID');
      if (!UUID.test(uuid)) throw notFound('custom field');
      const before = await call.records.byUuid('customField', uuid);
      if (before) return change(call, before, body);
      return make(call, body, uuid);
    },
  }),
]);
