import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lock } from '../release/runtime-packages.ts';

const project = join(import.meta.dirname, '..', '..');

export type Architecture = 'x64' | 'arm64';

/**
 * Node's binary for Linux of that architecture: the installed one, or one that npm fetches into `folder`. Throws unless
 * it is the one that the lock file fixes.
 */
export function nodeFor(architecture: Architecture, folder: string): Buffer {
  const name = `node-linux-${architecture}`;
  const installed = join(project, 'node_modules', name, 'bin', 'node');
  if (existsSync(installed)) return readFileSync(installed);
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
  const { version = '', integrity } = lock.packages[`node_modules/${name}`] ?? {};
  execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', folder], { stdio: 'pipe' });
  const packed = join(folder, `${name}-${version}.tgz`);
  const digest = `sha512-${createHash('sha512').update(readFileSync(packed)).digest('base64')}`;
  if (digest !== integrity) throw new Error(`${name}@${version} is not the one package-lock.json fixes`);
  execFileSync('tar', ['-xzf', packed, '-C', folder, 'package/bin/node']);
  return readFileSync(join(folder, 'package', 'bin', 'node'));
}
