import { describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import {
  commandsOf,
  faultOf,
  replaced,
  run,
  shapeOf,
  shownAfter,
} from '../../scripts/docs-commands/block.ts';
import { pageRuns } from '../../scripts/docs-commands/pages.ts';
import { blockRows, ON_A_DEMO } from '../../scripts/docs/shell-blocks.ts';

const place = { folder: tmpdir(), env: { PATH: process.env.PATH }, prelude: 'say() { echo "said $1"; }' };

describe("the runner of the documentation's commands", () => {
  it('has a page for every row that names one, and no other', () => {
    const named = blockRows.filter(({ ranBy }) => ranBy === ON_A_DEMO).map(({ page }) => page);
    expect(pageRuns.map(({ page }) => page).toSorted()).toEqual([...new Set(named)].toSorted());
  });

  it('has a reason for every exit code that is not 0', () => {
    const expectations = pageRuns.flatMap(({ expected = [] }) => expected);
    const unsaid = expectations.filter(({ code = 0, why }) => (code !== 0) !== (why !== undefined));
    expect(unsaid).toEqual([]);
  });

  it('splits a block into commands: one over several lines is one, a comment is none', () => {
    const block = '# first\n  a --b \\\n    --c  # why\nX=$(d |\n  e)\n\nf\n';
    expect(commandsOf(block)).toEqual(['a --b \\\n    --c  # why', 'X=$(d |\n  e)', 'f']);
  });

  it('replaces every occurrence, literally and in order', () => {
    const replacements = [
      ['Northgate', 'Kauri'],
      ['ID', '$(cat id) $&'],
    ] as const;
    expect(replaced('Northgate Northgate ID', replacements)).toBe('Kauri Kauri $(cat id) $&');
  });

  it('matches a line despite other numbers, times and spaces, and no other line', () => {
    const shape = shapeOf('A: 410 of 4,120 reads alike (2026-11-20 16:20); 1 difference');
    expect('A: 1 of  2 reads alike (2027-01-02 03:04); 1 difference, and more').toMatch(shape);
    expect('A: 1 of 2 reads unlike (2027-01-02 03:04); 1 difference').not.toMatch(shape);
  });

  it('finds the output that a page shows right after a block, and none further on', () => {
    expect(shownAfter('```sh\na\n```\n\n```\nfirst\nsecond\n```\n', 3)).toBe('first');
    expect(shownAfter('```sh\na\n```\n\nwords\n\n```\nfirst\n```\n', 3)).toBeUndefined();
  });

  it('runs the commands of a block in one shell, and returns output and exit code of each', async () => {
    const outcomes = await run(['X=7', 'say $X', 'echo no >&2; (exit 3)'], { ...place, seconds: 600 });
    expect(outcomes.map(({ output, code }) => [output, code])).toEqual([
      ['', 0],
      ['said 7', 0],
      ['no', 3],
    ]);
  });

  it('stops a block that does not end, and names the command', async () => {
    const outcomes = await run(['tail -f /dev/null'], { ...place, seconds: 0.1 });
    expect(outcomes.map((outcome) => faultOf(outcome, []))).toEqual(['did not end in time']);
  });

  it('fails a command for an unexpected exit code or output', () => {
    const outcome = { command: 'a --yes', output: 'done', code: 1 };
    expect(faultOf(outcome, [])).toBe('exit code 1 instead of 0');
    expect(faultOf(outcome, [{ holds: '--yes', code: 1 }])).toBeUndefined();
    expect(faultOf(outcome, [{ holds: '--yes', code: 1, prints: /gone/ }])).toBe('prints nothing like gone');
    expect(faultOf({ ...outcome, code: 0 }, [{ holds: '--yes', code: 1 }])).toBe('exit code 0 instead of 1');
  });
});
