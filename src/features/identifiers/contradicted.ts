/**
 * What V1 says about pairs that are known otherwise: with such a number, a program would change another record.
 *
 * The timeline has it, and is also the state: a contradiction stands until a reading of the same kinds finds none. So the
 * check before the move knows of it while V1 does not answer. Numbers that the bridge has assigned are left out: a program
 * may hold them already.
 */
import type { AccountEvent } from '../accounts/account.ts';
import type { Contradiction, Kind, StoredPair } from '../../mapping/crosswalk/identifier.ts';
import { counted } from '../../lib/text/counted.ts';

/** Kinds of timeline entries. */
export const contradictionEvents = { found: 'crosswalk.contradicted', none: 'crosswalk.agreed' } as const;

/** Pairs that an entry names. */
const MOST_NAMED = 3;
const BY_IMPORT = 'according to an import';

const originWords = ({ origin }: StoredPair): string =>
  origin === 'imported' ? BY_IMPORT : 'according to an earlier reading of V1';

function pairWords({ pair: { kind, number, uuid }, known }: Contradiction): string {
  const ofNumber = known.find((one) => one.number === number);
  if (ofNumber !== undefined)
    return `${kind} ${number} is UUID ${uuid} on V1, but ${ofNumber.uuid} ${originWords(ofNumber)}`;
  const others = known.map((one) => `${one.number} ${originWords(one)}`).join(' and ');
  return `${kind} ${number} is UUID ${uuid} on V1, which is ${kind} ${others}`;
}

const isOfImport = ({ known }: Contradiction): boolean => known.some(({ origin }) => origin === 'imported');

/** The text of an entry: how many there are, of which kinds, the first of them, and how to correct them. */
export function contradictionWords(contradictions: readonly Contradiction[]): string {
  const kinds = [...new Set(contradictions.map(({ pair }) => pair.kind))].join(', ');
  const some = [
    ...contradictions.filter(isOfImport),
    ...contradictions.filter((one) => !isOfImport(one)),
  ].slice(0, MOST_NAMED);
  const more = contradictions.length > some.length ? '; …' : '';
  return `V1 contradicts ${counted(contradictions.length, 'known pair')} (${kinds}): ${some.map(pairWords).join('; ')}${more}. A program would change another record by such a number; causeway crosswalk learn --correct replaces these pairs by V1’s`;
}

/** What V1 contradicts as far as is known: the text of the entry; undefined: nothing. */
export function contradictionIn(timeline: readonly AccountEvent[]): string | undefined {
  const last = timeline.findLast(
    ({ kind }) => kind === contradictionEvents.found || kind === contradictionEvents.none,
  );
  return last?.kind === contradictionEvents.found ? last.detail : undefined;
}

/** Whether it concerns pairs that an operator has given, which can always be corrected. */
export const concernsImport = (detail: string): boolean => detail.includes(BY_IMPORT);

/** The entry that a complete reading adds, if it says something new. */
export function contradictionEntry(
  timeline: readonly AccountEvent[],
  contradictions: readonly Contradiction[],
  complete: readonly Kind[],
): Pick<AccountEvent, 'kind' | 'detail'> | undefined {
  const before = contradictionIn(timeline);
  if (contradictions.length > 0) {
    const detail = contradictionWords(contradictions);
    return detail === before ? undefined : { kind: contradictionEvents.found, detail };
  }
  if (before === undefined) return undefined;
  const kinds = /\(([^)]*)\)/.exec(before)?.[1]?.split(', ') ?? [];
  return kinds.every((kind) => complete.includes(kind))
    ? { kind: contradictionEvents.none, detail: 'V1 no longer contradicts any known pair' }
    : undefined;
}
