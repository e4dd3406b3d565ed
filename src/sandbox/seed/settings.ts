import { fieldTypes, type Use } from '../records/kinds/customFields.ts';
import type { Records } from '../records/records.ts';
import { costRows } from '../tables/cost.ts';
import { taskRows } from '../tables/task.ts';
import { filled } from '../xml/values.ts';
import type { Book, Ids } from './book.ts';
import { textsOf, two } from './forms.ts';
import type { SeedCustomField, SeedDefinition, SeedOrganisation } from './schema.ts';
import { seedKind } from './table.ts';

/** What an organisation finds in its settings when nobody says otherwise. */
const usual = {
  businessStructure: ['Company', 'Individual', 'Partnership', 'Sole Trader', 'Trust'],
  taxAgent: ['Tax Agent'],
} as const;

export async function seedSettings(book: Book, records: Records, seed: SeedOrganisation): Promise<void> {
  await seedNames(
    book,
    'businessStructure',
    seed.businessStructures ?? (await unlessThere(records, 'businessStructure')),
  );
  await seedNames(book, 'taxAgent', seed.taxAgents ?? (await unlessThere(records, 'taxAgent')));
  const categories = seed.categories ?? [];
  await seedNames(book, 'category', [
    ...categories,
    ...(await implied(records, 'category', seed.jobs, categories)),
  ]);
  const leadCategories = seed.leadCategories ?? [];
  await seedNames(book, 'leadCategory', [
    ...leadCategories,
    ...(await implied(records, 'leadCategory', seed.leads, leadCategories)),
  ]);
  await seedStatuses(book, records, seed);
  const types = await book.identify('clientType', seed.clientTypes ?? [], ({ name }) => name);
  await book.write(
    'clientType',
    types.map(({ identity, name, costMarkup, paymentTerm, paymentDay }) => ({
      ...identity,
      name,
      fields: {
        costMarkup: two(costMarkup ?? 0),
        paymentTerm: paymentTerm ?? 'WithinDays',
        paymentDay: paymentDay ?? 20,
      },
    })),
  );
  const groups = await book.identify('group', seed.groups ?? [], ({ name }) => name);
  await book.write(
    'group',
    groups.map(({ identity, name, taxable }) => ({
      ...identity,
      name,
      fields: { taxable: taxable ?? false },
    })),
  );
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
async function seedStatuses(book: Book, records: Records, seed: SeedOrganisation): Promise<void> {
  const knownJob = await records.all('jobStatus');
  const given = seed.jobStatuses ?? (knownJob.length > 0 ? [] : usualJobStatuses);
  const names = seed.jobs?.map(({ state }) => state ?? firstState(seed)) ?? [];
  const others = namesBeside(names, [...knownJob, ...given]);
  const jobStatuses: readonly JobStatus[] = [
    ...given,
    ...others.map((name): JobStatus => ({ name, type: 'in progress' })),
  ];
  await book.write(
    'jobStatus',
    (await book.identify('jobStatus', jobStatuses, ({ name }) => name)).map(({ identity, name, type }) => ({
      ...identity,
      name,
      fields: { type },
    })),
  );
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
  await book.write(
    'leadStatus',
    (await book.identify('leadStatus', leadStatuses, ({ name }) => name)).map(
      ({ identity, name, type, probability }) => ({
        ...identity,
        name,
        fields: { type, probability: probability ?? 50 },
      }),
    ),
  );
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
export async function seedTemplates(book: Book, seed: SeedOrganisation): Promise<void> {
  for (const template of await book.identify('template', seed.templates ?? [], ({ name }) => name)) {
    const tasks = [];
    for (const task of template.tasks ?? [])
      tasks.push({
        name: task.name,
        task: await book.resolve('task', task.task),
        ...textsOf(task, ['description', 'folder']),
        estimatedMinutes: task.estimatedMinutes ?? 0,
        billable: task.billable ?? true,
      });
    const costs = [];
    for (const cost of template.costs ?? [])
      costs.push({
        ...textsOf(cost, ['description', 'code', 'note']),
        quantity: two(cost.quantity ?? 1),
        unitCost: two(cost.unitCost ?? 0),
        unitPrice: two(cost.unitPrice ?? 0),
        billable: cost.billable ?? true,
        supplier: await book.resolve('supplier', cost.supplier),
      });
    const milestones = (template.milestones ?? []).map((milestone) => ({
      ...textsOf(milestone, ['description', 'folder']),
      daysAfterStart: milestone.daysAfterStart ?? 0,
    }));
    const fields = { tasks, costs, milestones, toDos: template.toDos ?? [] };
    await book.write('template', [{ ...template.identity, name: template.name, fields }]);
  }
}

async function unlessThere(
  records: Records,
  kind: 'businessStructure' | 'taxAgent',
): Promise<readonly { readonly name: string }[]> {
  return (await records.all(kind)).length > 0 ? [] : usual[kind].map((name) => ({ name }));
}

async function seedNames(
  book: Book,
  kind: 'businessStructure' | 'taxAgent' | 'category' | 'leadCategory',
  given: readonly (Ids & { readonly name: string })[],
): Promise<void> {
  const all = await book.identify(kind, given, ({ name }) => name);
  await book.write(
    kind,
    all.map(({ identity, name }) => ({ ...identity, name, fields: {} })),
  );
}

/** The definitions of the seed, and a text field for every name that a record uses and nobody defined. */
export async function seedDefinitions(book: Book, seed: SeedOrganisation): Promise<void> {
  const given = seed.customFieldDefinitions ?? [];
  const defined = new Set([...given, ...(await book.definitions())].map(({ name }) => name));
  const implied = [...usedNames(seed)]
    .filter(([name]) => !defined.has(name))
    .map(([name, use]) => ({ name, type: 'Text' as const, use: [...use] }));
  const definitions: readonly SeedDefinition[] = [...given, ...implied];
  const all = await book.identify('customField', definitions, ({ name }) => name);
  await book.write(
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

export async function seedCatalogue(book: Book, seed: SeedOrganisation): Promise<void> {
  await seedKind(book, 'task', taskRows, seed.tasks);
  await seedKind(book, 'cost', costRows, seed.costs);
}
