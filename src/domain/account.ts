import type { LossReason } from './grant.ts';

/** Decides scope, V3 root, and (practice) that there is no V2. */
export const products = ['standard', 'practice'] as const;
export type Product = (typeof products)[number];

/** An organisation of the service, as the connections endpoint or the access token names it. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
}

/** What an account is bound to once its customer has consented. */
export interface Binding {
  readonly grantId: string;
  readonly organisation: Organisation;
}

/**
 * The life of an account (docs/decisions, architecture "Account, grant, invitation").
 * `consented`: a grant is held and the checks run; V1 still serves, V3 where V1 refuses.
 * Never back to V1 after `migrated`: the service forbids it (001_43834a5c52d8e676.txt, Versioning).
 */
export type Stage =
  | { readonly stage: 'legacy' }
  | { readonly stage: 'consented'; readonly binding: Binding }
  | { readonly stage: 'migrated'; readonly binding: Binding }
  | { readonly stage: 'lost'; readonly binding: Binding; readonly reason: LossReason }
  | { readonly stage: 'closed' };

export type StageName = Stage['stage'];

/**
 * `discovered`: nobody added it; its key was seen in pass-through and V1 accepted it. `issued`: its customer never had
 * V1 keys; the bridge made the pair, and V1 is never asked about it.
 */
export type AccountOrigin = 'added' | 'discovered' | 'issued';

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

/** A consent, the first or a repeated one. A migrated or lost account keeps (or regains) its stage. */
export function consent(life: Stage, binding: Binding): Stage {
  from(life, ['legacy', 'consented', 'migrated', 'lost'], 'consented');
  return life.stage === 'migrated' || life.stage === 'lost'
    ? { stage: 'migrated', binding }
    : { stage: 'consented', binding };
}

/** Cut-over: from here on the account is served by V3 or V2, for ever. */
export function migrate(life: Stage): Stage {
  if (life.stage !== 'consented') throw new IllegalTransition(life.stage, 'migrated');
  return { stage: 'migrated', binding: life.binding };
}

/** The grant died: `migrated` becomes `lost`; an account that was only `consented` falls back to `legacy`. */
export function lose(life: Stage, reason: LossReason): Stage {
  switch (life.stage) {
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

export function close(life: Stage): Stage {
  from(life, ['legacy', 'consented', 'migrated', 'lost'], 'closed');
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
