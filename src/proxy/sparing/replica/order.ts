/**
 * Finds the place of a record that was added or changed since a list was read whole. The service does not say how its
 * lists are ordered, so every order that agrees with all readings so far is kept; a place counts as known only if all
 * orders agree on it. Otherwise the list is read whole again, and the result rules out the wrong orders.
 */
import type { ListedRecord } from './records.ts';

type Place = (
  before: readonly ListedRecord[],
  changes: readonly ListedRecord[],
) => readonly ListedRecord[] | undefined;

interface Order {
  /** Whether a whole list can have this order. */
  readonly allows: (list: readonly ListedRecord[]) => boolean;
  /** Undefined: this order does not determine the place. */
  readonly place: Place;
}

const idsOf = (records: readonly ListedRecord[]): ReadonlySet<string> => new Set(records.map(({ id }) => id));
const byId = (records: readonly ListedRecord[]): ReadonlyMap<string, ListedRecord> =>
  new Map(records.map((record) => [record.id, record]));

/** Earlier records stay in their places; `added` ones go where `join` puts them. */
function staying(
  before: readonly ListedRecord[],
  changes: readonly ListedRecord[],
  join: (kept: readonly ListedRecord[], added: readonly ListedRecord[]) => readonly ListedRecord[],
): readonly ListedRecord[] {
  const changed = byId(changes);
  const known = idsOf(before);
  const kept = before.map((record) => changed.get(record.id) ?? record);
  return join(
    kept,
    changes.filter(({ id }) => !known.has(id)),
  );
}

/** The earlier records without the changed ones. */
function unchanged(
  before: readonly ListedRecord[],
  changes: readonly ListedRecord[],
): readonly ListedRecord[] {
  const changed = idsOf(changes);
  return before.filter(({ id }) => !changed.has(id));
}

const always = (): boolean => true;

/** In ascending order of a text; the order of records with the same text is unknown. */
function sortedBy(keyOf: (record: ListedRecord) => string): Order {
  const allows = (list: readonly ListedRecord[]): boolean =>
    list.every((record, at) => {
      const previous = list[at - 1];
      return previous === undefined || keyOf(previous) <= keyOf(record);
    });
  const place: Place = (before, changes) => {
    const old = new Map(before.map((record) => [record.id, keyOf(record)]));
    const moved = changes.filter((record) => old.get(record.id) !== keyOf(record));
    const stay = byId(changes);
    const away = idsOf(moved);
    const rest = before.filter(({ id }) => !away.has(id)).map((record) => stay.get(record.id) ?? record);
    const taken = new Set(rest.map(keyOf));
    const isTwice = new Set(moved.map(keyOf)).size < moved.length;
    if (isTwice || moved.some((record) => taken.has(keyOf(record)))) return undefined;
    return [...rest, ...moved].sort((one, other) =>
      keyOf(one) < keyOf(other) ? -1 : Number(keyOf(one) > keyOf(other)),
    );
  };
  return { allows, place };
}

const orders: Readonly<Record<string, Order>> = {
  addedLast: {
    allows: always,
    place: (before, changes) => staying(before, changes, (kept, added) => [...kept, ...added]),
  },
  addedFirst: {
    allows: always,
    place: (before, changes) => staying(before, changes, (kept, added) => [...added, ...kept]),
  },
  changedLast: { allows: always, place: (before, changes) => [...unchanged(before, changes), ...changes] },
  changedFirst: { allows: always, place: (before, changes) => [...changes, ...unchanged(before, changes)] },
  name: sortedBy(({ name }) => name),
  nameInAnyCase: sortedBy(({ name }) => name.toLowerCase()),
  id: sortedBy(({ id }) => id),
};

/** All orders that a list may have, judged by its records. */
export const ordersOf = (list: readonly ListedRecord[]): readonly string[] =>
  Object.entries(orders).flatMap(([name, order]) => (order.allows(list) ? [name] : []));

const placed = (
  name: string,
  before: readonly ListedRecord[],
  changes: readonly ListedRecord[],
): readonly ListedRecord[] | undefined => orders[name]?.place(before, changes);

const textOf = (list: readonly ListedRecord[]): string => list.map(({ id }) => id).join('\n');

/**
 * The list with these changes; undefined: its order is not known well enough. `changes`: in the service's order, also
 * those without an effect, because a service may list by the last change.
 */
export function withChanges(
  before: readonly ListedRecord[],
  changes: readonly ListedRecord[],
  possible: readonly string[],
): readonly ListedRecord[] | undefined {
  if (changes.length === 0) return before;
  const [first, ...others] = possible.map((name) => placed(name, before, changes));
  if (first === undefined) return undefined;
  const text = textOf(first);
  if (!others.every((other) => other !== undefined && textOf(other) === text)) return undefined;
  const isSame =
    first.length === before.length && first.every(({ id, xml }, at) => isRecord(before[at], id, xml));
  return isSame ? before : first;
}

const isRecord = (record: ListedRecord | undefined, id: string, xml: string): boolean =>
  record?.id === id && record.xml === xml;

/** The orders that are still possible after the list with these changes was read whole. */
export function judged(
  possible: readonly string[],
  seen: { readonly before: readonly ListedRecord[]; readonly changes: readonly ListedRecord[] },
  after: readonly ListedRecord[],
): readonly string[] {
  const allowed = ordersOf(after).filter((name) => possible.includes(name));
  const text = textOf(after);
  const ids = [...idsOf(after)].sort().join('\n');
  const right = allowed.filter((name) => {
    const expected = placed(name, seen.before, seen.changes);
    // Records other than the expected ones mean that something else happened meanwhile; this proves nothing about the
    // order.
    return (
      expected === undefined || [...idsOf(expected)].sort().join('\n') !== ids || textOf(expected) === text
    );
  });
  return right;
}
