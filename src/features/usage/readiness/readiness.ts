/**
 * Whether V3, and V2, would serve an account as its programs expect: compares the names they use with those that,
 * according to the mapping, each API carries.
 *
 * A verdict needs a week of calls all of whose names were kept, unless something would be missed: that is certain at
 * once. Elements that V3 answers in place of V2 are not missed.
 */
import { DAY } from '../../../lib/time/clock.ts';
import type { Loss } from '../../../mapping/compile/loss.ts';
import type { Evidence } from '../../../mapping/evidence.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import type { KeptAs } from '../../../mapping/compile/records.ts';
import type { Product } from '../../../upstream/organisation.ts';
import { isMethod, methodWords, OTHER, usedIn, type AccountUse, type Used } from '../names/account-use.ts';
import { MethodNeeds } from './method-needs.ts';

/** Whether an API is ready for an account. */
export const readinessStates = ['ready', 'not-ready', 'not-enough-seen'] as const;
export type ReadinessState = (typeof readinessStates)[number];

/** A reason against an API, or a fact to know before choosing it. */
export interface Reason {
  readonly method: string;
  /** The program would miss it; false: it is only worth knowing. */
  readonly isMissed: boolean;
  /** True if names were counted together, so that nobody knows whether the program would miss them. */
  readonly isUnread?: true;
  /** Its subject: `Client/DateOfBirth of client.get`. */
  readonly what: string;
  /** The number of calls or elements concerned. */
  readonly seen: number;
  readonly words: string;
}

/** The verdict on one API. */
export interface ApiReadiness {
  readonly state: ReadinessState;
  /** Missed elements first, then by frequency. */
  readonly reasons: readonly Reason[];
  /** How many missed elements have no room among the reasons; undefined if all have. */
  readonly more?: number;
  /** Methods it uses whose behaviour on the API was not observed yet. */
  readonly assumed: readonly string[];
  /** Methods it uses that `causeway verify` has proven there; undefined if there are none. */
  readonly verified?: readonly string[];
}

/** The verdict on both, and its basis. Times in milliseconds since the epoch. */
export interface Readiness {
  /** The methods it uses. */
  readonly used: readonly string[];
  readonly calls: number;
  readonly since: number;
  readonly until: number;
  readonly v3: ApiReadiness;
  readonly v2: ApiReadiness;
}

/** In milliseconds. Programs often have weekly jobs. */
const ENOUGH = 7 * DAY;
/**
 * Most missed elements kept of one method, so that a route of any method can be judged by them; facts to know fill up
 * one verdict to as many.
 */
const MOST_REASONS = 40;

/** The mapping's rules for readiness. */
export class ReadinessRules {
  readonly #methods: ReadonlyMap<string, MethodNeeds>;
  readonly #kept: readonly KeptAs[];

  /** `kept`: the values of V1 that are kept before a move. */
  constructor(methods: readonly Method[], kept: readonly KeptAs[]) {
    this.#methods = new Map(methods.map((method) => [method.id, new MethodNeeds(method)]));
    this.#kept = kept;
  }

  /** How many methods the mapping has. */
  get count(): number {
    return this.#methods.size;
  }

  /** The name in the mapping for the element at a path of a message. */
  elementName(method: string, of: 'sent' | 'received', path: string): string {
    return this.#methods.get(method)?.[of](path)?.path ?? path;
  }

