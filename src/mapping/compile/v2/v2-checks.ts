/**
 * Rules for the V2 half of a mapping that no schema can express: keys that contradict each other, or could
 * never have an effect.
 *
 * Each check lists its rules as pairs of a condition and a sentence. Faults are reported to `blame` instead
 * of thrown, so that one start names all of them, with file and line
 * (docs/decisions/calls/0007-translation-as-data.md).
 */
import { formatOf } from '../../formats.ts';
import type { Path } from '../path.ts';
import type { RecordRow, RecordTable, RowTranslation } from '../records.ts';
import type { RowSource } from '../schema.ts';
import type { Lookup, StepBody, V2Tables } from './v2-model.ts';
import { isInRequest, isWord, pathOf, tableFault, pathFault, type Blame, type RowScope } from './v2-scope.ts';
import type { StepSource, V2RowSource, WhereSource } from './v2-schema.ts';

type Step = StepSource | NonNullable<StepSource['before']>;
type BodySource = NonNullable<StepSource['body']>;

/** `wrong`: whether `rule` is broken. */
type Rule = readonly [wrong: boolean, rule: string];

const broken = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(([wrong, rule]) => (wrong ? [rule] : []));

const isSaid = (value: unknown): boolean => value !== undefined;

/** Checks the look-up tables of `v2.yaml`, which may refer to each other. */
export function checkTables(tables: V2Tables, blame: Blame): void {
  for (const [name, lookup] of tables.lookups) {
    const at = ['lookups', name];
    if (lookup.form === 'within') {
      const fault = pathFault(lookup.path, tables);
      if (fault !== undefined) blame(at, fault);
    } else if (lookup.form !== 'kept') {
      if (!lookup.segments.every(isSegment)) blame(at, 'the address is not one');
      checkFields(lookup, tables, (key, rule) => {
        blame([...at, key], rule);
      });
    }
  }
}

/** Checks a table that reads records: alternative field names, and the lists whose entries a record names. */
function checkFields(
  lookup: Lookup & { readonly form: 'list' | 'record' },
  tables: V2Tables,
  blame: (key: string, rule: string) => void,
): void {
  for (const field of Object.keys(lookup.called))
    if (!lookup.keep.includes(field)) blame('called', `${field} is not kept`);
  if (lookup.form === 'list') return;
  for (const list of lookup.names.keys())
    if (!isStaying(tables.lookups.get(list))) blame('names', `${list} is no list with stays: true`);
}

const isStaying = (lookup: Lookup | undefined): boolean => lookup?.form === 'list' && lookup.stays;

/** Checks one row of a record for rules that combine several keys, which the schema cannot express. */
export function checkRow(
  row: RowSource,
  way: RowTranslation,
  tables: V2Tables,
  blame: (rule: string) => void,
): void {
  const { via, values, misfit, needed, filled, empty, absent, lost, v2 } = row;
  const ways = [...way.paths, ...way.conditions.map(({ path }) => path)];
  for (const fault of ways.flatMap((path) => pathFault(path, tables) ?? [])) blame(fault);
  const isRecord = [row.one, row.list, row.many].some(isSaid);
  const words = (way.misfit ?? []).filter((part) => typeof part !== 'string');
  const rules: readonly Rule[] = [
    [isSaid(v2) && isSaid(lost), 'what has a place is not lost'],
    [isSaid(row.anyway) && !isSaid(lost), 'anyway goes with lost'],
    [
      !isSaid(v2) && [via, values, needed, filled, empty].some(isSaid),
      'via, values, needed, filled and empty go with v2',
    ],
    [isSaid(filled) && isSaid(empty), 'what must be filled is never empty'],
    [!isSaid(v2) && !isSaid(lost) && isSaid(row.if), 'if goes with v2 or lost'],
    [
      isRecord && [via, values, needed, filled, empty, absent].some(isSaid),
      'via, values, needed, filled, empty and absent belong to a value',
    ],
    [isRecord && way.take === 'all', 'all belongs to a value'],
    [isSaid(via) && isSaid(row.id), 'an identifier needs no via'],
    [isSaid(misfit) && !isSaid(row.if), 'misfit goes with if'],
    [words.some((path) => path.length === 0), 'misfit: what stands in braces is not a path'],
  ];
  for (const rule of broken(rules)) blame(rule);
  if (way.via !== undefined) checkVia(way.via, tables, blame);
}

