/**
 * One file of a TypeScript client: the methods of one family (`client`), with the records that they take and
 * return.
 *
 * The part for readers comes first: the types, each element with its content and its place on V2. Then follow
 * the rows from which the runtime works, and a function for each method.
 */
import { counted } from '../../lib/text/counted.ts';
import { evidenceText } from '../../mapping/evidence.ts';
import { TEXT_NUMBER, type Method, type RecordRow, type RecordTable } from '../../mapping/compile/model.ts';
import { tablesIn as lookupsIn, writtenPath } from '../../mapping/compile/path.ts';
import type { FormatName } from '../../mapping/formats.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { recordTablesIn } from '../../mapping/compile/reply-tables.ts';
import type { ClientMethod, ClientPlan } from './client-model.ts';
import { methodOf, RecordNames, rowsOf } from './tables.ts';
import { comment, literal, lossWords, propertyName } from './wording.ts';

/** The contents of elements in words, by format. */
const formatWords: Readonly<Partial<Record<FormatName, string>>> = {
  yesNo: '`Yes` or `No`',
  trueFalse: '`true` or `false`',
  isSet: '`true` or `false`',
  isDone: '`true` or `false`',
  date: 'a date, `2026-11-25T00:00:00`',
  plainDate: 'a date, `2026-11-25`',
  compactDate: 'a date, `20261125`',
  utcDateTime: 'UTC, `2026-11-25T10:20:30`',
  timeOfDay: '`10:20`',
  money: 'an amount with two places',
  difference: 'an amount with two places',
  product: 'an amount with two places',
  lineTax: 'an amount with two places',
  lineTotal: 'an amount with two places',
  decimal: 'a number',
  fraction: 'a number with two places',
  integer: 'a whole number',
  whole: 'a whole number',
  minutes: 'whole minutes',
  maskedTail: 'masked but for its end',
  documentLink: 'the address of a file',
};

/** Names that the file itself uses. */
const TAKEN: ReadonlySet<string> = new Set(['How', 'Make', 'Method', 'Promise', 'Record', 'Records']);

/** The part of a method's name before the first dot. */
export const familyOf = (id: string): string => id.slice(0, id.indexOf('.'));

/** The type of a record: requests and replies differ in which elements may be omitted. */
type Role = 'reply' | 'request';

class Family {
  readonly #names = new RecordNames();
  readonly #methods: readonly ClientMethod[];
  readonly #plan: ClientPlan;
  readonly #replies: readonly RecordTable[];
  readonly #requests: readonly RecordTable[];

  constructor(methods: readonly ClientMethod[], plan: ClientPlan) {
    this.#methods = methods;
    this.#plan = plan;
    const all = methods.map(({ method }) => method);
    this.#replies = recordTablesIn(all.flatMap(({ reply }) => ('of' in reply ? [reply.of] : [])));
    this.#requests = recordTablesIn(all.flatMap(({ body }) => (body ? [body.of] : [])));
    for (const table of [...this.#replies, ...this.#requests]) this.#names.of(table);
  }

  text(name: string): string {
    return [
      `import type { How, Make } from '../runtime/client.ts';\nimport type { Method, Records } from '../shared/proof/client/client-tables.ts';\n\n`,
      ...this.#replies.map((table) => this.#type(table, 'reply')),
      ...this.#requests.map((table) => this.#type(table, 'request')),
      this.#records(),
      this.#rows(),
      this.#functions(name),
    ].join('');
  }

  #typeName(table: RecordTable, role: Role): string {
    const name = this.#names.of(table);
    const isBoth = role === 'request' && this.#replies.includes(table);
    return isBoth || TAKEN.has(name) ? `${name}${isBoth ? 'Sent' : 'Record'}` : name;
  }

  #type(table: RecordTable, role: Role): string {
    const rows = table.rows.map((row) => this.#element(row, role));
    return `export type ${this.#typeName(table, role)} = {\n${rows.join('')}};\n\n`;
  }

  #element(row: RecordRow, role: Role): string {
    const mark = (role === 'reply' ? isAlwaysThere(row) : row.isRequired) ? '' : '?';
    const text = comment([elementWords(row, role)], 2);
    return `${text}  readonly ${propertyName(row.element)}${mark}: ${this.#held(row, role)};\n`;
  }

