/**
 * Calls every read of the mapping on one API version: lists first, then the methods that need an identifier,
 * with those that the lists showed, until nothing more can be called.
 */
import { recordsIn } from './judging/answers.ts';
import { surfaces, type Reading, type Surface } from './model.ts';
import { DAY } from '../../lib/time/clock.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Calling, Wanted } from './calling.ts';
import { placeholderOf, type KnownRecords } from './known-records.ts';

/** Number of records tried with a method that shows a single record. */
const RECORDS_OF_ONE = 2;
/** Number of records tried until a list has entries. */
const RECORDS_OF_LIST = 6;
const YEARS = 10;

/** Why calls were not made, by `client.get v2`. */
export type Untried = ReadonlyMap<string, string>;

/** Whether the mapping has a call of the method on the surface. */
export const isOn = (surface: Surface, { v2 }: Method): boolean => surface !== 'v2' || v2?.way === 'steps';

/** About how many calls of each API a run makes, of V1 only reads. */
export const expectedCalls = (
  calling: Calling,
  writes: boolean,
  isWanted: (method: Method, surface: Surface) => boolean,
): readonly number[] =>
  surfaces.map((surface) =>
    callsOf(
      calling,
      surface,
      (method) => (isRead(method) || (writes && surface !== 'v1')) && isWanted(method, surface),
    ),
  );

/** Most methods that need a record are called with two. */
function callsOf(calling: Calling, surface: Surface, isWanted: (method: Method) => boolean): number {
  const { methods } = calling.tried.mapping;
  if (calling.lacks(surface) !== undefined) return 0;
  const wanted = methods.filter((method) => isWanted(method) && isOn(surface, method));
  const calls = wanted.map((method) =>
    isRead(method) && placeholderOf(method, methods) !== undefined ? RECORDS_OF_ONE : 1,
  );
  return calls.reduce((sum, one) => sum + one, 0);
}

/** What a run does with its calls: `progress` is called before each method, and may end the run by throwing. */
export interface ReadingSink {
  readonly progress: (method: string) => void;
  readonly readings: Reading[];
}

/** Reads everything into `readings`, which keeps what was read before an error. */
export async function readAll(
  calling: Calling,
  surface: Surface,
  methods: readonly Method[],
  known: KnownRecords,
  { progress, readings }: ReadingSink,
): Promise<Untried> {
  const untried = new Map<string, string>();
  const lacks = calling.lacks(surface);
  const readable = methods.filter((method) => isRead(method) && isOn(surface, method));
  if (lacks !== undefined) return new Map(readable.map(({ id }) => [`${id} ${surface}`, lacks]));
  let left = readable;
  for (let isFruitful = true; isFruitful;) {
    isFruitful = false;
    const later: Method[] = [];
    for (const method of left) {
      const wanted = wantedOf(calling, surface, method, known);
      if (wanted === undefined) {
        later.push(method);
        continue;
      }
      progress(method.id);
      readings.push(...(await readOne(calling, surface, method, wanted, known)));
      isFruitful = true;
    }
    left = later;
  }
  for (const { id } of left) untried.set(`${id} ${surface}`, 'no record was shown to call it with');
  return untried;
}

/** Calls one method with one record after the other; a list stops at the first that has entries. */
async function readOne(
  calling: Calling,
  surface: Surface,
  method: Method,
  wanted: readonly Wanted[],
  known: KnownRecords,
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  const { reply } = method;
  for (const one of wanted) {
    const reading = await calling.call(method, surface, one);
    readings.push(reading);
    const { outcome } = reading;
    if (outcome.outcome !== 'answered' || !('of' in reply)) continue;
    const records = recordsIn(outcome.reply, reply);
    known.add(surface, reply.of, reply.element, records);
    if (surface !== 'v2') known.addNames(method.id, records);
    if (reply.form === 'list' && records.length > 0) break;
  }
  return readings;
}

/** The calls to make; undefined if there is no record to call the method with yet. */
function wantedOf(
  calling: Calling,
  surface: Surface,
  method: Method,
  known: KnownRecords,
): readonly Wanted[] | undefined {
  const query = queryOf(calling, surface, method, known);
  if (query === undefined) return undefined;
  const kind = placeholderOf(method, calling.tried.mapping.methods);
  if (kind === undefined) return [{ values: [], query }];
  const most = method.reply.form === 'list' ? RECORDS_OF_LIST : RECORDS_OF_ONE;
  const ids = known.idsOf(surface, kind, most, method.id);
  return ids.length === 0 ? undefined : ids.map((id) => ({ values: [id], query }));
}

/** Asks for all details of ten years; undefined if no search word is known yet. */
function queryOf(
  { parts: { clock } }: Calling,
  surface: Surface,
  method: Method,
  known: KnownRecords,
): Wanted['query'] | undefined {
  const query: [string, string][] = [];
  const usual: Readonly<Record<string, string>> = {
    detailed: 'true',
    from: dayText(clock.now() - YEARS * 365 * DAY),
    to: dayText(clock.now() + 365 * DAY),
  };
  const needed = new Set([...method.requires, ...(method.v2?.way === 'steps' ? method.v2.requires : [])]);
  for (const name of method.query.values()) {
    const word =
      usual[name] ?? (needed.has(name) ? known.wordOf(surface, method.id.split('.', 1)[0] ?? '') : '');
    if (word === undefined) return undefined;
    if (word !== '') query.push([name, word]);
  }
  return query;
}

const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
