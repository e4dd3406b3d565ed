import type { Kind } from '../records/kinds.ts';
import type { NewRecord } from '../records/row.ts';
import { unset, type StoredValue } from '../tables/form.ts';
import { placed, type Row, type Rows } from '../tables/table.ts';
import { filled } from '../xml/values.ts';
import type { Book, Identity } from './book.ts';
import { two } from './forms.ts';

/** A record as it is written. Throws `SeedFault` for a reference to nothing. */
export async function seedRecord<K extends Kind>(
  book: Book,
  rows: Rows,
  given: object & { readonly identity: Identity },
): Promise<NewRecord<K>> {
  const values: (readonly [Row, StoredValue])[] = [];
  for (const row of rows) values.push([row, await seedValue(book, row, given)]);
  const { owner, other, ...rest } = placed(values);
  return { ...given.identity, ...rest, owner: filled(owner), other: filled(other) } as NewRecord<K>;
}

async function seedValue(book: Book, { form, seed }: Row, given: object): Promise<StoredValue> {
  const value = seed === undefined ? undefined : (given as Record<string, StoredValue | undefined>)[seed];
  if (value === undefined) return unset(form);
  if (form.is === 'reference') return book.resolve(form.of, value as string | number);
  const isAmount = form.is === 'money' || form.is === 'amount' || form.is === 'rate';
  return isAmount ? two(value as string | number) : value;
}

/** Writes the records of a seed whose table tells all of them. */
export async function seedKind(
  book: Book,
  kind: Kind,
  rows: Rows,
  given: readonly object[] | undefined,
): Promise<void> {
  const key = rows.find(({ at }) => at === 'name')?.seed ?? '';
  const identified = await book.identify(kind, given ?? [], (one) =>
    String((one as Record<string, StoredValue>)[key]),
  );
  const records: NewRecord<Kind>[] = [];
  for (const one of identified) records.push(await seedRecord(book, rows, one));
  await book.write(kind, records);
}
