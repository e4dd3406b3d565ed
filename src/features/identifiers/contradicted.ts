/**
 * What V1 says about pairs that are known otherwise: with such a number, a program would change another record.
 *
 * The timeline has it, and is also the state: the contradictions of a kind stand until a complete reading of it finds none. So the
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
  return `V1 contradicts ${counted(contradictions.length, 'known pair')} (${kinds}): ${some.map(pairWords).join('; ')}${more}. A program would change another record by such a number; causeway crosswalk learn NAME --correct replaces these pairs by V1’s`;
}

/** What V1 contradicts as far as is known: the texts of the entries that stand; undefined: nothing. */
export function contradictionIn(timeline: readonly AccountEvent[]): string | undefined {
  const standing = new Set(standingIn(timeline).values());
  return standing.size === 0 ? undefined : [...standing].join('. ');
}

/** The text of the last entry of each kind that V1 still contradicts: a reading says nothing of kinds it has not read. */
function standingIn(timeline: readonly AccountEvent[]): ReadonlyMap<Kind, string> {
  const standing = new Map<Kind, string>();
  for (const { kind: event, detail } of timeline) {
    if (event === contradictionEvents.found) for (const kind of kindsIn(detail)) standing.set(kind, detail);
    if (event !== contradictionEvents.none) continue;
    const ended = kindsIn(detail);
    if (ended.length === 0) standing.clear();
    for (const kind of ended) standing.delete(kind);
  }
  return standing;
}

/** The kinds that the text of an entry names; an entry that ends all contradictions names none. */
const kindsIn = (detail: string): readonly Kind[] => /\(([^)]*)\)/.exec(detail)?.[1]?.split(', ') ?? [];

/** Whether it concerns pairs that an operator has given, which can always be corrected. */
export const concernsImport = (detail: string): boolean => detail.includes(BY_IMPORT);

/** The entries that a reading adds, if it says something new. `complete`: the kinds of which it has read everything. */
export function contradictionEntries(
  timeline: readonly AccountEvent[],
  contradictions: readonly Contradiction[],
  complete: readonly Kind[],
): readonly Pick<AccountEvent, 'kind' | 'detail'>[] {
  const standing = standingIn(timeline);
  const found = [...new Set(contradictions.map(({ pair }) => pair.kind))];
  const ended = [...standing.keys()].filter((kind) => complete.includes(kind) && !found.includes(kind));
  const detail = contradictionWords(contradictions);
  const isOver = found.length === 0 && ended.length === standing.size;
  const which = isOver ? 'any known pair' : `known pairs of some kinds (${ended.join(', ')})`;
  return [
    ...(ended.length === 0
      ? []
      : [{ kind: contradictionEvents.none, detail: `V1 no longer contradicts ${which}` }]),
    ...(found.some((kind) => standing.get(kind) !== detail)
      ? [{ kind: contradictionEvents.found, detail }]
      : []),
  ];
}
