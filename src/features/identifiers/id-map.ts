import type { Kind, Pair } from '../../mapping/crosswalk/identifier.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import type { LearnKind } from './learning.ts';
import { textOf, UnusableReply } from './reading.ts';

/** A map in V1's list of them. */
export interface ExportedMap {
  readonly file: string;
  /** Why it completes no kind; undefined: it is of this moment, or of `asOf`. */
  readonly doubt: string | undefined;
  /**
   * Records that were added from this moment on, by the bridge's clock, may be missing from it; undefined: it was exported
   * when it was asked for.
   */
  readonly asOf: number | undefined;
}

/** Between the export of a map and the answer that lists it. */
const LONGEST_EXPORT = 5 * MINUTE;
/** Both times are in whole seconds, and each may be one behind. */
const RESOLUTION = 2 * SECOND;

/**
 * A record created after the export is not in the map, and must not count as new after the move. The `Date` of the answer
 * is V1's own clock, by which the age of a map is known: V1 may list one that it exported some minutes before. V1 writes
 * moments in UTC; one in another zone leaves a doubt. `answeredAt`: when the answer arrived, by the bridge's clock.
 */
export function exportedMap(
  record: XmlElement,
  { headers, millis }: Pick<UpstreamAnswer, 'headers' | 'millis'>,
  answeredAt: number,
): ExportedMap {
  const date = (textOf(record, 'Date') ?? '').trim();
  const exported = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/i.test(date) ? date : `${date}Z`);
  const age = Math.abs(Date.parse(headers.date ?? '') - exported);
  const doubt = date === '' ? 'its map has no date' : EARLIER;
  const isNew = age <= millis + RESOLUTION;
  return {
    file: textOf(record, 'File') ?? '',
    doubt: age <= LONGEST_EXPORT ? undefined : doubt,
    asOf: isNew ? undefined : answeredAt - age - RESOLUTION,
  };
}

/** Why a map alone does not complete a kind. */
export const EARLIER = 'its map was exported earlier, or its date is not in UTC';

/** Legacy programs read 32-bit integers. */
const LARGEST = 2_147_483_647;
const LONGEST_LINE = 1_000;

/** A pair from the texts of both identifiers; undefined if one of them is invalid. */
export function pairOf(kind: Kind, number: string, uuid: string): Pair | undefined {
  if (!/^\d{1,10}$/.test(number) || !isUuid(uuid)) return undefined;
  const value = Number(number);
  return value > 0 && value <= LARGEST ? { kind, number: value, uuid: uuid.toLowerCase() } : undefined;
}

/**
 * The pairs of the elements of a list, with undefined in place of a record without one of its identifiers, which leaves only
 * its kind incomplete. If the number has an element of its own, a record without that element has no number that a
 * program could hold.
 */
export function listedPairs(
  { kind, list }: LearnKind,
  elements: readonly XmlElement[],
): readonly (Pair | undefined)[] {
  const { number } = list ?? {};
  const trimmed = (element: XmlElement, name: string): string => (textOf(element, name) ?? '').trim();
  return elements
    .filter((element) => number === undefined || trimmed(element, number) !== '')
    .map((element) => pairOf(kind, trimmed(element, number ?? 'ID'), trimmed(element, 'UUID')));
}

/**
 * Reads an exported map, CSV with the header `ID,UUID`, in batches. Throws `UnusableReply` for anything else,
 * so that a damaged map is never taken for a complete one.
 */
export async function* pairsIn(kind: Kind, bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly Pair[]> {
  let header = true;
  for await (const lines of linesOf(bytes)) {
    const pairs: Pair[] = [];
    for (const line of lines) {
      if (header) {
        if (line.replaceAll('"', '').toUpperCase() !== 'ID,UUID')
          throw new UnusableReply('not an ID,UUID table');
        header = false;
      } else if (line !== '') pairs.push(pairIn(kind, line));
    }
    if (pairs.length > 0) yield pairs;
  }
  if (header) throw new UnusableReply('not an ID,UUID table');
}

function pairIn(kind: Kind, line: string): Pair {
  const [number = '', uuid = '', ...rest] = line.split(',').map((cell) => cell.trim().replaceAll('"', ''));
  const pair = rest.length === 0 ? pairOf(kind, number, uuid) : undefined;
  if (pair === undefined) throw new UnusableReply('a line of the table is not a pair of identifiers');
  return pair;
}

async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new UnusableReply('a line of the table is too long');
    if (lines.length > 0) yield lines;
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield [rest.trimEnd()];
}
