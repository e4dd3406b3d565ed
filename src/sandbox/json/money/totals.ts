import { z } from 'zod';
import { amountOf, type Totals } from '../../records/money.ts';
import { type Column, type Columns, column } from '../record/columns.ts';
import { amount, numberOf, text } from '../record/values.ts';

/** Converts cents to a number with two decimal places. */
export const centsShown = (inCents: bigint): number => Number(amountOf(inCents));

/** Totals calculated as in the XML API: each line and its tax are rounded to cents. */
export const totalColumns = <T>(totalsOf: (of: T) => Totals): Columns<T> => ({
  amountExTax: column(amount, (of) => centsShown(totalsOf(of).amount)),
  amountIncTax: column(amount, (of) => {
    const { amount: exTax, tax } = totalsOf(of);
    return centsShown(exTax + tax);
  }),
});

/** The taxes of one or more lines, by their rates in percent. */
export const taxes = <T>(rates: (of: T) => readonly string[], taxType?: 'INPUT' | 'OUTPUT'): Column<T> =>
  column(
    z.array(z.strictObject({ taxName: text, taxRate: amount, ...(taxType && { taxType: text }) })),
    (of) =>
      [...new Set(rates(of))]
        .filter((rate) => numberOf(rate) !== 0)
        .map((rate) => ({ taxName: 'Tax', taxRate: numberOf(rate), ...(taxType && { taxType }) })),
  );
