/** Whether the next wave may be sent: a pure function of the accounts of the last one, its brake, and the time. */
import { HOUR } from '../../../lib/time/clock.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { Brake } from './model.ts';

/** The facts about an account that the brake uses. */
export interface WaveAccount {
  readonly id: string;
  readonly name: string;
  /** When it moved; undefined if it has not. */
  readonly movedAt: number | undefined;
  /** Whether it has moved and lost its connection since. */
  readonly isLost: boolean;
  /** Within 24 hours, and since its move. */
  readonly calls: number;
  readonly errors: number;
  /**
   * Its problem, as a text: its connection is lost, it was flagged since its move, or is different in the comparison;
   * undefined if it has none.
   */
  readonly trouble: string | undefined;
}

/** The verdict of the brake. */
export type WaveJudgement =
  | { readonly verdict: 'good'; readonly reason: string }
  | { readonly verdict: 'waiting'; readonly reason: string }
  /** `accountId`: the account that contributed most. */
  | { readonly verdict: 'stopped'; readonly reason: string; readonly accountId: string };

/** Fewer calls do not give a meaningful percentage. */
const FEW_CALLS = 20;

/** The reason of a wave that is good although it has shown nothing. */
export const NO_ACCOUNTS = 'it has no accounts';

/** Judges a wave that is out. Without an account it must not hold up the waves that follow. */
export function judgeWave(accounts: readonly WaveAccount[], brake: Brake, now: number): WaveJudgement {
  if (accounts.length === 0) return { verdict: 'good', reason: NO_ACCOUNTS };
  return troubled(accounts, brake) ?? failing(accounts, brake) ?? patience(accounts, brake, now);
}

/** The person who continued a wave knew what had happened: only accounts that have moved since count against it. */
export const sinceContinued = (
  accounts: readonly WaveAccount[],
  continuedAt: number,
): readonly WaveAccount[] =>
  accounts.map((account) =>
    (account.movedAt ?? 0) > continuedAt ? account : { ...account, calls: 0, errors: 0, trouble: undefined },
  );

/** Losses, flags and differences: a person has to look at these accounts anyway. */
function troubled(
  accounts: readonly WaveAccount[],
  { mostTroubledPercent }: Brake,
): WaveJudgement | undefined {
  const bad = accounts.filter(({ trouble }) => trouble !== undefined);
  const [first] = bad;
  if (first === undefined || 100 * bad.length <= mostTroubledPercent * accounts.length) return undefined;
  const others = bad.length === 1 ? '' : ` and ${bad.length - 1} more`;
  return {
    verdict: 'stopped',
    reason: `${bad.length} of ${counted(accounts.length, 'account')} in trouble, at most ${mostTroubledPercent} % may be: ${first.name} (${first.trouble ?? ''})${others}`,
    accountId: first.id,
  };
}

/** For accounts that have not moved, V1 answers the calls, which prove nothing about V3. */
function failing(accounts: readonly WaveAccount[], { mostErrorPercent }: Brake): WaveJudgement | undefined {
  const moved = accounts.filter(({ movedAt }) => movedAt !== undefined);
  const calls = moved.reduce((sum, one) => sum + one.calls, 0);
  const errors = moved.reduce((sum, one) => sum + one.errors, 0);
  const [worst] = moved.toSorted((a, b) => b.errors - a.errors);
  if (worst === undefined || calls < FEW_CALLS || 100 * errors <= mostErrorPercent * calls) return undefined;
  return {
    verdict: 'stopped',
    reason: `${errors} of ${counted(calls, 'call')} failed within 24 hours, at most ${mostErrorPercent} % may: most of them from ${worst.name}`,
    accountId: worst.id,
  };
}

/** No problem is known: checks whether that has lasted long enough, counted from the first account that moved and stayed. */
function patience(accounts: readonly WaveAccount[], { holdHours }: Brake, now: number): WaveJudgement {
  const moved = accounts.filter(({ movedAt }) => movedAt !== undefined);
  if (moved.length === 0) return { verdict: 'waiting', reason: 'none of its accounts has moved yet' };
  const stayed = moved.flatMap(({ movedAt, isLost }) => (movedAt === undefined || isLost ? [] : [movedAt]));
  const lost = moved.length - stayed.length;
  const reason = `${moved.length} of ${counted(accounts.length, 'account')} moved${lost === 0 ? '' : `, ${lost} lost since`}`;
  if (stayed.length === 0) return { verdict: 'waiting', reason };
  const hours = Math.floor((now - Math.min(...stayed)) / HOUR);
  return hours >= holdHours
    ? { verdict: 'good', reason: `${reason}, good for ${counted(holdHours, 'hour')}` }
    : { verdict: 'waiting', reason: `${reason}, good for ${hours} of ${counted(holdHours, 'hour')}` };
}
