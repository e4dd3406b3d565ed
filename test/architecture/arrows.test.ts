import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

interface Folder {
  /** Folders, and files, of `src/` it may import. `features/accounts` is that one feature. */
  readonly imports: readonly string[];
  /** Packages, and guarded parts of Node, it may import. */
  readonly packages: readonly string[];
}

/** Every folder of `src/`, lowest first. A package that is named here is imported nowhere else. */
const folders: Readonly<Record<string, Folder>> = {
  lib: {
    imports: [],
    packages: [
      '@fastify/busboy',
      'fast-xml-parser',
      'jose',
      'saxes',
      'winston',
      'xmlbuilder2',
      'yaml',
      'zod',
    ],
  },
  db: { imports: ['lib'], packages: ['kysely', 'node:sqlite', 'pg'] },
  upstream: {
    imports: ['lib', 'db'],
    packages: ['axios', 'ioredis', 'jose', 'kysely', 'node:http', 'node:https', 'undici', 'zod'],
  },
  tokens: { imports: ['lib', 'db', 'upstream'], packages: ['kysely', 'node-cache'] },
  mapping: { imports: ['lib', 'db'], packages: ['kysely', 'yaml', 'zod'] },
  features: {
    imports: ['lib', 'db', 'upstream', 'tokens', 'mapping'],
    packages: [
      'axios',
      'imapflow',
      'kysely',
      'node:http',
      'node:https',
      'node:sqlite',
      'nodemailer',
      'openid-client',
      'pg',
      'postal-mime',
      'zod',
    ],
  },
  proxy: {
    imports: [
      'lib',
      'db',
      'upstream',
      'tokens',
      'mapping',
      'features/accounts',
      'features/replicas',
      'features/snapshot',
      'features/usage',
      'features/writes',
    ],
    packages: [],
  },
  proof: {
    imports: ['lib', 'db', 'upstream', 'mapping', 'features', 'proxy'],
    packages: ['kysely', 'yaml'],
  },
  http: {
    imports: ['lib', 'upstream', 'tokens', 'mapping', 'features', 'proxy'],
    packages: ['eta', 'express', 'helmet', 'marked', 'node:http', 'zod'],
  },
  app: {
    imports: ['lib', 'db', 'upstream', 'tokens', 'mapping', 'features', 'proxy', 'proof', 'http'],
    packages: ['kysely', 'node:http', 'node:https', 'prom-client', 'zod'],
  },
  cli: {
    imports: ['lib', 'upstream', 'tokens', 'mapping', 'features', 'proof', 'app', 'launch.js'],
    packages: ['commander'],
  },
  sandbox: { imports: ['lib', 'db'], packages: ['express', 'jose', 'kysely', 'node:http', 'zod'] },
  replay: {
    imports: ['lib', 'upstream', 'tokens', 'mapping', 'features', 'proof', 'app', 'sandbox'],
    packages: ['node:http', 'zod'],
  },
  demo: {
    imports: ['lib', 'db', 'tokens', 'features', 'app', 'cli', 'sandbox', 'replay'],
    packages: ['express', 'node:http', 'node:sqlite', 'postal-mime', 'smtp-server'],
  },
  'main.ts': { imports: ['lib', 'app'], packages: [] },
  'launch.js': { imports: [], packages: [] },
};

const project = join(import.meta.dirname, '..', '..');
const source = join(project, 'src');
const files = globSync('**/*.{ts,js}', { cwd: source })
  .filter((file) => !file.includes('/assets/'))
  .toSorted();

const architecture = readFileSync(join(project, 'docs', 'contribute', 'architecture.md'), 'utf8');

const folderOf = (file: string): string => file.split('/')[0] ?? file;
const featureOf = (file: string): string => file.split('/').slice(0, 2).join('/');

const importsOf = (file: string): readonly string[] =>
  ts.preProcessFile(readFileSync(join(source, file), 'utf8')).importedFiles.map(({ fileName }) => fileName);

const isOwn = (name: string): boolean => name.startsWith('.');

/** Relative to `src/`. */
const target = (file: string, name: string): string => relative(source, join(source, dirname(file), name));

/** Files of `src/` that each file of `src/` imports. */
const graph: ReadonlyMap<string, readonly string[]> = new Map(
  files.map((file) => [
    file,
    importsOf(file)
      .filter(isOwn)
      .map((name) => target(file, name)),
  ]),
);

/** `@scope/name/part` ⇒ `@scope/name`, `name/part` ⇒ `name`. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const owned = new Set(Object.values(folders).flatMap(({ packages }) => packages));

/** Of Node itself only what stands in the table is guarded. */
const isGuarded = (name: string): boolean => owned.has(name) || !isBuiltin(name);

