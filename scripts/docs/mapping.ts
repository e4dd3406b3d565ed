/**
 * Generates what the mapping says about itself: docs/methods.md (each method, its calls and its losses), the list of
 * assumptions, and the JSON schemas by which editors check `mappings/*.yaml`.
 *
 * Nothing is written by hand twice: the text comes from the compiled mapping, the same that serves calls. `npm run
 * docs` writes, `--check` fails where a file differs.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import type { CallPattern, LocalMethod, Method, RecordTable } from '../../src/mapping/compile/model.ts';
import { callsToV3, describe, losses } from '../../src/mapping/compile/describe.ts';
import { readMappings } from '../../src/mapping/compile/read.ts';
import { familySchema, type LocalSource, type MethodSource } from '../../src/mapping/compile/schema.ts';
import { v2FileSchema } from '../../src/mapping/compile/v2/v2-file-schema.ts';
import type { Generator } from './generator.ts';

const folder = join(import.meta.dirname, '..', '..', 'mappings');

const GENERATED = '<!-- Generated from mappings/ by `npm run docs`; edit the mapping instead. -->';

function pathOf(pattern: CallPattern): string {
  const path = pattern.segments
    .map((segment) => ('literal' in segment ? segment.literal : `[${segment.kind}]`))
    .join('/');
  return `${pattern.verbs.join(', ')} \`${path}\``;
}

/** `within`: the records around this one, so that a record that contains itself comes to an end. */
function identifiersOf(table: RecordTable, within: readonly RecordTable[] = []): string[] {
  if (within.includes(table)) return [];
  return table.rows.flatMap((row) => {
    if (row.holds === 'value') {
      const mark = row.isAttribute ? '@' : '';
      return row.kind === undefined ? [] : [`${mark}${row.element} → ${mark}${row.v3}`];
    }
    return identifiersOf(row.of, [...within, table]).map((name) => `${row.element}/${name}`);
  });
}

function required(table: RecordTable, path: readonly string[] = []): string[] {
  return table.rows.flatMap((row) => {
    const here = [...path, row.element];
    if (!row.isRequired) return [];
    if (row.holds === 'one') return required(row.of, here);
    return [[...here, ...(row.holds === 'list' ? [row.child] : [])].join('/')];
  });
}

function v3Of({ v3, elsewhere, paged }: Method): string {
  const other = elsewhere ? `; where that does not exist, ${pathOf(elsewhere)}` : '';
  return pathOf(v3) + (paged === false ? '' : ', page by page') + other;
}

function replyOf({ reply }: Method): string {
  switch (reply.form) {
    case 'status':
      return '`Status`';
    case 'id':
      return '`Status`, `ID`';
    case 'one':
      return `\`${reply.element}\``;
    case 'list':
      return `\`${reply.container}/${reply.element}\``;
  }
}

/** The V2 calls of a method and its loss report. */
function v2Of(method: Method): string[][] {
  const { v2, why, grade } = describe(method);
  if (v2.length === 0) return [['V2', `none: ${why ?? 'the mapping says nothing'}`]];
  const toV3 = callsToV3(method);
  return [
    [`V2, grade ${grade ?? ''}`, v2.map((call) => `\`${call}\``).join('<br>')],
    ['Lost on V2', listed(losses(method)) ?? 'nothing known'],
    ...(toV3.length === 0 ? [] : [['Goes to V3', listed(toV3) ?? '']]),
  ];
}

const listed = (texts: readonly string[]): string | undefined =>
  texts.length === 0
    ? undefined
    : `<ul>${texts.map((text) => `<li>${text.replaceAll('|', '\\|')}</li>`).join('')}</ul>`;

function section(method: Method): string {
  const tables = [method.body?.of, 'of' in method.reply ? method.reply.of : undefined].filter(
    (table) => table !== undefined,
  );
  const ids = [...new Set(tables.flatMap((table) => identifiersOf(table)))];
  const query = [...method.query.values()].map((name) => `\`${name}\``).join(', ');
  const needs = method.body
    ? required(method.body.of)
        .map((name) => `\`${name}\``)
        .join(', ')
    : '';
  const rows = [
    ['Legacy', method.legacy.map(pathOf).join('; ')],
    ['V3', v3Of(method)],
    ...(query ? [['Parameters', query]] : []),
    ...(method.body ? [['Body', `\`${method.body.root}\`${needs ? `; required: ${needs}` : ''}`]] : []),
    ['Answer', replyOf(method)],
    ...v2Of(method),
    ['Default route', method.route],
    ...(ids.length > 0 ? [['Identifiers', ids.map((name) => `\`${name}\``).join(', ')]] : []),
    ['Source', method.source],
    ...assumedRow([...method.assumed, ...(method.v2?.way === 'steps' ? method.v2.assumed : [])]),
  ];
  return page(method, rows);
}

