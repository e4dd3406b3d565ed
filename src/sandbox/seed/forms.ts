import { readDecimal } from '../tables/values.ts';
import { SeedFault } from './fault.ts';

/** An amount with two places, as it is stored. */
export function two(amount: number | string): string {
  const written = readDecimal(typeof amount === 'number' ? amount.toFixed(2) : amount);
  if (written === undefined) throw new SeedFault(`${amount} is no amount`);
  return written;
}

export const twoOrNone = (amount: number | string | undefined): string =>
  amount === undefined ? '' : two(amount);

/** The values of the named keys, '' where there is none. */
export function textsOf<Key extends string>(
  of: Readonly<Partial<Record<Key, string | undefined>>>,
  keys: readonly Key[],
): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, of[key] ?? ''])) as Record<Key, string>;
}

export const millis = (moment: string | undefined): number | undefined =>
  moment === undefined ? undefined : Date.parse(moment);
