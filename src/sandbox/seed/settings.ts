import { fieldTypes, type Use } from '../records/kinds/customFields.ts';
import type { Records } from '../records/records.ts';
import type { Book, Ids } from './book.ts';
import { two } from './forms.ts';
import type { SeedCustomField, SeedDefinition, SeedOrganisation } from './schema.ts';

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
  await seedNames(book, 'category', seed.categories ?? []);
  await seedNames(book, 'template', seed.templates ?? []);
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

async function unlessThere(
  records: Records,
  kind: 'businessStructure' | 'taxAgent',
): Promise<readonly { readonly name: string }[]> {
  return (await records.all(kind)).length > 0 ? [] : usual[kind].map((name) => ({ name }));
}

async function seedNames(
  book: Book,
  kind: 'businessStructure' | 'taxAgent' | 'category' | 'template',
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
  const tasks = await book.identify('task', seed.tasks ?? [], ({ name }) => name);
  await book.write(
    'task',
    tasks.map(({ identity, name, description }) => ({
      ...identity,
      name,
      fields: { description: description ?? '' },
    })),
  );
  for (const cost of await book.identify('cost', seed.costs ?? [], ({ description }) => description)) {
    const fields = {
      code: cost.code ?? '',
      note: cost.note ?? '',
      unitCost: two(cost.unitCost ?? 0),
      unitPrice: two(cost.unitPrice ?? 0),
    };
    const other = (await book.resolve('supplier', cost.supplier)) || undefined;
    await book.write('cost', [{ ...cost.identity, name: cost.description, fields, other }]);
  }
}
