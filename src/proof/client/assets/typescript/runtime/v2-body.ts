/**
 * The body that a step sends to V2: the elements of the request in their places, fixed values, defaults, and
 * lists that V2 replaces as a whole, with their previous entries.
 */
import { formatOf, isNoValue } from '../../../../../mapping/formats.ts';
import { entries, own, putAt, spread, textOf, valueAt } from '../../../../../mapping/compile/path.ts';
import type { Call } from './call.ts';
import type {
  EditedList,
  Fixed,
  RecordValue,
  Row,
  RowOnV2,
  Rows,
  StepBody,
  Value,
} from '../../../../../proof/client/client-tables.ts';
import { isEmpty } from '../../../../../proxy/translate/template-values.ts';
import { pathOf } from './v2-path.ts';
import { filled, type Context } from './v2-template.ts';

type Json = Record<string, unknown>;

/** Throws `InvalidCall` for a value of the wrong form, or a name that no list has. */
export async function bodyOf(body: StepBody, context: Context): Promise<string | FormData> {
  const json = await context.lookups.settled(() => jsonOf(body, context));
  return body.multipart === true ? formOf(json, context.call) : JSON.stringify(json);
}

function jsonOf(body: StepBody, context: Context): Json {
  const json = written(body, context);
  for (const [path, value] of body.set ?? [])
    for (const [into, target] of spread(json, pathOf(path))) putAt(into, target, fixed(value, context));
  for (const [path, value] of body.defaults ?? [])
    for (const [into, target] of spread(json, pathOf(path)))
      if (isEmpty(valueAt(into, target, nobody))) putAt(into, target, fixed(value, context));
  for (const list of body.lists ?? []) putAt(json, pathOf(list.at), edited(list, context));
  return json;
}

const nobody = (): undefined => undefined;

function written(body: StepBody, context: Context): Json {
  const { records } = context.call.method;
  const source = context.item !== undefined && body.at === undefined ? context.item : context.body;
  const given = body.at === undefined ? source : valueAt(source, pathOf(body.at), nobody);
  if (body.of === undefined || typeof given !== 'object' || given === null) return {};
  const rows = records[body.of] ?? {};
  const writer = new Writer(body, context);
  const json = writer.record(given as RecordValue, rows, {});
  const before: Json = {};
  for (const [path, template] of body.keep ?? [])
    if (valueAt(json, pathOf(path), nobody) !== undefined)
      putAt(before, pathOf(path), structuredClone(listed(template, context)));
  return isEmpty(before) ? json : writer.record(given as RecordValue, rows, before);
}

class Writer {
  readonly #body: StepBody;
  readonly #context: Context;

  constructor(body: StepBody, context: Context) {
    this.#body = body;
    this.#context = context;
  }

  record(given: RecordValue, rows: Rows, into: Json): Json {
    for (const [name, row] of Object.entries(rows)) {
      const value = Object.hasOwn(given, name) ? given[name] : undefined;
      if (value !== undefined) this.#put(value, name, row, into);
    }
    this.#check(given, rows, into);
    return into;
  }

  #put(value: Value, name: string, row: Row, into: Json): void {
    const [first] = row.v2?.paths ?? [];
    if (row.v2 === undefined || first === undefined) return;
    if (typeof value === 'string') this.#putText(value, name, row, row.v2, into);
    else putAt(into, pathOf(first), this.#records(value, row));
  }

