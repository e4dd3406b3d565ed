import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { area, list, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { amount, count, id, moment, numberOf, text, times, timesOf } from '../values.ts';

const named = { uuid: id, name: text };
const account = shape(
  'Account',
  z.strictObject({ ...named, code: text, type: z.enum(['income', 'expense']), ...times }),
);
const role = shape('Role', z.strictObject(named));
const structure = shape('BusinessStructure', z.strictObject(named));
const clientType = shape(
  'ClientType',
  z.strictObject({
    ...named,
    paymentTerm: z.enum(['DayOfMonth', 'WithinDays']),
    paymentDay: count,
    markup: amount,
  }),
);
const category = shape('JobCategory', z.strictObject({ ...named, createdAt: moment, updatedAt: moment }));
const status = shape('JobStatus', z.strictObject({ ...named, type: text, displayPreference: text }));
const tax = shape('TaxRate', z.strictObject({ ...named, rate: amount }));
const leadCategory = shape('LeadCategory', z.strictObject({ ...named, displayPreference: text }));
const leadStatus = shape('LeadStatus', z.strictObject({ ...named, type: text, probability: amount }));

const nameOnly = ({ uuid, name }: StoredRecord) => ({ uuid, name });

const paged =
  <K extends Kind, Row>(kind: K, view: (record: StoredRecord<K>) => Row) =>
  (call: JsonCall) =>
    shown(pageOf(call, kind), (rows) => rows.map(view));

/** Shown in the order in which they were configured: the first is 1. */
async function ranks(call: JsonCall, kind: 'jobStatus' | 'leadCategory'): Promise<(uuid: string) => string> {
  const all = (await call.records.all(kind)).map(({ uuid }) => uuid);
  return (uuid) => String(all.indexOf(uuid) + 1);
}

export const accounts = area('Accounts', [
  list({
    id: 'v2.accounts.list',
    path: '/accounts',
    summary: 'List account codes',
    query: ['updatedSince', 'lastModified'],
    response: account,
    serve: paged('account', (record) => ({
      ...nameOnly(record),
      code: record.code ?? '',
      type: record.fields.type,
      ...timesOf(record),
    })),
  }),
]);

export const roles = area('Roles', [
  list({
    id: 'v2.roles.list',
    path: '/roles',
    summary: 'List roles',
    response: role,
    serve: paged('role', nameOnly),
  }),
]);

export const clientSettings = area('Client settings', [
  list({
    id: 'v2.business-structures.list',
    path: '/business-structures',
    aliases: ['/businessstructures', '/businessStructures'],
    summary: 'List business structures',
    response: structure,
    serve: paged('businessStructure', nameOnly),
  }),
  list({
    id: 'v2.client-types.list',
    path: '/client-types',
    aliases: ['/clienttypes', '/clientTypes'],
    summary: 'List client types',
    response: clientType,
    serve: paged('clientType', ({ uuid, name, fields }) => ({
      uuid,
      name,
      paymentTerm: fields.paymentTerm,
      paymentDay: fields.paymentDay,
      markup: numberOf(fields.costMarkup),
    })),
  }),
]);

export const jobCategories = list({
  id: 'v2.job-categories.list',
  path: '/job-categories',
  summary: 'List job categories',
  response: category,
  serve: paged('category', (record) => ({ ...nameOnly(record), ...timesOf(record) })),
});

export const jobStatuses = list({
  id: 'v2.job-statuses.list',
  path: '/job-status',
  aliases: ['/job-statuses'],
  summary: 'List job statuses',
  response: status,
  serve: async (call) => {
    const rank = await ranks(call, 'jobStatus');
    return shown(pageOf(call, 'jobStatus'), (rows) =>
      rows.map(({ uuid, name, fields }) => ({
        uuid,
        name,
        type: fields.type,
        displayPreference: rank(uuid),
      })),
    );
  },
});

export const taxes = area('Taxes', [
  list({
    id: 'v2.taxes.list',
    path: '/taxes',
    summary: 'List tax rates',
    response: tax,
    serve: paged('tax', ({ uuid, name, fields }) => ({ uuid, name, rate: numberOf(fields.rate) })),
  }),
]);

export const leadSettings = area('Lead settings', [
  list({
    id: 'v2.lead-categories.list',
    path: '/lead-categories',
    summary: 'List lead categories',
    response: leadCategory,
    serve: async (call) => {
      const rank = await ranks(call, 'leadCategory');
      return shown(pageOf(call, 'leadCategory'), (rows) =>
        rows.map(({ uuid, name }) => ({ uuid, name, displayPreference: rank(uuid) })),
      );
    },
  }),
  list({
    id: 'v2.lead-statuses.list',
    path: '/lead-status',
    aliases: ['/lead-statuses'],
    summary: 'List lead statuses',
    response: leadStatus,
    serve: paged('leadStatus', ({ uuid, name, fields }) => ({
      uuid,
      name,
      type: fields.type,
      probability: fields.probability,
    })),
  }),
]);
