/**
 * Judges a trial with what the call log knows: how much the account's calls lost before, and the calls of each method,
 * because the trial's row counts all methods together. A write that always fails is a small part of all calls where
 * reads are many.
 */
import type { CallRecord, CallRepository } from '../usage/call-log.ts';
import { FEWEST, judge, whyReturned, type Canary, type Counts, type Judgement } from './canary.ts';

type Calls = Pick<CallRepository, 'find'>;
type Tried = Pick<Canary, 'accountId' | 'methods' | 'route'>;

/** How many of the account's last calls of its methods a trial is compared with. */
const CALLS_BEFORE = 200;
/** How many of its newest calls are looked through. */
const MOST_CALLS = 5_000;

const tookIt = ({ route }: Tried, call: CallRecord): boolean => (call.route ?? call.source) === route;

/**
 * The account's last calls of the methods on other routes or, if there are none, on the tried one: an earlier trial may
 * have left it long ago. `to`: in milliseconds; only those before it.
 */
export async function callsBefore(calls: Calls, tried: Tried, to?: number): Promise<readonly CallRecord[]> {
  const { accountId, methods } = tried;
  const last = (isTried: boolean): Promise<readonly CallRecord[]> =>
    calls.find(accountId, {
      ...{ methods, to, limit: CALLS_BEFORE },
      where: (call) => call.isOfCall !== true && tookIt(tried, call) === isTried,
    });
  const others = await last(false);
  return others.length > 0 ? others : last(true);
}

/** Numbers of the calls. */
export const countsOf = (calls: readonly CallRecord[]): Counts => ({
  calls: calls.length,
  failed: calls.filter(({ failed }) => failed).length,
  lost: calls.filter(({ losses }) => losses !== undefined).length,
});

/** By all its calls. V1 and V3 lose something, too; only the call log knows how often, for a week. */
export async function judgedTogether(canary: Canary, now: number, calls: Calls): Promise<Judgement> {
  const judgement = judge(canary, now);
  if (judgement.outcome !== 'returned' || canary.counts.lost === 0 || canary.usual.calls === 0)
    return judgement;
  const before = countsOf(await callsBefore(calls, canary, canary.begunAt));
  // Where nobody knows any longer, no share of losses is too high.
  return judge(canary, now, before.calls === 0 ? FORGOTTEN : before);
}

const FORGOTTEN = { calls: 0, lost: Infinity };

/**
 * `returned` if one method fails or loses more than it did before; otherwise the judgement on all calls, which names the
 * methods that nobody has called once the trial is over.
 */
export async function judgedByMethod(canary: Canary, judgement: Judgement, calls: Calls): Promise<Judgement> {
  const { accountId, methods, begunAt: from, counts } = canary;
  const where = (call: CallRecord): boolean => call.isOfCall !== true && tookIt(canary, call);
  const found = await calls.find(accountId, { methods, from, where, limit: MOST_CALLS });
  const byMethod = Map.groupBy(found, ({ method }) => method);
  for (const [method, some] of byMethod) {
    const own = countsOf(some);
    if (own.failed < FEWEST && own.lost < FEWEST) continue;
    const why = await whyAlone({ ...canary, methods: [method], counts: own }, canary, calls);
    if (why !== undefined) return { outcome: 'returned', reason: `${method}: ${why}` };
  }
  const untried = methods.filter((method) => !byMethod.has(method));
  // Calls may have been erased, or be too many to be read.
  const isComplete = found.length >= counts.calls && found.length < MOST_CALLS;
  if (judgement.outcome !== 'kept' || !isComplete || counts.calls === 0 || untried.length === 0)
    return judgement;
  return { ...judgement, reason: `${judgement.reason}; not called: ${untried.join(', ')}` };
}

/** A method that was not called before is compared with all methods of the trial. */
async function whyAlone(alone: Canary, whole: Canary, calls: Calls): Promise<string | undefined> {
  const before = countsOf(await callsBefore(calls, alone, whole.begunAt));
  if (before.calls > 0) return whyReturned({ ...alone, usual: before }, before);
  const isLogged = whole.usual.calls === 0 || (await callsBefore(calls, whole, whole.begunAt)).length > 0;
  return whyReturned(alone, isLogged ? before : FORGOTTEN);
}