  #records(value: RecordValue | readonly RecordValue[], row: Row): unknown {
    const rows = this.#context.call.method.records[row.one ?? row.list?.[1] ?? row.many ?? ''] ?? {};
    return Array.isArray(value)
      ? (value as readonly RecordValue[]).map((one) => this.record(one, rows, {}))
      : this.record(value as RecordValue, rows, {});
  }

  #putText(text: string, name: string, row: Row, v2: RowOnV2, into: Json): void {
    const values = this.#values(text, name, row, v2);
    const paths = v2.all === true ? v2.paths : v2.paths.slice(0, 1);
    for (const [at, path] of paths.entries()) {
      const value = values?.[at];
      // If two elements share a place, the one with a value counts.
      const isSaid = value !== '' && value !== null;
      if (values !== undefined && (isSaid || isEmpty(valueAt(into, pathOf(path), nobody))))
        putAt(into, pathOf(path), value);
    }
  }

  /** One value for each path; undefined to send nothing. */
  #values(text: string, name: string, row: Row, v2: RowOnV2): readonly unknown[] | undefined {
    const { call, lookups } = this.#context;
    const empty = v2.empty ?? this.#body.empty;
    const isBlank = text.trim() === '';
    if (isBlank && v2.filled === true) throw call.invalid(`${name} is missing`);
    if (row.as !== undefined && isNoValue(row.as, text)) return undefined;
    if (isBlank && row.as !== 'personName')
      return empty === 'omit' ? undefined : v2.paths.map(() => emptied(empty));
    if (row.id !== undefined) return [text.trim()];
    if (v2.via !== undefined) {
      const key = lookups.keyOf(...v2.via, text);
      if (key === null) throw call.invalid(`V2 has no ${name} ${text}`);
      return [key];
    }
    const word = text.trim().toLowerCase();
    if (v2.toV2 !== undefined && Object.hasOwn(v2.toV2, word)) return [v2.toV2[word]];
    const values = formatOf(row.as ?? 'text').toV2?.(text);
    if (values === undefined) throw call.invalid(`Invalid value for ${name}`);
    return values;
  }

  /** Checks for required places, and for elements that belong to other records. */
  #check(given: RecordValue, rows: Rows, json: Json): void {
    const { call, lookups } = this.#context;
    const isSaid = (name: string): boolean => {
      const text = given[name];
      return typeof text === 'string' && text.trim() !== '';
    };
    const find = lookups.finder(undefined);
    const all = Object.entries(rows);
    for (const [name, { v2 }] of all) {
      if (v2?.needed === undefined || (v2.needed.length > 0 && v2.needed.every(isSaid))) continue;
      if (!all.some(([other, row]) => row.v2?.paths[0] === v2.paths[0] && isSaid(other)))
        throw call.invalid(`${name} is missing`);
    }
    const conditional = all.filter(([, { v2 }]) => (v2?.when ?? []).length > 0);
    const fitting = conditional
      .filter(([, { v2 }]) =>
        (v2?.when ?? []).every(([path, is]) =>
          is.includes(textOf(valueAt(json, pathOf(path), find))?.toLowerCase() ?? ''),
        ),
      )
      .map(([name]) => name);
    const said = conditional.map(([name]) => name).filter((name) => given[name] !== undefined);
    if (fitting.length > 0 && !(said.length === 1 && said.every((name) => fitting.includes(name))))
      throw call.invalid(`Exactly one value element is taken, ${fitting[0] ?? ''}`);
  }
}

const emptied = (empty: Exclude<StepBody['empty'] | NonNullable<RowOnV2['empty']>, 'omit'>): unknown => {
  if (empty === 'null') return null;
  return empty === 'text' ? '' : empty;
};

function fixed(value: Fixed, context: Context): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const values = value.map((template) => filled(template, context));
  return values.find((one) => !isEmpty(one)) ?? values.at(-1);
}

/** Throws if the answer has no such list, because writing it back as empty would clear it. */
function listed(template: string, context: Context): readonly unknown[] {
  const value = filled(template, context);
  const list = entries(value);
  if (list.length === 0 && !Array.isArray(value)) throw context.call.unusable('The answer has no list', true);
  return list;
}

/** The list with one entry added or removed. */
function edited({ of, take, with: more, without }: EditedList, context: Context): readonly unknown[] {
  const held = listed(of, context).map((entry) =>
    Object.fromEntries(take.map((name) => [name, own(entry, name)])),
  );
  const entry = (values: NonNullable<typeof more>): Json =>
    Object.fromEntries(
      values.map(([name, one]) => [name, typeof one === 'number' ? one : filled(one, context)]),
    );
  const isAmong = (a: unknown, some: unknown): boolean =>
    [some].flat().some((one) => textOf(a)?.toLowerCase() === textOf(one)?.toLowerCase());
  const gone = without && entry(without);
  const left = held.filter(
    (one) => gone === undefined || !Object.entries(gone).every(([name, is]) => isAmong(one[name], is)),
  );
  const added = more && entry(more);
  const [key = ''] = Object.keys(added ?? {});
  return added === undefined || left.some((one) => isAmong(one[key], added[key])) ? left : [...left, added];
}

/** `file` is the content in base64, `fileName` its name; the rest are fields. */
function formOf(json: Json, call: Call): FormData {
  const content = (textOf(json.file) ?? '').replaceAll(/\s/g, '');
  if (content === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(content))
    throw call.invalid('The content of the document is not base64');
  const form = new FormData();
  for (const [name, value] of Object.entries(json)) {
    const text = textOf(value);
    if (name !== 'file' && name !== 'fileName' && text !== undefined) form.append(name, text);
  }
  form.append('file', new Blob([Buffer.from(content, 'base64')]), textOf(json.fileName) ?? 'document');
  return form;
}
