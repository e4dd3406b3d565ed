import { describe, expect, it } from '@jest/globals';
import { amountOf, cents, costTotals, sum, timeTotals } from '../../../src/sandbox/records/money.ts';

const written = ({ amount, tax }: { readonly amount: bigint; readonly tax: bigint }): [string, string] => [
  amountOf(amount),
  amountOf(tax),
];

describe('money amounts', () => {
  it.each(['0.00', '0.05', '-0.05', '-12.50', '1234567.89', '100000000000000.01'])(
    'are unchanged by a conversion to numbers and back: %s',
    (amount) => {
      expect(amountOf(cents(amount))).toBe(amount);
    },
  );

  it.each([
    ['1.00', '10.00', '15.00', ['10.00', '1.50']],
    ['2.50', '12.50', '15.00', ['31.25', '4.69']],
    ['0.33', '0.05', '15.00', ['0.02', '0.00']],
    ['-1.00', '0.10', '15.00', ['-0.10', '-0.02']],
    ['0.01', '-0.50', '0.00', ['-0.01', '0.00']],
    ['3.00', '0.10', '0.00', ['0.30', '0.00']],
  ])(
    'of %s at %s with %s per cent tax are rounded half away from zero',
    (quantity, price, taxRate, expected) => {
      expect(written(costTotals({ quantity, price, taxRate }))).toEqual(expected);
    },
  );

  it.each([
    [90, '120.00', ['180.00', '27.00']],
    [1, '100.00', ['1.67', '0.25']],
    [0, '100.00', ['0.00', '0.00']],
  ])('of %i minutes at %s an hour are %s', (minutes, rate, expected) => {
    expect(written(timeTotals({ minutes, rate, taxRate: '15.00' }))).toEqual(expected);
  });

  it('are zero for unbilled work, and add up', () => {
    const line = { quantity: '1.00', price: '10.00', taxRate: '15.00' };
    expect(written(costTotals({ ...line, billable: false }))).toEqual(['0.00', '0.00']);
    expect(written(sum([costTotals(line), costTotals(line)]))).toEqual(['20.00', '3.00']);
    expect(written(sum([]))).toEqual(['0.00', '0.00']);
  });
});
