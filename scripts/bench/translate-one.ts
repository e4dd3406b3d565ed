import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from './bench.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn, type Subject } from './runs.ts';

const HAND = 'JSON.parse and strings written by hand';

const ways = [
  [HAND, 'hand'],
  ['bridge, records: parsed, read, numbered, written', 'records'],
  ['bridge, the whole call, without network and store', 'call'],
] as const;

/** One client from V2's JSON to legacy XML; each figure from a process of its own. */
export async function translateOne({ runs, note }: Bench): Promise<string> {
  const subjects = ways.map(([name, way]): Subject => ({ name, measure: () => measured(way) }));
  const figures = await inTurn(subjects, runs);
  note(rowsOf(figures, { section: 'translate-one', peer: HAND, micros: 1 }));
  return `## One client from V2\n\n${compared(['way', 'CPU µs per client'], figures, [
    { name: HAND, short: 'by hand' },
  ])}`;
}

async function measured(way: string): Promise<number> {
  const program = join(import.meta.dirname, 'translate-one-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, way]);
  return Number(stdout);
}