const assumedRow = (assumed: readonly string[]): string[][] =>
  assumed.length === 0 ? [] : [['Assumed', assumed.join(' ')]];

/** A method the bridge answers itself. */
function localSection(method: LocalMethod): string {
  return page(method, [
    ['Legacy', pathOf(method.legacy)],
    ['Answer', "the bridge's own, once the account has moved; no call goes out"],
    ['Default route', 'local'],
    ['Source', method.source],
    ...assumedRow(method.assumed),
  ]);
}

function page(
  { id, summary }: { readonly id: string; readonly summary: string },
  rows: readonly (readonly string[])[],
): string {
  return [
    `### ${id}`,
    '',
    `${summary}.`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, text]) => `| ${name ?? ''} | ${text ?? ''} |`),
  ].join('\n');
}

export const methodsDocument: Generator = {
  path: 'docs/methods.md',
  write: () => {
    const { methods, local } = loadMapping(folder);
    const all = [...methods, ...local.map((method) => ({ ...method, legacy: [method.legacy] }))];
    const index = all.map((method) => {
      const anchor = method.id.replaceAll('.', '');
      return `| [${method.id}](#${anchor}) | ${method.legacy.map(pathOf).join('; ')} | ${method.summary} |`;
    });
    return `${[
      '# Methods',
      '',
      GENERATED,
      '',
      'Every legacy method with a row in the mapping: where its calls go and what happens to them on the way. A method',
      'without a row (`<family>.api/<method>`) is served by the generic rule: the same verb, path and XML on V3, with',
      'only the identifiers renamed and translated.',
      '',
      '**Goes to V3**: calls that V3 answers although the method is routed to V2, because V2 would answer differently or',
      'would lose part of what is written. If the account has no V3, V2 answers reads without the missing part, and',
      '`CAUSEWAY_LOSSY_WRITES` decides whether writes are refused or sent without it.',
      '',
      '| Method | Legacy call | |',
      '|---|---|---|',
      ...index,
      '',
      ...methods.flatMap((method) => [section(method), '']),
      ...local.flatMap((method) => [localSection(method), '']),
    ]
      .join('\n')
      .trimEnd()}\n`;
  },
};

/** What a method assumes, of V3 and of V2. */
function assumedOf(method: MethodSource | LocalSource): readonly string[] {
  const v2 =
    'v2' in method && method.v2 !== undefined && 'steps' in method.v2 ? (method.v2.assumed ?? []) : [];
  return [...(method.assumed ?? []), ...v2];
}

export const assumptionsDocument: Generator = {
  path: 'docs/assumptions.md',
  write: () => {
    const files = readMappings(folder);
    const general = [files.identifiers, ...(files.v2 === undefined ? [] : [files.v2])];
    const parts = [...files.families, ...general].flatMap(({ file, source }) => {
      const own = (source.assumed ?? []).map((text) => `- ${text}`);
      const methods = 'methods' in source ? Object.entries(source.methods) : [];
      const perMethod = methods.flatMap(([id, method]) =>
        assumedOf(method).map((text) => `- \`${id}\`: ${text}`),
      );
      const all = [...own, ...perMethod];
      return all.length === 0 ? [] : [`## ${file}`, '', `Source: ${source.source}.`, '', ...all, ''];
    });
    return `${[
      '# Assumptions',
      '',
      GENERATED,
      '',
      'What the specification does not say and the mapping had to assume. Each assumption is data: if your service differs,',
      'point `CAUSEWAY_MAPPINGS` at an edited copy of the folder, or `CAUSEWAY_UPSTREAM_PROFILE` at a profile of your own.',
      '',
      ...parts,
    ]
      .join('\n')
      .trimEnd()}\n`;
  },
};

export const mappingSchema: Generator = {
  path: 'mappings/schema.json',
  write: () => `${JSON.stringify({ title: 'A mapping file', ...z.toJSONSchema(familySchema) }, null, 2)}\n`,
};

export const v2Schema: Generator = {
  path: 'mappings/v2.schema.json',
  write: () => `${JSON.stringify({ title: 'v2.yaml', ...z.toJSONSchema(v2FileSchema) }, null, 2)}\n`,
};