function checkVia(
  { table, field }: NonNullable<RowTranslation['via']>,
  tables: V2Tables,
  blame: (rule: string) => void,
): void {
  const fault = tableFault(table, field, tables);
  if (fault !== undefined) blame(fault);
  if (tables.lookups.get(table)?.form === 'record') blame(`${table} is no list that could be looked through`);
}

/** Checks the `v2` part of a method: its look-ups, its required parameters and the place of its reply. */
export function checkV2Row(source: V2RowSource, scope: RowScope): void {
  const { blame, at, tables, query, reply: shape } = scope;
  for (const table of source.lookups ?? [])
    if (tables.lookups.get(table)?.form !== 'record')
      blame([...at, 'lookups'], `${table} is no look-up table that costs a call for each record`);
  for (const parameter of source.requires ?? [])
    if (![...query.values()].includes(parameter))
      blame([...at, 'requires'], `${parameter} is not a parameter`);
  const single = tables.lookups.get(source.single ?? '');
  const isTold = single?.form === 'record' && single.names.size > 0;
  const { where, page, at: place } = source.reply ?? {};
  const fault = pathFault(pathOf(place ?? '.'), tables);
  const rules: readonly Rule[] = [
    [isSaid(where) && shape.form !== 'list', 'where belongs to a list'],
    [
      isSaid(source.single) && !isTold,
      `single: ${source.single ?? ''} is no table of records that has names`,
    ],
    [isSaid(source.single) && shape.form !== 'list', 'single belongs to a list'],
    [isSaid(page) && !shape.counted, 'page belongs to a list with a total'],
    [isSaid(place) && shape.form === 'status', 'a reply that is a status is at no place'],
  ];
  for (const rule of [...broken(rules), ...(fault === undefined ? [] : [fault])])
    blame([...at, 'reply'], rule);
}

/** Checks a condition on records. */
export function checkWhere(
  source: WhereSource,
  paths: readonly Path[],
  { tables, blame, at }: RowScope,
): void {
  for (const path of [...paths, pathOf(source.of ?? '.')]) {
    const fault = pathFault(path, tables);
    if (fault !== undefined) blame(at, fault);
  }
  const { is, not, from, to, contains } = source;
  if (![is, not, from, to, contains].some(isSaid))
    blame(at, 'a condition says is, not, from, to or contains');
}

/** Checks one request to V2. `known`: names of earlier steps, the only ones it may refer to. */
export function checkStep(source: Step, verb: string, scope: RowScope, known: ReadonlySet<string>): void {
  const { call, among, find, within, passes, name } = source;
  const isList = source.pages === true || (isSaid(find) && !isSaid(within));
  const rules: readonly Rule[] = [
    [isSaid(call) === isSaid(among), 'a step has a call, or looks among what is there'],
    [name !== undefined && known.has(name), `there is a step named ${name ?? ''} already`],
    [
      name !== undefined && (scope.kinds.has(name) || isWord(name)),
      `${name ?? ''} means something else in templates`,
    ],
    [isSaid(call) && !segmentsIn(call ?? '').every(isSegment), 'call: the address is not one'],
    [verb !== 'GET' && [find, within, passes].some(isSaid), 'find, within and passes go with GET'],
    [verb !== 'GET' && source.pages === true, 'pages go with GET'],
    [isSaid(within) && !isSaid(find), 'within goes with find'],
    [isSaid(within) && source.pages === true, 'a list within a record comes in no pages'],
    [isSaid(passes) && !isList, 'passes go with pages or find'],
    [isSaid(source.detailed) && !scope.query.has('detailed'), 'detailed: the call has no such parameter'],
    [isSaid(source.body) && !['POST', 'PUT'].includes(verb), 'a body goes with POST or PUT'],
  ];
  for (const rule of broken(rules)) scope.blame(scope.at, rule);
  if (isSaid(among)) checkAmong(source, scope);
  for (const path of [...Object.keys(find ?? {}), within ?? '.'].map(pathOf)) {
    const fault = pathFault(path, scope.tables);
    if (fault !== undefined) scope.blame([...scope.at, 'find'], fault);
  }
}

