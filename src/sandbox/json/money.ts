import { z } from 'zod';
import { amountOf, type Totals } from '../records/money.ts';
import { type Field, type Fields, field } from './fields.ts';
import { amount, numberOf, text } from './values.ts';

/** As a number with two places. */
export const centsShown = (inCents: bigint): number => Number(amountOf(inCents));

/** As XML counts them: each line rounded to cents, its tax too. */
export const totalFields: Fields<{ readonly totals: Totals }> = [
  field('amountExTax', amount, ({ totals }) => centsShown(totals.amount)),
  field('amountIncTax', amount, ({ totals }) => centsShown(totals.amount + totals.tax)),
];

/** The taxes of a line, or of lines, by their rates in percent. */
export const taxes = <T>(
  rates: (of: T) => readonly string[],
  taxType?: 'INPUT' | 'OUTPUT',
  name = 'tax',
): Field<T> =>
  field(
    name,
    z.array(z.strictObject({ taxName: text, taxRate: amount, ...(taxType && { taxType: text }) })),
    (of) =>
      [...new Set(rates(of))]
        .filter((rate) => numberOf(rate) !== 0)
        .map((rate) => ({ taxName: 'Tax', taxRate: numberOf(rate), ...(taxType && { taxType }) })),
  );
