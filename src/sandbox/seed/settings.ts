/**
 * Writes the settings of a seed: the given ones, the defaults if there are none, and those that its records
 * merely name. Also the definitions of custom fields.
 */
import { fieldTypes, type Use } from '../records/kinds/custom-fields.ts';
import { filled } from '../tables/values.ts';
import { clients, clientTypes, groups } from './kinds/clients.ts';
import { jobs, times } from './kinds/jobs.ts';
import { leads, suppliers } from './kinds/people.ts';
import {
  businessStructures,
  categories,
  jobStatuses,
  leadCategories,
  leadStatuses,
  taxAgents,
} from './kinds/settings.ts';
import type { SeedDefinition, SeedItemOf, SeedOrganisation } from './schema.ts';
import type { SeedTable } from './table.ts';
import { seedKind } from './write.ts';
import type { SeedCustomField, SeedWriter } from './writer.ts';

type Named = readonly { readonly name: string }[];
type JobStatus = SeedItemOf<'jobStatuses'>;
type LeadStatus = SeedItemOf<'leadStatuses'>;

/** The default settings of an organisation. */
const usualStructures = named(['Company', 'Individual', 'Partnership', 'Sole Trader', 'Trust']);
const usualTaxAgents = named(['Tax Agent']);
const usualJobStatuses: readonly JobStatus[] = [
  { name: 'Planned', type: 'planned' },
  { name: 'In Progress', type: 'in progress' },
  { name: 'On Hold', type: 'on hold' },
  { name: 'Completed', type: 'completed' },
  { name: 'Invoiced', type: 'invoiced' },
  { name: 'Cancelled', type: 'cancelled' },
];
const usualLeadStatuses: readonly LeadStatus[] = [
  { name: 'Current', type: 'open', probability: 50 },
  { name: 'Won', type: 'won', probability: 100 },
  { name: 'Lost', type: 'lost', probability: 0 },
];

/**
 * Writes the given settings, the defaults for a kind that neither the seed nor the organisation has, and one
 * setting for every other name that a job or a lead uses.
 */
export async function seedSettings(writer: SeedWriter, seed: SeedOrganisation): Promise<void> {
  const { jobs: ofJobs = [], leads: ofLeads = [] } = seed;
  const write = async <S extends { readonly name: string }>(
    table: SeedTable,
    given: readonly S[] | undefined,
    usual: readonly S[],
    used: readonly (string | undefined)[] = [],
    implied: (name: string) => S = (name) => ({ name }) as S,
  ): Promise<void> => {
    const known = await writer.all(table.kind);
    const settings = given ?? (known.length > 0 ? [] : usual);
    const names = namesBeside(used, [...known, ...settings]);
    await seedKind(writer, table, [...settings, ...names.map(implied)]);
  };
  await write(businessStructures, seed.businessStructures, usualStructures);
  await write(taxAgents, seed.taxAgents, usualTaxAgents);
  await write(
    categories,
    seed.categories,
    [],
    ofJobs.map(({ category }) => category),
  );
  await write(
    leadCategories,
    seed.leadCategories,
    [],
    ofLeads.map(({ category }) => category),
  );
  const jobStates = ofJobs.map(({ state }) => state ?? firstState(seed));
  await write<JobStatus>(jobStatuses, seed.jobStatuses, usualJobStatuses, jobStates, (name) => ({
    name,
    type: 'in progress',
  }));
  const leadStates = ofLeads.map(({ state }) => state);
  await write<LeadStatus>(leadStatuses, seed.leadStatuses, usualLeadStatuses, leadStates, (name) => ({
    name,
    type: 'open',
  }));
  await seedKind(writer, clientTypes, seed.clientTypes);
  await seedKind(writer, groups, seed.groups);
}

function named(names: readonly string[]): Named {
  return names.map((name) => ({ name }));
}

/** The state of jobs that state none. */
export const firstState = ({ jobStatuses: given }: SeedOrganisation): string =>
  given?.find(({ type }) => type === 'planned')?.name ?? 'Planned';

/** Returns the names that are not known yet, each once. */
function namesBeside(used: readonly (string | undefined)[], known: Named): readonly string[] {
  const names = new Set(known.map(({ name }) => name));
  return [...new Set(used.flatMap((name) => filled(name) ?? []))].filter((name) => !names.has(name));
}

/** Writes the given definitions, and a text field for every undefined name that a record uses. */
export async function seedDefinitions(writer: SeedWriter, seed: SeedOrganisation): Promise<void> {
  const given = seed.customFieldDefinitions ?? [];
  const defined = new Set([...given, ...(await writer.definitions())].map(({ name }) => name));
  const implied = [...usedNames(seed)]
    .filter(([name]) => !defined.has(name))
    .map(([name, use]) => ({ name, type: 'Text' as const, use: [...use] }));
  const definitions: readonly SeedDefinition[] = [...given, ...implied];
  const all = await writer.identify('customField', definitions, ({ name }) => name);
  await writer.write(
    'customField',
    all.map(({ identity, name, type, use, linkUrl, options }) => ({
      ...identity,
      name,
      fields: {
        type,
        valueElement: fieldTypes[type],
        linkUrl: linkUrl ?? '',
        options: options ?? [],
        use,
      },
    })),
  );
}

/** Definitions are numbered in this order. */
const usesInOrder: readonly Use[] = [
  'Client',
  'Contact',
  'Supplier',
  'Job',
  'JobTask',
  'JobCost',
  'JobTime',
  'Lead',
];

/** For each custom field name, the kinds of records in the seed that use it. */
function usedNames(seed: SeedOrganisation): ReadonlyMap<string, ReadonlySet<Use>> {
  const used = [
    ...namesIn(clients, seed.clients),
    ...namesIn(suppliers, seed.suppliers),
    ...namesIn(jobs, seed.jobs),
    ...namesIn(times, seed.times),
    ...namesIn(leads, seed.leads),
  ];
  const names = new Map<string, Set<Use>>();
  for (const use of usesInOrder)
    for (const { name } of used.filter((one) => one.use === use))
      names.set(name, (names.get(name) ?? new Set()).add(use));
  return names;
}

interface Used {
  readonly name: string;
  readonly use: Use;
}

function namesIn({ use, owns = {} }: SeedTable, records: readonly object[] = []): readonly Used[] {
  return (records as readonly Holder[]).flatMap((record) => [
    ...(use === undefined ? [] : (record.customFields ?? []).map(({ name }) => ({ name, use }))),
    ...Object.entries(owns).flatMap(([list, table]) => namesIn(table, (record as Lists)[list])),
  ]);
}

type Lists = Readonly<Record<string, readonly object[] | undefined>>;

interface Holder {
  readonly customFields?: readonly SeedCustomField[];
}
