import { spread, spreadOf, table, type Spread } from './figures.ts';

/** A subject that is measured in turn with others. */
export interface Subject {
  readonly name: string;
  /** Measures one figure of one round. */
  readonly measure: () => Promise<number>;
}

export interface Peer {
  readonly name: string;
  /** The name in the head of the table. */
  readonly short: string;
}

/** Measures A, B, C, A, B, C, …, so that a temporary disturbance of the machine affects all of them. */
export async function inTurn(
  subjects: readonly Subject[],
  runs: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const figures = new Map<string, number[]>(subjects.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run += 1)
    for (const { name, measure } of subjects) figures.get(name)?.push(await measure());
  return figures;
}

/** Figures with quartiles, and the ratio to each peer, taken round by round. */
export function compared(
  title: readonly [string, string],
  figures: ReadonlyMap<string, readonly number[]>,
  peers: readonly Peer[],
): string {
  const present = peers.filter(({ name }) => figures.has(name));
  return table(
    [...title, ...present.map(({ short }) => `ratio to ${short}`)],
    [...figures].map(([name, values]) => [
      name,
      spread(spreadOf(values)),
      ...present.map((peer) => spread(ratio(values, figures.get(peer.name) ?? []))),
    ]),
  );
}

const ratio = (values: readonly number[], base: readonly number[]): Spread =>
  spreadOf(values.map((value, run) => value / (base[run] ?? Number.NaN)));
