/**
 * Processor time of one call, in milliseconds: one in five is a list, and the mean is that of docs/operate/sizing.md
 * for 5,000 accounts.
 */
const LIST = { share: 0.2, millis: 25 };
const OTHER = { millis: 2.35 };
/**
 * From SIGTERM to `ready`: the calls in progress, and a start, which takes 2.5 s according to docs/operate/sizing.md.
 */
const OUT_SECONDS = 30;

/** The effect on callers when the bridges of a set are restarted in turn. */
export interface Restarted {
  readonly instances: number;
  readonly calls: number;
  /** The load of their processors while one is out. */
  readonly busy: number;
  /** The time a call waited for a processor, in milliseconds. */
  readonly p99: number;
  readonly longest: number;
}

/** A queue for each bridge, with one processor each; the proxy distributes calls among the running bridges in turn. */
export function restarted(random: () => number, instances: number, perSecond: number): Restarted {
  const free = new Array<number>(instances).fill(0);
  const waits: number[] = [];
  let [at, turn, worked] = [0, 0, 0];
  const end = instances * OUT_SECONDS * 1_000;
  while (at < end) {
    at += (-Math.log(1 - random()) / perSecond) * 1_000;
    const out = Math.floor(at / (OUT_SECONDS * 1_000));
    do turn = (turn + 1) % instances;
    while (turn === out && instances > 1);
    const takes = random() < LIST.share ? LIST.millis : OTHER.millis;
    const begins = Math.max(at, free[turn] ?? 0);
    free[turn] = begins + takes;
    waits.push(begins - at);
    worked += takes;
  }
  waits.sort((a, b) => a - b);
  return {
    ...{ instances, calls: waits.length },
    busy: worked / (end * (instances - 1)),
    p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
    longest: waits.at(-1) ?? 0,
  };
}
