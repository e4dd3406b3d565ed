import { randomInt } from 'node:crypto';

const LARGEST = 2 ** 31;

export interface Seeded {
  /** The arguments for jest. */
  readonly args: readonly string[];
  /** The seed of the property tests; undefined: the usual one. */
  readonly seed: number | undefined;
}

/** Removes `--seed N` or `--seed random` from the arguments. Throws `RangeError` for another seed. */
export function seedIn(args: readonly string[], random: () => number = () => randomInt(LARGEST)): Seeded {
  const at = args.findIndex((arg) => arg === '--seed' || arg.startsWith('--seed='));
  const given = args[at];
  if (given === undefined) return { args, seed: undefined };
  const isApart = given === '--seed';
  const text = isApart ? (args[at + 1] ?? '') : given.slice('--seed='.length);
  if (text !== 'random' && !/^\d{1,10}$/.test(text)) throw new RangeError('--seed takes a number, or random');
  return {
    args: [...args.slice(0, at), ...args.slice(at + (isApart ? 2 : 1))],
    seed: text === 'random' ? random() : Number(text),
  };
}
