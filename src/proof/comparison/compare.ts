/**
 * Compares two replies to one call, element by element, after both have been given the same identifiers.
 *
 * Records of a list that have one name are matched by their identifiers, in any order; everything else by name.
 * Missing entries of a list are classified by position: whole pages, or single records.
 */
import type { SampledElement } from '../../features/samples/sample.ts';
import type { Difference } from '../../features/cutover/parity/difference.ts';
import { differenceOf, plainOf } from './values.ts';

/** Known properties of the replies, besides their content. */
export interface ComparisonRules {
  /** Page sizes of lists on V3 or V2. */
  readonly pageSizes: readonly number[];
  /** Names of elements whose values differ by design, except that none is empty: addresses of documents. */
  readonly ignored: ReadonlySet<string>;
  /** The first reply is a sample. One of 1.0.0-rc.1 lacks the text beside elements, so an empty one shows nothing. */
  readonly isBaseline?: boolean;
}

/** Elements that identify a record, in order of preference. */
const IDENTIFIERS = ['ID', 'UUID', 'Number'];

/** Returns all differences of the second reply from the first. */
export function compare(
  before: SampledElement,
  after: SampledElement,
  rules: ComparisonRules,
): readonly Difference[] {
  const comparison = new Comparison(rules);
  comparison.elements(before, after, { path: before.name, records: [] });
  return comparison.differences;
}

interface Place {
  readonly path: string;
  readonly records: readonly string[];
}

class Comparison {
  readonly differences: Difference[] = [];
  readonly #rules: ComparisonRules;

  constructor(rules: ComparisonRules) {
    this.#rules = rules;
  }

  elements(before: SampledElement, after: SampledElement, place: Place): void {
    this.#attributes(before, after, place);
    if (this.#haveValues(before, after)) this.#values(before, after, place);
    if (isList(before) || isList(after)) this.#lists(before, after, place);
    else if (before.children.length > 0 || after.children.length > 0) this.#children(before, after, place);
  }

  /** Whether the texts can be compared. Where only one of the elements has children, these are the difference. */
  #haveValues(before: SampledElement, after: SampledElement): boolean {
    if (before.children.length === 0 || after.children.length === 0)
      return before.children.length === after.children.length;
    return this.#rules.isBaseline !== true || plainOf(before.value) !== '';
  }

  #values(before: SampledElement, after: SampledElement, place: Place): void {
    if (this.#rules.ignored.has(before.name)) {
      const [one, other] = [plainOf(before.value) === '', plainOf(after.value) === ''];
      if (one !== other) this.#note('value', place, one ? 'nothing → an address' : 'an address → nothing');
      return;
    }
    const found = differenceOf(before.value, after.value);
    if (found !== undefined)
      this.differences.push({
        ...place,
        ...found,
        before: plainOf(before.value),
        after: plainOf(after.value),
      });
  }

  #attributes(before: SampledElement, after: SampledElement, { path, records }: Place): void {
    const [earlier, later] = [new Map(before.attributes), new Map(after.attributes)];
    for (const name of later.keys())
      if (!earlier.has(name)) this.#note('extra-element', { path: `${path}/@${name}`, records });
    for (const [name, value] of before.attributes) {
      const other = later.get(name);
      const place = { path: `${path}/@${name}`, records };
      if (other === undefined) this.#note('missing-element', place);
      else {
        const found = differenceOf(value, other);
        if (found !== undefined)
          this.differences.push({ ...place, ...found, before: plainOf(value), after: plainOf(other) });
      }
    }
  }

  #children(before: SampledElement, after: SampledElement, place: Place): void {
    const names = new Set([...before.children, ...after.children].map(({ name }) => name));
    const ofName = (element: SampledElement, name: string): readonly SampledElement[] =>
      element.children.filter((child) => child.name === name);
    for (const name of names) {
      const [one, other] = [ofName(before, name), ofName(after, name)];
      const below = { path: `${place.path}/${name}`, records: place.records };
      if (one.length > 1 || other.length > 1) this.#records(one, other, below);
      else if (one[0] === undefined) this.#note('extra-element', below);
      else if (other[0] === undefined) this.#note('missing-element', below);
      else this.elements(one[0], other[0], below);
    }
    const order = (element: SampledElement): readonly string[] => [
      ...new Set(element.children.map(({ name }) => name)),
    ];
    if (differ(shared(order(before), order(after)), shared(order(after), order(before))))
      this.#note('order', place);
  }

  /** Entries with another name are other elements, because a program looks for the name that V1 gives. */
  #lists(before: SampledElement, after: SampledElement, { path, records }: Place): void {
    const [one, other] = [entriesOf(before), entriesOf(after)];
    for (const name of new Set([...one.keys(), ...other.keys()])) {
      const [some, others] = [one.get(name), other.get(name)];
      const below = { path: `${path}/${name}`, records };
      // The names in an empty list are unknown.
      if (some === undefined && one.size > 0) this.#note('extra-element', below);
      else if (others === undefined && other.size > 0) this.#note('missing-element', below);
      else this.#records(some ?? [], others ?? [], below);
    }
  }

  #records(before: readonly SampledElement[], after: readonly SampledElement[], place: Place): void {
    const [one, other] = [identified(before), identified(after)];
    // A record that no program has seen has no number, so it matches none of the others.
    this.#inTurn(one.unnamed, other.unnamed, place);
    if (one.named.size === 0 && other.named.size === 0) return;
    this.#missing(one.named, other.named, place);
    this.#extra(one.named, other.named, place);
    const keys = [[...one.named.keys()], [...other.named.keys()]] as const;
    if (differ(shared(keys[0], keys[1]), shared(keys[1], keys[0]))) this.#note('order', place);
    for (const [key, named] of one.named) {
      const same = other.named.get(key);
      if (same !== undefined) this.elements(named.element, same.element, within(place, named));
    }
  }

  #missing(before: NamedRecords, after: NamedRecords, place: Place): void {
    const keys = [...before.keys()];
    const missing = keys.flatMap((key, at) => (after.has(key) ? [] : [at]));
    if (missing.length === 0) return;
    if (this.#arePages(missing, keys.length))
      this.#note('paging', place, `${missing.length} records missing`);
    else
      for (const [key, named] of before)
        if (!after.has(key)) this.#note('missing-record', within(place, named));
  }

  #extra(before: NamedRecords, after: NamedRecords, place: Place): void {
    let repeated = 0;
    for (const [key, named] of after) {
      if (before.has(key)) continue;
      if (named.turn > 1) repeated += 1;
      else this.#note('extra-record', within(place, named));
    }
    if (repeated > 0) this.#note('paging', place, `${repeated} records twice`);
  }

  /** Whether the positions make up exactly some pages of a list, but not all of it. */
  #arePages(missing: readonly number[], length: number): boolean {
    const first = missing[0] ?? 0;
    const end = first + missing.length;
    const isRun = missing.every((at, index) => at === first + index);
    return (
      isRun &&
      first > 0 &&
      this.#rules.pageSizes.some((size) => first % size === 0 && (end % size === 0 || end === length))
    );
  }

  /** Matches records without identifiers by position. */
  #inTurn(before: readonly SampledElement[], after: readonly SampledElement[], place: Place): void {
    for (const [at, element] of before.entries()) {
      const other = after[at];
      const turn = inTurn(place, at);
      if (other === undefined) this.#note('missing-record', turn);
      else this.elements(element, other, turn);
    }
    for (let at = before.length; at < after.length; at += 1) this.#note('extra-record', inTurn(place, at));
  }

  #note(cause: Difference['cause'], { path, records }: Place, detail = ''): void {
    this.differences.push({ cause, path, records, before: '', after: '', detail });
  }
}

