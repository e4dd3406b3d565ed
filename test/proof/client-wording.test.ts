import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { needs } from '../../scripts/testing/needs.ts';
import type { Mapping, Method, RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { clientFiles } from '../../src/proof/client/client.ts';
import { phpLiteral } from '../../src/proof/client/php/literal.ts';
import { familyText } from '../../src/proof/client/family.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { testProfile } from '../support/profile.ts';

const HOSTILE = "ends */ here \"quoted\" 'single' `${1}` {$x} \\ \\' ?> <? \r\n// line\u2028next\u0000";
const given = process.env.CAUSEWAY_TEST_PHP ?? '';
const php = given === '' ? (needs.php.find() ?? '') : given;
// `npm test` says how to get a PHP where there is none.
const inPhp = php === '' ? it.skip : it;
const mapping = deliveredMapping();

/** A method whose every text tries to become part of the program. */
function hostileMethod(): Method {
  const found = mapping.methods.find(({ id }) => id === 'client.get');
  if (found?.reply.form !== 'one' || found.v2?.way !== 'steps')
    throw new Error('client.get has another form');
  const { reply, v2 } = found;
  const names = ['class', 'constructor', '__proto__', 'task-id', 'delete'];
  const rows = reply.of.rows.slice(0, names.length).map((row, at): RecordRow => ({
    ...row,
    element: names[at] ?? '',
    v2: row.v2 && { ...row.v2, lost: HOSTILE },
  }));
  const table: RecordTable = { ...reply.of, name: 'Promise', rows };
  return {
    ...found,
    ...{ id: 'client.delete.new', summary: HOSTILE, requires: ['from'] },
    query: new Map([
      ['from', 'text'],
      ['my-flag', 'flag'],
    ]),
    reply: { ...reply, of: table },
    v2: { ...v2, loss: [HOSTILE], toV3: [{ on: 'always', why: HOSTILE }] },
  };
}

const planOf = (methods: readonly Method[], given: Mapping) => ({
  methods: methods.map((method) => ({ method, calls: 3, missed: [HOSTILE] })),
  ...({ mapping: given, profile: testProfile(), route: 'v3', cases: [], begins: 0 } as const),
});

/** Faults of the syntax. */
const faultsIn = (path: string, text: string): readonly string[] =>
  ts
    .transpileModule(text, { fileName: path, reportDiagnostics: true })
    .diagnostics?.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')) ?? [];

describe('the texts of a mapping', () => {
  it('stay texts in a client, whatever their content, and reserved words are element names', () => {
    const plan = planOf([hostileMethod()], mapping);
    const text = familyText('client', plan.methods, plan);
    expect(faultsIn('client.ts', text)).toEqual([]);
    expect(text).not.toMatch(/[\u0000\u2028]|ends \*\//);
    expect(text).toContain('export type PromiseRecord = {');
    for (const name of ['class', 'constructor', '["__proto__"]', '"task-id"', 'delete'])
      expect(text).toMatch(new RegExp(`readonly ${name.replaceAll(/[[\]]/g, '\\$&')}\\??: `));
    expect(text).toContain('delete: {');
    expect(text).toContain('query: { readonly from: string; readonly "my-flag"?: string }');
  });

  it('break no table of the page that is written with it', () => {
    const files = clientFiles('typescript', planOf([hostileMethod()], mapping), '1');
    const page = files.find(({ path }) => path === 'README.md')?.content ?? '';
    const rows = page.split('\n').filter((line) => line.startsWith('| `client.'));
    expect(rows).toHaveLength(1);
    expect(page).not.toMatch(/[\u0000\u2028\r]/);
  });
});

describe('a client in PHP', () => {
  inPhp('has every text of a mapping as it is, and no text ends a string, a comment or the program', () => {
    const texts = [HOSTILE, '\\', "'", "\\'", '$x', '\u{1F600}', '', '0', '__halt_compiler();'];
    const values = { [HOSTILE]: texts, list: [], nested: { a: [true, null, 1.5] } };
    const echo = `echo json_encode(${phpLiteral(values)}, JSON_UNESCAPED_UNICODE);`;
    expect(JSON.parse(execFileSync(php, ['-r', echo], { encoding: 'utf8' }))).toEqual(values);
    const folder = mkdtempSync(join(tmpdir(), 'causeway-php-'));
    try {
      for (const { path, content } of clientFiles('php', planOf([hostileMethod()], mapping), '1')) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
      }
      const load = `require '${folder}/Client.php'; $all = require '${folder}/methods.php';
        echo json_encode([array_keys($all), array_keys($all['client.delete.new']['records']['Promise']),
          get_class_methods('LegacyClient\\ClientDeleteMethods')]);`;
      expect(JSON.parse(execFileSync(php, ['-r', load], { encoding: 'utf8' }))).toEqual([
        ['client.delete.new'],
        ['class', 'constructor', '__proto__', 'task-id', 'delete'],
        ['__construct', 'new'],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a client for all methods', () => {
  it('is TypeScript without a fault in any file, each of which is named once', () => {
    const files = clientFiles('typescript', planOf(mapping.methods, mapping), '1');
    const code = files.filter(({ path }) => path.endsWith('.ts'));
    expect(
      code.flatMap(({ path, content }) => faultsIn(path, content).map((one) => `${path}: ${one}`)),
    ).toEqual([]);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    // Nothing of this project is imported that does not come along.
    const imports = code.flatMap(({ content }) =>
      [...content.matchAll(/from '([^']+)'/g)].map(([, name]) => name),
    );
    expect(imports.filter((name) => !/^(?:node:|\.)/.test(name ?? ''))).toEqual([]);
  });
});
