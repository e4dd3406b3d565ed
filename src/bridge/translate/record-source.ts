import { checkName } from '../../xml/name.ts';
import { escapeText } from '../../xml/text.ts';
import { formatOf } from '../formats.ts';
import type { RecordRow, RecordTable } from '../mapping/model.ts';
import { tablesIn, walkOf, type Path, type Step } from '../mapping/path.ts';
import type { RowWay } from '../mapping/records.ts';
import type { Slot } from './draft.ts';
import { usable, type Costly } from './json-reader.ts';

/**
 * A program that writes one record. Everything of the mapping stands in `source` as a literal of JSON, which is one of
 * JavaScript too, or is one of the `things` and stands there by its place: no text of a mapping is ever read as code.
 */
export interface RecordSource {
  /** Body of a function of `H`, the helpers, and `T`, the things; returns the writer. */
  readonly source: string;
  readonly things: readonly unknown[];
}

type ValueRow = RecordRow & { readonly holds: 'value' };
type ListRow = RecordRow & { readonly holds: 'list' };

/** What a generated program may call. */
export const helperNames = ['object', 'own', 'entries', 'isObject', 'text', 'shown', 'look', 'some'] as const;

/** The program for records of one table, and all records within. Throws `RangeError` for a name that is none. */
export function sourceOf(element: string, table: RecordTable, costly: Costly): RecordSource {
  return new Program(costly).of(element, table);
}

const literal = (text: string): string => JSON.stringify(text);
const begin = (element: string): string => `<${checkName(element)}>`;
const end = (element: string): string => `</${element}>`;

/** The functions of a program, one for each record and purpose. */
class Program {
  readonly #costly: Costly;
  readonly #functions: string[] = [];
  readonly #records = new Map<RecordTable, Map<boolean, string>>();
  readonly #things: unknown[] = [];
  readonly #searches = new Map<string, string>();
  #named = 0;

  constructor(costly: Costly) {
    this.#costly = costly;
  }

  of(element: string, table: RecordTable): RecordSource {
    const record = this.record(table, false);
    const things = this.#things.map((_thing, index) => `c${index}`).join(', ');
    const source = [
      '"use strict";',
      `const { ${helperNames.join(', ')} } = H;`,
      `const [${things}] = T;`,
      ...this.#functions,
      `return (j, d, t) => ${record}(j, d, t + ${literal(begin(element))}) + ${literal(end(element))};`,
    ].join('\n');
    return { source, things: this.#things };
  }

  usable(way: RowWay): RowWay {
    return usable(way, this.#costly);
  }

  /** Name of the function that writes what is in a record; `watched`: it leaves in `d.said` whether that is anything. */
  record(table: RecordTable, watched: boolean): string {
    const known = this.#records.get(table) ?? new Map<boolean, string>();
    this.#records.set(table, known);
    const found = known.get(watched);
    if (found !== undefined) return found;
    const name = `r${this.#named++}`; // of its own for each table and purpose: a second function would replace the first
    known.set(watched, name); // before the rows: a record may contain itself
    const lines = new RecordFunction(this, table, watched).lines();
    this.#functions.push(`function ${name}(j, d, t) {`, ...lines, '}');
    return name;
  }

  thing(value: unknown): string {
    this.#things.push(value);
    return `c${this.#things.length - 1}`;
  }

  /** Name of the function that finds the first entry that is so. */
  search(step: Step & { readonly step: 'which' }): string {
    const key = JSON.stringify([step.key, step.is, step.value]);
    const found = this.#searches.get(key);
    if (found !== undefined) return found;
    const name = `s${this.#searches.size}`;
    this.#searches.set(key, name);
    this.#functions.push(
      `function ${name}(value) {`,
      'const list = entries(value);',
      'for (let at = 0; at < list.length; at += 1) {',
      `if (((text(${keyOf('list[at]', step.key)}) ?? "") === ${literal(step.value)}) === ${String(step.is)}) return list[at];`,
      '}',
      'return undefined;',
      '}',
    );
    return name;
  }
}

/** JSON's objects inherit a few names only: any other is simply read. */
const keyOf = (value: string, name: string): string =>
  name in Object.prototype ? `own(${value}, ${literal(name)})` : `object(${value})[${literal(name)}]`;

const isSimple = ({ step }: Step): boolean => step === 'key' || step === 'place' || step === 'which';

/** One function: the values of a record, then its text, piece by piece. */
class RecordFunction {
  readonly #program: Program;
  readonly #table: RecordTable;
  readonly #watched: boolean;
  readonly #values: string[] = [];
  readonly #body: string[] = [];
  readonly #places = new Map<string, string>();
  /** Text that is the same in every record and has not been written yet. */
  #constant = '';
  #count = 0;

