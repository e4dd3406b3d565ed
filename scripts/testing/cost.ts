import { appendFileSync, readFileSync } from 'node:fs';

/** Where each process of jest notes what a suite cost (`npm test -- --cost`); empty: nobody asked. */
export const COST_FILE = 'CAUSEWAY_TEST_COST';

/** Of one suite, in seconds. */
export interface Cost {
  readonly suite: string;
  /** Of the process that ran it, and of those it started: user and system. */
  readonly own: number;
  readonly children: number;
  readonly wall: number;
}

/** Linux counts in hundredths of a second, whatever the kernel's own clock is. */
const TICKS = 100;

/** Behind the name, which stands in brackets, field 14 (utime) is the twelfth: own user and system, then children's. */
function processorNow(): readonly [own: number, children: number] {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return [(user + system) / TICKS, (childUser + childSystem) / TICKS];
}

/** Runs a suite, and notes what it cost where `COST_FILE` says. */
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

/** What every suite cost, the dearest first, as lines. */
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
