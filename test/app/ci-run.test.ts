import { afterAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'causeway-ci-'));

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/**
 * `npm test` with one small suite that passes, on a machine where no program is found by its name, and what `.ci/run` makes
 * of it. A server of PostgreSQL is named, which the suite does not ask.
 */
function runWithoutPrograms(env: NodeJS.ProcessEnv): { readonly code: number | null; readonly last: string } {
  const results = join(folder, 'results.json');
  const args = ['test/release/version', '--no-install', '--json', `--outputFile=${results}`];
  const given = {
    HOME: folder,
    PATH: folder,
    CAUSEWAY_TEST_POSTGRES_URL: 'postgres://127.0.0.1:9/none',
    ...env,
  };
  const { status } = spawnSync(process.execPath, [join(project, 'scripts', 'test.ts'), ...args], {
    cwd: project,
    env: given,
    stdio: 'ignore',
  });
  const counted = spawnSync(
    process.execPath,
    [join(project, '.ci', 'count.mjs'), results, String(status), '0'],
    { encoding: 'utf8' },
  );
  return { code: counted.status, last: counted.stdout.trim() };
}

describe('a CI run on a machine without Redis and Chromium', () => {
  it('fails although every test that could run has passed', () => {
    const { code, last } = runWithoutPrograms({ CI: 'true' });
    expect(last).toMatch(/^\d\d+ passed, 1 failed/);
    expect(code).toBe(1);
  });

  it("would pass as a developer's run, which lists the skipped suites", () => {
    const { code, last } = runWithoutPrograms({});
    expect(last).toMatch(/^\d\d+ passed, 0 failed/);
    expect(code).toBe(0);
  });
});
