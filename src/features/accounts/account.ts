import type { Binding, Product } from '../../upstream/organisation.ts';
import type { LossReason } from '../../tokens/grant.ts';

/**
 * The life of an account (docs/decisions, architecture "Account, grant, invitation").
 * `awaiting-operator`: somebody has consented and nothing proves that the organisation is the account's; the tokens are
 * held, V1 goes on serving, and the operator confirms or refuses it.
 * `consented`: a grant is held and the checks run; V1 still serves, V3 where V1 refuses.
 * Never back to V1 after `migrated`: the service forbids it (001_43834a5c52d8e676.txt, Versioning).
 */
export type Stage =
  | { readonly stage: 'legacy' }
  | { readonly stage: 'awaiting-operator'; readonly proposal: Binding }
  | { readonly stage: 'consented'; readonly binding: Binding }
  | { readonly stage: 'migrated'; readonly binding: Binding }
  | { readonly stage: 'lost'; readonly binding: Binding; readonly reason: LossReason }
  | { readonly stage: 'closed' };

/** Where an account is on its way from V1 to V3. */
export type StageName = Stage['stage'];

/**
 * `discovered`: nobody added it; its key was seen in pass-through and V1 accepted it. `issued`: its customer never had
 * V1 keys; the bridge made the pair, and V1 is never asked about it.
 */
export type AccountOrigin = 'added' | 'discovered' | 'issued';

/** What is known of an account at every stage; times are milliseconds since the epoch. */
export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  readonly origin: AccountOrigin;
  readonly createdAt: number;
  /** When the present stage began. */
  readonly stageSince: number;
  readonly lastCallAt: number | undefined;
}

/** An account at its present stage, with what belongs to that stage alone. */
export type Account = AccountFacts & { readonly life: Stage };

/** A change of stage that the life cycle does not know. */
export class IllegalTransition extends Error {
  constructor(from: StageName, to: StageName) {
    super(`an account cannot go from ${from} to ${to}`);
    this.name = 'IllegalTransition';
  }
}

function from(life: Stage, allowed: readonly StageName[], to: StageName): void {
  if (!allowed.includes(life.stage)) throw new IllegalTransition(life.stage, to);
}

/** A consent that is proved, the first or a repeated one. A migrated or lost account keeps (or regains) its stage. */
export function consent(life: Stage, binding: Binding): Stage {
  from(life, ['legacy', 'awaiting-operator', 'consented', 'migrated', 'lost'], 'consented');
  return life.stage === 'migrated' || life.stage === 'lost'
    ? { stage: 'migrated', binding }
    : { stage: 'consented', binding };
}

/** A consent that nothing proves; a newer one takes the place of one that waits. An account that moved has no such thing. */
export function propose(life: Stage, proposal: Binding): Stage {
  from(life, ['legacy', 'awaiting-operator', 'consented'], 'awaiting-operator');
  return { stage: 'awaiting-operator', proposal };
}

/** Another consent has taken the place of the one that the operator judged, or nothing waits any more. */
export class NoLongerProposed extends Error {
  constructor() {
    super('the consent no longer waits for the operator');
    this.name = 'NoLongerProposed';
  }
}

/** What waits for the operator, if it is the one he has seen. Throws `NoLongerProposed`. */
function proposed(life: Stage, grantId: string): Binding {
  if (life.stage !== 'awaiting-operator' || life.proposal.grantId !== grantId) throw new NoLongerProposed();
  return life.proposal;
}

/** The operator's word stands for the proof. Throws `NoLongerProposed`. */
export const confirmProposal = (life: Stage, grantId: string): Stage => ({
  stage: 'consented',
  binding: proposed(life, grantId),
});

/** Throws `NoLongerProposed`. */
export function refuseProposal(life: Stage, grantId: string): Stage {
  proposed(life, grantId);
  return { stage: 'legacy' };
}

/** The grant an account stands on, or would stand on. */
export function grantOf(life: Stage): string | undefined {
  if (life.stage === 'awaiting-operator') return life.proposal.grantId;
  return 'binding' in life ? life.binding.grantId : undefined;
}

/** Cut-over: from here on the account is served by V3 or V2, for ever. */
export function migrate(life: Stage): Stage {
  if (life.stage !== 'consented') throw new IllegalTransition(life.stage, 'migrated');
  return { stage: 'migrated', binding: life.binding };
}

/** The grant died: `migrated` becomes `lost`; an account that had not moved falls back to `legacy`. */
export function lose(life: Stage, reason: LossReason): Stage {
  switch (life.stage) {
    case 'awaiting-operator':
    case 'consented':
      return { stage: 'legacy' };
    case 'migrated':
    case 'lost':
      return { stage: 'lost', binding: life.binding, reason };
    case 'legacy':
    case 'closed':
      throw new IllegalTransition(life.stage, 'lost');
  }
}

/** Final: there is no transition out of `closed`. Throws `IllegalTransition`. */
export function close(life: Stage): Stage {
  from(life, ['legacy', 'awaiting-operator', 'consented', 'migrated', 'lost'], 'closed');
  return { stage: 'closed' };
}

/** One line of an account's timeline. */
export interface AccountEvent {
  readonly at: number;
  readonly kind: string;
  /** Who caused it: `operator`, `customer`, `bridge`, or the name of a token. */
  readonly actor: string;
  /** Words for people; never a secret. */
  readonly detail: string;
}
