/**
 * Compiles the V2 half of a mapping: the tables of `v2.yaml`, the V2 keys of rows, and the steps of a method.
 *
 * Paths and templates are parsed here once, so that no call parses them, and every reference in them is
 * checked (v2-scope.ts, v2-checks.ts). Faults go to `blame` and compiling continues, so that all are found at
 * once; a result with a fault must not be served.
 */
import type { Path } from '../path.ts';
import type { RowTranslation } from '../records.ts';
import type { RowSource } from '../schema.ts';
import { looksUp, type Template } from '../generic/template.ts';
import { checkBody, checkRow, checkStep, checkTables, checkV2Row, checkWhere } from './v2-checks.ts';
import type { Fixed, Lookup, StepBody, V2Step, V2Tables, V2Row, Where } from './v2-model.ts';
import { compileToV3 } from './to-v3.ts';
import { checked, kindIn, pathOf, type At, type Blame, type RowScope } from './v2-scope.ts';
import type { LookupSource, V2FileSource } from './v2-file-schema.ts';
import type { StepSource, V2RowSource, WhereSource } from './v2-schema.ts';

/** Parses a template; `key`: the place of its text below the step. */
type ReadTemplate = (text: string, ...key: readonly string[]) => Template;
type BeforeSource = NonNullable<StepSource['before']>;

/** Half of an account's calls per minute. */
const MOST_RECORDS = 30;

const segmentsOf = (path: string): string[] => path.split('/').slice(2);

/** For a mapping without `v2.yaml`: nothing is translated. */
export const noTables: V2Tables = { keepSeconds: 60, defaults: new Map(), lookups: new Map(), assumed: [] };

/** Compiles `v2.yaml`; faults go to `blame`. */
export function compileTables(source: V2FileSource, blame: Blame): V2Tables {
  const tables: V2Tables = {
    keepSeconds: source.keepSeconds,
    defaults: new Map(Object.entries(source.defaults)),
    lookups: new Map(Object.entries(source.lookups).map(([name, row]) => [name, lookupOf(name, row)])),
    assumed: source.assumed ?? [],
  };
  checkTables(tables, blame);
  return tables;
}

const madeIn = ({ made }: { readonly made?: string | undefined }): Path | undefined =>
  made === undefined ? undefined : pathOf(made);

function lookupOf(name: string, row: LookupSource): Lookup {
  if ('within' in row) return { form: 'within', name, path: pathOf(row.within), key: row.key ?? 'uuid' };
  if ('kept' in row) return { form: 'kept', name, kind: row.kept, made: madeIn(row) };
  if ('record' in row) {
    const {
      record,
      keep = [],
      called = {},
      most = MOST_RECORDS,
      stays = false,
      query = {},
      names = {},
    } = row;
    return {
      form: 'record',
      name,
      segments: segmentsOf(record),
      query: Object.entries(query),
      keep,
      called,
      most,
      stays,
      names: new Map(Object.entries(names).map(([list, paths]) => [list, [paths].flat().map(pathOf)])),
    };
  }
  const query = Object.entries(row.query ?? {});
  return {
    form: 'list',
    name,
    segments: segmentsOf(row.list),
    queries: (row.passes ?? [{}]).map((pass) => [...query, ...Object.entries(pass)]),
    at: row.at === undefined ? undefined : pathOf(row.at),
    key: row.key ?? 'uuid',
    keep: row.keep,
    called: row.called ?? {},
    unknown: row.unknown,
    stays: row.stays ?? false,
    families: row.families ?? [],
  };
}

