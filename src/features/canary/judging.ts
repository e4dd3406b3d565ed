/**
 * Judges trials with what the call log knows: how much the account's calls lost before, and the calls of each method,
 * because the trial's row counts all methods together. A write that always fails is a small part of all calls where
 * reads are many.
 */
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { CallRecord, CallRepository } from '../usage/call-log.ts';
import {
  FEWEST,
  FORGOTTEN,
  isSurelyReturned,
  judge,
  whyReturned,
  type Canary,
  type Counts,
  type Judgement,
} from './canary.ts';

type Calls = Pick<CallRepository, 'find'>;
type Tried = Pick<Canary, 'accountId' | 'methods' | 'route'>;

/** How many of the account's last calls of its methods a trial is compared with. */
const CALLS_BEFORE = 200;
/** How many of its newest calls are counted. */
const MOST_CALLS = 5_000;
/** How many of the account's newest calls are looked through for them, while it runs. */
const MOST_READ = 20_000;
/** How often the methods of a running trial are judged one by one, which reads its calls. In milliseconds. */
const BY_METHOD_EVERY = MINUTE;
/** By then every process sees all calls from before the trial. In milliseconds after its begin. */
const ALL_SEEN = 10 * SECOND;

const NONE: Counts = { calls: 0, failed: 0, lost: 0 };

const tookIt = ({ route }: Tried, call: CallRecord): boolean => (call.route ?? call.source) === route;

/** Numbers of the calls. */
const countsOf = (calls: readonly CallRecord[]): Counts => ({
  calls: calls.length,
  failed: calls.filter(({ failed }) => failed).length,
  lost: calls.filter(({ losses }) => losses !== undefined).length,
});

/** The last calls of each method, in whichever order they are added; one may be added twice. */
class LastCalls {
  readonly #byMethod = new Map<string, Map<string, CallRecord>>();

  add(call: CallRecord): void {
    const calls = this.#byMethod.get(call.method) ?? new Map<string, CallRecord>();
    this.#byMethod.set(call.method, calls.set(call.requestId, call));
    if (calls.size < 2 * CALLS_BEFORE) return;
    this.#byMethod.set(call.method, new Map(newest([...calls.values()]).map((one) => [one.requestId, one])));
  }

  /** `method`: undefined for all. */
  of(method?: string): readonly CallRecord[] {
    const lists = method === undefined ? [...this.#byMethod.values()] : [this.#byMethod.get(method)];
    return newest(lists.flatMap((calls) => [...(calls?.values() ?? [])]));
  }
}

const newest = (calls: readonly CallRecord[]): readonly CallRecord[] =>
  [...calls].sort((a, b) => b.at - a.at).slice(0, CALLS_BEFORE);

/** Numbers of calls before a trial. */
interface Before {
  readonly all: Counts;
  readonly byMethod: ReadonlyMap<string, Counts>;
}

/**
 * Of the account's last calls on other routes or, if there are none, on the tried one: an earlier trial may have left it
 * long ago. `to`: in milliseconds; only those before it.
 */
export async function countsBefore(calls: Calls, tried: Tried, to?: number): Promise<Before> {
  const { accountId, methods } = tried;
  const [others, own] = [new LastCalls(), new LastCalls()];
  // Counted while they are read, once for all methods: a method's last call may be older than thousands of another's.
  const where = (call: CallRecord): boolean => {
    if (call.isOfCall !== true) (tookIt(tried, call) ? own : others).add(call);
    return false;
  };
  await calls.find(accountId, { methods, to, where });
  const counts = (method?: string): Counts => {
    const some = others.of(method);
    return countsOf(some.length > 0 ? some : own.of(method));
  };
  return { all: counts(), byMethod: new Map(methods.map((method) => [method, counts(method)])) };
}

/** What a process remembers of a running trial. */
interface Known {
  /** When its methods were last judged one by one. */
  judgedAt?: number;
  before?: Before;
}

const keyOf = ({ accountId, begunAt }: Canary): string => `${accountId} ${String(begunAt)}`;

/** Judges the trials that run. */
export class Judging {
  readonly #calls: Calls;
  readonly #known = new Map<string, Known>();

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Forgets all other trials. */
  keep(running: readonly Canary[]): void {
    const keys = new Set(running.map(keyOf));
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }

