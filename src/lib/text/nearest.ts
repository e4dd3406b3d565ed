/** The smallest number of single-character changes that turn `a` into `b`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [line, message] of Array.from(a).entries()) {
    const next = [line + 1];
    for (const [column, other] of Array.from(b).entries()) {
      const replaced = (row[column] ?? 0) + (message === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The user may also have typed only the beginning. */
const steps = (wanted: string, name: string): number =>
  Math.min(distance(wanted, name), distance(wanted, name.slice(0, wanted.length)) + 1);

/** Up to three of `known` that were probably meant, closest first; empty if all are far off. */
export function nearest(given: string, known: readonly string[]): readonly string[] {
  const wanted = given.toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const judged = known.map((name) => ({ name, steps: steps(wanted, name.toLowerCase()) }));
  const best = Math.min(limit, ...judged.map((one) => one.steps));
  const near = judged.filter((one) => one.steps <= best);
  const holding = judged.filter(({ name }) => wanted.length > 2 && name.toLowerCase().includes(wanted));
  return (near.length > 0 ? near : holding).slice(0, 3).map(({ name }) => name);
}
