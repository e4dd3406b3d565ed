import { codeForms, type CodedKind } from '../records/codes.ts';
import type { Use } from '../records/kinds/custom-fields.ts';
import type { Kind } from '../records/kinds.ts';
import type { NewRecord } from '../records/row.ts';
import { unset, type Stored, type StoredValue } from '../tables/form.ts';
import { placed, type Row, type Rows, type Values } from '../tables/table.ts';
import { filled, isoDateTime } from '../tables/values.ts';
import type { IdBook, Identity } from './id-book.ts';
import { millis, two } from './forms.ts';
import type { SeedCustomField } from './schema.ts';
import { seedOf } from './shape.ts';

/** How the records of a kind stand in a seed. */
export interface SeedTable {
  readonly kind: Kind;
  readonly rows: Rows;
  /** Where its custom fields are defined for. */
  readonly use?: Use;
  /** What belongs to it, by the name of the list that it stands in. */
  readonly owns?: Readonly<Record<string, SeedTable>>;
  /** What no row can say. `owner`: the record it belongs to. */
  readonly further?: (
    given: Given,
    repository: IdBook,
    owner: NewRecord<Kind> | undefined,
  ) => Further | Promise<Further>;
  /** What others call it by, where that is not its name alone. */
  readonly called?: (name: string, owner: NewRecord<Kind> | undefined) => string;
}

export type Given = Readonly<Record<string, StoredValue | undefined>>;

type Further = Partial<Omit<NewRecord<Kind>, 'fields'>> & { readonly fields?: object };

interface Identified {
  readonly identity: Identity & { readonly code?: string };
  readonly within?: NewRecord<Kind>;
  readonly customFields?: readonly SeedCustomField[];
}

/** Writes the records of a seed, and those that belong to them. Throws `SeedFault` for a reference to nothing. */
export async function seedKind(
  repository: IdBook,
  table: SeedTable,
  given: readonly object[] | undefined,
): Promise<void> {
  const { kind, owns = {} } = table;
  const identified = await identify(repository, table, given ?? []);
  const records: NewRecord<Kind>[] = [];
  for (const one of identified) records.push(await recordOf(repository, table, one));
  await repository.write(kind, records);
  for (const [list, lines] of Object.entries(owns)) {
    const all = identified.flatMap((one, at) =>
      ((one as unknown as Lists)[list] ?? []).map((line) => ({ ...line, within: records[at] })),
    );
    await seedKind(repository, lines, all);
  }
}

type Lists = Readonly<Record<string, readonly object[] | undefined>>;

interface Ids {
  readonly number?: number | string;
  readonly internalId?: number;
  readonly uuid?: string;
}

/** What has a number as text is called by it in a seed. */
async function identify(
  repository: IdBook,
  { kind, rows, called = (name) => name }: SeedTable,
  given: readonly (object & Ids)[],
): Promise<readonly Identified[]> {
  const key = rows.map((row) => row.at === 'name' && seedOf(row)?.name).find(Boolean);
  const nameOf = (one: object): string =>
    called(key ? String((one as Given)[key] ?? '') : '', (one as Partial<Identified>).within);
  if (!(kind in codeForms))
    return repository.identify(kind, given as readonly (object & { number?: number })[], nameOf);
  const { prefix, digits } = codeForms[kind as CodedKind];
  const codes = await repository.codes(
    kind,
    prefix,
    digits,
    given.map(({ number }) => number?.toString()),
  );
  const numbered = given.map(({ internalId, ...one }) => ({ ...one, number: internalId }));
  const identified = await repository.identify(kind, numbered, nameOf);
  return identified.map((one, at) => ({ ...one, identity: { ...one.identity, code: codes[at] ?? '' } }));
}

async function recordOf(repository: IdBook, table: SeedTable, given: Identified): Promise<NewRecord<Kind>> {
  const { within, customFields } = given;
  const record = await seedRecord(repository, table.rows, given);
  const { fields, ...further } = (await table.further?.(given as unknown as Given, repository, within)) ?? {};
  return {
    ...record,
    ...(within?.uuid !== undefined && { owner: within.uuid }),
    ...(table.use && { customValues: await repository.customValues(table.use, customFields) }),
    ...further,
    fields: { ...record.fields, ...fields },
  };
}

/** A record as it is written. Throws `SeedFault` for a reference to nothing. */
export async function seedRecord<K extends Kind>(
  repository: IdBook,
  rows: Rows,
  given: object & { readonly identity: Identity },
): Promise<NewRecord<K>> {
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of rows) values.push([row, await seedValue(repository, row, given)]);
  const { owner, other, ...rest }: Values = placed(values);
  return { ...given.identity, name: '', ...rest, owner: filled(owner), other: filled(other) } as NewRecord<K>;
}

/** Values that are stored within another record. */
export async function seedFields<Table extends Rows>(
  repository: IdBook,
  rows: Table,
  given: object,
): Promise<{ readonly [R in Table[number] as R['at']]: Stored<R['form']> }> {
  const values: Record<string, StoredValue> = {};
  for (const row of rows) values[row.at] = await seedValue(repository, row, given);
  return values as Awaited<ReturnType<typeof seedFields<Table>>>;
}

async function seedValue(repository: IdBook, row: Row, given: object): Promise<StoredValue> {
  const { form } = row;
  const seed = seedOf(row);
  const value = seed && ((given as Given)[seed.name] ?? seed.usual);
  if (form.is === 'moment') return isoDateTime(millis(value as string | undefined) ?? repository.now);
  if (value === undefined || value === '') return unset(form);
  if (form.is === 'reference') return repository.resolve(form.of, value as string | number);
  // It must be there; it is stored by its name.
  if (form.is === 'setting') await repository.resolve(form.of, value as string);
  const isAmount = form.is === 'money' || form.is === 'amount' || form.is === 'rate';
  return isAmount ? two(value as string | number) : value;
}
