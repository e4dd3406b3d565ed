import type { Check } from '../../cutover/checks.ts';
import { leftWords, type ActionName, type LeftReason } from './words.ts';

/** Id and name of an account; an unknown id has no name. */
export interface Named {
  readonly accountId: string;
  readonly name: string | undefined;
}

/** What an action will do to one account. */
export type Forecast = Named &
  (
    | {
        readonly outcome: 'will';
        readonly words: string;
        /** A warning about an irreversible effect or a cost. */
        readonly caution: string | undefined;
        /** For a cut-over: its checks, one by one. */
        readonly checks: readonly Check[];
        /** For the decision on a consent: the id of the consent. */
        readonly consent?: string;
      }
    | {
        readonly outcome: 'left';
        readonly reason: LeftReason;
        readonly words: string;
        readonly checks: readonly Check[];
      }
  );

/** What an action would do, account by account; nothing has been changed yet. */
export interface Preview {
  readonly action: ActionName;
  readonly will: number;
  readonly left: number;
  readonly accounts: readonly Forecast[];
}

/**
 * What an action did to one account. `failed`: an error occurred in the bridge; the timeline shows whether the action
 * took effect.
 */
export type Result = Named &
  (
    | { readonly outcome: 'done'; readonly words: string }
    | { readonly outcome: 'left'; readonly reason: LeftReason; readonly words: string }
    | { readonly outcome: 'failed'; readonly words: string }
  );

/** What an action did, account by account, in the order given. */
export interface Performance {
  readonly action: ActionName;
  readonly done: number;
  readonly left: number;
  readonly failed: number;
  readonly accounts: readonly Result[];
}

type Outcome<Of> = Of extends unknown ? Omit<Of, keyof Named> : never;
/** A forecast without its account. */
export type ForecastOutcome = Outcome<Forecast>;
/** A result without its account. */
export type ResultOutcome = Outcome<Result>;

/** Nothing is to be done or was done, for one of the known reasons. */
export const leftAlone = <Reason extends LeftReason>(reason: Reason, words: string = leftWords[reason]) =>
  ({ outcome: 'left', reason, words }) as const;
