/**
 * Tries the writes of the mapping in a disposable organisation: creates records, and changes and deletes only
 * its own. Compares the record in each reply with what was sent.
 */
import { childrenOf } from '../judging/reference.ts';
import { recordsIn } from '../judging/answers.ts';
import type { LeftRecord, Reading } from '../model.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { DAY } from '../../../lib/time/clock.ts';
import type { Calling } from '../calling.ts';
import { placeholderOf, type KnownRecords } from '../known-records.ts';
import type { Untried } from '../reading.ts';
import {
  isDeletion,
  isLast,
  isWhole,
  madeKindOf,
  makes,
  messageKindOf,
  neededKinds,
  neverTried,
  plannedWrites,
  targetKindOf,
} from './planned-writes.ts';
import { removable, removed } from './removal.ts';
import { writeBody, type Body } from './write-body.ts';
import { WrittenRecords } from './written-records.ts';

/** No number of a document is contained in another: a text that contains the sent one counts as the same. */
const FIRST_NUMBER = 100;

/** A call of a write. */
interface WantedWrite {
  readonly values: readonly string[];
  readonly body: Body | undefined;
  /** The record that it changes; undefined: it creates one, or sends nothing. */
  readonly target: string | undefined;
}

/** A record that this run has created. */
interface MadeRecord {
  readonly id: string;
  /** Undefined: it belongs to another record. */
  readonly left: LeftRecord | undefined;
}

/** The present round. */
interface Trying {
  readonly surface: 'v3' | 'v2';
  readonly isWanted: (method: Method) => boolean;
  readonly readings: Reading[];
  readonly untried: Map<string, string>;
}

/** What a run does with its writes. */
export interface WriteSink {
  /** Called before each method; may end the run by throwing. */
  readonly progress: (method: string, surface: 'v3' | 'v2') => void;
  /** Gets each record before it is created, and loses it once it is deleted, or was not created. */
  readonly left: Set<LeftRecord>;
}

/** The writes of one run, on V3 and then on V2. */
export class WriteTrial {
  readonly #calling: Calling;
  readonly #known: KnownRecords;
  readonly #sink: WriteSink;
  /** Records that this run has created, by kind. */
  readonly #made = new Map<string, MadeRecord[]>();
  #written = new WrittenRecords();
  /** Number of documents sent, so that no two have the same values. */
  #documents = 0;

  constructor(calling: Calling, known: KnownRecords, sink: WriteSink) {
    this.#calling = calling;
    this.#known = known;
    this.#sink = sink;
  }

  /** Adds the calls of wanted methods to `readings`; those that only help them prove nothing. */
  async run(
    surface: 'v3' | 'v2',
    isWanted: (method: Method) => boolean,
    readings: Reading[],
  ): Promise<Untried> {
    const untried = new Map<string, string>();
    this.#made.clear();
    this.#written = new WrittenRecords();
    const planned = this.planned(surface, isWanted);
    const trying = { surface, isWanted, readings, untried };
    for (const method of planned) if (!isLast(method)) await this.#try(method, trying);
    await this.#remove(surface);
    for (const method of planned) if (isLast(method)) await this.#try(method, trying);
    return untried;
  }

  async #try(method: Method, { surface, isWanted, readings, untried }: Trying): Promise<void> {
    const why = this.#calling.lacks(surface) ?? neverTried[method.id];
    const wanted = why === undefined ? this.#wanted(method, surface) : undefined;
    if (wanted === undefined) {
      if (isWanted(method)) untried.set(`${method.id} ${surface}`, why ?? this.#whyNot(method, surface));
      return;
    }
    this.#sink.progress(method.id, surface);
    const reading = await this.#call(method, surface, wanted);
    if (isWanted(method)) readings.push(reading);
  }

