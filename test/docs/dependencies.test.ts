import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packagesBelow, runtimePackages, type Lock } from '../../scripts/release/runtime-packages.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(project, name), 'utf8');
const lock = JSON.parse(read('package-lock.json')) as Lock;
const direct = Object.keys(lock.packages['']?.dependencies ?? {});

/** Raised only with a reason in the commit: each is somebody else's code in every bridge. */
const MOST = 133;

describe('the packages that a bridge in production loads', () => {
  it('are those of the list, and no others', () => {
    expect(runtimePackages(lock).length).toBeLessThanOrEqual(MOST);
  });

  it('are all required by the dependencies in package.json', () => {
    const reached = new Set(direct.flatMap((name) => packagesBelow(lock, name)));
    expect(
      runtimePackages(lock)
        .map(({ place }) => place)
        .filter((place) => !reached.has(place)),
    ).toEqual([]);
  });

  it('are listed in docs/contribute/dependencies.md, each direct one with its reason', () => {
    const rows = Array.from(
      read('docs/contribute/dependencies.md').matchAll(/^\| `([^`]+)` +\| (\d+) +\| \S/gm),
      ([, name = '', all]) => [name, Number(all)] as const,
    );
    expect(Object.fromEntries(rows)).toEqual(
      Object.fromEntries(direct.map((name) => [name, packagesBelow(lock, name).length])),
    );
    expect(read('docs/contribute/dependencies.md')).toContain(`${runtimePackages(lock).length} in all`);
  });

  it('have licences that only require their text to be included', () => {
    const permissive = [
      '0BSD',
      'Apache-2.0',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'ISC',
      'MIT',
      'MIT-0',
      'Python-2.0',
    ];
    expect(runtimePackages(lock).filter(({ license }) => !permissive.includes(license))).toEqual([]);
  });
});

describe('a package counted with its dependencies', () => {
  it('counts a package that it reaches twice once, and uses the nearest copy', () => {
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': { dependencies: { b: '1', c: '1' } },
      'node_modules/a/node_modules/c': {},
      'node_modules/b': { dependencies: { c: '2' }, optionalDependencies: { absent: '1' } },
      'node_modules/c': { dependencies: { a: '1' } },
    };
    expect(packagesBelow({ packages }, 'a')).toEqual([
      'node_modules/a',
      'node_modules/b',
      'node_modules/c',
      'node_modules/a/node_modules/c',
    ]);
  });
});
