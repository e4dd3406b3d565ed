import { expect, it } from '@jest/globals';
import { parityHtml } from '../../../src/features/cutover/parity/html.ts';
import type { Comparison, ParityReport, ParityVerdict } from '../../../src/features/cutover/parity/model.ts';

/** A comparison without differences. */
const comparison = (reads: number, live: number): Comparison => ({
  ...{ at: 0, reads, alike: live, different: 0, undecided: 0, live, baseline: 0, changed: 0, noise: 0 },
  ...{ uncompared: [], isUnfinished: false, groups: [] },
});

const page = (verdict: ParityVerdict, compared?: Comparison): string => {
  const account = { id: 'a', name: 'Harbour Lane Studio' };
  const report: ParityReport = {
    ...{ account, mode: 'report', verdict, words: 'words', comparison: compared, groups: [], trend: [] },
  };
  return parityHtml(report);
};

const ALL = 'No differences, and every read was compared.';

it('the report for the customer says that every read was compared if that is so', () => {
  expect(page('alike', comparison(4, 4))).toContain(ALL);
});

it.each<readonly [string, ParityVerdict, Comparison | undefined, string]>([
  ['no comparison was made', 'none', undefined, 'Nothing was compared.'],
  ['no read was known', 'not-provable', comparison(0, 0), 'Nothing was compared.'],
  [
    'some reads were not compared',
    'alike',
    comparison(4, 3),
    'No differences in the 3 of 4 reads that were compared.',
  ],
  [
    'its repetition failed',
    'unfinished',
    comparison(4, 4),
    'No differences in the last comparison that was finished.',
  ],
  [
    'it is being repeated',
    'running',
    comparison(4, 4),
    'No differences in the last comparison that was finished.',
  ],
])(
  'the report for the customer does not say that every read was compared if %s',
  (_, verdict, compared, words) => {
    const text = page(verdict, compared);
    expect(text).not.toContain(ALL);
    expect(text).toContain(words);
  },
);
