/**
 * What V2 would not keep of a request: elements without a place in V2, elements whose place is found only while the
 * call is served (the folder of a note), and losses that the rows `toV3` of its method describe.
 *
 * An element without information is not a loss: an empty one in a new record, or a value that V2 already has.
 */
import { Failure } from '../../lib/failure.ts';
import type { Method, RecordRow, RecordTable } from '../../mapping/compile/model.ts';
import { textOf, valueAt } from '../../mapping/compile/path.ts';
import type { ToV3, V2Row, V2Tables } from '../../mapping/compile/v2/v2-model.ts';
import { formatOf } from '../../mapping/formats.ts';
import type { LossyWrites } from '../../mapping/lossy-writes.ts';
import type { Trace } from '../call/call.ts';
import type { Execution } from './execution.ts';
import { isEmpty } from './template-values.ts';
import { isGiven, type Given, type GivenValue } from './lookups/given.ts';

type OnElement = Extract<ToV3, { readonly element: string }>;

const isOnElement = (row: ToV3): row is OnElement => 'element' in row;

const nobody = (): undefined => undefined;

/** The losses of one method's requests on V2. */
export class RequestLosses {
  readonly #method: Method;
  readonly #v2: V2Row;
  readonly #root: string;
  /** Tables whose contents are unknown until V2 has answered. */
  readonly #late: ReadonlySet<string>;
  readonly #conditions: readonly OnElement[];
  /** An empty element clears the record's value. */
  readonly #clears: boolean;
  readonly #lossyWrites: LossyWrites;

  /** `lossyWrites`: the losses that the operator accepts. */
  constructor(method: Method, v2: V2Row, { lookups }: V2Tables, lossyWrites: LossyWrites) {
    this.#lossyWrites = lossyWrites;
    this.#method = method;
    this.#v2 = v2;
    this.#root = method.body?.root ?? '';
    this.#late = new Set([...lookups.values()].flatMap(({ form, name }) => (form === 'within' ? name : [])));
    this.#conditions = v2.toV3.filter(isOnElement);
    this.#clears = method.v3.verbs.includes('PUT');
  }

