import { z } from 'zod';
import type { LeadFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { customValue, customValuesAfter, customValuesIn, customValuesShown } from '../customValues.ts';
import { freshView, ofBody, referenceAfter } from '../find.ts';
import { areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { relink } from '../relink.ts';
import {
  amountOptional,
  amountOrNull,
  dayOrNull,
  id,
  idIn,
  idOptional,
  idOrNull,
  numberOrNull,
  orNull,
  requiredText,
  text,
  textAfter,
  textIn,
  textOrNull,
  times,
  timesOf,
  twoAfter,
} from '../values.ts';

const lead = shape(
  'Lead',
  z.strictObject({
    uuid: id,
    name: text,
    description: textOrNull,
    clientUUID: idOrNull,
    contactUUID: idOrNull,
    ownerUUID: idOrNull,
    leadCategoryUUID: idOrNull,
    leadStatusUUID: idOrNull,
    estimatedValue: amountOrNull,
    date: dayOrNull,
    dateWonLost: dayOrNull,
    customFields: z.array(customValue),
    ...times,
  }),
);

const changes = z.object({
  name: requiredText.optional(),
  description: textIn,
  clientUUID: idIn.optional(),
  contactUUID: idOptional,
  ownerUUID: idIn.optional(),
  leadCategoryUUID: idOptional,
  leadStatusUUID: idIn.optional(),
  estimatedValue: amountOptional,
  customFields: customValuesIn,
});
const write = changes.extend({ name: requiredText, clientUUID: idIn, ownerUUID: idIn });
type Changes = z.infer<typeof changes>;
type Lead = StoredRecord<'lead'>;

async function views(call: JsonCall, leads: readonly Lead[]) {
  const statuses = new Map((await call.records.all('leadStatus')).map(({ name, uuid }) => [name, uuid]));
  const values = await customValuesShown(call, 'Lead');
  return leads.map((row): z.infer<typeof lead.schema> => {
    const { fields } = row;
    return {
      uuid: row.uuid,
      name: row.name,
      description: orNull(fields.description),
      clientUUID: row.owner ?? null,
      contactUUID: orNull(fields.contact),
      ownerUUID: row.other ?? null,
      leadCategoryUUID: orNull(fields.category),
      leadStatusUUID: statuses.get(fields.state) ?? null,
      estimatedValue: numberOrNull(fields.estimatedValue),
      date: orNull(fields.date),
      dateWonLost: orNull(fields.dateWonLost),
      customFields: values(row),
      ...timesOf(row),
    };
  });
}

const viewOf = (call: JsonCall, uuid: string) => freshView(call, 'lead', uuid, views);

async function fieldsAfter(
  call: JsonCall,
  body: Changes,
  before: LeadFields | undefined,
): Promise<LeadFields> {
  const today = new Date(call.now).toISOString().slice(0, 10);
  const status = await statusAfter(call, body, before);
  return {
    ...before,
    description: textAfter(body.description, before?.description),
    state: status?.name ?? before?.state ?? '',
    estimatedValue: twoAfter(body.estimatedValue, before?.estimatedValue),
    date: before?.date ?? today,
    dateWonLost: wonLostAfter(status, before, today),
    category: await referenceAfter(
      call,
      'leadCategory',
      body.leadCategoryUUID,
      'leadCategoryUUID',
      before?.category,
    ),
    contact: await referenceAfter(call, 'contact', body.contactUUID, 'contactUUID', before?.contact),
  };
}

/** A new lead begins at the first stage. */
async function statusAfter(call: JsonCall, body: Changes, before: LeadFields | undefined) {
  if (body.leadStatusUUID) return ofBody(call, 'leadStatus', body.leadStatusUUID, 'leadStatusUUID');
  if (before) return undefined;
  return (await call.records.all('leadStatus')).find(({ fields }) => fields.type === 'open');
}

function wonLostAfter(
  status: StoredRecord<'leadStatus'> | undefined,
  before: LeadFields | undefined,
  today: string,
): string {
  const known = before?.dateWonLost ?? '';
  if (!status) return known;
  return status.fields.type === 'open' ? '' : known || today;
}

async function create(call: JsonCall, body: z.infer<typeof write>) {
  const client = await ofBody(call, 'client', body.clientUUID, 'clientUUID');
  const owner = await ofBody(call, 'staff', body.ownerUUID, 'ownerUUID');
  const made = await call.records.insert(
    'lead',
    {
      name: body.name,
      owner: client.uuid,
      other: owner.uuid,
      fields: await fieldsAfter(call, body, undefined),
      customValues: await customValuesAfter(call, 'Lead', body.customFields),
    },
    call.now,
  );
  await settleProspect(call, client.uuid);
  return viewOf(call, made.uuid);
}

async function update(call: JsonCall, before: Lead, body: Changes) {
  const client = body.clientUUID ? await ofBody(call, 'client', body.clientUUID, 'clientUUID') : undefined;
  const owner = body.ownerUUID ? await ofBody(call, 'staff', body.ownerUUID, 'ownerUUID') : undefined;
  const fields = await fieldsAfter(call, body, before.fields);
  const customValues = await customValuesAfter(call, 'Lead', body.customFields, before.customValues);
  const { name = before.name } = body;
  await call.records.update(
    before,
    { name, fields, customValues, ...(owner && { other: owner.uuid }) },
    call.now,
  );
  if (client) await relink(call, before, { owner: client.uuid });
  for (const uuid of new Set([before.owner, client?.uuid])) await settleProspect(call, uuid);
  return viewOf(call, before.uuid);
}

/** A prospect has leads and has won none yet; nobody writes that. */
async function settleProspect(call: JsonCall, uuid: string | undefined): Promise<void> {
  const client = await call.records.byUuid('client', uuid ?? '');
  if (!client) return;
  const leads = (await call.records.ownedBy('lead', [client.uuid])).get(client.uuid) ?? [];
  const won = new Set(
    (await call.records.all('leadStatus'))
      .filter(({ fields }) => fields.type === 'won')
      .map(({ name }) => name),
  );
  const isProspect = leads.length > 0 && !leads.some(({ fields }) => won.has(fields.state));
  if (client.fields.isProspect !== isProspect)
    await call.records.update(client, { fields: { ...client.fields, isProspect } }, call.now);
}

export const leads = areaBeyond('Leads', [
  list({
    id: 'v2.leads.list',
    path: '/leads',
    summary: 'List leads',
    query: ['sort', 'order', 'updatedSince', 'lastModified'],
    response: lead,
    serve: (call) => shown(pageOf(call, 'lead'), (rows) => views(call, rows)),
  }),
  one({
    id: 'v2.leads.get',
    method: 'GET',
    path: '/leads/{UUID}',
    summary: 'Get a lead',
    on: { UUID: 'lead' },
    response: lead,
    serve: (call, on) => viewOf(call, on.UUID.uuid),
  }),
  one({
    id: 'v2.leads.create',
    method: 'POST',
    path: '/leads',
    summary: 'Create a lead',
    body: write,
    example: { name: 'Boat shed', clientUUID: '{client}', ownerUUID: '{staff}', estimatedValue: 9000 },
    response: lead,
    serve: (call, _on, body) => create(call, body),
  }),
  one({
    id: 'v2.leads.update',
    method: 'PUT',
    path: '/leads/{UUID}',
    summary: 'Update a lead',
    on: { UUID: 'lead' },
    body: changes,
    example: { leadStatusUUID: '{leadStatus}' },
    response: lead,
    serve: (call, on, body) => update(call, on.UUID, body),
  }),
]);
