import { randomInt } from 'node:crypto';

const LARGEST = 2 ** 31;

export interface Seeded {
  /** What jest gets. */
  readonly args: readonly string[];
  /** Of the properties; undefined: the one of every run. */
  readonly seed: number | undefined;
}

/** Takes `--seed N` or `--seed random` out of the arguments. Throws `RangeError` for another seed. */
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