function checkAmong({ find, query, detailed, passes, pages, within }: Step, { blame, at }: RowScope): void {
  if (!isSaid(find)) blame([...at, 'among'], 'among goes with find');
  if ([query, detailed, passes, pages, within].some(isSaid))
    blame([...at, 'among'], 'nobody is asked: among goes with find alone');
}

/** Checks the JSON or form that a step sends. */
export function checkBody(body: StepBody, source: BodySource, verb: string, scope: RowScope): void {
  const blame = (rule: string): void => {
    scope.blame([...scope.at, 'body'], rule);
  };
  const places = [...body.set, ...body.defaults, ...body.keep, ...body.lists.map(({ at }) => [at] as const)];
  const keys = new Set((body.of?.rows ?? []).flatMap(({ v2 }) => keyOf(v2?.paths[0]) ?? []));
  const rules: readonly Rule[] = [
    [!isSaid(scope.body) && source.of !== 'none', 'the call has no body: of: none'],
    [isSaid(source.at) && !isInRequest(body.at, scope.body), 'at: no such element in the request'],
    [
      body.form === 'multipart' && !(keys.has('file') && keys.has('fileName')),
      'a form needs a row for file and one for fileName',
    ],
    [body.keep.some(([path]) => !keys.has(keyOf(path) ?? '')), 'keep: the request has nothing to say of it'],
    [
      !places.every(([path]) => isWritable(path, true)),
      'set, defaults, keep and lists: nothing can be put there',
    ],
  ];
  for (const rule of broken(rules)) blame(rule);
  if (body.of !== undefined && ['POST', 'PUT'].includes(verb)) checkRequest(body.of, scope, new Set());
}

const keyOf = (path: Path | undefined): string | undefined =>
  path?.[0]?.step === 'key' ? path[0].name : undefined;

/** Reports values that could never be written or would always be refused: they would be lost silently. */
function checkRequest(table: RecordTable, scope: RowScope, seen: Set<RecordTable>): void {
  if (seen.has(table)) return;
  seen.add(table);
  for (const row of table.rows) {
    const fault = requestFault(row);
    if (fault !== undefined) scope.blame(['records', table.name, row.element], fault);
    if (row.holds !== 'value') checkRequest(row.of, scope, seen);
  }
}

function requestFault(row: RecordRow): string | undefined {
  const { v2: way } = row;
  if (way === undefined || way.paths.length === 0) return undefined;
  const paths = way.take === 'all' ? way.paths : way.paths.slice(0, 1);
  if (!paths.every((path) => isWritable(path)))
    return 'nothing can be put there: a request needs a plain path';
  if (row.holds !== 'value' || row.kind !== undefined || way.via !== undefined) return undefined;
  return formatOf(row.format).toV2 === undefined ? `the format ${row.format} is for replies only` : undefined;
}

/** Follows how `putAt` creates missing places; `spreads`: `[]` means every existing entry. */
const isWritable = (path: Path, spreads = false): boolean =>
  path.every(
    (step, index) =>
      step.step === 'key' ||
      step.step === 'place' ||
      (spreads && step.step === 'each') ||
      (step.step === 'which' && step.is && index + 1 < path.length),
  );

const segmentsIn = (call: string): readonly string[] => (call.split(' ')[1] ?? '').split('/').slice(2);

/** Neither empty nor a step upwards, and without characters that end a path. */
const isSegment = (segment: string): boolean =>
  segment !== '' && !/^\.{1,2}$/.test(segment) && !/[?#%\\]/.test(segment);