  /** Whether any request of the method could lose anything. */
  get any(): boolean {
    const of = this.#method.body?.of;
    return of !== undefined && (this.#conditions.length > 0 || this.#couldLose(of, new Set()));
  }

  /** The elements that V2 does not keep, by their paths from the root. */
  certain(given: Given): readonly string[] {
    const said = this.#conditions.filter((row) => isMet(row, given));
    const told = said.flatMap(({ loses }) => (loses === undefined ? [] : `${this.#root}/${loses}`));
    return [...this.#elements(given, nothingLate), ...told];
  }

  /** The first element that V2 may not keep or accept; undefined: none. */
  possible(given: Given): string | undefined {
    const [element] = this.#elements(given, this.#late);
    if (element !== undefined) return element;
    const row = this.#conditions.find((one) => isMet(one, given));
    return row && `${this.#root}/${row.loses ?? row.element}`;
  }

  /** The losses that the operator does not accept; accepted ones are recorded. */
  unaccepted(given: Given, trace: Trace): readonly string[] {
    const { drops } = this.#lossyWrites;
    const lost = this.certain(given);
    for (const name of lost) if (drops(name)) trace.dropped.add(name);
    return lost.filter((name) => !drops(name));
  }

  /** Throws `Failure` refused unless the operator allows the element to be left out. */
  drop(name: string, trace: Trace): void {
    if (!this.#lossyWrites.drops(name)) throw notCarried(name);
    trace.dropped.add(name);
  }

  /** Called before anything is written. A value that V2 already shows is not lost. Throws `Failure` refused. */
  check({ losing, context: { body, answers } }: Execution): void {
    const shown = answers.get('before');
    const lost = losing.find((name) => !body || !this.#isShown(name, body, shown));
    if (lost !== undefined) throw notCarried(lost);
  }

  /** The request without elements that were left out. A value that V2 already shows was not. */
  carried({ context: { body = {}, answers } }: Execution): Given {
    const shown = answers.get('before');
    const lost = new Set(this.certain(body).filter((name) => !this.#isShown(name, body, shown)));
    return Object.fromEntries<GivenValue>(
      Object.entries(body).filter(([name]) => !lost.has(`${this.#root}/${name}`)),
    );
  }

  /** Whether a record of V2 already shows this value of the request, so that nothing is lost. */
  #isShown(element: string, given: Given, shown: unknown): boolean {
    const { body, reply } = this.#method;
    const name = element.slice(this.#root.length + 1);
    const text = given[name];
    const row = body?.of.rows.find((one) => one.element === name);
    const path = 'of' in reply ? reply.of.rows.find((one) => one.element === name)?.v2?.paths[0] : undefined;
    if (typeof text !== 'string' || row?.holds !== 'value' || path === undefined) return false;
    const [value] = formatOf(row.format).toV2?.(text) ?? [];
    return value !== undefined && textOf(valueAt(shown, path, nobody)) === textOf(value);
  }

  #elements(given: Given, late: ReadonlySet<string>): readonly string[] {
    const rows = this.#method.body?.of.rows ?? [];
    return rows.flatMap((row) => (this.#isUsed(row) ? [] : this.#inRow(given, row, this.#root, late)));
  }

  #inRow(given: Given, row: RecordRow, path: string, late: ReadonlySet<string>): readonly string[] {
    const value = given[row.element];
    const at = `${path}/${row.element}`;
    if (value === undefined || this.#saysNothing(value, row)) return [];
    if (hasNoPlace(row) || late.has(row.v2?.via?.table ?? '')) return [at];
    if (row.holds === 'value' || typeof value === 'string') return [];
    const within = row.holds === 'list' ? `${at}/${row.child}` : at;
    return (isGiven(value) ? [value] : value).flatMap((record) =>
      row.of.rows.flatMap((inner) => this.#inRow(record, inner, within, late)),
    );
  }

  #saysNothing(value: GivenValue, { v2 }: RecordRow): boolean {
    if (typeof value !== 'string') return false;
    const text = value.trim().toLowerCase();
    return text === '' ? !this.#clears : text === v2?.anyway;
  }

  /** Whether an address or a query uses the element, which then needs no place in a body. */
  #isUsed({ element }: RecordRow): boolean {
    return this.#v2.uses.has(element.toLowerCase());
  }

  #couldLose(table: RecordTable, seen: Set<RecordTable>): boolean {
    if (seen.has(table)) return false;
    const isRoot = seen.size === 0;
    seen.add(table);
    return table.rows.some((row) => {
      if (isRoot && this.#isUsed(row)) return false;
      if (hasNoPlace(row) || this.#late.has(row.v2?.via?.table ?? '')) return true;
      return row.holds !== 'value' && this.#couldLose(row.of, seen);
    });
  }
}

/** The refusal, in terms of the legacy dialect, with a remedy. */
const notCarried = (element: string): Failure =>
  new Failure('refused', {
    text: `${element} cannot be written through the connected service, so nothing was changed; send the request without it, or ask the operator of this bridge to let it be left out`,
  });

const nothingLate: ReadonlySet<string> = new Set();

const hasNoPlace = ({ v2 }: RecordRow): boolean => (v2?.paths ?? []).length === 0;

function isMet(row: OnElement, given: Given): boolean {
  const value = valueAt(given, row.path, nobody);
  switch (row.on) {
    case 'given':
      return !isEmpty(value);
    case 'lacking':
      return isEmpty(value);
    case 'emptied':
      return typeof value === 'string' && value.trim() === '';
    case 'reversed':
      return dayIn(value) > dayIn(valueAt(given, row.after, nobody), '9999-12-31');
  }
}

/** A date that sorts as text; `otherwise`: used for anything else. */
function dayIn(value: unknown, otherwise = ''): string {
  const [day] = formatOf('date').toV2?.(textOf(value) ?? '') ?? [];
  const text = textOf(day) ?? '';
  return text === '' ? otherwise : text;
}
