/** Functions of the language and of Node through which text and bytes are searched, cut, copied and put together. */
type Counted = (this: unknown, ...given: never[]) => unknown;
/** `begin`: of a pattern that goes on where it ended, the place. */
type Cost = (self: unknown, result: unknown, given: readonly unknown[], begin: number) => number;

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array || Array.isArray(value) ? value.length : 1;

const whole: Cost = (self) => sizeOf(self);
const given: Cost = (_self, _result, [first]) => sizeOf(first);
const made: Cost = (_self, result) => sizeOf(result);
const one: Cost = () => 1;
/** As far as the pattern had to look: the language itself comes here for each place of a replacement. */
const matched: Cost = (_self, result, [text], begin) => {
  const found = Array.isArray(result) ? (result as RegExpExecArray) : undefined;
  return Math.max(1, (found === undefined ? sizeOf(text) : found.index + found[0].length) - begin);
};
/** From where it began to where it ended. */
const searched: Cost = (self, result, [sought, from]) => {
  const begin = typeof from === 'number' ? from : 0;
  const end = typeof result === 'number' && result >= 0 ? result + sizeOf(sought) : sizeOf(self);
  return Math.max(1, end - begin);
};

const counted: readonly (readonly [owner: object, costs: Readonly<Record<string | symbol, Cost>>])[] = [
  [
    String.prototype,
    {
      slice: made,
      substring: made,
      replace: whole,
      replaceAll: whole,
      split: whole,
      trim: whole,
      isWellFormed: whole,
      toLowerCase: whole,
      indexOf: searched,
      includes: whole,
      charCodeAt: one,
      codePointAt: one,
      match: whole,
    },
  ],
  [Array.prototype, { join: made, concat: made, slice: made, flat: made, splice: made }],
  [RegExp.prototype, { exec: matched }],
  [Buffer, { concat: made, from: made }],
  [Buffer.prototype, { toString: made, includes: whole, indexOf: searched }],
  [TextDecoder.prototype, { decode: given }],
  [JSON, { parse: given, stringify: made }],
];

/**
 * Characters, bytes and entries that pass through these functions while `work` runs: what is done again and again for the
 * whole of an input shows in it, on a busy machine as on an idle one. What it does not see: the inside of one pattern, and
 * texts put together with `+`.
 */
export async function workOf(work: () => unknown): Promise<number> {
  let total = 0;
  await counting(work, (cost) => (total += cost));
  return total;
}

/** The most of it that is done before everybody else has a turn of the event loop. */
export async function longestStepOf(work: () => unknown): Promise<number> {
  let [step, longest] = [0, 0];
  let handle = setImmediate(next);
  function next(): void {
    [step, longest] = [0, Math.max(step, longest)];
    handle = setImmediate(next);
  }
  try {
    await counting(work, (cost) => (step += cost));
  } finally {
    clearImmediate(handle);
  }
  return Math.max(step, longest);
}

async function counting(work: () => unknown, spend: (cost: number) => void): Promise<void> {
  const undo: (() => void)[] = [];
  for (const [owner, costs] of counted)
    for (const name of Reflect.ownKeys(costs)) {
      const usual = Reflect.get(owner, name) as Counted;
      const cost = costs[name] ?? one;
      const watched = function (this: unknown, ...args: never[]): unknown {
        const begin = this instanceof RegExp && (this.global || this.sticky) ? this.lastIndex : 0;
        const result = Reflect.apply(usual, this, args);
        spend(cost(this, result, args, begin));
        return result;
      };
      Reflect.set(owner, name, watched);
      undo.push(() => Reflect.set(owner, name, usual));
    }
  try {
    await work();
  } finally {
    for (const restore of undo) restore();
  }
}
