import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

interface Room {
  /** Rooms, and top-level files of src/, it may import. */
  readonly rooms: readonly string[];
  /** Packages, and guarded parts of Node, it may import. */
  readonly packages: readonly string[];
}

/** The rooms and their arrows. A package that is named here is imported nowhere else. */
const rooms: Readonly<Record<string, Room>> = {
  domain: { rooms: [], packages: ['zod'] },
  xml: { rooms: ['domain'], packages: ['fast-xml-parser', 'xmlbuilder2', 'saxes'] },
  bridge: { rooms: ['domain', 'xml'], packages: ['yaml', 'zod'] },
  upstream: { rooms: ['domain'], packages: ['undici', 'axios', 'jose', 'zod', 'node:http', 'node:https'] },
  vault: { rooms: ['domain'], packages: ['node-cache'] },
  store: { rooms: ['domain'], packages: ['kysely', 'pg', 'ioredis', 'node:sqlite'] },
  migration: { rooms: ['domain'], packages: ['nodemailer', 'yaml', 'zod'] },
  doors: {
    rooms: ['domain', 'bridge', 'migration'],
    packages: ['express', 'eta', 'yaml', 'zod', 'node:http'],
  },
  ops: { rooms: ['domain'], packages: ['winston', 'prom-client', 'node:http'] },
  cli: { rooms: ['domain', 'migration', 'compose.ts', 'launch.js'], packages: ['commander'] },
  sandbox: { rooms: ['domain', 'store', 'xml'], packages: ['express', 'jose', 'kysely', 'zod', 'node:http'] },
};

/** What may import anything: the wiring, what it reads, and the demo, which starts it all. */
const free = ['launch.js', 'config.ts', 'compose.ts', 'main.ts', 'settings', 'wiring', 'demo'];

const source = join(import.meta.dirname, '..', 'src');
const files = globSync('**/*.{ts,js}', { cwd: source }).sort();

const architecture = readFileSync(join(import.meta.dirname, '..', 'docs', 'architecture.md'), 'utf8');

/** A cell of the table: its names, without what is said of them in brackets. */
const plain = (cell: string): readonly string[] =>
  cell
    .replaceAll(/ \([^)]*\)/g, '')
    .split(', ')
    .map((name) => name.replaceAll('`', '').replace(/\/$/, ''));

const roomOf = (file: string): string => file.split('/')[0] ?? file;

const importsOf = (file: string): readonly string[] =>
  ts.preProcessFile(readFileSync(join(source, file), 'utf8')).importedFiles.map(({ fileName }) => fileName);

const isOwn = (name: string): boolean => name.startsWith('.');

/** Relative to src/. */
const target = (file: string, name: string): string => relative(source, join(source, dirname(file), name));

/** `@scope/name/part` ⇒ `@scope/name`, `name/part` ⇒ `name`. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const owned = new Set(Object.values(rooms).flatMap(({ packages }) => packages));

/** Of Node itself only what stands in the table is guarded. */
const isGuarded = (name: string): boolean => owned.has(name) || !isBuiltin(name);

function wrongArrows(file: string): readonly string[] {
  const room = roomOf(file);
  const rule = rooms[room];
  if (rule === undefined) return free.includes(room) ? [] : [`${room} is no room of the table`];
  const ownTargets = importsOf(file)
    .filter(isOwn)
    .map((name) => target(file, name));
  const foreign = importsOf(file)
    .filter((name) => !isOwn(name))
    .map(packageOf);
  return [
    ...ownTargets.filter((to) => roomOf(to) !== room && !rule.rooms.includes(roomOf(to))),
    ...foreign.filter((name) => isGuarded(name) && !rule.packages.includes(name)),
  ];
}

/** A way that comes back to where it began, or undefined. */
function circle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...way, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const found = walk(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('the rooms', () => {
  it('are found', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(Object.keys(rooms).filter((room) => !existsSync(join(source, room)))).toEqual([]);
  });

  it('stand in the table of docs/architecture.md with the same arrows', () => {
    const told = new Map(
      Array.from(
        architecture.matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|.*\| ([^|]+) \|$/gm),
        ([, names = '', may = '']) => [plain(names), plain(may)] as const,
      ).flatMap(([names, may]) => names.map((name) => [name, may] as const)),
    );
    const kept = new Map([
      ...Object.entries(rooms).map(
        ([room, { rooms: may }]) => [room, may.length > 0 ? may : ['nothing']] as const,
      ),
      ...free.map((room) => [room, ['anything']] as const),
    ]);
    const inOrder = (table: ReadonlyMap<string, readonly string[]>): unknown =>
      Object.fromEntries(Array.from(table, ([room, may]) => [room, may.toSorted()]));
    expect(inOrder(told)).toEqual(inOrder(kept));
  });

  it.each(files)('%s imports only what its room may', (file) => {
    expect(wrongArrows(file)).toEqual([]);
  });

  it.each(files)('%s imports files that exist, with their ending', (file) => {
    const missing = importsOf(file).filter(
      (name) => isOwn(name) && !existsSync(join(source, target(file, name))),
    );
    expect(missing).toEqual([]);
  });

  it('have no import circle', () => {
    const graph = new Map(
      files.map((file) => [
        file,
        importsOf(file)
          .filter(isOwn)
          .map((name) => target(file, name)),
      ]),
    );
    expect(circle(graph)).toBeUndefined();
  });

  it('let the sandbox know nothing of the bridge’s vocabulary but clock, secret and log', () => {
    const known = files
      .filter((file) => roomOf(file) === 'sandbox')
      .flatMap((file) =>
        importsOf(file)
          .filter(isOwn)
          .map((name) => target(file, name)),
      )
      .filter((to) => roomOf(to) === 'domain');
    expect(
      [...new Set(known)].filter(
        (to) => !['domain/clock.ts', 'domain/secret.ts', 'domain/log.ts'].includes(to),
      ),
    ).toEqual([]);
  });

  it('give the sandbox a database of its own, never the books of the bridge', () => {
    const borrowed = files
      .filter((file) => roomOf(file) === 'sandbox')
      .flatMap((file) =>
        importsOf(file)
          .filter(isOwn)
          .map((name) => target(file, name)),
      )
      .filter((to) => roomOf(to) === 'store');
    expect([...new Set(borrowed)].filter((to) => to !== 'store/sqlite.ts')).toEqual([]);
  });

  it('let the sandbox read no mapping', () => {
    const readers = files.filter(
      (file) =>
        roomOf(file) === 'sandbox' && /['"`/]mappings\b/.test(readFileSync(join(source, file), 'utf8')),
    );
    expect(readers).toEqual([]);
  });
});

describe('the search for circles', () => {
  it('finds one', () => {
    const graph = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['b']],
    ]);
    expect(circle(graph)).toEqual(['b', 'c', 'b']);
  });
});
