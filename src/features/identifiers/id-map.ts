import type { Kind, Pair } from '../../mapping/crosswalk/identifier.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { textOf, UnusableReply } from './reading.ts';

/** A map in V1's list of them. */
export interface ExportedMap {
  readonly file: string;
  /** Why records may be missing from it; undefined: it was exported when it was asked for. */
  readonly doubt: string | undefined;
}

/** Between the export of a map and the answer that lists it. */
const LONGEST_EXPORT = 5 * MINUTE;

/**
 * A record created after the export is not in the map, and must not count as new after the move. `answered`: the `Date`
 * of the answer, V1's own clock. V1 writes moments in UTC; one in another zone leaves a doubt.
 */
export function exportedMap(record: XmlElement, answered: string | undefined): ExportedMap {
  const date = (textOf(record, 'Date') ?? '').trim();
  const exported = Date.parse(/(?:Z|[+-]\d{2}:\d{2})$/i.test(date) ? date : `${date}Z`);
  const isNew = Math.abs(Date.parse(answered ?? '') - exported) <= LONGEST_EXPORT;
  const doubt =
    date === '' ? 'its map has no date' : 'its map was exported earlier, or its date is not in UTC';
  return { file: textOf(record, 'File') ?? '', doubt: isNew ? undefined : doubt };
}

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
