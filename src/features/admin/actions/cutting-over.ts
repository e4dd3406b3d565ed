import type { Account } from '../../accounts/account.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import type { Check } from '../../cutover/checks.ts';
import type { Cutover, Verdict } from '../../cutover/cutover.ts';
import { failedIn, isPlain, obstacleOf, withOverride, type Override } from '../../cutover/override.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { counted } from '../../../lib/text/counted.ts';
import { leftAlone, type ForecastOutcome, type ResultOutcome } from './action-results.ts';
import type { MoveRequest } from './words.ts';

type Steps = Pick<Cutover, 'inspect' | 'check' | 'force' | 'numbers'>;

export interface CuttingOver {
  /** Undefined if accounts cannot move. */
  readonly cutover: Steps | undefined;
  readonly repository: Pick<AccountRepository, 'note'>;
  readonly clock: Clock;
}

/** What the request overrides. */
export const overrideOf = ({ acceptUnlearned, despite }: MoveRequest): Override => ({
  allotUnlearned: acceptUnlearned,
  despite,
});

/** For timeline and audit log: the request with everything that it overrides. */
export const requestWords = (words: string, request: MoveRequest): string =>
  withOverride(words, overrideOf(request));

/** An account that has moved can still get numbers for records whose V1 numbers are unknown. */
export const isNumberedAlone = ({ life }: Account, acceptUnlearned: boolean): boolean =>
  acceptUnlearned && life.stage === 'migrated';

/** What a cut-over would do. */
export async function forecastCutover(
  { cutover }: Pick<CuttingOver, 'cutover'>,
  request: MoveRequest,
  account: Account,
  caution: string | undefined,
): Promise<ForecastOutcome> {
  if (cutover === undefined) return { ...leftAlone('noV3'), checks: [] };
  if (isNumberedAlone(account, request.acceptUnlearned)) return forecastNumbers(cutover, account);
  if (account.life.stage !== 'consented') return { ...leftAlone('notConsented'), checks: [] };
  const checks = await cutover.inspect(account.id);
  const obstacle = obstacleOf(checks, overrideOf(request));
  if (obstacle !== undefined) return { ...leftAlone('checks', obstacle), checks };
  const failed = failedIn(checks);
  return { outcome: 'will', words: forecastWords(failed), caution: cautionWith(caution, failed), checks };
}

/** `failed`: the checks that are overridden. */
function forecastWords(failed: readonly Check[]): string {
  const despite = namedIn(failed).map(({ name }) => name);
  const others = failed.length > despite.length;
  return [
    `would move to V3${despite.length === 0 ? '' : `, despite ${despite.join(' and ')}`}`,
    ...(others ? ['records whose V1 numbers are unknown would get new ones'] : []),
  ].join('; ');
}

function cautionWith(caution: string | undefined, failed: readonly Check[]): string | undefined {
  const details = namedIn(failed).map(({ name, detail }) => `${name}: ${detail}`);
  if (details.length === 0) return caution;
  return [caution, ...details].filter((words) => words !== undefined).join('; ');
}

const namedIn = (failed: readonly Check[]): readonly Check[] =>
  failed.filter(({ name }) => name !== 'identifiers');

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
  request: MoveRequest,
  account: Account,
  who: string,
): Promise<ResultOutcome> {
  if (cutover === undefined) return leftAlone('noV3');
  if (account.life.stage !== 'consented' && !isNumberedAlone(account, request.acceptUnlearned))
    return leftAlone('notConsented');
  return resultOf(await requestMove({ cutover, repository, clock }, request, account, who), account);
}

/** Notes the request of an operator, and moves the account if its checks pass. Throws the store's errors. */
export async function requestMove(
  { cutover, repository, clock }: CuttingOver & { readonly cutover: Pick<Steps, 'check' | 'force'> },
  request: MoveRequest,
  { id }: Account,
  who: string,
): Promise<Verdict> {
  const detail = requestWords('requested', request);
  await repository.note(id, { at: clock.now(), kind: 'cutover', actor: who, detail });
  const override = overrideOf(request);
  return isPlain(override) ? cutover.check(id) : cutover.force(id, override, who);
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
