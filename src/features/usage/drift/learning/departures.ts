/**
 * How the answers that one account gets differ from those it got before.
 *
 * A trait is new if, at the rate at which it is seen now, its earlier absence would be unlikely; it is gone if, at
 * the rate at which it was seen before, its present absence would be. "Unlikely" is less than one in a thousand, and
 * at least three answers have to show it. Only the account's own answers count for either: those of other accounts
 * say nothing about it.
 */
import { likelihoodOfNone, UNLIKELY } from './likelihood.ts';
import { ABSENT, HERE, type Learned, type Place, type Trait } from './learned.ts';
import { ENTRY, placeAround } from './observation.ts';

/** The ways in which an element or key can change. */
export const driftKinds = ['appeared', 'disappeared', 'type', 'emptied', 'optional', 'required'] as const;
/** `optional`: some records lack it, which never happened before. `required`: none lacks it any more. */
export type DriftKind = (typeof driftKinds)[number];

/** One difference from before. */
export interface Departure {
  readonly kind: DriftKind;
  readonly place: string;
  /** The types of its values, before and now; empty if the change is another one. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch: the first answer that showed it. */
  readonly since: number;
}

const FEWEST_ANSWERS = 3;
/** Departures kept for one operation of an account; more would add nothing. */
const MOST_DEPARTURES = 50;
const NOTHING = 'nothing';
/** The type of a text that is no other type. Where it is usual, numbers and dates are texts that happen to look so. */
const TEXT = 'text';
const NO_TEXTS: ReadonlySet<string> = new Set(['nothing', 'number', 'boolean', 'list', 'object']);
const OBJECT = 'object';

/** All present differences, the earliest first. */
export function departuresOf({ places }: Learned): readonly Departure[] {
  const found = new Map<string, Departure>();
  for (const [place, known] of places) {
    const departure = departureAt(place, known);
    if (departure !== undefined) found.set(place, departure);
  }
  return Array.from(found.values())
    .filter(({ place }) => !hasAround(found, place))
    .toSorted((a, b) => a.since - b.since || (a.place < b.place ? -1 : 1))
    .slice(0, MOST_DEPARTURES);
}

/** Everything within a new element is new with it. */
function hasAround(found: ReadonlyMap<string, Departure>, place: string): boolean {
  for (let around = placeAround(place); around !== ''; around = placeAround(around)) {
    const kind = found.get(around)?.kind;
    if (kind === 'appeared' || kind === 'disappeared') return true;
  }
  return false;
}

function departureAt(place: string, known: Place): Departure | undefined {
  const { traits, records, isRepeated } = known;
  const isOne = !isRepeated && !place.endsWith(ENTRY);
  const here = traits.get(HERE);
  if (isOne && here !== undefined) {
    if (isGone(here, records)) return { ...nothingOf('disappeared', place), since: here.since };
    if (isNew(here, records))
      return { kind: 'appeared', place, from: '', to: usualType(known), since: here.first };
  }
  return typeDeparture(place, known) ?? (isOne ? presenceDeparture(place, known) : undefined);
}

const nothingOf = (kind: DriftKind, place: string): Omit<Departure, 'since'> => ({
  kind,
  place,
  from: '',
  to: '',
});

function presenceDeparture(place: string, { traits, records }: Place): Departure | undefined {
  const absent = traits.get(ABSENT);
  if (absent === undefined) return undefined;
  if (isNew(absent, records)) return { ...nothingOf('optional', place), since: absent.first };
  return isGone(absent, records) ? { ...nothingOf('required', place), since: absent.since } : undefined;
}

function typeDeparture(place: string, known: Place): Departure | undefined {
  const types = typesOf(known);
  const old = types.filter(([, trait]) => !isNew(trait, known.values));
  const isText = old.some(([type]) => type === TEXT);
  const fresh = types.find((one) => !old.includes(one) && !(isText && !NO_TEXTS.has(one[0])));
  if (fresh !== undefined) {
    const [to, { first }] = fresh;
    const gone = old.filter(([, trait]) => isGone(trait, known.values));
    const [from] = mostSeen(gone.length > 0 ? gone : old) ?? [''];
    return isEmptyRecord(from, to) ? undefined : { kind: 'type', place, from, to, since: first };
  }
  const left = types.filter(([, trait]) => !isGone(trait, known.values));
  const gone = types.filter(([type, trait]) => type !== NOTHING && isGone(trait, known.values));
  const [last] = gone.toSorted(([, a], [, b]) => b.since - a.since);
  if (last === undefined || last[0] === OBJECT || left.length !== 1 || left[0]?.[0] !== NOTHING)
    return undefined;
  return { kind: 'emptied', place, from: last[0], to: NOTHING, since: last[1].since };
}

