import { codeForms, type CodedKind } from '../records/codes.ts';
import type { Kind } from '../records/kinds.ts';
import type { NewRecord } from '../records/row.ts';
import { unset, type StoredValue } from '../tables/form.ts';
import { placed, type Row, type Rows, type Values } from '../tables/table.ts';
import { filled, isoDateTime } from '../tables/values.ts';
import { millis, two } from './forms.ts';
import { seedOf } from './shape.ts';
import type { Given, SeedTable } from './table.ts';
import type { Identity, SeedCustomField, SeedWriter } from './writer.ts';

interface Identified {
  readonly identity: Identity & { readonly code?: string };
  readonly within?: NewRecord<Kind>;
  readonly customFields?: readonly SeedCustomField[];
}

/**
 * Writes the records of a seed, and those that belong to them. Throws `SeedFault` for a reference to an
 * unknown record.
 */
export async function seedKind(
  writer: SeedWriter,
  table: SeedTable,
  given: readonly object[] | undefined,
): Promise<void> {
  if (given === undefined || given.length === 0) return;
  const { kind, owns = {} } = table;
  const identified = await identify(writer, table, given);
  const records: NewRecord<Kind>[] = [];
  for (const one of identified) records.push(await recordOf(writer, table, one));
  await writer.write(kind, records);
  for (const [list, lines] of Object.entries(owns)) {
    const read = lines.read as ((item: unknown) => object) | undefined;
    const all = identified.flatMap((one, at) =>
      listOf(one, list).map((line) => ({ ...(read ? read(line) : line), within: records[at] })),
    );
    await seedKind(writer, lines, all);
  }
}

const listOf = (one: object, list: string): readonly object[] =>
  (one as Readonly<Record<string, readonly object[] | undefined>>)[list] ?? [];

interface Ids {
  readonly number?: number | string;
  readonly internalId?: number;
  readonly uuid?: string;
}

/** A seed identifies records that have a text number by that number. */
async function identify(
  writer: SeedWriter,
  { kind, rows, called = (name) => name }: SeedTable,
  given: readonly (object & Ids)[],
): Promise<readonly Identified[]> {
  const key = rows.map((row) => row.at === 'name' && seedOf(row)?.name).find(Boolean);
  const nameOf = (one: object): string =>
    called(key ? String((one as Given)[key] ?? '') : '', (one as Partial<Identified>).within);
  if (!(kind in codeForms))
    return writer.identify(kind, given as readonly (object & { number?: number })[], nameOf);
  const { prefix, digits } = codeForms[kind as CodedKind];
  const codes = await writer.codes(
    kind,
    prefix,
    digits,
    given.map(({ number }) => number?.toString()),
  );
  const numbered = given.map(({ internalId, ...one }) => ({ ...one, number: internalId }));
  const identified = await writer.identify(kind, numbered, nameOf);
  return identified.map((one, at) => ({ ...one, identity: { ...one.identity, code: codes[at] ?? '' } }));
}

async function recordOf(writer: SeedWriter, table: SeedTable, given: Identified): Promise<NewRecord<Kind>> {
  const { within, customFields, identity } = given;
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of table.rows) values.push([row, await seedValue(writer, row, given)]);
  const { owner, other, ...rest }: Values = placed(values);
  const { fields, ...further } = (await table.further?.(given as unknown as Given, writer, within)) ?? {};
  return {
    ...identity,
    name: '',
    ...rest,
    owner: within?.uuid ?? filled(owner),
    other: filled(other),
    ...(table.use && { customValues: await writer.customValues(table.use, customFields) }),
    ...further,
    fields: { ...rest.fields, ...(await held(writer, table, given)), ...fields },
  } as NewRecord<Kind>;
}

/** The lists stored within the record. */
async function held(writer: SeedWriter, { holds = {} }: SeedTable, given: Identified): Promise<object> {
  const lists: Record<string, readonly object[]> = {};
  for (const [list, rows] of Object.entries(holds))
    lists[list] = await Promise.all(listOf(given, list).map((one) => seedFields(writer, rows, one)));
  return lists;
}

async function seedFields(writer: SeedWriter, rows: Rows, given: object): Promise<object> {
  const values: Record<string, StoredValue> = {};
  for (const row of rows) values[row.at] = await seedValue(writer, row, given);
  return values;
}

const amounts: ReadonlySet<Row['form']['is']> = new Set(['money', 'amount', 'rate']);

async function seedValue(writer: SeedWriter, row: Row, given: object): Promise<StoredValue> {
  const { form } = row;
  const seed = seedOf(row);
  const value = seed && ((given as Given)[seed.name] ?? seed.usual);
  if (form.is === 'moment') return isoDateTime(millis(value as string | undefined) ?? writer.now);
  if (value === undefined || value === '') return unset(form);
  if (form.is === 'reference') return writer.resolve(form.of, value as string | number);
  // The setting must exist; it is stored by name.
  if (form.is === 'setting') await writer.resolve(form.of, value as string);
  return amounts.has(form.is) ? two(value as string | number) : value;
}
