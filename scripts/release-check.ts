import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';

/**
 * `npm run release:check`: every check of this project, before a release. All suites with their long tier, on new
 * made-up cases; the simulations with a fresh seed; the checks of every change (`npm run check`); the commands of the
 * documentation, on a demo; the artefacts, built and used, on a bare Debian too; the image, by itself and with Compose.
 * Needs root and an hour. Each step runs whatever the result of the previous one. Exits with 1 if one failed.
 */
interface Step {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

const seed = String(randomInt(2 ** 31));

/** The folder in which a step leaves the release for the next ones. */
const made = join(import.meta.dirname, '..', 'var', 'release-check');

const steps: readonly Step[] = [
  { name: 'every suite', script: 'test.ts', args: ['--all', '--seed', seed] },
  { name: 'simulations', script: 'simulate.ts', args: ['--seed', seed] },
  { name: 'check', script: 'check.ts', args: [] },
  // Checks one more rule, and uses the compiler whose interface the linter of every change does not.
  { name: 'eslint', script: '../node_modules/eslint/bin/eslint.js', args: ['--max-warnings', '0', '.'] },
  { name: 'tsc', script: '../node_modules/typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'commands of the documentation', script: 'docs-commands.ts', args: [] },
  { name: 'documentation site', script: 'docs-site.ts', args: [] },
  { name: 'artefacts', script: 'artefacts-check.ts', args: ['--output', made] },
  { name: 'bare Debian', script: 'bare-root-check.ts', args: [made] },
  { name: 'image', script: 'image-check.ts', args: [] },
  { name: 'Compose', script: 'compose-check.ts', args: [] },
];

const failed = steps.filter(({ name, script, args }) => {
  console.log(`\n== ${name}: node scripts/${[script, ...args].join(' ')}`);
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: 'inherit',
    // As in CI: tests that lack something they need prove nothing.
    env: { ...process.env, CI: 'true' },
  });
  return status !== 0;
});

console.log(failed.length === 0 ? '\nReady.' : `\nFAILED: ${failed.map(({ name }) => name).join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
