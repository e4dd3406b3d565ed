import type { Trace } from '../../domain/call.ts';
import { Failure } from '../../domain/failure.ts';
import type { FieldValue, RecordValue } from '../../xml/shape.ts';
import { countForbidden } from '../../xml/text.ts';
import { compileWriter } from '../../xml/writer.ts';
import type { Translation } from '../identifiers.ts';
import type { RecordTable } from '../mapping/model.ts';
import { isObject, tablesIn, textOf, walkOf, type Path } from '../mapping/path.ts';
import type { V2Way } from '../mapping/v2-model.ts';
import { settle, type DocumentLink, type Pending } from '../record-reader.ts';
import { shapeOf } from '../reply.ts';
import { createdIn, isOwnKey } from './created.ts';
import type { Given } from './given.ts';
import { Draft } from './draft.ts';
import { JsonReader } from './json-reader.ts';
import type { Lookups } from './lookups.ts';
import { codeOf, type RecordCode } from './record-code.ts';

/** What records of one call are written with. */
export interface RecordSurroundings {
  readonly lookups: Lookups;
  readonly ids: Translation;
  readonly link: DocumentLink;
  readonly trace: Trace;
  /** Whether the caller gets the rows that belong to the detailed answer. */
  readonly detailed: boolean;
  /** The request, where the call makes what it answers with. */
  readonly creating: Given | undefined;
}

type Write = (rows: readonly unknown[], surroundings: RecordSurroundings) => Promise<string>;

/** The records of a reply, from V2's JSON to legacy XML. Made once for each method, when it is first used. */
export class Records {
  readonly #isRecord: (row: unknown) => boolean;
  readonly #make: () => Write;
  #write: Write | undefined;

  /** `isLong`: a list, whose many records are worth a program of their own. */
  constructor(
    element: string,
    table: RecordTable,
    creates: boolean,
    v2: Pick<V2Way, 'costly' | 'lookups'>,
    isLong = false,
  ) {
    this.#isRecord = recordTestOf(table);
    this.#make = () => {
      // Of a record that is new, its parts have to be looked at before they are written; and for records that come one by
      // one a program costs the engine more to make fast than it saves.
      const code = creates || !isLong ? undefined : codeOf(element, table, v2);
      if (code !== undefined) return (rows, surroundings) => drafted(code, rows, surroundings);
      const values = new RecordValues(element, table, creates, v2);
      return (rows, surroundings) => values.text(rows, surroundings);
    };
  }

  /** Of rows that came together: names and numbers are asked for once for all of them. */
  async text(rows: readonly unknown[], surroundings: RecordSurroundings): Promise<string> {
    if (!rows.every(this.#isRecord)) throw new Failure('upstreamAnswer');
    this.#write ??= this.#make();
    return this.#write(rows, surroundings);
  }
}

/** Written at once by code, but for the numbers. */
async function drafted(
  code: RecordCode,
  rows: readonly unknown[],
  { lookups, ids, link, trace, detailed }: RecordSurroundings,
): Promise<string> {
  const find = (table: string, key: string, root: unknown): unknown => lookups.find(table, key, root);
  const lost = (element: string): void => void trace.rounded.add(element);
  const { draft, rest } = await lookups.settled(() => {
    const draft = new Draft({ find, link, detailed, lost });
    let rest = '';
    for (const row of rows) {
      draft.root = row;
      rest = code(row, draft, rest);
    }
    return { draft, rest };
  });
  const numbers = await ids.toLegacy((toLegacy) =>
    draft.gaps.map(({ slot, text }) => toLegacy(slot.kind, text)),
  );
  const text = draft.filled(numbers, rest);
  trace.replaced += draft.replaced;
  return text;
}

/** Read into values first: what the call has made can be told from what was there before. */
class RecordValues {
  readonly #table: RecordTable;
  readonly #creates: boolean;
  readonly #reader: JsonReader;
  readonly #write: (value: RecordValue) => string;

  constructor(element: string, table: RecordTable, creates: boolean, v2: Pick<V2Way, 'costly' | 'lookups'>) {
    this.#table = table;
    this.#creates = creates;
    this.#reader = JsonReader.of(table, v2);
    this.#write = compileWriter(element, shapeOf(table));
  }

  async text(rows: readonly unknown[], surroundings: RecordSurroundings): Promise<string> {
    const { ids, trace } = surroundings;
    const { values, pending } = await this.#read(rows, surroundings);
    const numbers = await ids.toLegacy(
      (toLegacy) => pending.map(({ kind, text }) => toLegacy(kind, text)),
      this.#created(values, pending, surroundings.creating),
    );
    for (const [index, identifier] of pending.entries()) settle(identifier, numbers[index]);
    let text = '';
    for (const value of values) text += this.#write(value);
    // Counted only where one may stand: looking at every value would cost more than writing it.
    if (text.includes('\uFFFD')) trace.replaced += values.reduce((sum, value) => sum + forbiddenIn(value), 0);
    return text;
  }

  #read(
    rows: readonly unknown[],
    { lookups, link, trace, detailed }: RecordSurroundings,
  ): Promise<{ readonly values: readonly RecordValue[]; readonly pending: readonly Pending[] }> {
    const lost = (element: string): void => void trace.rounded.add(element);
    return lookups.settled(() => {
      const pending: Pending[] = [];
      const values = rows.map((row) =>
        this.#reader.read(row, { find: lookups.finder(row), link, detailed, pending, lost }),
      );
      return { values, pending };
    });
  }

  #created(
    values: readonly RecordValue[],
    pending: readonly Pending[],
    sent: Given | undefined,
  ): ReadonlySet<string> {
    return this.#creates ? createdIn(values, pending, this.#table, sent) : new Set();
  }
}

/** A list or a text is no record, and neither is one without the identifier its own row is made of. */
function recordTestOf(table: RecordTable): (row: unknown) => boolean {
  const keys = table.rows.filter(
    (row) =>
      row.holds === 'value' && row.kind !== undefined && row.v2?.conditions.length === 0 && isOwnKey(row),
  );
  const ways = keys
    .map(({ v2 }) => v2?.paths ?? [])
    .filter((paths) => paths.every(isWithin))
    .map((paths) => paths.map((path) => walkOf(path)));
  const nobody = (): undefined => undefined;
  return (row) =>
    isObject(row) && ways.every((walks) => walks.some((walk) => (textOf(walk(row, nobody)) ?? '') !== ''));
}

/** No look-up on the way: the value has to stand in the record itself. */
const isWithin = (path: Path): boolean => tablesIn(path).length === 0;

/** Characters of a record that no XML document can hold; they went out as U+FFFD. */
function forbiddenIn(value: FieldValue): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return countForbidden(value);
  let sum = 0;
  for (const inner of value) sum += forbiddenIn(inner);
  return sum;
}