  /** Removes what no method deletes, before the records that it refers to are deleted. */
  async #remove(surface: 'v3' | 'v2'): Promise<void> {
    if (this.#calling.lacks('v2') !== undefined) return;
    for (const kind of removable)
      for (const { id, left } of this.#made.get(kind) ?? []) {
        if (left === undefined) continue;
        this.#sink.progress(`removal of ${left.method}`, 'v2');
        const result = await removed(this.#calling, surface, { kind, id });
        if (result !== undefined) this.#sink.left.delete(left);
        if (result === 'closed') this.#sink.left.add({ ...left, isClosed: true });
      }
  }

  /** The wanted methods, and those that create and delete the records for them. */
  planned(surface: 'v3' | 'v2', isWanted: (method: Method) => boolean): readonly Method[] {
    const { mapping } = this.#calling.tried;
    return plannedWrites({ mapping, surface, isWanted, isShared: this.#isShared(surface) });
  }

  async #call(method: Method, surface: 'v3' | 'v2', wanted: WantedWrite): Promise<Reading> {
    const left = this.#begun(method, surface);
    const call = { values: wanted.values, query: [], body: wanted.body?.xml };
    const reading = await this.#calling.call(method, surface, call);
    this.#note(method, reading, left);
    return this.#compared(method, reading, wanted);
  }

  #whyNot(method: Method, surface: 'v3' | 'v2'): string {
    return neededKinds(method, this.#calling.tried.mapping, this.#isShared(surface)) === undefined
      ? 'it requires a value that cannot be made up'
      : 'nothing of its own to try it with';
  }

  /** Compares what the reply shows with what was sent, and notes it for the next write of the record. */
  #compared(method: Method, reading: Reading, { body, target }: WantedWrite): Reading {
    if (body === undefined || reading.outcome.outcome !== 'answered') return reading;
    const made = makes(method) ? this.#lastOf(madeKindOf(method)) : undefined;
    return this.#written.compared(method, reading, { sent: body.sent, target: target ?? made });
  }

  /** Values and document of a call; undefined if this run has created no record to try it with. */
  #wanted(method: Method, surface: 'v3' | 'v2'): WantedWrite | undefined {
    const kind = placeholderOf(method, this.#calling.tried.mapping.methods);
    const own = kind === undefined ? undefined : this.#lastOf(kind);
    if (kind !== undefined && own === undefined) return undefined;
    const values = own === undefined ? [] : [own];
    if (method.body === undefined) return { values, body: undefined, target: undefined };
    const inMessage = this.#lastOf(messageKindOf(method.body.of));
    const target = makes(method) ? undefined : (own ?? inMessage);
    const body = this.#body(method, method.body, surface, target);
    return body && { values, body, target };
  }

  /** On an earlier day for each further write of a record. */
  #body(
    method: Method,
    { of, root }: NonNullable<Method['body']>,
    surface: 'v3' | 'v2',
    target: string | undefined,
  ): Body | undefined {
    const now = this.#calling.parts.clock.now();
    const daysBefore = target === undefined ? 0 : this.#written.writesOf(target);
    this.#documents += 1;
    return writeBody(root, of, {
      number: FIRST_NUMBER + this.#documents,
      time: new Date(now).toISOString().slice(0, 19),
      day: new Date(now - daysBefore * DAY).toISOString().slice(0, 10),
      isNew: makes(method),
      own: this.#lastOf(messageKindOf(of)),
      idFor: (kind) => this.#idFor(kind, surface),
    });
  }

  /**
   * One of the run's own records, or an existing one for kinds that all records share, such as staff and
   * categories.
   */
  #idFor(kind: string, surface: 'v3' | 'v2'): string | undefined {
    return this.#lastOf(kind) ?? this.#borrowed(kind, surface);
  }

  #isShared(surface: 'v3' | 'v2'): (kind: string) => boolean {
    return (kind) => this.#borrowed(kind, surface) !== undefined;
  }

  #borrowed(kind: string, surface: 'v3' | 'v2'): string | undefined {
    return borrowed.has(kind) ? this.#known.idsOf(surface, kind, 1)[0] : undefined;
  }

  /** The record that a call may leave, noted before it is made. */
  #begun(method: Method, surface: 'v3' | 'v2'): LeftRecord | undefined {
    if (!makes(method) || !isWhole(method)) return undefined;
    const left = { surface, method: method.id };
    this.#sink.left.add(left);
    return left;
  }

  #lastOf(kind: string): string | undefined {
    return this.#made.get(kind)?.at(-1)?.id;
  }

  /** Notes what came of a call. */
  #note(method: Method, { outcome }: Reading, left: LeftRecord | undefined): void {
    if (outcome.outcome === 'refused' && left !== undefined) this.#sink.left.delete(left);
    if (outcome.outcome !== 'answered') return;
    if (isDeletion(method)) this.#noteDeleted(method);
    if (makes(method)) this.#noteMade(method, outcome.reply, left);
  }

  /** Notes a created record, so that it may be changed and deleted. */
  #noteMade(method: Method, answered: XmlElement, left: LeftRecord | undefined): void {
    const { reply } = method;
    const [record] = reply.form === 'id' ? [answered] : recordsIn(answered, reply);
    const id = record === undefined ? '' : (childrenOf(record, ['ID'])[0]?.text.trim() ?? '');
    const kind = madeKindOf(method);
    if (id !== '') this.#made.set(kind, [...(this.#made.get(kind) ?? []), { id, left }]);
  }

  #noteDeleted(method: Method): void {
    const deleted = this.#made.get(targetKindOf(method, this.#calling.tried.mapping))?.pop();
    if (deleted?.left !== undefined) this.#sink.left.delete(deleted.left);
  }
}

/** Kinds whose existing records may be referred to. */
const borrowed: ReadonlySet<string> = new Set([
  'staff',
  'category',
  'leadCategory',
  'template',
  'task',
  'cost',
]);