  /** By all calls, and by those of each method. */
  async judged(canary: Canary, now: number): Promise<Judgement> {
    const judgement = await this.#together(canary, now);
    if (judgement.outcome === 'returned') return judgement;
    if (judgement.outcome === 'running') {
      const known = this.#of(canary);
      const isDue = now - (known.judgedAt ?? -Infinity) >= BY_METHOD_EVERY;
      if (!isDue || Math.max(canary.counts.failed, canary.counts.lost) < FEWEST) return judgement;
      known.judgedAt = now;
    }
    return this.#byMethod(canary, judgement, now);
  }

  #of(canary: Canary): Known {
    const known = this.#known.get(keyOf(canary)) ?? {};
    this.#known.set(keyOf(canary), known);
    return known;
  }

  /** Read once: nothing is added to the calls from before, and numbers of those deleted since stay true. */
  async #before(canary: Canary, now: number): Promise<Before> {
    const known = this.#of(canary);
    if (known.before !== undefined) return known.before;
    const before = await countsBefore(this.#calls, canary, canary.begunAt);
    if (now >= canary.begunAt + ALL_SEEN) known.before = before;
    return before;
  }

  /** By all its calls. V1 and V3 lose something, too; only the call log knows how often, for a week. */
  async #together(canary: Canary, now: number): Promise<Judgement> {
    const judgement = judge(canary, now);
    if (judgement.outcome !== 'returned' || isSurelyReturned(canary, now)) return judgement;
    const { all } = await this.#before(canary, now);
    // Where nobody knows any longer, no share of losses is too high.
    return judge(canary, now, all.calls === 0 ? FORGOTTEN : all);
  }

  /**
   * `returned` if one method fails or loses more than it did before; otherwise the judgement on all calls, which names
   * the methods that nobody has called once the trial is over.
   */
  async #byMethod(canary: Canary, judgement: Judgement, now: number): Promise<Judgement> {
    const { accountId, methods, begunAt: from, counts } = canary;
    const where = (call: CallRecord): boolean => call.isOfCall !== true && tookIt(canary, call);
    const most = judgement.outcome === 'running' ? MOST_READ : undefined;
    const found = await this.#calls.find(accountId, { methods, from, where, limit: MOST_CALLS, most });
    const byMethod = Map.groupBy(found, ({ method }) => method);
    for (const [method, some] of byMethod) {
      const own = countsOf(some);
      if (own.failed < FEWEST && own.lost < FEWEST) continue;
      const alone = { ...canary, methods: [method], counts: own };
      const why = whyAlone(alone, method, await this.#before(canary, now));
      if (why !== undefined) return { outcome: 'returned', reason: `${method}: ${why}` };
    }
    const untried = methods.filter((method) => !byMethod.has(method));
    // Calls may have been erased, or be too many to be read.
    const isComplete = found.length >= counts.calls && found.length < MOST_CALLS;
    if (judgement.outcome !== 'kept' || !isComplete || counts.calls === 0 || untried.length === 0)
      return judgement;
    return { ...judgement, reason: `${judgement.reason}; not called: ${untried.join(', ')}` };
  }
}

/** A method that was not called before is compared with all methods of the trial. */
function whyAlone(alone: Canary, method: string, { all, byMethod }: Before): string | undefined {
  const before = byMethod.get(method) ?? NONE;
  if (before.calls > 0) return whyReturned({ ...alone, usual: before }, before);
  return whyReturned(alone, alone.usual.calls === 0 || all.calls > 0 ? before : FORGOTTEN);
}
