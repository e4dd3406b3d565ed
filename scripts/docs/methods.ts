/**
 * Generates docs/reference/methods.md, the list of all legacy methods, and docs/reference/methods/<family>.md: for each method its calls and
 * its loss report, from the compiled mapping that serves the calls.
 */
import { join } from 'node:path';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import type { CallPattern, LocalMethod, Method, RecordTable } from '../../src/mapping/compile/model.ts';
import { callsToV3, describe, losses } from '../../src/mapping/compile/describe.ts';
import type { RouteEvidence } from '../../src/mapping/evidence.ts';
import type { Generator } from './generator.ts';
import { GENERATED } from './mapping.ts';

const { methods, local } = loadMapping(join(import.meta.dirname, '..', '..', 'mappings'));

function pathOf(pattern: CallPattern): string {
  const path = pattern.segments
    .map((segment) => ('literal' in segment ? segment.literal : `[${segment.kind}]`))
    .join('/');
  return `${pattern.verbs.join(', ')} \`${path}\``;
}

/** `within`: the records around this one, because a record may contain itself. */
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
  const why = elsewhere?.verbs.join() === v3.verbs.join() ? 'that does not exist' : 'V3 does not take that';
  const other = elsewhere ? `; where ${why}, ${pathOf(elsewhere)}` : '';
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
    ['Evidence', evidenceText(method.evidence)],
    ...(ids.length > 0 ? [['Identifiers', ids.map((name) => `\`${name}\``).join(', ')]] : []),
    ['Source', method.source],
    ...assumedRow([...method.assumed, ...(method.v2?.way === 'steps' ? method.v2.assumed : [])]),
  ];
  return page(method, rows);
}

const evidenceText = (evidence: RouteEvidence): string =>
  (['v3', 'v2'] as const)
    .flatMap((version) => {
      const kind = evidence[version];
      const day = evidence.verified[version];
      return kind === undefined
        ? []
        : [`${version.toUpperCase()} ${kind}${day === undefined ? '' : ` ${day}`}`];
    })
    .join(', ');

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
    `## ${id}`,
    '',
    `${summary}.`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, text]) => `| ${name ?? ''} | ${text ?? ''} |`),
  ].join('\n');
}

const familyOf = ({ id }: { readonly id: string }): string => id.slice(0, id.indexOf('.'));

const isOf =
  (family: string) =>
  (method: { readonly id: string }): boolean =>
    familyOf(method) === family;

const families = [...new Set([...methods, ...local].map(familyOf))];

/** A family that only the bridge answers has its sections in the list of all methods. */
const withPage = families.filter((family) => methods.some(isOf(family)));

/** One line of a list of methods; `page`: the page with its section. */
function lineOf(method: Method | LocalMethod, page: string): string {
  const legacy = 'v3' in method ? method.legacy : [method.legacy];
  const link = `[${method.id}](${page}#${method.id.replaceAll('.', '')})`;
  return `| ${link} | ${legacy.map(pathOf).join('; ')} | ${method.summary} | ${gradeOf(method)} | ${'v3' in method ? evidenceText(method.evidence) : '–'} |`;
}

function gradeOf(method: Method | LocalMethod): string {
  if (!('v3' in method)) return 'local';
  return method.v2?.way === 'steps' ? method.v2.grade : '–';
}

const LIST = ['| Method | Legacy call | | V2 | Evidence |', '|---|---|---|---|---|'];

const written = (lines: readonly string[]): string => `${lines.join('\n').trimEnd()}\n`;

/** The page in the form in which the list of all methods links to it. */
const pageOf = (family: string): string => (withPage.includes(family) ? `methods/${family}.md` : '');

/** The list of all methods. */
export const methodsDocument: Generator = {
  path: 'docs/reference/methods.md',
  write: () =>
    written([
      '# Methods',
      '',
      GENERATED,
      '',
      'Every legacy method with a row in the mapping. The page of its family says where its calls go, what happens to them',
      'on the way, and what V2 loses. A method without a row (`<family>.api/<method>`) is served by the generic rule: the',
      'same verb, path and XML on V3, with only the identifiers renamed and translated.',
      '',
      '**V2** is how well it carries the method: A whole, B with small losses, C with losses; – means not at all, local that the',
      'bridge answers by itself.',
      '',
      '**Evidence** is what the calls rest on: *specified* by the specification; *observed* in real traffic or on the pages of',
      'the service; *assumed*, because nobody has seen it yet. The weakest part counts. A write that is assumed on V2 is routed',
      'there with `causeway route set … --accept-assumed` only.',
      '',
      ...families.flatMap((family) => [
        withPage.includes(family) ? `## [${family}](${pageOf(family)})` : `## ${family}`,
        '',
        ...LIST,
        ...[...methods, ...local].filter(isOf(family)).map((method) => lineOf(method, pageOf(family))),
        '',
      ]),
      ...local
        .filter((method) => !withPage.includes(familyOf(method)))
        .flatMap((method) => [localSection(method), '']),
    ]),
};

const familyDocument = (family: string): Generator => ({
  path: `docs/reference/methods/${family}.md`,
  write: () =>
    written([
      `# ${family}`,
      '',
      GENERATED,
      '',
      `The methods that \`${family}.*\` names. [All methods](../methods.md)`,
      '',
      '**Lost on V2**: what an answer of V2 lacks or has otherwise. **Goes to V3**: calls that V3 answers although the method',
      'is routed to V2, because V2 would answer differently or would lose part of what is written. If the account has no V3,',
      'V2 answers reads without the missing part, and `CAUSEWAY_LOSSY_WRITES` decides whether writes are refused or sent',
      'without it.',
      '',
      ...LIST,
      ...[...methods, ...local].filter(isOf(family)).map((method) => lineOf(method, '')),
      '',
      ...methods.filter(isOf(family)).flatMap((method) => [section(method), '']),
      ...local.filter(isOf(family)).flatMap((method) => [localSection(method), '']),
    ]),
});

/** One page per family, with the sections of its methods. */
export const familyDocuments: readonly Generator[] = withPage.map(familyDocument);
