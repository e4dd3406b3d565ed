import type { Account } from '../../accounts/account.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import type { Check } from '../../cutover/checks.ts';
import type { Cutover, Verdict } from '../../cutover/cutover.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { counted } from '../../../lib/text/counted.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';

type Steps = Pick<Cutover, 'inspect' | 'check' | 'force' | 'numbers'>;

export interface CuttingOver {
  /** Undefined if accounts cannot move. */
  readonly cutover: Steps | undefined;
  readonly repository: Pick<AccountRepository, 'note'>;
  readonly clock: Clock;
}

/** The checks that the operator may override; see `Cutover.force`. */
const waved = (check: Check['name']): boolean => !['token', 'scopes', 'organisation', 'v3'].includes(check);

/** An account that has moved can still get numbers for records whose V1 numbers are unknown. */
export const isNumberedAlone = ({ life }: Account, acceptUnlearned: boolean): boolean =>
  acceptUnlearned && life.stage === 'migrated';

/** What a cut-over would do. */
export async function forecastCutover(
  { cutover }: Pick<CuttingOver, 'cutover'>,
  acceptUnlearned: boolean,
  account: Account,
  caution: string | undefined,
): Promise<ForecastOutcome> {
  if (cutover === undefined) return { ...leftAlone('noV3'), checks: [] };
  if (isNumberedAlone(account, acceptUnlearned)) return forecastNumbers(cutover, account);
  if (account.life.stage !== 'consented') return { ...leftAlone('notConsented'), checks: [] };
  const checks = await cutover.inspect(account.id);
  const fault = checks.find(({ result, name }) => result === 'failed' && !(acceptUnlearned && waved(name)));
  if (fault !== undefined) return { ...leftAlone('checks', fault.detail), checks };
  const words = checks.some(({ result }) => result === 'failed')
    ? 'would move to V3; records whose V1 numbers are unknown would get new ones'
    : 'would move to V3';
  return { outcome: 'will', words, caution, checks };
}

/** What accepting new numbers would do for an account that has moved. */
export async function forecastNumbers(
  cutover: Steps | undefined,
  account: Account,
): Promise<ForecastOutcome> {
  if (cutover === undefined) return { ...leftAlone('noV3'), checks: [] };
  if (account.life.stage !== 'migrated') return { ...leftAlone('notMoved'), checks: [] };
  const { isKnown, unlearned, isTriedAgain } = await cutover.numbers(account);
  if (isKnown) return { ...leftAlone('noticed', ALL_KNOWN), checks: [] };
  const many = unlearned === 0 ? '' : `: ${counted(unlearned, 'record')} so far`;
  const caution = 'its programs may take these records for new ones, and the new numbers stay for ever';
  return {
    outcome: 'will',
    words: `has moved; records whose V1 numbers are unknown would get new ones${many}`,
    caution: isTriedAgain
      ? `V1 could not be read since the move and is tried again, so it may still show some numbers; ${caution}`
      : caution,
    checks: [],
  };
}

/** Gives new numbers to the records of an account that has moved. */
export async function acceptNumbers(
  cutover: Steps | undefined,
  account: Account,
  who: string,
): Promise<ResultOutcome> {
  if (cutover === undefined) return leftAlone('noV3');
  if (account.life.stage !== 'migrated') return leftAlone('notMoved');
  return resultOf(await cutover.force(account.id, { allotUnlearned: true }, who), account);
}

const ALL_KNOWN = 'nothing would change: all its numbers are known';

/** Moves an account. */
export async function cutOver(
  { cutover, repository, clock }: CuttingOver,
  acceptUnlearned: boolean,
  account: Account,
  who: string,
): Promise<ResultOutcome> {
  if (cutover === undefined) return leftAlone('noV3');
  if (account.life.stage !== 'consented' && !isNumberedAlone(account, acceptUnlearned))
    return leftAlone('notConsented');
  return resultOf(await requestMove({ cutover, repository, clock }, acceptUnlearned, account, who), account);
}

/** Notes the request of an operator, and moves the account if its checks pass. Throws the store's errors. */
export async function requestMove(
  { cutover, repository, clock }: CuttingOver & { readonly cutover: Pick<Steps, 'check' | 'force'> },
  acceptUnlearned: boolean,
  { id }: Account,
  who: string,
): Promise<Verdict> {
  const detail = acceptUnlearned
    ? 'requested, with new numbers for records whose V1 numbers are unknown'
    : 'requested';
  await repository.note(id, { at: clock.now(), kind: 'cutover', actor: who, detail });
  return acceptUnlearned ? cutover.force(id, { allotUnlearned: true }, who) : cutover.check(id);
}

function resultOf(verdict: Verdict, account: Account): ResultOutcome {
  switch (verdict.verdict) {
    case 'migrated':
      return { outcome: 'done', words: movedWords(verdict) };
    case 'numbered':
      return { outcome: 'done', words: 'records whose V1 numbers are unknown get new ones from now on' };
    case 'waiting':
      return leftAlone('checks', verdict.reason);
    case 'nothing':
      return leftAlone(account.life.stage === 'consented' ? 'notConsented' : 'noticed');
  }
}

const movedWords = ({ open }: Extract<Verdict, { readonly verdict: 'migrated' }>): string =>
  ['moved: V3 serves it from now on', open].filter((words) => words !== undefined).join('. ');