  constructor(program: Program, table: RecordTable, watched: boolean) {
    this.#program = program;
    this.#table = table;
    this.#watched = watched;
  }

  lines(): readonly string[] {
    if (this.#watched) this.#body.push('let said = false;');
    for (const row of this.#table.rows) this.#row(row);
    this.#flush();
    if (this.#watched) this.#body.push('d.said = said;');
    return [...this.#values, ...this.#body, 'return t;'];
  }

  #name(): string {
    return `v${this.#count++}`;
  }

  #flush(): void {
    if (this.#constant !== '') this.#body.push(`t += ${literal(this.#constant)};`);
    this.#constant = '';
  }

  #row(row: RecordRow): void {
    const way = row.v2 && this.#program.usable(row.v2);
    switch (row.holds) {
      case 'value':
        if (way === undefined) this.#constant += fixedText(row, undefined);
        else if (row.kind !== undefined) this.#identifier(row, way, row.kind);
        else this.#value(row, way);
        return;
      case 'one':
        if (way !== undefined) this.#one(row.element, row.of, way);
        return;
      case 'list':
        if (way !== undefined) this.#list(row, way);
        else if (row.unset === 'empty') this.#constant += `<${checkName(row.element)} />`;
        return;
      case 'many': // requests only
    }
  }

  #value(row: ValueRow, way: RowWay): void {
    const text = this.#name();
    this.#body.push(`let ${text};`);
    this.#when(way, () => {
      this.#body.push(`${text} = ${this.#textOf(row, way)};`);
      this.#worded(text, row, way);
    });
    if (this.#watched) this.#body.push(`if (${text} !== undefined && ${text} !== "") said = true;`);
    if (row.unset === 'empty') {
      this.#constant += begin(row.element);
      this.#body.push(`t = t + ${literal(this.#constant)} + shown(${text}, d);`);
      this.#constant = end(row.element);
      return;
    }
    this.#flush();
    const isThere = `${text} !== undefined${row.unset === 'omit' ? ` && ${text} !== ""` : ''}`;
    this.#body.push(
      `if (${isThere}) t = t + ${literal(begin(row.element))} + shown(${text}, d) + ${literal(end(row.element))};`,
    );
  }

  /** An expression: the text of the row, in the legacy form. */
  #textOf(row: ValueRow, way: RowWay): string {
    if (row.format === 'text' && way.take === 'first') return `text(${this.#first(way.paths)})`;
    const format = formatOf(row.format);
    const size = way.take === 'all' ? (format.group ?? way.paths.length) : 1;
    const values = way.take === 'all' ? this.#group(way.paths, size) : `[${this.#first(way.paths)}]`;
    const lost = `() => { d.lost(${literal(`${this.#table.name}/${row.element}`)}); }`;
    return `${this.#program.thing(format.fromV2)}(${values}, ${lost})`;
  }

