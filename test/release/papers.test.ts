import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bom } from '../../scripts/release/bom.ts';
import { licences } from '../../scripts/release/licences.ts';
import { runtimePackages, type Lock } from '../../scripts/release/runtime-packages.ts';

const project = join(import.meta.dirname, '..', '..');
const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
const packages = runtimePackages(lock);
const release = { version: '1.0.0', commit: 'abc1234', node: '24.0.0', madeAt: new Date(0) };

describe('the bill of materials', () => {
  const { components, ...head } = JSON.parse(JSON.stringify(bom(release, packages))) as {
    readonly components: readonly Readonly<Record<string, unknown>>[];
    readonly metadata: unknown;
  };

  it('is CycloneDX 1.6, and names release and commit', () => {
    expect(head).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: {
        timestamp: '1970-01-01T00:00:00.000Z',
        component: { purl: 'pkg:npm/causeway@1.0.0', properties: [{ value: 'abc1234' }] },
      },
    });
  });

  it('names Node and every package with version, licence and hash, each under a unique identifier', () => {
    expect(components[0]).toMatchObject({ type: 'platform', purl: 'pkg:generic/node@24.0.0' });
    expect(components).toHaveLength(packages.length + 1);
    expect(new Set(components.map((one) => one['bom-ref'])).size).toBe(components.length);
    const hash = expect.stringMatching(/^[0-9a-f]{128}$/);
    for (const one of components.slice(1)) expect(one.hashes).toEqual([{ alg: 'SHA-512', content: hash }]);
  });

  it('names a package by its own name, wherever it is installed, and escapes its scope', () => {
    const purls = components.map(({ purl }) => purl);
    expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/%40fastify\/busboy@\d/));
    expect(purls).toContainEqual(expect.stringMatching(/^pkg:npm\/%40nolyfill\/side-channel@\d/));
    expect(purls).not.toContainEqual(expect.stringMatching(/^pkg:npm\/(side-channel|jest|typescript)@/));
  });
});

describe('the licences of dependencies', () => {
  const installed = packages.filter(({ place }) => existsSync(join(project, place)));

  it('have the text of every package, or say which licence it names', () => {
    const text = licences(installed, project, 'as of Node');
    expect(text).toContain('as of Node');
    for (const { name, version, license } of installed)
      expect(text).toContain(`\n${name} ${version} (${license})\n`);
    expect(text).toContain('Copyright (c) 2009-2014 TJ Holowaychuk');
    expect(text).toContain('The package brings no text. Its package.json names the licence');
  });
});
