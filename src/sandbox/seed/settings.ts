import { fieldTypes, type Use } from '../records/kinds/custom-fields.ts';
import type { Records } from '../records/records.ts';
import { clientTypeRows } from '../tables/clients/client-type.ts';
import { costRows } from '../tables/catalogue/cost.ts';
import { groupRows } from '../tables/clients/group.ts';
import {
  jobStatusRows,
  leadStatusRows,
  namedRows,
  templateCostRows,
  templateMilestoneRows,
  templateTaskRows,
} from '../tables/catalogue/settings.ts';
import type { Rows } from '../tables/table.ts';
import { taskRows } from '../tables/catalogue/task.ts';
import { filled } from '../tables/values.ts';
import type { IdBook, Ids } from './id-book.ts';
import type { SeedCustomField, SeedDefinition, SeedOrganisation } from './schema.ts';
import { seedFields, seedKind } from './table.ts';

/** What an organisation finds in its settings when nobody says otherwise. */
const usual = {
  businessStructure: ['Company', 'Individual', 'Partnership', 'Sole Trader', 'Trust'],
  taxAgent: ['Tax Agent'],
} as const;

export async function seedSettings(
  repository: IdBook,
  records: Records,
  seed: SeedOrganisation,
): Promise<void> {
  await seedNames(
    repository,
    'businessStructure',
    seed.businessStructures ?? (await unlessThere(records, 'businessStructure')),
  );
  await seedNames(repository, 'taxAgent', seed.taxAgents ?? (await unlessThere(records, 'taxAgent')));
  const categories = seed.categories ?? [];
  await seedNames(repository, 'category', [
    ...categories,
    ...(await implied(records, 'category', seed.jobs, categories)),
  ]);
  const leadCategories = seed.leadCategories ?? [];
  await seedNames(repository, 'leadCategory', [
    ...leadCategories,
    ...(await implied(records, 'leadCategory', seed.leads, leadCategories)),
  ]);
  await seedStatuses(repository, records, seed);
  await seedKind(repository, { kind: 'clientType', rows: clientTypeRows }, seed.clientTypes);
  await seedKind(repository, { kind: 'group', rows: groupRows }, seed.groups);
}

/** The usual stages of an organisation that configured none of its own. */
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

/** Those of the seed, or the usual ones; and one for every other name that a job or a lead of the seed uses. */
async function seedStatuses(repository: IdBook, records: Records, seed: SeedOrganisation): Promise<void> {
  const knownJob = await records.all('jobStatus');
  const given = seed.jobStatuses ?? (knownJob.length > 0 ? [] : usualJobStatuses);
  const names = seed.jobs?.map(({ state }) => state ?? firstState(seed)) ?? [];
  const others = namesBeside(names, [...knownJob, ...given]);
  const jobStatuses: readonly JobStatus[] = [
    ...given,
    ...others.map((name): JobStatus => ({ name, type: 'in progress' })),
  ];
  await seedKind(repository, { kind: 'jobStatus', rows: jobStatusRows }, jobStatuses);
  const knownLead = await records.all('leadStatus');
  const givenLead = seed.leadStatuses ?? (knownLead.length > 0 ? [] : usualLeadStatuses);
  const leadNames = seed.leads?.flatMap(({ state }) => state ?? []) ?? [];
  const leadStatuses: readonly LeadStatus[] = [
    ...givenLead,
    ...namesBeside(leadNames, [...knownLead, ...givenLead]).map((name): LeadStatus => ({
      name,
      type: 'open',
    })),
  ];
  await seedKind(repository, { kind: 'leadStatus', rows: leadStatusRows }, leadStatuses);
}

/** Categories that records of the seed name and nobody defined. */
async function implied(
  records: Records,
  kind: 'category' | 'leadCategory',
  named: readonly { readonly category?: string | undefined }[] | undefined,
  given: readonly { readonly name: string }[],
): Promise<readonly { readonly name: string }[]> {
  const used = named?.flatMap(({ category }) => filled(category) ?? []) ?? [];
  return namesBeside(used, [...given, ...(await records.all(kind))]).map((name) => ({ name }));
}