/** Whether a place holds a record or nothing says nothing about the form. */
const isEmptyRecord = (from: string, to: string): boolean =>
  [from, to].includes(OBJECT) && [from, to].includes(NOTHING);

const typesOf = ({ traits }: Place): readonly (readonly [string, Trait])[] =>
  Array.from(traits).filter(([name]) => name !== HERE && name !== ABSENT);

const mostSeen = (types: readonly (readonly [string, Trait])[]): readonly [string, Trait] | undefined =>
  types.toSorted(([, a], [, b]) => b.seen - a.seen)[0];

/** The most frequent type of its values. */
const usualType = (place: Place): string => mostSeen(typesOf(place))?.[0] ?? '';

/** Whether it was never seen before some time and has been seen since. `of`: all records. */
export const isNew = (trait: Trait, of: number): boolean =>
  trait.before > 0 && trait.answers >= FEWEST_ANSWERS && !isGone(trait, of) && wasNew(trait, of);

const wasNew = (trait: Trait, of: number): boolean => isUnlikelyIn(trait.before, trait, of);

/** Whether it was seen until some time and has not been since. */
export const isGone = (trait: Trait, of: number): boolean =>
  trait.missedAnswers >= FEWEST_ANSWERS && isUnlikelyIn(trait.missed, trait, of);

/** Whether it is unlikely that none of these records has it, at the rate at which it is seen in the time between. */
const isUnlikelyIn = (records: number, { seen, before, missed }: Trait, of: number): boolean =>
  likelihoodOfNone(seen, of - before - missed, records) < UNLIKELY;

/** Forgets a trait that came and went, so that it is new if it comes back. */
export function forgetPassing({ places }: Learned): void {
  for (const [name, place] of places) {
    for (const [trait, known] of place.traits)
      if (isPassed(known, totalOf(place, trait))) place.traits.delete(trait);
    if (name !== '' && isNowhere(place)) places.delete(name);
  }
}

const isPassed = (trait: Trait, of: number): boolean =>
  trait.before > 0 && isGone(trait, of) && wasNew(trait, of);

/** The entries of a list are neither here nor absent. */
const isNowhere = ({ traits }: Place): boolean =>
  traits.size === 0 || (!traits.has(HERE) && traits.has(ABSENT));

/** How many records, or values, a trait of the place could have been seen in. */
export const totalOf = ({ records, values }: Place, trait: string): number =>
  trait === HERE || trait === ABSENT ? records : values;

/** Makes the departure the normal form from now on. */
export function accept({ places }: Learned, departure: Pick<Departure, 'kind' | 'place' | 'to'>): void {
  const place = places.get(departure.place);
  if (place === undefined) return;
  if (departure.kind === 'disappeared') {
    for (const name of places.keys())
      if (name === departure.place || name.startsWith(`${departure.place}/`)) places.delete(name);
    return;
  }
  for (const names of [[HERE, ABSENT], typesOf(place).map(([name]) => name)]) acceptAmong(place, names);
}

/** For traits that are alternatives: forgets the gone ones, and the time before the new ones. */
function acceptAmong(place: Place, names: readonly string[]): void {
  const total = names.includes(HERE) ? 'records' : 'values';
  const traits = names.flatMap((name) => {
    const trait = place.traits.get(name);
    return trait === undefined ? [] : [[name, trait] as const];
  });
  const gone = traits.filter(([, trait]) => isGone(trait, place[total]));
  const fresh = traits.filter(([, trait]) => isNew(trait, place[total]));
  for (const [name, { seen }] of gone) {
    place.traits.delete(name);
    place[total] -= seen;
  }
  for (const [name, trait] of fresh) {
    if (gone.length === 0) {
      place[total] -= trait.before;
      for (const [other, { seen }] of traits)
        if (other !== name)
          Object.assign(place.traits.get(other) ?? {}, { seen: Math.max(1, seen - trait.before) });
    }
    trait.before = 0;
  }
}
