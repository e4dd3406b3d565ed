import { expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(project, name), 'utf8');

/** Taken from the project, not from another stage. */
const copied = (): readonly string[] =>
  Array.from(read('Dockerfile').matchAll(/^COPY (?!--)(.+) \S+$/gm), ([, names = '']) =>
    names.split(' '),
  ).flat();

it('the image copies files that exist, and only those the build context contains', () => {
  expect(copied()).toContain('src');
  expect(copied().filter((name) => !existsSync(join(project, name)))).toEqual([]);
  const given = read('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  expect(given.map((line) => line.slice(1)).toSorted()).toEqual([...copied()].toSorted());
});

it('the image is built from the npm package, and starts the bridge as an unprivileged user', () => {
  const dockerfile = read('Dockerfile');
  const { scripts } = JSON.parse(read('package.json')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts.prepack?.endsWith('scripts/pack.ts')).toBe(true);
  expect(dockerfile).toContain('scripts/pack.ts');
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  expect(dockerfile).toMatch(/^ENTRYPOINT .*\/app\/dist\/src\/cli\/bin\.js/m);
  expect(dockerfile).toMatch(/^CMD \["start"\]$/m);
  expect(existsSync(join(project, 'src/cli/bin.js'))).toBe(true);
});

it('the image contains compiled modules where its bridge looks for them, made by the user it runs as', () => {
  const dockerfile = read('Dockerfile');
  const [, bin = ''] = /^ENTRYPOINT .*"(\/app\/.+)"\]$/m.exec(dockerfile) ?? [];
  const [, folder = ''] = /enableCompileCache\(pathOf\('(.+)'\)\)/.exec(read('src/launch.js')) ?? [];
  const [, user = ''] = /^USER (.+)$/m.exec(dockerfile) ?? [];
  // `bin.js` starts `launch.js` of the folder above.
  expect(dockerfile).toContain(`kept=/image${join(dirname(bin), '..', folder)};`);
  expect(dockerfile).toContain(`chroot --userspec=${user} /image /usr/bin/node ${bin} "$@"`);
});
