import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';

/**
 * Words of version 1 that the field does not use, with what to say instead. Held for identifiers of `src` and `scripts`,
 * not for prose, published names or the words of the service.
 */
const replacements: ReadonlyMap<string, string> = new Map(
  Object.entries({
    allowance: 'size limit, share',
    board: 'status report',
    bury: 'declare dead',
    carrier: 'upstream client',
    chance: 'random source',
    desk: 'admin service',
    door: 'endpoint',
    furnish: 'seed',
    gate: 'session guard, circuit breaker',
    house: 'services',
    ladder: 'fallbacks',
    leash: 'orphan guard',
    learner: 'identifier sync',
    lesson: 'sync',
    letter: 'message, e-mail',
    pulse: 'recent health',
    roll: 'register',
    rung: 'fallback',
    shelf: 'cache',
    stranger: 'unknown key',
    walked: 'page de-duplication',
    wire: 'transport',
    wish: 'options, request',
    wished: 'requested',
  }),
);

/** Published: a key of the files that hold an integrator's own texts (docs/campaign/mail.md). */
const published = new Set(['letters']);

const project = join(import.meta.dirname, '..', '..');

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));

/** `GrantSpareRow` is grant, spare, row. */
const wordsIn = (identifier: string): readonly string[] =>
  identifier
    .replace(/^#/, '')
    .split(/(?<=[a-z0-9])(?=[A-Z])|_/)
    .map((word) =>
      word
        .toLowerCase()
        .replace(/(?<=[^s])s$/, '')
        .replace(/(?<=sh|shel)(?:e|ve)$/, ''),
    );

function identifiersOf(file: string): readonly string[] {
  const source = ts.createSourceFile(file, readFileSync(join(project, file), 'utf8'), ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const bannedIn = (identifier: string): readonly string[] =>
  published.has(identifier)
    ? []
    : wordsIn(identifier).flatMap((word) => {
        const instead = replacements.get(word);
        return instead === undefined ? [] : [`${identifier}: say ${instead}`];
      });

describe('the vocabulary check', () => {
  it.each(['src', 'scripts'])("finds only the field's terms in the identifiers of %s", (folder) => {
    const found = filesBelow(folder).flatMap((file) =>
      [...new Set(identifiersOf(file))].flatMap(bannedIn).map((fault) => `${file}: ${fault}`),
    );
    expect(found).toEqual([]);
  });

  it('would find a word of version 1 in every form', () => {
    const names = ['LegacyDoor', '#letters', 'readWishes', 'deskOf', 'Strangers', 'furnish'];
    expect(names.filter((name) => bannedIn(name).length === 0)).toEqual([]);
    expect(['endpoint', 'letters', 'investigate', 'warehouse'].flatMap(bannedIn)).toEqual([]);
  });
});