/** The V2 keys of a row; undefined if it says nothing about V2. */
export function compileRowTranslation(
  row: RowSource,
  tables: V2Tables,
  at: At,
  blame: Blame,
): RowTranslation | undefined {
  const { v2, via, values, if: conditions, misfit, needed, absent, only, filled, empty, lost, anyway } = row;
  const said = [v2, via, values, conditions, misfit, needed, absent, only, filled, empty, lost, anyway];
  if (said.every((key) => key === undefined)) return undefined;
  const texts = v2 === undefined ? [] : typeof v2 === 'string' ? [v2] : Array.isArray(v2) ? v2 : v2.all;
  const paths = texts.map(pathOf);
  const [table = '', field = ''] = via?.split('.') ?? [];
  const way: RowTranslation = {
    paths,
    take: typeof v2 === 'object' && !Array.isArray(v2) ? 'all' : 'first',
    via: via === undefined ? undefined : { table, field },
    toV2: new Map(Object.entries(values ?? {}).map(([legacy, word]) => [legacy.toLowerCase(), word])),
    fromV2: new Map(Object.entries(values ?? {}).map(([legacy, word]) => [word.toLowerCase(), legacy])),
    conditions: Object.entries(conditions ?? {}).map(([path, is]) => ({
      path: pathOf(path),
      is: [is].flat().map((word) => word.toLowerCase()),
    })),
    misfit: misfit === undefined ? undefined : wordsIn(misfit),
    needed: needed === true ? [] : needed,
    absent,
    detailedOnly: only === 'detailed',
    filled: filled === true,
    empty,
    lost,
    anyway: anyway?.toLowerCase(),
  };
  checkRow(row, way, tables, (rule) => {
    blame([...at, 'v2'], rule);
  });
  return way;
}

/** Splits a text with paths in braces. */
const wordsIn = (text: string): readonly (string | Path)[] =>
  text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? pathOf(part.slice(1, -1)) : part));

/** The V2 half of a method: steps, reply, and which parts of the request they use. Faults go to `outer.blame`. */
export function compileV2Row(source: V2RowSource, outer: Omit<RowScope, 'uses'>): V2Row {
  const scope: RowScope = { ...outer, uses: new Set() };
  const names = new Set<string>();
  const steps = source.steps.map((step, index) => {
    const compiled = compileStep(step, { ...scope, at: [...scope.at, 'steps', index] }, names);
    if (step.name !== undefined) names.add(step.name);
    return compiled;
  });
  checkV2Row(source, scope);
  const from = source.reply?.from;
  const last = steps.at(-1);
  const found = from === undefined ? last : steps.find(({ name }) => name === from);
  if (found === undefined)
    scope.blame([...scope.at, 'reply', 'from'], `there is no step named ${from ?? ''}`);
  const chosen = found ?? last;
  if (chosen === undefined) throw new TypeError('a path has at least one step: the schema says so');
  const where = (source.reply?.where ?? []).map((row, index) =>
    compileWhere(row, { ...scope, at: [...scope.at, 'reply', 'where', index] }, names),
  );
  const cut = source.reply?.page;
  const page = cut && {
    number: checked(cut.number, { ...scope, at: [...scope.at, 'reply', 'page'] }, names, false, 'number'),
    size: cut.size,
  };
  const isWrite = steps.some(({ verb }) => verb !== 'GET');
  return {
    way: 'steps',
    grade: source.grade,
    requires: source.requires ?? [],
    loss: source.loss ?? [],
    toV3: (source.toV3 ?? []).map((row) => compileToV3(row, scope, isWrite)),
    costly: new Set(
      [...scope.tables.lookups.values()].flatMap(({ form, name }) => (form === 'record' ? [name] : [])),
    ),
    lookups: new Set(source.lookups),
    single: source.single,
    steps,
    reply: { from: chosen, at: pathOf(source.reply?.at ?? '.'), where, page },
    uses: scope.uses,
    isDated: /\{today|"(?:from|to)":"[^"]*\|date\}"/.test(JSON.stringify(source)),
    assumed: source.assumed ?? [],
  };
}

