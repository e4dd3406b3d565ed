/**
 * Amounts are texts with two places and never floating-point numbers: they are calculated in cents, rounded
 * half away from zero.
 */

export const cents = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Converts cents to text with two places. */
export function amountOf(count: bigint): string {
  const sign = count < 0n ? '-' : '';
  const digits = (count < 0n ? -count : count).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function divided(count: bigint, by: bigint): bigint {
  const half = by / 2n;
  return count < 0n ? -((-count + half) / by) : (count + half) / by;
}

/** Amount before tax, and the tax; in cents. */
export interface Totals {
  readonly amount: bigint;
  readonly tax: bigint;
}

export const nothing: Totals = { amount: 0n, tax: 0n };

/** Adds up the totals of several lines. */
export const sum = (all: readonly Totals[]): Totals =>
  all.reduce((a, b) => ({ amount: a.amount + b.amount, tax: a.tax + b.tax }), nothing);

const taxed = (amount: bigint, taxRate: string): Totals => ({
  amount,
  tax: divided(amount * cents(taxRate), 10_000n),
});

/** The totals of a cost; zero if it is not billable. */
export const costTotals = (line: {
  readonly quantity: string;
  readonly price: string;
  readonly taxRate: string;
  readonly billable?: boolean;
}): Totals =>
  line.billable === false
    ? nothing
    : taxed(divided(cents(line.quantity) * cents(line.price), 100n), line.taxRate);

/** The totals of a time at an hourly rate. */
export const timeTotals = (line: {
  readonly minutes: number;
  readonly rate: string;
  readonly taxRate: string;
  readonly billable?: boolean;
}): Totals =>
  line.billable === false
    ? nothing
    : taxed(divided(BigInt(line.minutes) * cents(line.rate), 60n), line.taxRate);
