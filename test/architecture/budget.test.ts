import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { duplicatePairs } from '../../scripts/measure/duplicates.ts';
import { measure } from '../../scripts/measure/figures.ts';
import { idioms } from '../../scripts/measure/idioms.ts';
import { readSource, type SourceFile } from '../../scripts/measure/source.ts';

/**
 * The structure of `src/` may get better, not worse: no figure of `budget.json` grows. Where one must, it is raised in a
 * commit of its own that says why. `npm run measure -- --write` writes the present figures.
 */
interface Budget {
  readonly commentPercent: number;
  readonly limits: Readonly<Record<string, number>>;
  /** Of one warm call: `client.get/v3`. */
  readonly paths: Readonly<Record<string, { readonly files: number; readonly functions: number }>>;
}

interface Path {
  readonly method: string;
  readonly route: string;
  readonly files: readonly string[];
  readonly functions: readonly string[];
}

const project = join(import.meta.dirname, '..', '..');
const budget = JSON.parse(readFileSync(join(import.meta.dirname, 'budget.json'), 'utf8')) as Budget;
const run = promisify(execFile);

describe('the structure of src', () => {
  const files = readSource();
  const figures = measure(files);

  it.each(Object.entries(budget.limits))('keeps %s at %d or below', (name, limit) => {
    expect(figures.limits[name]).toBeLessThanOrEqual(limit);
  });

  it('keeps its share of comments', () => {
    expect(figures.commentPercent).toBeGreaterThanOrEqual(budget.commentPercent);
  });

  it.each(idioms)('has similar files for a reason that still holds: $reason', (idiom) => {
    const others = idioms.filter((one) => one !== idiom);
    expect(duplicatePairs(files, others).length).toBeGreaterThan(figures.limits.duplicatePairs ?? 0);
  });

  it('would find six lines that were copied and renamed', () => {
    const text = 'let sum = first(a);\nif (sum > b(c)) sum = d(sum);\nfor (const e of f(sum)) sum += e(1);\n';
    const copy = `${text}const g = h(sum) + 2;\nif (g === i(3)) throw j(g);\nreturn k(g, sum) * 4;\n`;
    const renamed = copy.replaceAll('sum', 'total').replaceAll('4', '5');
    const pair = [
      { path: 'one.ts', text: copy },
      { path: 'other.ts', text: renamed },
    ].map((file) => ({ ...files[0], ...file }) as SourceFile);
    expect(duplicatePairs(pair)).toEqual(['one.ts ~ other.ts']);
  });

  it('has a limit for every figure that is measured', () => {
    expect(Object.keys(figures.limits).toSorted()).toEqual(Object.keys(budget.limits).toSorted());
  });
});

describe('the path of a call', () => {
  it('enters no more files and functions than before', async () => {
    // Those of the tests are not those of a script.
    const env = { ...process.env, NODE_OPTIONS: '' };
    const wanted = Object.keys(budget.paths);
    const args = ['--disable-warning=ExperimentalWarning', 'scripts/path.ts', ...wanted, '--json'];
    const { stdout } = await run(process.execPath, args, { cwd: project, env, maxBuffer: 2 ** 26 });
    const paths = JSON.parse(stdout) as readonly Path[];
    // With what it entered, because it may depend on the machine.
    const grown = paths.filter(({ method, route, files, functions }) => {
      const limit = budget.paths[`${method}/${route}`];
      return limit === undefined || files.length > limit.files || functions.length > limit.functions;
    });
    expect(grown).toEqual([]);
    expect(paths).toHaveLength(wanted.length);
  });
});