  /**
   * Undefined: the account has made no call. `now`: undefined if its calls are not counted, so that only those counted
   * before say for how long it was observed.
   */
  judge(use: AccountUse, product: Product, now: number | undefined): Readiness | undefined {
    const used = usedIn(use);
    if (used.size === 0) return undefined;
    const methods = [...use.programs.values()].flatMap((program) => [...program.methods.values()]);
    const since = methods.reduce((first, one) => Math.min(first, one.first), Infinity);
    const v3: Reason[] = [];
    const v2: Reason[] = [];
    if (product === 'practice') v2.push(missed('*', 'V2', 0, 'the practice product has no V2'));
    for (const one of used.values()) {
      const needs = this.#methods.get(one.id);
      if (needs === undefined) {
        v3.push(withoutRow(one));
        continue;
      }
      const unknown = unknownIn(needs, one);
      v3.push(...unknown);
      v2.push(...this.#onV2(needs, one), ...unknown);
    }
    const until = methods.reduce((last, one) => Math.max(last, one.last), 0);
    const isLong = (now ?? until) - since >= ENOUGH;
    return {
      used: [...used.keys()].sort(),
      calls: [...used.values()].reduce((sum, { calls }) => sum + calls, 0),
      since,
      until,
      v3: { ...verdict(v3, isLong), ...this.#evidence(used, 'v3') },
      v2: { ...verdict(v2, isLong), ...this.#evidence(used, 'v2') },
    };
  }

  #evidence(used: ReadonlyMap<string, Used>, api: 'v2' | 'v3'): Pick<ApiReadiness, 'assumed' | 'verified'> {
    const thatAre = (kind: Evidence): readonly string[] =>
      [...used.keys()].filter((id) => this.#methods.get(id)?.method.evidence[api] === kind).sort();
    const verified = thatAre('verified');
    return { assumed: thatAre('assumed'), ...(verified.length > 0 && { verified }) };
  }

  #onV2(needs: MethodNeeds, used: Used): readonly Reason[] {
    const { id, calls } = used;
    const { v2 } = needs.method;
    if (v2?.way !== 'steps')
      return [known(id, id, calls, `${id} stays on V3: ${v2?.why ?? 'the mapping has no steps for V2'}`)];
    const always = needs.losses.find((loss) => loss.loss === 'toV3' && loss.when === 'always');
    if (always?.loss === 'toV3') return [known(id, id, calls, `${id} goes to V3: ${always.text}`)];
    return [
      ...this.#missedIn(needs, used),
      ...reroutedIn(needs, used),
      ...needs.losses.flatMap((loss) => differs(id, calls, loss)),
    ];
  }

  #missedIn(needs: MethodNeeds, { id, received }: Used): readonly Reason[] {
    const unread = unreadIn(id, 'received', received);
    const missing = Array.from(elementsOf(needs, 'received', received), ([path, { isKnown, seen }]) => {
      const loss = needs.lost('reply', path);
      if (isKnown && loss === undefined) return [];
      const why = loss === undefined ? ': the mapping has no row for it' : whyText(loss);
      const isKept = loss?.kept !== undefined && this.#kept.includes(loss.kept);
      const what = `${path} of ${id}`;
      return isKept
        ? [known(id, what, seen, `${what}, seen ${times(seen)}, has V1’s value from before the move`)]
        : [missed(id, what, seen, `it would miss ${what}, seen ${times(seen)}${why}`)];
    });
    return [...missing.flat(), ...unread];
  }
}

/** Elements of requests that are not passed on, to V3 and to V2. */
function unknownIn(needs: MethodNeeds, { id, sent }: Used): readonly Reason[] {
  const unknown = Array.from(elementsOf(needs, 'sent', sent), ([path, { isKnown, seen }]) =>
    isKnown
      ? []
      : [
          missed(
            id,
            `${path} of ${id}`,
            seen,
            `${path} of ${id}, sent ${times(seen)}, is not passed on: the mapping has no row for it`,
          ),
        ],
  );
  return [...unknown.flat(), ...unreadIn(id, 'sent', sent)];
}

/** Names that were counted together for want of room. */
function unreadIn(id: string, of: 'sent' | 'received', names: Used['sent']): readonly Reason[] {
  const seen = names.get(OTHER) ?? 0;
  const words = `elements of ${id} ${of} ${times(seen)} are not known: it uses more names than are kept, or unusual ones`;
  return seen === 0 ? [] : [{ ...known(id, `${OTHER} of ${id}`, seen, words), isUnread: true }];
}

/** Calls that V3 answers in place of V2. */
function reroutedIn(needs: MethodNeeds, { id, calls, requests, sent }: Used): readonly Reason[] {
  const elements = elementsOf(needs, 'sent', sent);
  const reasons: Reason[] = [];
  for (const [path, { seen }] of elements) {
    const loss = needs.lost('request', path);
    if (loss !== undefined)
      reasons.push(
        known(
          id,
          `${path} of ${id}`,
          seen,
          `${id} with ${path}, sent ${times(seen)}, goes to V3${whyText(loss)}`,
        ),
      );
  }
  const root = needs.method.body?.root ?? '';
  for (const loss of needs.losses) {
    const concerned = loss.loss === 'toV3' ? callsWhen(loss.when, root, elements, { calls, requests }) : 0;
    if (loss.loss === 'toV3' && concerned > 0)
      reasons.push(known(id, id, concerned, `${id} goes to V3 ${loss.when}: ${loss.text}`));
  }
  return reasons;
}

/** How many calls a condition may concern, as `ToV3` writes it. */
function callsWhen(
  when: string,
  root: string,
  elements: ReadonlyMap<string, { readonly seen: number }>,
  { calls, requests }: Pick<Used, 'calls' | 'requests'>,
): number {
  const [, condition, element = ''] = CONDITION.exec(when) ?? [];
  const seen = seenAt(elements, `${root}/${element}`);
  if (condition === 'with') return seen;
  return condition === 'without' && seen >= requests ? 0 : calls;
}

/** The condition of a call that V3 answers in place of V2: `with Items`. */
const CONDITION = /^(with|without) (.+)$/;

/** How often an element, or an element within it, was seen. */
const seenAt = (elements: ReadonlyMap<string, { readonly seen: number }>, place: string): number =>
  [...elements].reduce(
    (sum, [path, { seen }]) => (path === place || path.startsWith(`${place}/`) ? sum + seen : sum),
    0,
  );

function differs(id: string, calls: number, loss: Loss): readonly Reason[] {
  if (loss.loss === 'sentence') return [known(id, id, calls, `${id}: ${loss.text}`)];
  if (loss.loss !== 'default') return [];
  return [known(id, id, calls, `${id}: ${loss.place} is ${loss.value} if the request does not set it`)];
}

function elementsOf(
  needs: MethodNeeds,
  of: 'sent' | 'received',
  names: ReadonlyMap<string, number>,
): ReadonlyMap<string, { readonly isKnown: boolean; readonly seen: number }> {
  const elements = new Map<string, { readonly isKnown: boolean; readonly seen: number }>();
  for (const [name, count] of names) {
    const element = name === OTHER ? undefined : needs[of](name);
    if (element === undefined) continue;
    const seen = (elements.get(element.path)?.seen ?? 0) + count;
    elements.set(element.path, { isKnown: element.isKnown, seen });
  }
  return elements;
}

function verdict(reasons: readonly Reason[], isLong: boolean): Omit<ApiReadiness, 'assumed'> {
  const isSeen = isLong && !reasons.some(({ isUnread }) => isUnread);
  const byImportance = (a: Reason, b: Reason): number =>
    Number(b.isUnread ?? 0) - Number(a.isUnread ?? 0) || b.seen - a.seen;
  const sorted = reasons.toSorted(byImportance);
  const all = sorted.filter(({ isMissed }) => isMissed);
  const facts = sorted.filter(({ isMissed }) => !isMissed);
  const byMethod = Map.groupBy(all, ({ method }) => method);
  const kept = Array.from(byMethod.values(), (some) => some.slice(0, MOST_REASONS))
    .flat()
    .sort(byImportance);
  return {
    state: all.length > 0 ? 'not-ready' : isSeen ? 'ready' : 'not-enough-seen',
    reasons: [...kept, ...facts.slice(0, Math.max(0, MOST_REASONS - kept.length))],
    ...(kept.length < all.length && { more: all.length - kept.length }),
  };
}

const missed = (method: string, what: string, seen: number, words: string): Reason => ({
  ...{ method, isMissed: true, what, seen, words },
});
function withoutRow({ id, calls }: Used): Reason {
  const why = isMethod(id) ? ', has no row in the mapping' : '';
  return missed(id, methodWords(id), calls, `${methodWords(id)}, called ${times(calls)}${why}`);
}
const known = (method: string, what: string, seen: number, words: string): Reason => ({
  ...{ method, isMissed: false, what, seen, words },
});

const times = (count: number): string => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`);
const whyText = ({ why }: { readonly why: string | undefined }): string =>
  why === undefined ? '' : `: ${why}`;
