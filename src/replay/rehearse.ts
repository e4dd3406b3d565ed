/** Plays the whole move of an account with its own calls, and reports the result. */
import type { Mapping, Method } from '../mapping/compile/model.ts';
import type { RehearsedMethod, RehearsedWay } from '../features/cutover/rehearsal/model.ts';
import { groupsOf, type FoundDifference } from '../proof/comparison/groups.ts';
import type { RehearsalOrder, RehearsalOutcome, ReplayCall } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import { seedFromAnswers } from '../sandbox/seed/from-answers.ts';
import { counted } from '../lib/text/counted.ts';
import { MINUTE, systemClock } from '../lib/time/clock.ts';
import { differencesOf, signature, unfaithful, type Played } from './judging.ts';
import { playCalls, type PlayedCalls } from './play.ts';

/** In milliseconds: how long before the rehearsal V1's replies to its reads may be from. */
const READ_BEFORE = 15 * MINUTE;

/** Rejects if no bridge can be opened. */
export async function rehearse(
  { answers, product, calls, known, unanswered }: RehearsalOrder,
  mapping: Mapping,
  progress: Progress,
): Promise<RehearsalOutcome> {
  progress('the sandbox is seeded', 0, 1);
  const { seed, counts: records, leftOut } = seedFromAnswers(answers);
  const options = { seed, product, mapping, known };
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  const from = systemClock.now();
  const before = await playCalls(options, 'v1', calls, progress);
  const ways: RehearsedWay[] = [];
  // The practice product has no V2.
  for (const way of product === 'practice' ? (['v3'] as const) : (['v3', 'v2'] as const)) {
    const after = await playCalls(options, way, calls, progress);
    ways.push(wayOf(way, calls, before, after, { methods, within: { from, to: systemClock.now() } }));
  }
  const within = { from: from - READ_BEFORE, to: systemClock.now() };
  const { answered, ...faithful } = faithfulness(calls, before, { methods, within });
  return {
    ...verdictOf(ways, { calls: calls.length, unanswered, answered }),
    ...faithful,
    ways,
    records,
    leftOut: [...leftOut],
  };
}

/** The mapping's rows, and when the calls were played. */
interface Judging {
  readonly methods: ReadonlyMap<string, Method>;
  readonly within: Played;
}

/** Compares the calls played on one way with the answers before the move. */
function wayOf(
  way: 'v3' | 'v2',
  calls: readonly ReplayCall[],
  before: PlayedCalls,
  after: PlayedCalls,
  { methods, within }: Judging,
): RehearsedWay {
  const found: FoundDifference[] = [];
  const byMethod = new Map<string, { calls: number; alike: number; requests: number; served: number }>();
  for (const [at, { method: id }] of calls.entries()) {
    const [one, other, method] = [before.replies[at], after.replies[at], methods.get(id)];
    if (one === undefined || other === undefined || method === undefined) continue;
    const differences = differencesOf(method, way, one, other, within);
    for (const difference of differences)
      found.push({ api: way, method: id, read: String(at), isUndecided: false, difference });
    const count = byMethod.get(id) ?? { calls: 0, alike: 0, requests: 0, served: 0 };
    count.calls += 1;
    count.requests += other.exchanges.length;
    if (differences.length === 0) count.alike += 1;
    if (other.exchanges.some(({ target }) => target.startsWith(ROOTS[way]))) count.served += 1;
    byMethod.set(id, count);
  }
  const list = Array.from(byMethod, ([method, count]): RehearsedMethod => ({ method, ...count }));
  return {
    ...{ way, steps: after.steps, checks: after.checks },
    methods: list.toSorted((a, b) => (a.method < b.method ? -1 : 1)),
    differences: groupsOf(found, signature),
  };
}

/** The addresses of an API in the sandbox. */
const ROOTS = { v3: '/3.0/', v2: '/v2/' } as const;

/**
 * Numbers of calls: played, not played because V1 does not answer them now, and answered as by V1 before the move, except
 * for single elements, in which the real V1 may differ from the sandbox in every reply.
 */
interface CallCounts {
  readonly calls: number;
  readonly unanswered: number;
  readonly answered: number;
}

/** The worst result of all ways. */
function verdictOf(
  ways: readonly RehearsedWay[],
  { calls, unanswered, answered }: CallCounts,
): Pick<RehearsalOutcome, 'verdict' | 'words'> {
  const stuck = ways.find(({ steps }) => steps.at(-1)?.outcome === 'failed');
  if (stuck !== undefined) {
    const { step, words } = stuck.steps.at(-1) ?? { step: '', words: '' };
    return { verdict: 'stuck', words: `it would not move: ${step}: ${words}` };
  }
  const failed = ways.flatMap(({ steps }) => steps).find(({ outcome }) => outcome === 'failed');
  const overridden = failed === undefined ? '' : `; ${failed.step}: ${failed.words}`;
  const all = calls + unanswered;
  if (all === 0)
    return {
      verdict: 'nothing',
      words: `it moved, and no call of its programs is known to try${overridden}`,
    };
  const parts = ways.map((one) => wayWords(one, calls));
  const isAlike = ways.every(({ methods }) => methods.every((one) => one.alike === one.calls));
  const words = `${parts.join(', ')}${overridden}`;
  if (!isAlike) return { verdict: 'different', words };
  // Alike on a sandbox that answers otherwise than V1 says little about the account.
  if (answered * 2 < all) {
    const why = `only ${answered} of ${counted(all, 'call')} answered before the move as by V1`;
    return { verdict: 'unsure', words: `${why}; ${words}` };
  }
  return { verdict: failed === undefined ? 'ready' : 'overridden', words };
}

/** Where V2 does not have a call, V3 serves it, and calls for unknown records reach no API. */
function wayWords({ way, methods }: RehearsedWay, calls: number): string {
  const sum = (of: 'alike' | 'served'): number => methods.reduce((all, one) => all + (one[of] ?? 0), 0);
  const [name, served] = [way.toUpperCase(), sum('served')];
  const few = served < calls ? ` (${name} served ${served})` : '';
  return `${sum('alike')} of ${counted(calls, 'call')} alike on ${name}${few}`;
}

/**
 * Counts the calls that the sandbox answers as V1 did. For the others the rehearsal says nothing about the
 * real account.
 */
function faithfulness(
  calls: readonly ReplayCall[],
  before: PlayedCalls,
  { methods, within }: Judging,
): Pick<RehearsalOutcome, 'faithful' | 'unfaithful'> & Pick<CallCounts, 'answered'> {
  let [faithful, answered] = [0, 0];
  const others = new Map<string, { readonly why: string; calls: number }>();
  for (const [at, { method: id, expected }] of calls.entries()) {
    const [reply, method] = [before.replies[at], methods.get(id)];
    if (reply === undefined || method === undefined) continue;
    const found = unfaithful(method, expected, reply, within);
    if (found?.isApproximate !== false) answered += 1;
    if (found === undefined) {
      faithful += 1;
      continue;
    }
    const entry = others.get(id) ?? { why: found.why, calls: 0 };
    entry.calls += 1;
    others.set(id, entry);
  }
  return { faithful, answered, unfaithful: Array.from(others, ([method, one]) => ({ method, ...one })) };
}
