import { readDecimal } from '../tables/values.ts';
import { SeedFault } from './fault.ts';

/** Converts an amount to its stored form, with two places. */
export function two(amount: number | string): string {
  const written = readDecimal(typeof amount === 'number' ? amount.toFixed(2) : amount);
  if (written === undefined) throw new SeedFault(`${amount} is no amount`);
  return written;
}

/** Converts to milliseconds since the epoch. */
export const millis = (moment: string | undefined): number | undefined =>
  moment === undefined ? undefined : Date.parse(moment);
