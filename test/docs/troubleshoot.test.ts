import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { alertCommands } from '../../scripts/docs/troubleshoot/alerts.ts';
import { areas, areaOf } from '../../scripts/docs/troubleshoot/areas.ts';
import { logAdvice } from '../../scripts/docs/troubleshoot/log-events.ts';
import { sourceTexts } from '../../scripts/docs/troubleshoot/source-texts.ts';
import { knownReasons } from '../../src/app/health/health-check.ts';
import { remedies } from '../../src/app/health/remedies.ts';
import { headingsIn } from '../../src/http/docs/markdown-text.ts';
import { refusals } from '../../src/http/server/refusals.ts';
import { checkNames } from '../../src/features/cutover/checks.ts';
import { consentRefusalNames } from '../../src/features/consent/model.ts';
import { stuckReasonNames } from '../../src/features/status/codes.ts';
import { failures } from '../../src/lib/failure.ts';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { doubts } from '../../src/tokens/deployment/deployment.ts';
import { lossReasons } from '../../src/tokens/grant.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const read = (name: string): string => readFileSync(join(docs, name), 'utf8');
const page = (name: string): string => read(`troubleshoot/${name}.md`);

/** Rows of the page's tables that have the code in a cell of its own, or behind its name. */
const rowsOf = (name: string, code: string): readonly (readonly string[])[] =>
  page(name)
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes(`\`${code}\``))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '').trim()))
    .filter((cells) => cells.some((cell) => cell === `\`${code}\`` || cell.endsWith(`(\`${code}\`)`)));

/** The paragraphs below the heading that is the code. */
const entryOf = (name: string, code: string): readonly string[] =>
  headingsIn(page(name))
    .find(({ title }) => title === code)
    ?.body.trim()
    .split('\n\n') ?? [];

const pages: Readonly<Record<string, readonly string[]>> = {
  calls: Object.keys(failures),
  api: Object.keys(refusals),
  health: [...Object.keys(remedies), ...knownReasons, ...doubts],
  customers: [...stuckReasonNames, ...consentRefusalNames, ...lossReasons, ...checkNames],
};
const codes = Object.entries(pages).flatMap(([name, all]) =>
  [...new Set(all)].map((code) => [code, name] as const),
);
const texts = sourceTexts();

describe('the pages of docs/troubleshoot', () => {
  it.each(codes)('explain the code %s on the page %s, with a cause and a remedy', (code, name) => {
    const [row = []] = name === 'calls' ? [entryOf(name, code)] : rowsOf(name, code);
    expect(row.length).toBeGreaterThanOrEqual(3);
    expect(row.filter((cell) => cell === '')).toEqual([]);
  });

  it('have every event of the log, and none that no longer exists', () => {
    expect([...texts.events.keys()].toSorted()).toEqual(Object.keys(logAdvice).toSorted());
    const missing = [...texts.events.keys()].filter((event) => rowsOf('log', event).length === 0);
    expect(missing).toEqual([]);
  });

  it('have every alert, and none that no longer exists', () => {
    const { groups } = parse(read('operate/alerts.yaml')) as {
      readonly groups: readonly { readonly rules: readonly { readonly alert: string }[] }[];
    };
    const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    expect(alerts.toSorted()).toEqual(Object.keys(alertCommands).toSorted());
    expect(alerts.filter((alert) => rowsOf('alerts', alert).length === 0)).toEqual([]);
  });

  it('name the step that lifts a stopped wave’s limits only after the one that keeps them', () => {
    const advice = [...Object.keys(pages), 'log', 'alerts'].flatMap((name) => page(name).split('\n'));
    const lifting = advice.filter((line) => line.includes('waves go-on'));
    expect(lifting.length).toBeGreaterThan(0);
    for (const line of lifting) expect(line).toMatch(/waves resume NAME.*waves go-on NAME/);
  });

  it('have every failure text that differs from that of its code', () => {
    const all = [...texts.failures.values()].flatMap((own) => [...own]);
    expect(all.length).toBeGreaterThan(20);
    const flat = (text: string): string => text.replaceAll(/[<>*]|&[lg]t;|\\/g, '').toLowerCase();
    const written = flat(page('calls'));
    expect(all.filter((text) => !written.includes(flat(text)))).toEqual([]);
  });

  it('have every refusal that the mappings word', () => {
    const { kinds } = loadMapping(join(docs, '..', 'mappings'));
    const worded = [...kinds.values()].map(({ error }) => error);
    const listed = [...worded, 'The client name is required', 'Invalid owner', 'Invalid invoice identifier'];
    expect(listed.filter((text) => !page('calls').includes(`| ${text} | \`refused\` |`))).toEqual([]);
  });

  it('have every error text that people read, with what to run', () => {
    expect(texts.errors.length).toBeGreaterThan(150);
    const written = page('messages');
    const flat = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
    expect(texts.errors.filter(({ text }) => !written.includes(`- \`${flat(text)}\``))).toEqual([]);
    for (const { path } of texts.errors) expect(areas).toContain(areaOf(path));
  });
});

describe('the texts in the source', () => {
  const read = (text: string): ReturnType<typeof sourceTexts> =>
    sourceTexts([
      {
        path: 'cli/made-up.ts',
        text,
        lines: 1,
        imports: [],
        tree: ts.createSourceFile('made-up.ts', text, ts.ScriptTarget.Latest, true),
      },
    ]);

  it('are found whether they are literal, templates, conditional or named', () => {
    const { errors } = read(`
      const GONE = 'the file is gone';
      throw new Misuse('give a name');
      throw new Refusal(\`there is no \${kind} here\`);
      throw new Refusal(missing ? 'one is missing' : GONE);
      throw new AdminRefusal('unknown', 'nobody ' + 'knows it');
      throw new Elsewhere('nobody reads this');
    `);
    expect(errors.map(({ text }) => text)).toEqual([
      'give a name',
      'there is no … here',
      'one is missing',
      'the file is gone',
      'nobody knows it',
    ]);
  });

  it('of failures are found with their codes, and events of the log with their levels', () => {
    const { failures: own, events } = read(`
      throw new Failure('busy', { text: 'come back later' });
      this.#parts.log.warn('made.up', {}); log.info('made.up');
    `);
    expect([...(own.get('busy') ?? [])]).toEqual(['come back later']);
    expect([...(events.get('made.up') ?? [])]).toEqual(['warn', 'info']);
  });

  it('never hide an event behind a name that is built at run time', () => {
    expect(() => read('log.warn(`new.${thing}`)')).toThrow('has a name nobody knows');
  });
});