/** Whether the element is a list of entries with one name: `Clients` with `Client`. */
function isList({ name, children }: SampledElement): boolean {
  const [first] = children;
  if (first === undefined || children.some((child) => child.name !== first.name)) return false;
  const stem = first.name.toLowerCase().slice(0, -1);
  return children.length > 1 || (first.name !== name && name.toLowerCase().startsWith(stem));
}

/** The entries of a list by their names. */
const entriesOf = ({ children }: SampledElement): ReadonlyMap<string, readonly SampledElement[]> =>
  Map.groupBy(children, ({ name }) => name);

/** The place of a record without an identifier; in no other record, its own identifier is empty. */
const inTurn = ({ path, records }: Place, at: number): Place => ({
  path,
  records: [...(records.length === 0 ? [''] : records), String(at + 1)],
});

/** A record of a list. V1 itself gives some twice, in one list. */
interface NamedRecord {
  readonly id: string;
  /** 1 for the first record with the identifier, 2 for the second. */
  readonly turn: number;
  readonly element: SampledElement;
}

/** By identifier and turn: the second record with an identifier is compared with the second. */
type NamedRecords = ReadonlyMap<string, NamedRecord>;

const within = ({ path, records }: Place, { id, turn }: NamedRecord): Place => ({
  path,
  records: [...records, id, ...(turn > 1 ? [String(turn)] : [])],
});

/** Separates elements by whether they have an identifier. */
function identified(elements: readonly SampledElement[]): {
  readonly named: NamedRecords;
  readonly unnamed: readonly SampledElement[];
} {
  const named = new Map<string, NamedRecord>();
  const turns = new Map<string, number>();
  const unnamed: SampledElement[] = [];
  for (const element of elements) {
    const id = identifierOf(element);
    if (id === undefined) {
      unnamed.push(element);
      continue;
    }
    const turn = (turns.get(id) ?? 0) + 1;
    turns.set(id, turn);
    named.set(`${turn} ${id}`, { id, turn, element });
  }
  return { named, unnamed };
}

/** The record's identifier; undefined if it has none. */
export function identifierOf(element: SampledElement): string | undefined {
  for (const name of IDENTIFIERS) {
    const child = element.children.find((one) => one.name === name);
    const text = child === undefined ? '' : plainOf(child.value);
    if (text !== '') return text;
  }
  return undefined;
}

const shared = (some: readonly string[], others: readonly string[]): readonly string[] => {
  const there = new Set(others);
  return some.filter((one) => there.has(one));
};

const differ = (some: readonly string[], others: readonly string[]): boolean =>
  some.some((one, at) => one !== others[at]);
