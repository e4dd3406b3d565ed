/**
 * Compares two replies to one call, element by element, after both have been given the same identifiers.
 *
 * Records of a list are matched by their identifiers, in any order; everything else by name. Missing entries
 * of a list are classified by position: whole pages, or single records.
 */
import type { SampledElement } from '../../features/samples/sample.ts';
import type { Difference } from '../../features/cutover/parity/difference.ts';
import { differenceOf, plainOf } from './values.ts';

/** Known properties of the replies, besides their content. */
export interface ComparisonRules {
  /** Page sizes of lists on V3 or V2. */
  readonly pageSizes: readonly number[];
  /** Names of elements whose values differ by design: addresses of documents. */
  readonly ignored: ReadonlySet<string>;
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
  comparison.elements(before, after, { path: before.name, record: '' });
  return comparison.differences;
}

interface Place {
  readonly path: string;
  readonly record: string;
}

class Comparison {
  readonly differences: Difference[] = [];
  readonly #rules: ComparisonRules;

  constructor(rules: ComparisonRules) {
    this.#rules = rules;
  }

  elements(before: SampledElement, after: SampledElement, place: Place): void {
    this.#attributes(before, after, place);
    if (isList(before) || isList(after)) this.#lists(before, after, place);
    else if (before.children.length > 0 || after.children.length > 0) this.#children(before, after, place);
    else this.#values(before, after, place);
  }

  #values(before: SampledElement, after: SampledElement, place: Place): void {
    if (this.#rules.ignored.has(before.name)) return;
    const found = differenceOf(before.value, after.value);
    if (found !== undefined)
      this.differences.push({
        ...place,
        ...found,
        before: plainOf(before.value),
        after: plainOf(after.value),
      });
  }

  #attributes(before: SampledElement, after: SampledElement, { path, record }: Place): void {
    const later = new Map(after.attributes);
    for (const [name, value] of before.attributes) {
      const other = later.get(name);
      const place = { path: `${path}/@${name}`, record };
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
      const below = { path: `${place.path}/${name}`, record: place.record };
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

  #lists(before: SampledElement, after: SampledElement, { path, record }: Place): void {
    const name = before.children[0]?.name ?? after.children[0]?.name ?? '';
    this.#records(before.children, after.children, { path: `${path}/${name}`, record });
  }

  #records(before: readonly SampledElement[], after: readonly SampledElement[], place: Place): void {
    const [{ byId: one, unnamed: oneUnnamed }, { byId: other, unnamed: otherUnnamed }] = [
      identified(before),
      identified(after),
    ];
    // A record that no program has seen has no number, so it matches none of the others.
    this.#inTurn(oneUnnamed, otherUnnamed, place);
    if (one.size === 0 && other.size === 0) return;
    const within = (id: string): Place => ({
      path: place.path,
      record: place.record === '' ? id : `${place.record}/${id}`,
    });
    const doubled = after.length - otherUnnamed.length - other.size;
    this.#missing([...one.keys()], [...other.keys()], doubled, place, within);
    for (const id of other.keys()) if (!one.has(id)) this.#note('extra-record', within(id));
    const keys = [[...one.keys()], [...other.keys()]] as const;
    if (differ(shared(keys[0], keys[1]), shared(keys[1], keys[0]))) this.#note('order', place);
    for (const [id, element] of one) {
      const same = other.get(id);
      if (same !== undefined) this.elements(element, same, within(id));
    }
  }

  #missing(
    before: readonly string[],
    after: readonly string[],
    doubled: number,
    place: Place,
    within: (id: string) => Place,
  ): void {
    if (doubled > 0) this.#note('paging', place, `${doubled} records twice`);
    const there = new Set(after);
    const missing = before.flatMap((id, at) => (there.has(id) ? [] : [at]));
    if (missing.length === 0) return;
    if (this.#arePages(missing, before.length))
      this.#note('paging', place, `${missing.length} records missing`);
    else for (const at of missing) this.#note('missing-record', within(before[at] ?? ''));
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
      const within = { ...place, record: `${place.record}/${at + 1}` };
      if (other === undefined) this.#note('missing-record', within);
      else this.elements(element, other, within);
    }
    for (let at = before.length; at < after.length; at += 1)
      this.#note('extra-record', { ...place, record: `${place.record}/${at + 1}` });
  }

  #note(cause: Difference['cause'], { path, record }: Place, detail = ''): void {
    this.differences.push({ cause, path, record, before: '', after: '', detail });
  }
}

/** Whether the element is a list of entries with one name: `Clients` with `Client`. */
function isList({ name, children }: SampledElement): boolean {
  const [first] = children;
  if (first === undefined || children.some((child) => child.name !== first.name)) return false;
  const stem = first.name.toLowerCase().slice(0, -1);
  return children.length > 1 || (first.name !== name && name.toLowerCase().startsWith(stem));
}

/** Separates elements by whether they have an identifier. */
function identified(elements: readonly SampledElement[]): {
  readonly byId: ReadonlyMap<string, SampledElement>;
  readonly unnamed: readonly SampledElement[];
} {
  const byId = new Map<string, SampledElement>();
  const unnamed: SampledElement[] = [];
  for (const element of elements) {
    const id = identifierOf(element);
    if (id === undefined) unnamed.push(element);
    else if (!byId.has(id)) byId.set(id, element);
  }
  return { byId, unnamed };
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
