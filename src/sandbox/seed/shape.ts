import { z } from 'zod';
import type { Form } from '../tables/form.ts';
import type { Row, Rows } from '../tables/table.ts';
import { amount, date, flag, name, reference } from './values.ts';

const seeded = (rows: Rows): readonly { readonly row: Row; readonly key: string }[] =>
  rows.flatMap((row) => (row.seed === undefined ? [] : [{ row, key: row.seed }]));

type Schema<F extends Form> = F extends { readonly is: 'title' }
  ? typeof name
  : F extends { readonly is: 'text' | 'day' }
    ? z.ZodOptional<z.ZodString>
    : F extends { readonly is: 'minutes' }
      ? z.ZodOptional<z.ZodNumber>
      : F extends { readonly is: 'flag' }
        ? typeof flag
        : F extends { readonly is: 'reference' }
          ? z.ZodOptional<typeof reference>
          : typeof amount;

type Shape<Table extends Rows> = {
  [R in Table[number] as R extends { readonly seed: infer Key extends string } ? Key : never]: R extends {
    readonly needed: true;
  }
    ? typeof reference
    : Schema<R['form']>;
};

/** What a seed may say of a record of the kind. */
export const seedShape = <Table extends Rows>(rows: Table): Shape<Table> =>
  Object.fromEntries(
    seeded(rows).map(({ row, key }) => [key, row.needed === true ? reference : schemaOf(row.form)]),
  ) as Shape<Table>;

function schemaOf(form: Form): z.ZodType {
  switch (form.is) {
    case 'title':
      return name;
    case 'text':
      return z.string().optional();
    case 'money':
    case 'amount':
    case 'rate':
      return amount;
    case 'minutes':
      return z.int().min(0).optional();
    case 'flag':
      return flag;
    case 'day':
      return date;
    case 'reference':
      return reference.optional();
  }
}
