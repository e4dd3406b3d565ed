/**
 * What accounts that are not shown a change say about it: how many could be, and whether one was shown it long before,
 * so that it is not new.
 */
import { nextTurn } from '../../../lib/time/turn.ts';
import { isGone, isNew, totalOf, type Departure } from './learning/departures.ts';
import { ABSENT, HERE, type Learned } from './learning/learned.ts';
import type { OperationOfAccount } from './learning/recorder.ts';
import type { Subject } from './model.ts';
import { knownBefore, type Showing } from './rule.ts';
import type { KnownForm, StoredDrift } from './stored-drift.ts';

/** A change with all accounts that are shown it. */
export interface Change {
  readonly subject: Subject;
  readonly showing: Map<string, Showing>;
  readonly seen: (OperationOfAccount & { readonly departure: Departure })[];
}

/** A change that enough accounts show since a time. */
export interface Likely {
  readonly change: Change;
  readonly since: number;
}

/** How many accounts could be shown a change. */
export type UsersOf = (change: Change) => Promise<number>;

/** Forms from which the share of the accounts is estimated that are shown a place. */
const SAMPLE = 500;
/** Accounts whose forms are read before calls may run. */
const AT_ONCE = 50;
/** Changes that are remembered as known; more are looked up again. */
const MOST_REMEMBERED = 1_000;

type Stored = Pick<StoredDrift, 'forms' | 'formsAfter' | 'users'>;

/** The other accounts; see the head of this file. */
export class OtherAccounts {
  readonly #stored: Stored;
  /** Of changes that are not new, the latest `since` at which they were looked up. */
  readonly #remembered = new Map<string, number>();

  constructor(stored: Stored) {
    this.#stored = stored;
  }

  /** Counts for one run, in which many changes may be of the same methods. */
  users(): UsersOf {
    const totals = new Map<string, Promise<number>>();
    const samples = new Map<string, Promise<readonly KnownForm[]>>();
    return async (change) => {
      const { upstream, kind } = change.subject;
      const [methods, operations] = [methodsOf(change.seen), operationsOf(change)];
      const total = await once(totals, [upstream, ...methods, ...operations], () =>
        this.#stored.users(upstream, methods, operations),
      );
      if (kind === 'appeared') return Math.max(total, change.showing.size);
      const sample = await once(samples, [upstream, ...methods], () =>
        this.#stored.forms(upstream, methods, SAMPLE),
      );
      return Math.max(Math.round(total * shareIn(sample, change)), change.showing.size);
    };
  }

  /** Whether it was found to be known before. */
  isRemembered({ change, since }: Likely): boolean {
    return since <= (this.#remembered.get(change.subject.id) ?? -Infinity);
  }

  /** Those that another account was shown long before. */
  async known(likely: readonly Likely[]): Promise<ReadonlySet<Likely>> {
    const known = new Set<Likely>();
    for (const upstream of new Set(likely.map(({ change }) => change.subject.upstream))) {
      const wanted = likely.filter((one) => one.change.subject.upstream === upstream).flatMap(soughtIn);
      await this.#look(wanted, known);
    }
    for (const { change, since } of known) this.#remember(change.subject.id, since);
    return known;
  }

  async #look(wanted: readonly Sought[], known: Set<Likely>): Promise<void> {
    const [first] = wanted;
    if (first === undefined) return;
    const { upstream } = first.of.change.subject;
    const methods = methodsOf(wanted.flatMap(({ of }) => of.change.seen));
    let last: string | undefined = '';
    let left = wanted;
    while (last !== undefined && left.length > 0) {
      const forms: readonly KnownForm[] = await this.#stored.formsAfter(last, upstream, methods, AT_ONCE);
      for (const sought of left) if (forms.some((form) => showsEarlier(form, sought))) known.add(sought.of);
      left = left.filter(({ of }) => !known.has(of));
      last = forms.at(-1)?.accountId;
      await nextTurn();
    }
  }

  #remember(id: string, since: number): void {
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(id, since);
  }
}

/** The methods in which a change is seen. */
export const methodsOf = (seen: Change['seen']): readonly string[] =>
  [...new Set(seen.map(({ method }) => method))].toSorted();

const operationsOf = ({ seen }: Change): readonly string[] =>
  [...new Set(seen.map(({ operation }) => operation))].toSorted();

function once<T>(read: Map<string, Promise<T>>, of: readonly string[], ask: () => Promise<T>): Promise<T> {
  const key = of.join('\n');
  const known = read.get(key) ?? ask();
  read.set(key, known);
  return known;
}

/** The places of a change, by operation. */
const placesOf = ({ seen }: Change): ReadonlyMap<string, string> =>
  new Map(seen.map(({ method, operation, departure }) => [`${method}\n${operation}`, departure.place]));

/** The share of the accounts with these operations that are shown the place. */
function shareIn(forms: readonly KnownForm[], change: Change): number {
  const places = placesOf(change);
  const [all, users] = [new Set<string>(), new Set<string>()];
  for (const { accountId, method, operation, learned } of forms) {
    const place = places.get(`${method}\n${operation}`);
    if (place === undefined) continue;
    all.add(accountId);
    if (learned.places.has(place)) users.add(accountId);
  }
  return all.size === 0 ? 1 : users.size / all.size;
}

/** A change that adds something, and what it adds. */
interface Sought {
  readonly of: Likely;
  readonly places: ReadonlyMap<string, string>;
  readonly trait: string;
}

function soughtIn(of: Likely): readonly Sought[] {
  const trait = newTraitOf(of.change.subject);
  return trait === undefined ? [] : [{ of, places: placesOf(of.change), trait }];
}

function showsEarlier(
  { accountId, method, operation, learned }: KnownForm,
  { of: { change, since }, places, trait }: Sought,
): boolean {
  const place = places.get(`${method}\n${operation}`);
  if (place === undefined || change.showing.has(accountId)) return false;
  return wasShown(learned, place, trait, knownBefore(since));
}

/** Undefined: the change adds nothing new. */
function newTraitOf({ kind, to }: Subject): string | undefined {
  if (kind === 'appeared') return HERE;
  if (kind === 'optional') return ABSENT;
  return kind === 'type' ? to : undefined;
}

function wasShown({ places }: Learned, name: string, trait: string, before: number): boolean {
  const place = places.get(name);
  const known = place?.traits.get(trait);
  if (place === undefined || known === undefined || known.first >= before) return false;
  const of = totalOf(place, trait);
  return !isNew(known, of) && !isGone(known, of);
}