/** Of jobs that say nothing of their state. */
export const firstState = ({ jobStatuses }: SeedOrganisation): string =>
  jobStatuses?.find(({ type }) => type === 'planned')?.name ?? 'Planned';

type JobStatus = NonNullable<SeedOrganisation['jobStatuses']>[number];
type LeadStatus = NonNullable<SeedOrganisation['leadStatuses']>[number];

function namesBeside(
  used: readonly string[],
  known: readonly { readonly name: string }[],
): readonly string[] {
  const names = new Set(known.map(({ name }) => name));
  return [...new Set(used)].filter((name) => !names.has(name));
}

/** After catalogue and suppliers, which templates name. */
export const seedTemplates = (repository: IdBook, seed: SeedOrganisation): Promise<void> =>
  seedKind(
    repository,
    {
      kind: 'template',
      rows: namedRows,
      further: async (given) => {
        const { tasks, milestones, costs, toDos = [] } = given as unknown as SeedTemplate;
        const listed = async <Table extends Rows>(rows: Table, all: readonly object[] = []) =>
          Promise.all(all.map((one) => seedFields(repository, rows, one)));
        return {
          fields: {
            tasks: await listed(templateTaskRows, tasks),
            costs: await listed(templateCostRows, costs),
            milestones: await listed(templateMilestoneRows, milestones),
            toDos,
          },
        };
      },
    },
    seed.templates,
  );

type SeedTemplate = NonNullable<SeedOrganisation['templates']>[number];

async function unlessThere(
  records: Records,
  kind: 'businessStructure' | 'taxAgent',
): Promise<readonly { readonly name: string }[]> {
  return (await records.all(kind)).length > 0 ? [] : usual[kind].map((name) => ({ name }));
}

const seedNames = (
  repository: IdBook,
  kind: 'businessStructure' | 'taxAgent' | 'category' | 'leadCategory',
  given: readonly (Ids & { readonly name: string })[],
): Promise<void> => seedKind(repository, { kind, rows: namedRows }, given);

/** The definitions of the seed, and a text field for every name that a record uses and nobody defined. */
export async function seedDefinitions(repository: IdBook, seed: SeedOrganisation): Promise<void> {
  const given = seed.customFieldDefinitions ?? [];
  const defined = new Set([...given, ...(await repository.definitions())].map(({ name }) => name));
  const implied = [...usedNames(seed)]
    .filter(([name]) => !defined.has(name))
    .map(([name, use]) => ({ name, type: 'Text' as const, use: [...use] }));
  const definitions: readonly SeedDefinition[] = [...given, ...implied];
  const all = await repository.identify('customField', definitions, ({ name }) => name);
  await repository.write(
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

interface Holder {
  readonly customFields?: readonly SeedCustomField[] | undefined;
}

function usedNames(seed: SeedOrganisation): ReadonlyMap<string, ReadonlySet<Use>> {
  const names = new Map<string, Set<Use>>();
  const note = (use: Use, holders: readonly Holder[] = []): void => {
    for (const { name } of holders.flatMap(({ customFields }) => customFields ?? []))
      names.set(name, (names.get(name) ?? new Set<Use>()).add(use));
  };
  note('Client', seed.clients);
  note(
    'Contact',
    [...(seed.clients ?? []), ...(seed.suppliers ?? [])].flatMap(
      ({ contacts }): readonly Holder[] => contacts ?? [],
    ),
  );
  note('Supplier', seed.suppliers);
  note('Job', seed.jobs);
  note(
    'JobTask',
    seed.jobs?.flatMap(({ tasks }) => tasks ?? []),
  );
  note(
    'JobCost',
    seed.jobs?.flatMap(({ costs }) => costs ?? []),
  );
  note('JobTime', seed.times);
  note('Lead', seed.leads);
  return names;
}

export async function seedCatalogue(repository: IdBook, seed: SeedOrganisation): Promise<void> {
  await seedKind(repository, { kind: 'task', rows: taskRows }, seed.tasks);
  await seedKind(repository, { kind: 'cost', rows: costRows }, seed.costs);
}
