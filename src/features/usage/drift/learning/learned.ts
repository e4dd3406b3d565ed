/**
 * The form of the answers that one operation of the service has given one account: for each element or key how often
 * it was there, how often it was missing, and which types its values had. Counts and times, never values.
 *
 * Each of these is a trait: `here` and `absent` for the records around a place, and each type of the values at it. A
 * trait records how many records came before it was first seen, and how many since it was last seen. A few numbers
 * thus tell both "new since 14:02" and "gone since 14:02" at any time, and a trait that comes back ends its absence
 * by itself (`departures.ts`).
 */
import { packedJson, unpackedJson } from '../../../../lib/text/packed-json.ts';
import { ENTRY, placeAround, type Observation, type Seen } from './observation.ts';

/** The two traits of a place besides the types of its values. */
export const HERE = 'here';
/** Records without it. */
export const ABSENT = 'absent';

/** Most places of one operation; further ones are not learned. */
const MOST_PLACES = 400;
/** Most types at one place. */
const MOST_TRAITS = 12;

/** How often something was seen; times in milliseconds since the epoch. */
export interface Trait {
  /** Records, or values. */
  seen: number;
  /** Answers with it. */
  answers: number;
  /** Records before the first one with it. */
  before: number;
  first: number;
  last: number;
  /** Records, and whole answers, without it since it was last seen; `since`: the first of them, 0 if there is none. */
  missed: number;
  missedAnswers: number;
  since: number;
}

/** One element or key. */
export interface Place {
  /** Records that could have it. */
  records: number;
  /** How many of its values, or entries, are records. */
  objects: number;
  values: number;
  /** Some record had it more than once: it is the entry of a list, whose length nobody knows. */
  isRepeated: boolean;
  readonly traits: Map<string, Trait>;
}

/** Everything learned about an operation. */
export interface Learned {
  answers: number;
  /** Times of the first and the last answer. */
  first: number;
  last: number;
  /** There was no room for some places. */
  isFull: boolean;
  readonly places: Map<string, Place>;
}

/** The state before any answer. */
export const nothingLearned = (): Learned => ({
  ...{ answers: 0, first: 0, last: 0, isFull: false },
  places: new Map(),
});

/** Adds one answer. Answers may arrive in another order than they were given. */
export function learn(learned: Learned, observation: Observation, at: number): void {
  if (learned.answers === 0) learned.first = at;
  for (const [place, seen] of observation)
    learnPlace(learned, place, seen, recordsAround(observation, place), at);
  for (const [place, known] of learned.places) {
    const seen = observation.get(place);
    // Counted after the loop above: a new place must find how many records came before it.
    if (seen !== undefined) known.objects += seen.objects;
    else countHere(known, 0, recordsAround(observation, place), at);
  }
  learned.answers += 1;
  learned.first = Math.min(learned.first, at);
  learned.last = Math.max(learned.last, at);
}

/** Records in which the place could be. */
const recordsAround = (observation: Observation, place: string): number =>
  place === '' ? 0 : (observation.get(placeAround(place))?.objects ?? 0);

function learnPlace(learned: Learned, place: string, seen: Seen, records: number, at: number): void {
  const known = learned.places.get(place) ?? newPlace(learned, place);
  if (known === undefined) return;
  if (seen.many > 0) known.isRepeated = true;
  if (!place.endsWith(ENTRY)) countHere(known, seen.present, records, at);
  countTypes(known, seen.types, at);
}

/** For a place that was never seen, all earlier records lacked it. */
function newPlace(learned: Learned, place: string): Place | undefined {
  if (learned.places.size >= MOST_PLACES) {
    learned.isFull = true;
    return undefined;
  }
  const before = place === '' ? 0 : (learned.places.get(placeAround(place))?.objects ?? 0);
  const known: Place = { records: before, objects: 0, values: 0, isRepeated: false, traits: new Map() };
  if (before > 0)
    known.traits.set(ABSENT, {
      ...{ seen: before, answers: learned.answers, before: 0, first: learned.first, last: learned.last },
      ...NONE_MISSED,
    });
  learned.places.set(place, known);
  return known;
}

function countHere(place: Place, present: number, records: number, at: number): void {
  if (records === 0) return;
  countTrait(place, HERE, { seen: Math.min(present, records), of: records, before: place.records }, at);
  countTrait(place, ABSENT, { seen: Math.max(0, records - present), of: records, before: place.records }, at);
  place.records += records;
}

function countTypes(place: Place, types: Seen['types'], at: number): void {
  const of = [...types.values()].reduce((sum, count) => sum + count, 0);
  if (of === 0) return;
  for (const type of new Set([...place.traits.keys(), ...types.keys()]))
    if (type !== HERE && type !== ABSENT)
      countTrait(place, type, { seen: types.get(type) ?? 0, of, before: place.values }, at);
  place.values += of;
}

const NONE_MISSED = { missed: 0, missedAnswers: 0, since: 0 } as const;

interface Counted {
  readonly seen: number;
  readonly of: number;
  /** All earlier records. */
  readonly before: number;
}

function countTrait(place: Place, name: string, { seen, of, before }: Counted, at: number): void {
  const known = place.traits.get(name);
  if (seen === 0) {
    if (known !== undefined && of > 0) addMissed(known, of, at);
    return;
  }
  if (known === undefined) {
    if (place.traits.size >= MOST_TRAITS) return;
    place.traits.set(name, { seen, answers: 1, before, first: at, last: at, ...NONE_MISSED });
    return;
  }
  known.seen += seen;
  known.answers += 1;
  known.first = Math.min(known.first, at);
  known.last = Math.max(known.last, at);
  // An older answer that arrives late does not end an absence that began after it.
  if (at >= known.since) Object.assign(known, NONE_MISSED);
}

function addMissed(trait: Trait, of: number, at: number): void {
  // Nor does it begin one.
  if (at < trait.last) return;
  trait.since = trait.since === 0 ? at : Math.min(trait.since, at);
  trait.missed += of;
  trait.missedAnswers += 1;
}

interface Packed extends Omit<Learned, 'places'> {
  readonly places: readonly (readonly [
    string,
    Omit<Place, 'traits'> & { readonly traits: readonly (readonly [string, Trait])[] },
  ])[];
}

/** Packs it into one text. */
export const packedLearned = ({ places, ...rest }: Learned): Promise<string> =>
  packedJson({
    ...rest,
    places: Array.from(places, ([name, place]) => [name, { ...place, traits: [...place.traits] }] as const),
  } satisfies Packed);

/** Restores it from a text that `packedLearned` made. */
export async function unpackedLearned(text: string): Promise<Learned> {
  const { places, ...rest } = (await unpackedJson(text)) as Packed;
  return {
    ...rest,
    places: new Map(places.map(([name, place]) => [name, { ...place, traits: new Map(place.traits) }])),
  };
}
