import { expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionAfter } from '../../scripts/release/next-release.ts';

const project = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(project, name), 'utf8');
const { version } = JSON.parse(read('package.json')) as { readonly version: string };

it('the pages of docs/deploy contain this version, and the next one for an upgrade', () => {
  const pages = globSync('docs/deploy/*.md', { cwd: project });
  const named = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/causeway-(\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)/g), ([, found = '']) => found),
  );
  expect([...new Set(named)].toSorted()).toEqual([versionAfter(version), version].toSorted());
});

it('the manifests for Kubernetes contain the image of this release', () => {
  for (const file of ['kustomization.yaml', 'migration/kustomization.yaml'])
    expect(read(`deploy/kubernetes/${file}`)).toContain(`newTag: ${version}\n`);
});

it.each([
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0', '1.0.1'],
  ['1.2.9', '1.2.10'],
])('the release after %s is %s', (before, after) => {
  expect(versionAfter(before)).toBe(after);
});
