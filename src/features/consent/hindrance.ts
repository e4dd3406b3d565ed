/**
 * Why the result of a consent cannot be stored: errors thrown inside the transaction that would store it, and the
 * refusal for each. The row is read under its lock there, so that any change since the judgement is seen.
 */
import { grantOf, IllegalTransition, type Account, type Stage } from '../accounts/account.ts';
import { OrganisationTaken } from '../accounts/model.ts';
import { RuledOut } from './judging/judged-again.ts';
import type { ConsentRefusal } from './model.ts';

/** Nothing proves the organisation any more: the operator may have changed the account meanwhile. */
export class Unproved extends Error {
  constructor() {
    super('nothing proves the organisation');
    this.name = 'Unproved';
  }
}

/** Another consent connected the account while this one was judged; the judgement no longer holds. */
export class Overtaken extends Error {
  constructor() {
    super('another consent was faster');
    this.name = 'Overtaken';
  }
}

/** The tokens were lost, or given up, before they were bound: there was no account yet to be told so. */
export class GrantGone extends Error {
  constructor() {
    super('the grant was lost or given up');
    this.name = 'GrantGone';
  }
}

/** The current stage, if the account still uses the same grant and the tokens' application. Throws `Overtaken`. */
export function unchanged(
  { life, application }: Account,
  judged: Account,
  held: { readonly application: string },
): Stage {
  if (grantOf(life) !== grantOf(judged.life) || application !== held.application) throw new Overtaken();
  return life;
}

/** Why nothing was written. Rethrows any other error. */
export function hindranceOf(error: unknown): ConsentRefusal {
  if (error instanceof OrganisationTaken) return 'organisationTaken';
  if (error instanceof Overtaken) return 'overtaken';
  if (error instanceof RuledOut) return error.reason;
  if (error instanceof GrantGone) return 'exchangeFailed';
  if (error instanceof Unproved) return 'organisationUnconfirmed';
  if (error instanceof IllegalTransition) return 'stateUnknown';
  throw error;
}
