/**
 * Chooses the fault to report for a refused write that has several: the one that V1 would have reported.
 *
 * The routes check what they can check cheaply, in their own order: elements and identifiers before anything leaves,
 * V2's values as they are written, a job when the service is asked about it. If a write is refused before anything of
 * it has left, its faults are looked for again in V1's order; a write without faults pays nothing for this. Required
 * elements and the records that they name come first, then values (numbers, days, flags), and optional elements last;
 * for contacts of a new client, the values come before the names. A job is named by a number that only the service
 * knows, so the service is asked. A long document is read again without its content.
 */
import { Failure } from '../../../lib/failure.ts';
import { one } from '../../../mapping/format.ts';
import { formatOf, type FormatName } from '../../../mapping/formats.ts';
import type { Mapping, Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import type { ValueRow } from '../../../mapping/compile/records.ts';
import { Trace, type LegacyCall, type Reply } from '../../call/call.ts';
import type { Translation } from '../../identifiers.ts';
import type { BodyReader } from '../../call/body-reader.ts';
import { absent, checkRequired } from '../../call/request.ts';
import { isBody } from '../../call/read-call.ts';
import { isNeeded } from '../conditions.ts';
import { isGiven, readGiven, type Given, type GivenValue } from '../lookups/given.ts';

/** What is needed to check a refused write. */
export interface Refused {
  readonly call: LegacyCall;
  readonly ids: Translation;
  /** `job.task.add` */
  readonly id: string;
  readonly mapping: Mapping;
  readonly body: BodyReader;
  /** Reads on the route that the account's programs use. */
  readonly read: (call: LegacyCall) => Promise<Reply>;
}

/** The order in which faults are reported. */
const turns = {
  first: 0,
  parts: 1,
  namesOfParts: 2,
  number: 3,
  category: 4,
  day: 5,
  flag: 6,
  within: 7,
  reference: 8,
  last: 9,
} as const;
type Turn = (typeof turns)[keyof typeof turns];

const turnOfFormat: Partial<Record<FormatName, Turn>> = {
  money: turns.number,
  decimal: turns.number,
  minutes: turns.number,
  date: turns.day,
  plainDate: turns.day,
  timeOfDay: turns.day,
};

/** Elements that V1 checks out of the usual order. */
const turnOfElement: Readonly<Record<string, Turn>> = {
  'Job/ContactID': turns.first,
  'Job/CategoryID': turns.category,
  'Job/TemplateID': turns.last,
  'Lead/ContactID': turns.last,
  'Lead/TemplateID': turns.last,
  'Timesheet/Task': turns.first,
  'Timesheet/Staff': turns.first,
  'Timesheet/Date': turns.day,
  'Timesheet/Minutes': turns.day,
};

/** Lists that V1 reads before the values beside them, and before it looks for missing elements. */
const READ_FIRST: ReadonlySet<string> = new Set(['Client/Contacts']);

interface Check {
  readonly turn: Turn;
  /** The fault is a missing element. */
  readonly isOfAbsence?: true;
  /** Throws `Failure`. */
  readonly run: () => unknown;
}

/** The failure that V1 would have reported: the given one, unless another fault comes before it. */
export async function firstFault(error: unknown, refused: Refused): Promise<unknown> {
  const method = refused.mapping.methods.find(({ id }) => id === refused.id);
  if (!isOfRequest(error, refused.call) || method?.body === undefined) return error;
  try {
    await check(refused, method, method.body);
    return error;
  } catch (other) {
    return other instanceof Failure && other.code === 'refused' ? other : error;
  }
}

/** Throws the first fault of the request. */
async function check(refused: Refused, method: Method, body: NonNullable<Method['body']>): Promise<void> {
  const element = await refused.body.read(refused.call, body);
  if (element === undefined || !isBody(element, body)) return;
  const given = readGiven(element, body.of, asGiven, () => undefined, [body.root]);
  const isInOrder = body.of.rows.some((row) => isJob(row, method) || isReadFirst([body.root, row.element]));
  if (!isInOrder) checkRequired(element, body.of, [body.root]);
  const checks = new Checks(refused, method).of(given, body.of, [body.root]);
  for (const { run } of checks.toSorted((a, b) => a.turn - b.turn)) await run();
}

/** Whether the bridge found the fault in the request before anything of it left. */
const isOfRequest = (error: unknown, { leaving }: LegacyCall): error is Failure =>
  error instanceof Failure &&
  error.code === 'refused' &&
  error.source === 'bridge' &&
  leaving?.hasLeft !== true;

const asGiven = (_kind: string, text: string): string => text;

/** A job's number is text, and no kind of identifier. */
const isJob = ({ element }: RecordRow, { creates, body }: Pick<Method, 'creates' | 'body'>): boolean =>
  element === 'Job' || element === 'JobNumber' || (element === 'ID' && body?.root === 'Job' && !creates);

const textOf = (value: GivenValue | undefined): string => (typeof value === 'string' ? value.trim() : '');

/** V1's checks, in the order of the elements. */
class Checks {
  readonly #refused: Refused;
  readonly #method: Method;

  constructor(refused: Refused, method: Method) {
    this.#refused = refused;
    this.#method = method;
  }

  of(given: Given, table: RecordTable, path: readonly string[]): readonly Check[] {
    return table.rows.flatMap((row) => {
      const at = [...path, row.element];
      const value = given[row.element];
      if (row.holds === 'value') {
        if (isNeeded(row, table, given)) return [without(row, at, path.length === 1)];
        return this.#value(textOf(value), row, at);
      }
      const inner = row.holds === 'list' ? [...at, row.child] : at;
      const checks = recordsIn(value).flatMap((record) => this.of(record, row.of, inner));
      return isReadFirst(at) ? checks.map(early) : checks;
    });
  }

  #value(text: string, row: ValueRow, path: readonly string[]): readonly Check[] {
    const isOwn = path.length === 2;
    if (text === '') return row.isRequired ? [without(row, path, isOwn)] : [];
    if (isOwn && isJob(row, this.#method)) return [{ turn: turns.first, run: () => this.#checkJob(text) }];
    const usual = turnOfElement[path.join('/')] ?? (row.isRequired ? turns.first : undefined);
    if (row.kind !== undefined) return [this.#reference(text, row, row.kind, usual)];
    if ((formatOf(row.format).toV2 ?? one)(text) !== undefined) return [];
    return [invalid(row, usual, isOwn)];
  }

  /** A job that cannot be read counts as valid. */
  async #checkJob(number: string): Promise<void> {
    const { call, read, mapping } = this.#refused;
    const status = await read(readOfJob(call, number)).then(
      (reply) => reply.status,
      (error: unknown) => (error instanceof Failure && error.code === 'refused' ? undefined : 200),
    );
    if (status === undefined)
      throw new Failure('refused', { text: mapping.kinds.get('job')?.error ?? 'Invalid job identifier' });
  }

  #reference(text: string, row: ValueRow, kind: string, turn: Turn = turns.reference): Check {
    return { turn, run: () => this.#refused.ids.toV3((toV3) => toV3(kind, text, row.unknown)) };
  }
}

const readOfJob = ({ requestId, keys, target, signal }: LegacyCall, number: string): LegacyCall => ({
  ...{ requestId, keys, target, signal, verb: 'GET', query: [], trace: new Trace() },
  segments: ['job.api', 'get', number],
  contentType: undefined,
  accept: undefined,
  body: { length: 0, read: () => Promise.resolve(Buffer.alloc(0)) },
});

const isReadFirst = (path: readonly string[]): boolean => READ_FIRST.has(path.join('/'));

const early = (one: Check): Check => ({
  ...one,
  turn: one.isOfAbsence === true ? turns.namesOfParts : turns.parts,
});

const recordsIn = (value: GivenValue | undefined): readonly Given[] =>
  Array.isArray(value) ? (value as readonly Given[]) : isGiven(value) ? [value] : [];

const failing = (turn: Turn, failure: Failure): Check => ({ turn, run: () => Promise.reject(failure) });

function without(row: ValueRow, path: readonly string[], isOwn: boolean): Check {
  const named = row.isAttribute ? [...path.slice(0, -1), `@${row.element}`] : path;
  const turn = isOwn || row.isAttribute ? turns.first : turns.within;
  return { ...failing(turn, absent(row, named)), isOfAbsence: true };
}

function invalid({ element, format }: ValueRow, usual: Turn | undefined, isOwn: boolean): Check {
  const turn = usual ?? (isOwn ? (turnOfFormat[format] ?? turns.flag) : turns.within);
  return failing(turn, new Failure('refused', { text: `Invalid value for ${element}` }));
}
