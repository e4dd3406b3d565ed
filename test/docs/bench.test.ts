import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chart } from '../../scripts/bench/charts.ts';
import { rowsOf } from '../../scripts/bench/row.ts';
import { readDocument } from '../../src/lib/xml/read.ts';

const figures = new Map([
  ['peer', [100, 200, 400]],
  ['bridge & worker', [50, 100, 200]],
]);
const rows = rowsOf(figures, {
  ...{ section: 'small', peer: 'peer', micros: 1 },
  accounts: new Map([['bridge & worker', 500]]),
});

describe('the report of a benchmark', () => {
  it('has the median of each subject, and its ratio to the peer in the same round', () => {
    expect(rows).toEqual([
      {
        section: 'small',
        subject: 'peer',
        accounts: 1,
        cpuMicros: 200,
        ratio: 1,
        peer: 'peer',
        peakMb: null,
      },
      {
        ...{ section: 'small', subject: 'bridge & worker', accounts: 500 },
        ...{ cpuMicros: 100, ratio: 0.5, peer: 'peer', peakMb: null },
      },
    ]);
  });

  it('has no ratio if the peer was not measured', () => {
    expect(rowsOf(figures, { section: 's', peer: 'absent', micros: 1 })).toMatchObject([
      { ratio: null, peer: null },
      { ratio: null, peer: null },
    ]);
  });

  it('becomes a well-formed picture that names machine and commit', () => {
    const picture = chart('small', rows, { machine: 'a <machine>', commit: 'abc', rows });
    expect(readDocument(picture).name).toBe('svg');
    expect(picture).toContain('a &lt;machine&gt;; commit abc');
    expect(picture).toContain('0.50 · 100 µs');
    expect(picture).toContain('prefers-color-scheme: dark');
  });
});

it('a benchmark whose figures could not be written refuses before it measures', () => {
  const program = join(import.meta.dirname, '..', '..', 'scripts', 'bench', 'main.ts');
  const file = join(tmpdir(), 'no-such-folder', 'figures.json');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--json', file, 'small'], {
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(file);
});
