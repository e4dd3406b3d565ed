import { z } from 'zod';
import type { Form } from '../tables/form.ts';
import type { Row, Rows, SeedValue } from '../tables/table.ts';
import { amount, date, flag, moment, name, reference } from './values.ts';

type Schema<F extends Form> = F extends { readonly is: 'title' }
  ? typeof name
  : F extends { readonly is: 'text' | 'day' | 'timeOfDay' | 'moment' | 'folder' | 'setting' }
    ? z.ZodOptional<z.ZodString>
    : F extends { readonly is: 'minutes' }
      ? z.ZodOptional<z.ZodNumber>
      : F extends { readonly is: 'flag' }
        ? typeof flag
        : F extends { readonly is: 'choice'; readonly of: readonly (infer Word extends string)[] }
          ? z.ZodOptional<z.ZodEnum<{ [W in Word]: W }>>
          : F extends { readonly is: 'reference' }
            ? z.ZodOptional<typeof reference>
            : typeof amount;

type KeyOf<R extends Row> = R extends { readonly seed: infer Key extends string }
  ? Key
  : R extends { readonly seed: { readonly name: infer Key extends string } }
    ? Key
    : never;

/** The schemas of the values that a seed may give for the rows. */
export type SeedShape<Table extends Rows> = {
  readonly [R in Table[number] as KeyOf<R>]: R extends { readonly needed: true }
    ? typeof reference
    : Schema<R['form']>;
};

/** How a seed expresses the value; undefined if it cannot. */
export const seedOf = ({ seed }: Row): SeedValue | undefined =>
  typeof seed === 'string' ? { name: seed } : seed;

/** The schema of a record of the kind in a seed. */
export const seedShape = <Table extends Rows>(rows: Table): SeedShape<Table> =>
  Object.fromEntries(
    rows.flatMap((row) => {
      const key = seedOf(row)?.name;
      return key === undefined ? [] : [[key, row.needed === true ? reference : schemaOf(row.form)]];
    }),
  ) as SeedShape<Table>;

const someText = z.string().optional();

const schemas: Readonly<Record<Form['is'], z.ZodType>> = {
  title: name,
  text: someText,
  folder: someText,
  setting: someText,
  choice: someText,
  timeOfDay: z.iso.time({ precision: -1 }).optional(),
  moment,
  money: amount,
  amount,
  rate: amount,
  minutes: z.int().min(0).optional(),
  flag,
  day: date,
  reference: reference.optional(),
};

const schemaOf = (form: Form): z.ZodType =>
  form.is === 'choice' ? z.enum(form.of).optional() : schemas[form.is];
