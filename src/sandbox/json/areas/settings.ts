/** Lists of what an organisation configures on its own screens. V2 never writes them. */
import type { z } from 'zod';
import type { Kind } from '../../records/kinds.ts';
import { clientTypeRows } from '../../tables/clients/client-type.ts';
import { accountRows, taxRows } from '../../tables/catalogue/rates.ts';
import { namedRows } from '../../tables/catalogue/settings.ts';
import { column, type ColumnsOf, loaded, tableOf, timeColumns, uuidColumn } from '../record/columns.ts';
import { area, type QueryName } from '../operation/operation.ts';
import { listOf } from '../operation/operations-on.ts';
import { rowColumns } from '../record/record.ts';
import { amount, text } from '../record/values.ts';

interface Setting<K extends Kind> {
  readonly kind: K;
  readonly schema: string;
  /** Spellings seen in the field. */
  readonly paths: readonly [string, ...(readonly string[])];
  /** Name of the operation, if it differs from the first path. */
  readonly name?: string;
  readonly summary: string;
  readonly query?: readonly QueryName[];
  readonly columns: ColumnsOf<K>;
}

function setting<K extends Kind>(of: Setting<K>) {
  const [path, ...aliases] = of.paths;
  return listOf(tableOf(of.kind, of.schema, { uuid: uuidColumn, ...of.columns }), {
    id: `v2.${of.name ?? path}.list`,
    path: `/${path}`,
    aliases: aliases.map((alias) => `/${alias}`),
    summary: of.summary,
    query: of.query ?? [],
  });
}

const named: ColumnsOf = rowColumns(namedRows);

/** The position in the order of configuration, from 1. */
const rank = <K extends Kind>(kind: K) =>
  loaded<K, z.infer<typeof text>>(text, async (call) => {
    const all = (await call.records.all(kind)).map(({ uuid }) => uuid);
    return ({ uuid }) => String(all.indexOf(uuid) + 1);
  });

export const accounts = area('Accounts', [
  setting<'account'>({
    kind: 'account',
    schema: 'Account',
    paths: ['accounts'],
    summary: 'List account codes',
    query: ['updatedSince', 'lastModified'],
    columns: {
      code: column(text, ({ code = '' }) => code),
      ...rowColumns(accountRows),
      ...timeColumns,
    },
  }),
]);

export const roles = area('Roles', [
  setting({ kind: 'role', schema: 'Role', paths: ['roles'], summary: 'List roles', columns: named }),
]);

export const clientSettings = area('Client settings', [
  setting({
    kind: 'businessStructure',
    schema: 'BusinessStructure',
    paths: ['business-structures', 'businessstructures', 'businessStructures'],
    summary: 'List business structures',
    columns: named,
  }),
  setting({
    kind: 'clientType',
    schema: 'ClientType',
    paths: ['client-types', 'clienttypes', 'clientTypes'],
    summary: 'List client types',
    columns: rowColumns(clientTypeRows),
  }),
]);

export const jobCategories = setting({
  kind: 'category',
  schema: 'JobCategory',
  paths: ['job-categories'],
  summary: 'List job categories',
  columns: { ...named, ...timeColumns },
});

export const jobStatuses = setting<'jobStatus'>({
  kind: 'jobStatus',
  schema: 'JobStatus',
  paths: ['job-status', 'job-statuses'],
  name: 'job-statuses',
  summary: 'List job statuses',
  columns: {
    ...named,
    type: column(text, ({ fields }) => fields.type),
    displayPreference: rank('jobStatus'),
  },
});

export const taxes = area('Taxes', [
  setting<'tax'>({
    kind: 'tax',
    schema: 'TaxRate',
    paths: ['taxes'],
    summary: 'List tax rates',
    columns: rowColumns(taxRows),
  }),
]);

export const leadSettings = area('Lead settings', [
  setting({
    kind: 'leadCategory',
    schema: 'LeadCategory',
    paths: ['lead-categories'],
    summary: 'List lead categories',
    columns: { ...named, displayPreference: rank('leadCategory') },
  }),
  setting<'leadStatus'>({
    kind: 'leadStatus',
    schema: 'LeadStatus',
    paths: ['lead-status', 'lead-statuses'],
    name: 'lead-statuses',
    summary: 'List lead statuses',
    columns: {
      ...named,
      type: column(text, ({ fields }) => fields.type),
      probability: column(amount, ({ fields }) => fields.probability),
    },
  }),
]);
