import { amountOf, type Totals } from '../../records/money.ts';
import { type Fields, text } from './fields.ts';

/** Amount, AmountTax, AmountIncludingTax: the last elements of lines and records with a price. */
export const amountFields = <T>(totals: (of: T) => Totals, name = 'Amount'): Fields<T> => [
  text(name, (of) => amountOf(totals(of).amount)),
  text(`${name}Tax`, (of) => amountOf(totals(of).tax)),
  text(`${name}IncludingTax`, (of) => amountOf(totals(of).amount + totals(of).tax)),
];
