import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import type { Mapping, Method, RecordRow, RecordTable } from '../../src/mapping/compile/model.ts';
import { clientFiles } from '../../src/proof/client/client.ts';
import { familyText } from '../../src/proof/client/family.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { testProfile } from '../support/profile.ts';

const HOSTILE = 'ends */ here "quoted" `${1}` \\ \r\n// line\u2028next\u0000';
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

describe('The texts of a mapping', () => {
  it('stay texts in a client, whatever they say, and names of the language are names of elements', () => {
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

describe('A client for all methods', () => {
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
