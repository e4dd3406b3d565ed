import type { Trace } from '../call.ts';
import { Failure } from '../../lib/failure.ts';
import type { FieldValue, RecordValue } from '../../lib/xml/shape.ts';
import { countForbidden } from '../../lib/xml/text.ts';
import { compileWriter } from '../../lib/xml/writer.ts';
import { settle, type Pending, type Translation } from '../identifiers.ts';
import type { RecordTable } from '../../mapping/compile/model.ts';
import { isObject, tablesIn, textOf, walkOf, type Path } from '../../mapping/compile/path.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import type { DocumentLink } from '../forward/record-reader.ts';
import { shapeOf } from '../forward/reply.ts';
import { createdIn, isOwnKey } from './created.ts';
import type { Given } from './given.ts';
import { JsonReader } from './json/json-reader.ts';
import type { Lookups } from './lookups.ts';

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

/** The records of a reply, from V2's JSON to legacy XML. Compiled once for each method. */
export class Records {
  readonly #table: RecordTable;
  readonly #creates: boolean;
  readonly #isRecord: (row: unknown) => boolean;
  readonly #reader: JsonReader;
  readonly #write: (value: RecordValue) => string;

  constructor(element: string, table: RecordTable, creates: boolean, v2: Pick<V2Row, 'costly' | 'lookups'>) {
    this.#table = table;
    this.#creates = creates;
    this.#isRecord = recordTestOf(table);
    this.#reader = JsonReader.of(table, v2);
    this.#write = compileWriter(element, shapeOf(table));
  }

  /** Of rows that came together: names and numbers are asked for once for all of them. */
  async text(rows: readonly unknown[], surroundings: RecordSurroundings): Promise<string> {
    if (!rows.every(this.#isRecord)) throw new Failure('upstreamAnswer');
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
