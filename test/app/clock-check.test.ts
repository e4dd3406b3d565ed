import { beforeEach, describe, expect, it } from '@jest/globals';
import { ClockCheck } from '../../src/app/health/clock-check.ts';

const TRUTH = Date.parse('2026-11-20T12:00:00Z');

describe('the clock check', () => {
  let passed: number;
  let ahead: number;
  let check: ClockCheck;

  beforeEach(() => {
    passed = 0;
    ahead = 0;
    check = new ClockCheck(
      () => TRUTH + passed + ahead,
      () => passed,
    );
  });

  const answer = (late = 0): void => {
    check.heard(new Date(TRUTH + passed - late).toUTCString());
    passed += 10_000;
  };
  const database = async (): Promise<number> => TRUTH + passed;

  it('reports no fault if database and service agree with the clock', async () => {
    for (let count = 0; count < 5; count += 1) answer();
    await check.ask(database);
    expect(check.trouble).toBeUndefined();
  });

  it.each([
    [95_000, '95 s ahead of'],
    [-95_000, '95 s behind'],
  ])(
    'reports a clock that is off by %d ms after three answers of the service, or one of the database',
    async (off, words) => {
      ahead = off;
      answer();
      answer();
      expect(check.trouble).toBeUndefined();
      answer();
      expect(check.trouble).toMatch(/this machine's clock is 9[456] s (ahead of|behind) the service's/);
      await check.ask(database);
      expect(check.trouble).toContain(`${words} the database's`);
    },
  );

  it('ignores a single old answer, nonsense, and an answer that took long', async () => {
    answer();
    answer(86_400_000);
    answer();
    expect(check.trouble).toBeUndefined();
    check.heard('yesterday');
    check.heard(undefined);
    await check.ask(async () => {
      passed += 6_000;
      return 0;
    });
    await check.ask(() => Promise.reject(new Error('away')));
    await check.ask(async () => undefined);
    expect(check.trouble).toBeUndefined();
  });

  it('recovers once the clock is set, and forgets what it saw ten minutes ago', async () => {
    ahead = 60_000;
    for (let count = 0; count < 3; count += 1) answer();
    await check.ask(database);
    expect(check.trouble).toBeDefined();
    ahead = 0;
    await check.ask(database);
    for (let count = 0; count < 2; count += 1) answer();
    expect(check.trouble).toBeUndefined();
    ahead = 60_000;
    for (let count = 0; count < 3; count += 1) answer();
    expect(check.trouble).toBeDefined();
    passed += 11 * 60_000;
    expect(check.trouble).toBeUndefined();
  });

  it('judges the clock at most once in ten seconds, however many answers come', () => {
    ahead = 60_000;
    for (let count = 0; count < 100; count += 1) check.heard(new Date(TRUTH).toUTCString());
    expect(check.trouble).toBeUndefined();
  });
});
