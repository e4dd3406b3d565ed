import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMappingFaults } from './check/mappings.ts';
import { commitsSince, messageFaults } from './check/commits.ts';
import { addressFaults, floorFaults, integrityFaults, type LockFile } from './check/floors.ts';

// npm run check: the complete check of a change. Every step runs, even after a failure; details are printed for failed
// steps only.

interface Verdict {
  readonly good: boolean;
  readonly details: string;
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
}

const project = join(import.meta.dirname, '..');
const tool = (name: string): string => join(project, 'node_modules', '.bin', name);

/**
 * `npm run check` finds node in node_modules/.bin; processes started here use the same one, however this was started.
 */
const env = {
  ...process.env,
  PATH: `${join(project, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`,
  NODE_OPTIONS: '--no-warnings',
};

function command(program: string, ...args: readonly string[]): () => Promise<Verdict> {
  return () =>
    new Promise((resolve) => {
      const child = spawn(program, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let details = '';
      const collect = (chunk: Buffer): void => {
        details += chunk.toString();
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.on('error', (error) => {
        resolve({ good: false, details: error.message });
      });
      child.on('close', (code) => {
        resolve({ good: code === 0, details });
      });
    });
}

const faults = (read: () => readonly string[]) => async (): Promise<Verdict> => {
  const found = read();
  return { good: found.length === 0, details: found.join('\n') };
};

const lockFile = (): LockFile =>
  JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as LockFile;

const steps: readonly Step[] = [
  { name: 'versions', run: faults(() => floorFaults(lockFile())) },
  {
    name: 'lock file',
    run: faults(() => [...addressFaults(lockFile()), ...integrityFaults(lockFile())]),
  },
  { name: 'commits', run: faults(() => messageFaults(commitsSince(project))) },
  { name: 'mappings', run: faults(() => readMappingFaults(join(project, 'mappings'))) },
  { name: 'generated docs', run: command(process.execPath, 'scripts/docs.ts', '--check') },
  // The longest first. One program checks both lint rules and types. eslint and tsc, which take three times as long,
  // run before a release.
  { name: 'lint and types', run: command(tool('oxlint')) },
  { name: 'format', run: command(tool('prettier'), '--check', '--log-level', 'warn', '.') },
  { name: 'architecture', run: command(tool('jest'), '--verbose=false', 'test/architecture') },
];

/** Steps at a time: most of them keep one processor busy, and the usual machines have two. */
const AT_ONCE = 2;

async function take({ name, run }: Step): Promise<void> {
  const begun = performance.now();
  const { good, details } = await run().catch((error: unknown): Verdict => ({
    good: false,
    details: String(error),
  }));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(5);
  console.log(`${good ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}`);
  if (good) return;
  console.log(details.trimEnd().replaceAll(/^/gm, '     '));
  process.exitCode = 1;
}

const waiting = steps.values();
const lane = async (): Promise<void> => {
  for (const step of waiting) await take(step);
};
await Promise.all(Array.from({ length: AT_ONCE }, lane));
