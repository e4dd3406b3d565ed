/**
 * Converts the rows of the mapping to the form of the client's runtime: plain data, with paths and templates
 * as in the mapping. Omits what only the bridge needs: numbers, the ledger, values read from V1 before the
 * move.
 */
import type { Mapping, Method, RecordRow, RecordTable, Segment } from '../../mapping/compile/model.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import { writtenPath } from '../../mapping/compile/path.ts';
import type { RowTranslation, ValueRow } from '../../mapping/compile/records.ts';
import { patternText } from '../../mapping/compile/describe.ts';
import type { Template } from '../../mapping/compile/generic/template.ts';
import type { Fixed, Lookup, StepBody, V2Row, V2Step, Where } from '../../mapping/compile/v2/v2-model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type * as client from './client-tables.ts';

type Changeable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Names the records of a family; two records with the same name get different ones. */
export class RecordNames {
  readonly #names = new Map<RecordTable, string>();

  /** The name of a record, or of one that it contains. */
  of(table: RecordTable): string {
    const known = this.#names.get(table);
    if (known !== undefined) return known;
    const taken = new Set(this.#names.values());
    let name = table.name;
    for (let n = 2; taken.has(name); n += 1) name = `${table.name}${n}`;
    this.#names.set(table, name);
    return name;
  }
}

/** Omits keys without a value. */
const given = <T extends object>(fields: { [Name in keyof T]: T[Name] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const flag = (is: boolean): true | undefined => (is ? true : undefined);
const filledList = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length === 0 ? undefined : list;
const filledObject = <T extends object>(fields: T): T | undefined =>
  Object.keys(fields).length === 0 ? undefined : fields;
const object = <T>(map: ReadonlyMap<string, T>): Readonly<Record<string, T>> | undefined =>
  map.size === 0 ? undefined : Object.fromEntries(map);

const templateText = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `{${part.text}}`)).join('');

/** Undefined for the record itself. */
const pathText = (path: Parameters<typeof writtenPath>[0]): string | undefined =>
  path.length === 0 ? undefined : writtenPath(path);

/** The rows of a record. */
export const rowsOf = (table: RecordTable, names: RecordNames): client.Rows =>
  Object.fromEntries(table.rows.map((row) => [row.element, rowOf(row, names)]));

function rowOf(row: RecordRow, names: RecordNames): client.Row {
  const shared: Changeable<client.Row> = given<client.Row>({
    v3: row.v3 === row.element ? undefined : row.v3,
    also: filledList(row.also),
    required: flag(row.isRequired),
    fromV1: flag(row.snapshot !== undefined),
    v2: row.v2 && onV2(row.v2),
  });
  switch (row.holds) {
    case 'one':
      return { one: names.of(row.of), ...shared };
    case 'many':
      return { many: names.of(row.of), ...shared };
    case 'list':
      if (row.unset !== 'asGiven') shared.unset = row.unset;
      return { list: [row.child, names.of(row.of)], ...shared };
    case 'value':
      return { ...shared, ...textRow(row) };
  }
}

/** The row of an element that holds text. */
const textRow = ({ unset, format, kind, isAttribute }: ValueRow): client.Row =>
  given<client.Row>({
    unset: unset === 'empty' ? undefined : unset,
    as: format === 'text' ? undefined : format,
    id: kind,
    attribute: flag(isAttribute),
  });

const onV2 = (row: RowTranslation): client.RowOnV2 =>
  given<client.RowOnV2>({
    paths: row.lost === undefined ? row.paths.map(writtenPath) : [],
    all: flag(row.take === 'all'),
    via: row.via && [row.via.table, row.via.field],
    toV2: object(row.toV2),
    fromV2: object(row.fromV2),
    when: filledList(row.conditions.map(({ path, is }) => [writtenPath(path), is] as const)),
    absent: row.absent,
    detailed: flag(row.detailedOnly),
    needed: row.needed,
    filled: flag(row.filled),
    empty: row.empty,
    anyway: row.anyway,
  });

/** A method without its records. */
export function methodOf(
  method: Method,
  names: RecordNames,
  { mapping, profile }: { readonly mapping: Mapping; readonly profile: Profile },
): Omit<client.Method, 'records'> {
  const { v3, elsewhere, body, v2 } = method;
  return given<Omit<client.Method, 'records'>>({
    id: method.id,
    legacy: method.legacy.map(patternText),
    isRead: isRead(method),
    query: filledList([...method.query.keys()]),
    requires: filledList(method.requires),
    v3: given<client.Method['v3']>({
      verb: v3.verbs[0] ?? 'GET',
      path: segmentsOf(v3.segments),
      elsewhere: elsewhere && isRead(method) ? segmentsOf(elsewhere.segments) : undefined,
      otherVerb: elsewhere && !isRead(method) ? elsewhere.verbs[0] : undefined,
      pageSize: pageSizeOf(method, profile),
    }),
    body: body && { root: body.root, of: names.of(body.of) },
    reply: replyOf(method, names),
    v2: v2?.way === 'steps' ? stepsOf(v2, mapping, names) : undefined,
    notOnV2: v2?.way === 'none' ? v2.why : undefined,
  });
}

const segmentsOf = (segments: readonly Segment[]): readonly string[] =>
  segments.map((segment) => ('literal' in segment ? segment.literal : `{${segment.kind}}`));

function pageSizeOf({ id, paged }: Method, { v3 }: Profile): number | 'own' | undefined {
  if (paged === false) return undefined;
  return paged === 'numbered' ? 'own' : (v3.pageSizes[id] ?? v3.pageSizes.default ?? 100);
}

function replyOf({ reply }: Method, names: RecordNames): client.ReplyForm {
  switch (reply.form) {
    case 'status':
    case 'id':
      return reply;
    case 'one':
      return { form: 'one', element: reply.element, of: names.of(reply.of) };
    case 'list': {
      const { container, element } = reply;
      return { form: 'list', container, element, of: names.of(reply.of) };
    }
  }
}

function stepsOf(v2: V2Row, mapping: Mapping, names: RecordNames): client.OnV2 {
  const { reply } = v2;
  return given<client.OnV2>({
    requires: filledList(v2.requires),
    steps: v2.steps.map((step) => stepOf(step, mapping, names)),
    from: v2.steps.indexOf(reply.from),
    at: pathText(reply.at),
    where: filledList(reply.where.map(whereOf)),
    page: reply.page && [templateText(reply.page.number), reply.page.size],
    lookups: filledList([...v2.lookups]),
    single: v2.single,
    uses: filledList([...v2.uses]),
    loses: filledList(
      v2.toV3.flatMap((row) =>
        row.on === 'given' && row.loses !== undefined ? [[writtenPath(row.path), row.loses] as const] : [],
      ),
    ),
  });
}

const queryOf = (query: V2Step['query']): client.Query =>
  query.map(([name, template]) => [name, templateText(template)] as const);

const textOf = (template: Template | undefined): string | undefined => template && templateText(template);

/** Undefined if the list is read once, without variants. */
const passesOf = ({ passes }: V2Step): client.Step['passes'] =>
  passes.length === 1 && passes[0]?.length === 0 ? undefined : passes.map(queryOf);

const whenOf = ({ when }: V2Step): client.Step['when'] => {
  if (when === undefined) return undefined;
  const value = templateText(when.value);
  return when.is === undefined ? [value] : [value, templateText(when.is)];
};

function stepOf(step: V2Step, mapping: Mapping, names: RecordNames): client.Step {
  return given<client.Step>({
    name: step.name,
    among: textOf(step.among),
    verb: step.verb,
    path: step.segments.map(templateText),
    query: filledList(queryOf(step.query)),
    detailed: filledList(queryOf(step.detailed)),
    passes: passesOf(step),
    pages: flag(step.pages),
    find: step.find?.map(({ path, is }) => [writtenPath(path), templateText(is)] as const),
    within: step.within && writtenPath(step.within),
    body: step.body && bodyOf(step.body, names),
    when: whenOf(step),
    each: textOf(step.each),
    mayMiss: flag(step.mayMiss),
    before: step.before && stepOf(step.before, mapping, names),
    missing: step.missing ?? mapping.kinds.get(step.kind ?? '')?.error,
    says: step.says,
  });
}

function bodyOf(body: StepBody, names: RecordNames): client.StepBody {
  return given<client.StepBody>({
    of: body.of && names.of(body.of),
    at: pathText(body.at),
    set: filledList(body.set.map(([path, value]) => [writtenPath(path), fixedOf(value)] as const)),
    defaults: filledList(body.defaults.map(([path, value]) => [writtenPath(path), fixedOf(value)] as const)),
    keep: filledList(body.keep.map(([path, value]) => [writtenPath(path), templateText(value)] as const)),
    lists: filledList(
      body.lists.map((list) =>
        given<client.EditedList>({
          ...{ at: writtenPath(list.at), of: templateText(list.of), take: list.take },
          ...{ with: list.with && entryOf(list.with), without: list.without && entryOf(list.without) },
        }),
      ),
    ),
    multipart: flag(body.form === 'multipart'),
    empty: body.empty,
  });
}

const entryOf = (
  values: readonly (readonly [string, Template | number])[],
): NonNullable<client.EditedList['with']> =>
  values.map(([key, value]) => [key, typeof value === 'number' ? value : templateText(value)] as const);

const fixedOf = (fixed: Fixed): client.Fixed =>
  'value' in fixed ? fixed.value : fixed.templates.map(templateText);

const whereOf = (where: Where): client.Where =>
  given<client.Where>({
    of: where.of && writtenPath(where.of),
    paths: where.paths.map(writtenPath),
    as: where.format,
    is: where.is?.map(templateText),
    not: where.not?.map(templateText),
    from: where.from && templateText(where.from),
    to: where.to && templateText(where.to),
    contains: where.contains && templateText(where.contains),
  });

/** What all methods share, from the profile and V2's tables. */
export function sharedOf({ v2 }: Mapping, profile: Profile): client.Shared {
  const { durations } = profile;
  return {
    tokenPath: profile.paths.token,
    credentials: profile.refreshCredentials,
    organisationHeader: profile.organisationHeader,
    refreshAheadSeconds: durations.refreshAhead,
    timeoutSeconds: durations.upstreamTimeout,
    v3: { page: profile.v3.pageParameter, size: profile.v3.sizeParameter },
    v2: { page: profile.v2.pageParameter, size: profile.v2.sizeParameter, pageSize: profile.v2.pageSize },
    spellings: profile.v2.spellings,
    keepSeconds: v2.keepSeconds,
    defaults: Object.fromEntries(v2.defaults),
    lookups: Object.fromEntries(Array.from(v2.lookups, ([name, lookup]) => [name, lookupOf(lookup)])),
  };
}

function lookupOf(lookup: Lookup): client.Lookup {
  switch (lookup.form) {
    case 'kept':
      return { form: 'kept' };
    case 'within':
      return { form: 'within', path: writtenPath(lookup.path), key: lookup.key };
    case 'list':
      return given<client.Lookup & { readonly form: 'list' }>({
        ...{ form: 'list', path: lookup.segments, queries: lookup.queries },
        at: lookup.at && pathText(lookup.at),
        ...{ key: lookup.key, keep: lookup.keep, called: filledObject(lookup.called) },
        ...{ unknown: lookup.unknown, stays: flag(lookup.stays) },
      });
    case 'record':
      return given<client.Lookup & { readonly form: 'record' }>({
        ...{ form: 'record', path: lookup.segments, query: lookup.query, keep: lookup.keep },
        ...{ called: filledObject(lookup.called), most: lookup.most, stays: flag(lookup.stays) },
        names: object(new Map(Array.from(lookup.names, ([name, paths]) => [name, paths.map(writtenPath)]))),
      });
  }
}