  #held(row: RecordRow, role: Role): string {
    if (row.holds === 'value') return 'string';
    const name = this.#typeName(row.of, role);
    return row.holds === 'one' ? name : `readonly ${name}[]`;
  }

  #records(): string {
    const tables = new Set([...this.#replies, ...this.#requests]);
    const rows = Object.fromEntries(
      Array.from(tables, (table) => [this.#names.of(table), rowsOf(table, this.#names)]),
    );
    return `const records: Records = ${literal(rows)};\n\n`;
  }

  #rows(): string {
    const rows = this.#methods.map(({ method }) => {
      const row = literal(methodOf(method, this.#names, this.#plan), 2);
      return `  ${propertyName(method.id)}: ${row.replace(/\s*\}$/, '')}${row.includes('\n') ? '\n    records,\n  }' : ', records }'},\n`;
    });
    return `/** The rows of the mapping. */\nexport const methods = {\n${rows.join('')}} satisfies Record<string, Method>;\n\n`;
  }

  #functions(name: string): string {
    const tree = treeOf(this.#methods);
    const text = comment([`The methods of \`${name}\`.`], 0);
    return `${text}export const ${familyVariable(name)} = (make: Make) => (${this.#group(tree, 0)});\n`;
  }

  #group(tree: Tree, indent: number): string {
    const space = ' '.repeat(indent + 2);
    const parts = Array.from(tree, ([name, one]) =>
      one instanceof Map
        ? `${space}${propertyName(name)}: ${this.#group(one, indent + 2)},\n`
        : `${comment(methodWords(one), indent + 2)}${space}${propertyName(name)}: ${this.#function(one.method, indent + 4)},\n`,
    );
    return `{\n${parts.join('')}${' '.repeat(indent)}}`;
  }

  #function(method: Method, indent: number): string {
    const { id, body, reply, query } = method;
    const kinds = kindsIn(method);
    const taken = [
      ...kinds.map((kind) => `${parameterName(kind)}: string`),
      ...(body ? [`record: ${this.#typeName(body.of, 'request')}`] : []),
      ...(query.size > 0 ? [queryParameter(method)] : []),
      'how?: How',
    ];
    const parts = [
      ...(kinds.length > 0
        ? [`path: { ${kinds.map((kind) => `${propertyName(kind)}: ${parameterName(kind)}`).join(', ')} }`]
        : []),
      ...(query.size > 0 ? ['query'] : []),
      ...(body ? ['body: record'] : []),
    ];
    const input = parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
    const given = 'of' in reply ? this.#typeName(reply.of, 'reply') : reply.form === 'id' ? 'string' : 'void';
    const type = reply.form === 'list' ? `readonly ${given}[]` : given;
    return `(${taken.join(', ')}) =>\n${' '.repeat(indent)}make(methods[${literal(id)}], ${input}, how) as Promise<${type}>`;
  }
}

/** Generates the file of a family. */
export const familyText = (name: string, methods: readonly ClientMethod[], plan: ClientPlan): string =>
  new Family(methods, plan).text(name);

/** A name that is never a reserved word. */
export const familyVariable = (name: string): string => `${name.replaceAll(/\W/g, '_')}Methods`;

/** Methods by the parts of their names after the first. */
export type Tree = Map<string, ClientMethod | Tree>;

/** Arranges methods by the parts of their names. */
export function treeOf(methods: readonly ClientMethod[]): Tree {
  const tree: Tree = new Map();
  for (const one of methods) {
    const names = one.method.id.split('.').slice(1);
    const last = names.pop() ?? '';
    let group = tree;
    for (const name of names) {
      const inner = group.get(name);
      const next: Tree =
        inner === undefined || 'method' in inner ? new Map<string, ClientMethod | Tree>() : inner;
      group.set(name, next);
      group = next;
    }
    group.set(last, one);
  }
  return tree;
}

/** The placeholders of the legacy call, in order. */
export const kindsIn = ({ legacy: [pattern] }: Method): readonly Kind[] =>
  (pattern?.segments ?? []).flatMap((segment) => ('kind' in segment ? [segment.kind] : []));

/** The parameter name of a placeholder. */
export const parameterName = (kind: Kind): string => (kind === TEXT_NUMBER ? 'number' : `${kind}UUID`);

function queryParameter({ query, requires }: Method): string {
  const parts = Array.from(
    query.keys(),
    (name) => `readonly ${propertyName(name)}${requires.includes(name) ? '' : '?'}: string`,
  );
  return `query: { ${parts.join('; ')} }${requires.length === 0 ? ' = {}' : ''}`;
}

/** Whether every reply has the element. */
export function isAlwaysThere(row: RecordRow): boolean {
  if (row.holds === 'list') return row.unset === 'empty' && row.v2?.detailedOnly !== true;
  const isDear = (row.v2?.paths ?? []).some((path) => lookupsIn(path).length > 0);
  return row.holds === 'value' && row.unset === 'empty' && !(isDear && row.format === 'text');
}

function elementWords(row: RecordRow, role: Role): string {
  const held = row.holds === 'value' ? valueWords(row) : [];
  const names = row.v3 === row.element ? [] : [`${row.v3} on V3`];
  return [...held, ...names, ...placeWords(row, role)].join('; ');
}

/** The place of the element on V2. Without one in a request, it may be part of an address. */
function placeWords({ v2 }: RecordRow, role: Role): readonly string[] {
  const paths = v2?.lost === undefined ? (v2?.paths ?? []) : [];
  const between = v2?.take === 'all' ? '`, `' : '` or `';
  if (paths.length > 0) return [`V2: \`${paths.map(writtenPath).join(between)}\``];
  if (role === 'request' || v2?.absent !== undefined) return [];
  return [v2?.lost === undefined ? 'not on V2' : `not on V2 (${v2.lost})`];
}

/** Describes a value in words. */
export function valueWords(row: RecordRow & { readonly holds: 'value' }): readonly string[] {
  if (row.kind !== undefined) return [`a UUID (${row.kind})`];
  const words = formatWords[row.format];
  return words === undefined ? [] : [words];
}

function methodWords({ method, calls, missed }: ClientMethod): readonly string[] {
  const { v2, evidence } = method;
  return [
    `${method.summary}.`,
    `Legacy: \`${method.legacy.map((call) => `${call.verbs.join('|')} ${patternOf(call)}`).join('; ')}\`. V3: ${evidenceText(evidence, 'v3') ?? ''}. V2: ${evidenceText(evidence, 'v2') ?? 'none'}.`,
    ...(v2?.way === 'none' ? [`Not on V2: ${v2.why}`] : []),
    ...lossWords(method).map((text) => `On V2: ${text}`),
    ...missed.map((text) => `This account: ${text}`),
    ...(calls === undefined ? [] : [`Counted: ${counted(calls, 'call')}.`]),
  ];
}

/** `client.api/get/{client}` */
export const patternOf = ({ segments }: Method['legacy'][number]): string =>
  segments.map((segment) => ('literal' in segment ? segment.literal : `{${segment.kind}}`)).join('/');