  /** The legacy word for V2's, and what stands where V2 has none. */
  #worded(text: string, row: ValueRow, { fromV2, absent }: RowWay): void {
    const words = fromV2.size === 0 ? undefined : this.#program.thing(fromV2);
    const isLink = row.format === 'documentLink';
    const replaced = absent === undefined ? 'undefined' : literal(absent);
    const isAbsent = `${text} === undefined${absent === undefined ? '' : ` || ${text} === ""`}`;
    const said = words && `${words}.get(${text}.toLowerCase()) ?? ${text}`;
    if (isLink)
      this.#body.push(`if (${text} !== undefined && ${text} !== "") ${text} = d.link(${text}); else`);
    if (absent !== undefined || said !== undefined)
      this.#body.push(
        `if (${isAbsent}) ${text} = ${replaced};${said === undefined ? '' : ` else ${text} = ${said};`}`,
      );
    else if (isLink) this.#body.push(';');
  }

  #identifier(row: ValueRow, way: RowWay, kind: string): void {
    const text = this.#name();
    this.#body.push(`let ${text};`);
    this.#when(way, () => this.#body.push(`${text} = text(${this.#first(way.paths)});`));
    const slot: Slot = {
      kind,
      begin: begin(row.element),
      end: end(row.element),
      none: fixedText(row, ''),
    };
    this.#flush();
    const gap = `t = d.gap(t, ${this.#program.thing(slot)}, ${text});`;
    const said = this.#watched ? ' said = true;' : '';
    this.#body.push(`if (${text} !== undefined && ${text} !== "") { ${gap}${said} }`);
    // A row whose conditions do not hold has no value at all; without conditions what is absent is known beforehand.
    const isConditional = way.conditions.length > 0 || way.detailedOnly;
    if (isConditional && way.absent !== undefined) {
      const outside = this.#name();
      this.#body.push(`else { let ${outside} = ${literal(fixedText(row, undefined))};`);
      this.#when(way, () => {
        this.#body.push(`${outside} = ${literal(fixedText(row, way.absent))};`);
        if (this.#watched && way.absent !== '') this.#body.push('said = true;');
      });
      this.#body.push(`t += ${outside}; }`);
      return;
    }
    const none = fixedText(row, way.absent);
    const saysNone = this.#watched && (way.absent ?? '') !== '' ? ' said = true;' : '';
    if (none !== '' || saysNone !== '') this.#body.push(`else { t += ${literal(none)};${saysNone} }`);
  }

  #one(element: string, of: RecordTable, way: RowWay): void {
    this.#flush();
    const [value, written] = [this.#name(), this.#name()];
    this.#body.push(`let ${value};`);
    this.#when(way, () => this.#body.push(`${value} = ${this.#first(way.paths)};`));
    const record = this.#program.record(of, true);
    this.#body.push(
      `if (isObject(${value})) {`,
      `const ${written} = ${record}(${value}, d, t + ${literal(begin(element))});`,
      // What says nothing holds no identifier either, so that nothing but text has to be taken back.
      `if (d.said) { t = ${written} + ${literal(end(element))};${this.#watched ? ' said = true;' : ''} }`,
      '}',
    );
  }

  #list(row: ListRow, way: RowWay): void {
    this.#flush();
    const [value, rows, at] = [this.#name(), this.#name(), this.#name()];
    this.#body.push(`let ${value};`);
    this.#when(way, () => this.#body.push(`${value} = ${this.#first(way.paths)};`));
    const entry = this.#program.record(row.of, false);
    const none = `<${checkName(row.element)} />`;
    const said = this.#watched ? ' said = true;' : '';
    const [first, last] = [literal(begin(row.child)), literal(end(row.child))];
    this.#body.push(
      `if (${value} !== undefined && ${value} !== null) {`,
      `const ${rows} = entries(${value});`,
      `if (${rows}.length > 0) {`,
      `t += ${literal(begin(row.element))};${said}`,
      `for (let ${at} = 0; ${at} < ${rows}.length; ${at} += 1) t = ${entry}(${rows}[${at}], d, t + ${first}) + ${last};`,
      `t += ${literal(end(row.element))};`,
      row.unset === 'omit' ? '}' : `} else { t += ${literal(none)};${said} }`,
      row.unset === 'empty' ? `} else t += ${literal(none)};` : '}',
    );
  }

  /** Only where the row's conditions hold, in their order. */
  #when({ conditions, detailedOnly }: RowWay, inner: () => void): void {
    if (conditions.length === 0 && !detailedOnly) {
      inner();
      return;
    }
    const holds = this.#name();
    this.#body.push(`let ${holds} = ${detailedOnly ? 'd.detailed' : 'true'};`);
    for (const { path, is } of conditions) {
      this.#body.push(`if (${holds}) {`);
      const value = `(text(${this.#at(path)}) ?? "").toLowerCase()`;
      this.#body.push(`${holds} = ${this.#program.thing(is)}.includes(${value});`, '}');
    }
    this.#body.push(`if (${holds}) {`);
    inner();
    this.#body.push('}');
  }

  /** The first of the ways that holds a value; those behind it are not walked where that may cost something. */
  #first(paths: readonly Path[]): string {
    const free = paths.findIndex((path) => tablesIn(path).length > 0);
    const ahead = (free < 0 ? paths : paths.slice(0, free)).map((path) => this.#at(path));
    const start = ahead.length === 0 ? 'undefined' : ahead.join(' ?? ');
    if (free < 0) return start;
    const found = this.#name();
    this.#body.push(`let ${found} = ${start};`);
    for (const path of paths.slice(free)) {
      this.#body.push(`if (${found} === undefined || ${found} === null) {`);
      this.#body.push(`${found} = ${this.#at(path)};`, '}');
    }
    return found;
  }

  /** The values of the first group of ways that holds one; of none those of the last. */
  #group(paths: readonly Path[], size: number): string {
    const values = this.#name();
    this.#body.push(`let ${values} = [];`);
    for (let at = 0; at < paths.length; at += size) {
      if (at > 0) this.#body.push(`if (!some(${values})) {`);
      const group = paths.slice(at, at + size).map((path) => this.#at(path));
      this.#body.push(`${values} = [${group.join(', ')}];`);
      if (at > 0) this.#body.push('}');
    }
    return values;
  }

  /** What stands at a path. Up to a look-up it is read at the beginning of the function, once for all rows. */
  #at(path: Path): string {
    const lookUp = path.findIndex(({ step }) => step === 'lookup');
    const end = path.findIndex((step) => !isSimple(step));
    if (lookUp < 0) return this.#place(path);
    let value = this.#place(path.slice(0, end));
    for (const [index, step] of path.entries()) {
      if (index < end) continue;
      const next = this.#name();
      if (step.step === 'each' || step.step === 'those') {
        this.#body.push(`const ${next} = ${this.#walked(value, path, index)};`);
        return next;
      }
      const found =
        step.step === 'lookup' ? `look(d, ${literal(step.table)}, ${value})` : this.#stepped(value, step);
      this.#body.push(`const ${next} = ${found};`);
      value = next;
    }
    return value;
  }

  /** A place that is reached without a look-up. */
  #place(path: Path): string {
    if (path.length === 0) return 'j';
    const key = JSON.stringify(path);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const many = path.findIndex((step) => !isSimple(step));
    const from = many < 0 ? path.length - 1 : many;
    const base = this.#place(path.slice(0, from));
    const step = path[from];
    const name = this.#name();
    const found = many < 0 && step ? this.#stepped(base, step) : this.#walked(base, path, from);
    this.#values.push(`const ${name} = ${found};`);
    this.#places.set(key, name);
    return name;
  }

  #stepped(value: string, step: Step): string {
    if (step.step === 'key') return keyOf(value, step.name);
    if (step.step === 'which') return `${this.#program.search(step)}(${value})`;
    return step.step === 'place' ? `entries(${value})[${step.at}]` : 'undefined';
  }

  /** The rest of a way on which one value becomes many. */
  #walked(value: string, path: Path, from: number): string {
    const walk = `${this.#program.thing(walkOf(path, from))}(${value}, d.find)`;
    return from === 0 ? walk : `${value} === undefined || ${value} === null ? undefined : ${walk}`;
  }
}

/** What is written of a text that is known beforehand. */
function fixedText({ element, unset }: ValueRow, text: string | undefined): string {
  if (text === undefined) return unset === 'empty' ? begin(element) + end(element) : '';
  if (text === '' && unset === 'omit') return '';
  return begin(element) + escapeText(text) + end(element);
}
