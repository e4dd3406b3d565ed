import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimePackages, type Lock } from '../../scripts/release/runtime-packages.ts';
import { bundle } from '../../scripts/executable/bundle.ts';

const project = join(import.meta.dirname, '..', '..');

/** `npm run release:check` builds and starts the executable itself. */
it('every module of the program can be bundled, with packages of its bill of materials only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bundle-'));
  try {
    const [dist, script] = [join(folder, 'dist'), join(folder, 'script.cjs')];
    execFileSync(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      join(project, 'scripts', 'pack.ts'),
      dist,
    ]);
    const inside = await bundle(dist, script);
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
    const listed = new Set(runtimePackages(lock).map(({ place }) => place));
    expect(inside).toContain('node_modules/express');
    expect(inside.filter((place) => !listed.has(place))).toEqual([]);
    const text = readFileSync(script, 'utf8');
    expect(text).toContain('dist/src/main.js');
    expect(text).toContain('"/embedded/causeway/src/http/console"');
    expect(text).not.toMatch(/\bimport_meta\b|\bimport\.meta\.dirname/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