function compileStep(
  source: StepSource | BeforeSource,
  scope: RowScope,
  known: ReadonlySet<string>,
  within = false,
): V2Step {
  const [verb = 'GET', way = ''] = (source.call ?? 'GET /v2').split(' ');
  checkStep(source, verb, scope, known);
  const item = within || source.each !== undefined;
  const before =
    'before' in source && source.before !== undefined
      ? compileStep(source.before, { ...scope, at: [...scope.at, 'before'] }, known, item)
      : undefined;
  const names = before?.name === undefined ? known : new Set([...known, before.name]);
  const read: ReadTemplate = (text, ...key) => checked(text, scope, names, item, ...key);
  const queryOf = (query: Readonly<Record<string, string>> | undefined, key: string) =>
    Object.entries(query ?? {}).map(([name, text]) => [name, read(text, key, name)] as const);
  const segments = segmentsOf(way).map((segment) => read(segment, 'call'));
  const query = queryOf(source.query, 'query');
  const detailed = queryOf(source.detailed, 'detailed');
  const passes = (source.passes ?? [{}]).map((pass) => queryOf(pass, 'passes'));
  return {
    name: source.name,
    among: source.among === undefined ? undefined : read(source.among, 'among'),
    verb,
    segments,
    query,
    detailed,
    passes,
    looksUp: segments.some(looksUp) || [query, detailed, ...passes].flat().some(([, text]) => looksUp(text)),
    pages:
      source.pages ??
      (source.find !== undefined && source.within === undefined && source.among === undefined),
    find:
      source.find &&
      Object.entries(source.find).map(([path, text]) => ({ path: pathOf(path), is: read(text, 'find') })),
    within: source.within === undefined ? undefined : pathOf(source.within),
    body: source.body && compileBody(source.body, verb, scope, read),
    when: source.when === undefined ? undefined : conditionOf(source.when, read),
    each: source.each === undefined ? undefined : checked(source.each, scope, names, false, 'each'),
    mayMiss: source.mayMiss ?? false,
    before,
    missing: source.missing,
    kind: kindIn(segments, scope),
    says: source.says,
  };
}

const conditionOf = (when: NonNullable<StepSource['when']>, read: ReadTemplate): V2Step['when'] =>
  typeof when === 'string'
    ? { value: read(when, 'when'), is: undefined }
    : { value: read(when.value, 'when'), is: read(when.is, 'when') };

function compileBody(
  source: NonNullable<StepSource['body']>,
  verb: string,
  scope: RowScope,
  read: ReadTemplate,
): StepBody {
  const values = (given: Readonly<Record<string, unknown>> | undefined, key: string) =>
    Object.entries(given ?? {}).map(
      ([path, value]) => [pathOf(path), fixed(value, (text) => read(text, 'body', key, path))] as const,
    );
  const entry = (given: Readonly<Record<string, string | number>> | undefined) =>
    given &&
    Object.entries(given).map(
      ([key, value]) => [key, typeof value === 'string' ? read(value, 'body') : value] as const,
    );
  const of =
    source.of === undefined
      ? scope.body
      : source.of === 'none'
        ? undefined
        : scope.table(source.of, [...scope.at, 'body', 'of']);
  const body: StepBody = {
    of,
    at: pathOf(source.at ?? '.'),
    set: values(source.set, 'set'),
    defaults: values(source.defaults, 'defaults'),
    keep: Object.entries(source.keep ?? {}).map(
      ([path, text]) => [pathOf(path), read(text, 'body', 'keep', path)] as const,
    ),
    lists: Object.entries(source.lists ?? {}).map(([path, list]) => ({
      at: pathOf(path),
      of: read(list.of, 'body', 'lists', path),
      take: list.take,
      with: entry(list.with),
      without: entry(list.without),
    })),
    form: source.form ?? 'json',
    empty: source.empty ?? (verb === 'PUT' ? 'null' : 'omit'),
  };
  checkBody(body, source, verb, scope);
  return body;
}

/** A string is a template, a list of strings is several; any other value is taken literally. */
function fixed(value: unknown, read: (text: string) => Template): Fixed {
  if (typeof value === 'string') return { templates: [read(value)] };
  if (Array.isArray(value)) return { templates: (value as readonly string[]).map(read) };
  return { value: value as number | boolean | null };
}

function compileWhere(source: WhereSource, scope: RowScope, names: ReadonlySet<string>): Where {
  const read = (text: string): Template => checked(text, scope, names, false, 'where');
  const some = (texts: string | readonly string[] | undefined): readonly Template[] | undefined =>
    texts === undefined ? undefined : [texts].flat().map(read);
  const paths = (typeof source.path === 'string' ? [source.path] : source.path.all).map(pathOf);
  checkWhere(source, paths, scope);
  const optional = (text: string | undefined): Template | undefined =>
    text === undefined ? undefined : read(text);
  return {
    paths,
    format: source.as,
    of: source.of === undefined ? undefined : pathOf(source.of),
    is: some(source.is),
    not: some(source.not),
    from: optional(source.from),
    to: optional(source.to),
    contains: optional(source.contains),
  };
}
