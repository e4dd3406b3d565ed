import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { seedIn } from '../../scripts/testing/seed.ts';
import { exitCodeOf } from '../../scripts/testing/verdict.ts';

describe('npm test', () => {
  it('fails as a gate where something it needs could not be had, and only then', () => {
    expect(exitCodeOf(0, ['SKIPPED'], true)).toBe(1);
    expect(exitCodeOf(0, ['SKIPPED'], false)).toBe(0);
    expect(exitCodeOf(0, [], true)).toBe(0);
    expect(exitCodeOf(3, ['SKIPPED'], true)).toBe(3);
    expect(exitCodeOf(3, [], false)).toBe(3);
  });

  it.each([
    [['a.test.ts'], ['a.test.ts'], undefined],
    [['--seed', '7', 'a.test.ts'], ['a.test.ts'], 7],
    [['a.test.ts', '--seed=7'], ['a.test.ts'], 7],
    [['--seed', 'random', '--json'], ['--json'], 4711],
  ])('takes the seed out of %j', (given, args, seed) => {
    expect(seedIn(given, () => 4711)).toEqual({ args, seed });
  });

  it.each([['--seed'], ['--seed', 'x'], ['--seed=-1']])('refuses the seed of %j %j', (...given) => {
    expect(() => seedIn(given)).toThrow(RangeError);
  });

  it('has every made-up case from one seed: no test takes fast-check by itself', () => {
    const tests = join(import.meta.dirname, '..');
    const own = readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== join('support', 'chance.ts'))
      .filter((file) => readFileSync(join(tests, file), 'utf8').includes("from 'fast-check'"));
    expect(own.filter((file) => file !== join('app', 'test-run.test.ts'))).toEqual([]);
  });
});
