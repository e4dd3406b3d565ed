import { appendFileSync, readFileSync } from 'node:fs';

/** The file in which each process of jest records the cost of a suite (`npm test -- --cost`); empty: not requested. */
export const COST_FILE = 'CAUSEWAY_TEST_COST';

/** The cost of one suite, in seconds. */
export interface Cost {
  readonly suite: string;
  /** User and system time of the process that ran it, and of the processes it started. */
  readonly own: number;
  readonly children: number;
  readonly wall: number;
}

/** Linux counts in hundredths of a second, whatever the kernel's own clock. */
const TICKS = 100;

/** After the name, which is in brackets, field 14 (utime) is the twelfth: own user and system, then children's. */
function processorNow(): readonly [own: number, children: number] {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return [(user + system) / TICKS, (childUser + childSystem) / TICKS];
}

/** Runs a suite, and records its cost in the file named by `COST_FILE`. */
export async function counted<T>(suite: string, run: () => Promise<T>): Promise<T> {
  const file = process.env[COST_FILE] ?? '';
  if (file === '') return run();
  const [begun, [own, children]] = [performance.now(), processorNow()];
  try {
    return await run();
  } finally {
    const [ownNow, childrenNow] = processorNow();
    const cost = { own: ownNow - own, children: childrenNow - children };
    const wall = (performance.now() - begun) / 1_000;
    appendFileSync(file, `${JSON.stringify({ suite, ...cost, wall } satisfies Cost)}\n`);
  }
}

const SHOWN = 30;

/** The cost of every suite, the most expensive first, as lines. */
export function costLines(noted: string): readonly string[] {
  const costs = noted
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Cost)
    .toSorted((a, b) => b.own + b.children - a.own - a.children);
  const processor = costs.reduce((sum, { own, children }) => sum + own + children, 0);
  return [
    `Seconds of processor, and of the clock; all suites ${processor.toFixed(0)}`,
    ...costs.slice(0, SHOWN).map(lineOf),
  ];
}

const lineOf = ({ suite, own, children, wall }: Cost): string =>
  `${(own + children).toFixed(1).padStart(7)} ${wall.toFixed(1).padStart(7)}  ${suite}`;