const arrowsAgainst = (folder: string): readonly string[] =>
  files
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) =>
      (graph.get(file) ?? [])
        .filter((to) => {
          const allowed = folders[folder]?.imports ?? [];
          return (
            folderOf(to) !== folder && !allowed.includes(folderOf(to)) && !allowed.includes(featureOf(to))
          );
        })
        .map((to) => `${file} → ${to}`),
    );

const foreignPackages = (folder: string): readonly string[] =>
  files
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) =>
      importsOf(file)
        .filter((name) => !isOwn(name))
        .map(packageOf)
        .filter((name) => isGuarded(name) && folders[folder]?.packages.includes(name) !== true)
        .map((name) => `${file} → ${name}`),
    );

/** A way that comes back to where it began, or undefined. */
function circle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (node: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of edges.get(node) ?? []) {
      const found = walk(next, [...way, node]);
      if (found !== undefined) return found;
    }
    done.add(node);
    return undefined;
  };
  for (const node of edges.keys()) {
    const found = walk(node, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('the folders of src', () => {
  it('are those of the table, without exception', () => {
    expect([...new Set(files.map(folderOf))].toSorted()).toEqual(Object.keys(folders).toSorted());
  });

  it('appear in the table of docs/contribute/architecture.md with what they may import', () => {
    const documented = Array.from(
      architecture.matchAll(/^\| `([a-z.]+)\/?` \|.*\| ([^|]*) \|$/gm),
      ([, folder = '', imports = '']) => [folder, imports] as const,
    );
    const expected = Object.entries(folders).map(
      ([folder, { imports }]) =>
        [folder, imports.length > 0 ? imports.join(', ') : 'nothing of ours'] as const,
    );
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(expected));
  });

  it.each(Object.keys(folders))('include %s, which imports no folder it may not', (folder) => {
    expect(arrowsAgainst(folder)).toEqual([]);
  });

  it.each(Object.keys(folders))('include %s, which imports no package that another folder owns', (folder) => {
    expect(foreignPackages(folder)).toEqual([]);
  });

  it('import one another in one direction only', () => {
    const between = Object.entries(folders).map(([folder, { imports }]) => [folder, imports] as const);
    expect(circle(new Map(between))).toBeUndefined();
  });
});

describe('the files of src', () => {
  it('import files that exist, with their ending', () => {
    const known = new Set(files);
    const missing = Array.from(graph, ([file, imports]) =>
      imports.filter((to) => !known.has(to)).map((to) => `${file} → ${to}`),
    );
    expect(missing.flat()).toEqual([]);
  });

  it('never import each other in a circle', () => {
    expect(circle(graph)).toBeUndefined();
  });

  it('never import each other both ways across two features', () => {
    const between = new Map<string, readonly string[]>();
    for (const [file, imports] of graph) {
      if (folderOf(file) !== 'features') continue;
      const others = imports
        .filter((to) => folderOf(to) === 'features' && featureOf(to) !== featureOf(file))
        .map(featureOf);
      between.set(featureOf(file), [...(between.get(featureOf(file)) ?? []), ...others]);
    }
    expect(circle(between)).toBeUndefined();
  });

  it('of the database layer contain no statement on a table of another folder', () => {
    const read = (file: string): string => readFileSync(join(source, file), 'utf8');
    const theirs = files
      .filter((file) => file.endsWith('/tables.ts') && folderOf(file) !== 'db')
      .flatMap((file) => Array.from(read(file).matchAll(/^    (\w+): \w+Row;$/gm), ([, name = '']) => name));
    expect(theirs).toContain('crosswalk_kinds');
    const statement = new RegExp(`(?:from|into|update|join) (?:${theirs.join('|')})\\b`, 'i');
    const borrowers = files.filter(
      (file) => folderOf(file) === 'db' && !file.startsWith('db/migrations/') && statement.test(read(file)),
    );
    expect(borrowers).toEqual([]);
  });

  it('of the sandbox read no mapping', () => {
    const readers = files.filter(
      (file) =>
        folderOf(file) === 'sandbox' && /['"`/]mappings\b/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });

  it('of the sandbox use the database engine but no table of the bridge', () => {
    const borrowed = files
      .filter((file) => folderOf(file) === 'sandbox')
      .flatMap((file) => graph.get(file) ?? [])
      .filter((to) => folderOf(to) === 'db');
    expect([...new Set(borrowed)]).toEqual(['db/sqlite/sqlite.ts']);
  });
});

describe('the search for circles', () => {
  it('finds one', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(circle(edges)).toEqual(['b', 'c', 'b']);
  });
});
