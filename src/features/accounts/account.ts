import { EXPORTED_TEXT, Failure } from '../../lib/failure.ts';
import type { Binding, Product } from '../../upstream/organisation.ts';
import type { LossReason } from '../../tokens/grant.ts';

/**
 * The life cycle of an account (docs/contribute/architecture.md). `awaiting-operator`: somebody has consented and
 * nothing proves that the organisation is the account's; the tokens are held, V1 keeps serving, and the operator
 * confirms or refuses. `consented`: a grant is held and the checks run; V1 still serves, or V3 if V1 refuses. After
 * `migrated` there is no way back to V1: the service forbids it (XML specification, "Versioning").
 */
export type Stage =
  | { readonly stage: 'legacy' }
  | { readonly stage: 'awaiting-operator'; readonly proposal: Binding }
  | { readonly stage: 'consented'; readonly binding: Binding }
  | { readonly stage: 'migrated'; readonly binding: Binding }
  | { readonly stage: 'lost'; readonly binding: Binding; readonly reason: LossReason }
  | { readonly stage: 'closed' };

/** The stage of an account on its way from V1 to V3. */
export type StageName = Stage['stage'];

/** The stages, in the order in which an account passes them. */
export const stageNames = [
  'legacy',
  'awaiting-operator',
  'consented',
  'migrated',
  'lost',
  'closed',
] as const satisfies readonly StageName[];

/** Whether this version knows the stage; a later one may have left others in the database. */
export const isKnownStage = ({ stage }: { readonly stage: string }): boolean =>
  stageNames.some((known) => known === stage);

/** A stage as people see it: if the grant of a lost account was exported, its connection is now elsewhere. */
export type ShownStage = StageName | 'exported';

/** `reason`: why it is lost. */
export const shownStage = (stage: StageName, reason: LossReason | undefined): ShownStage =>
  stage === 'lost' && reason === 'exported' ? 'exported' : stage;

/**
 * `discovered`: nobody added it; its key was seen in pass-through and V1 accepted it. `issued`: its customer never had
 * V1 keys; the bridge generated the pair, and V1 is never asked about it.
 */
export type AccountOrigin = 'added' | 'discovered' | 'issued';

/** The data of an account at every stage; times are milliseconds since the epoch. */
export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly product: Product;
  /** Name of the OAuth application of its connection. */
  readonly application: string;
  readonly origin: AccountOrigin;
  readonly createdAt: number;
  /** When the current stage began. */
  readonly stageSince: number;
  readonly lastCallAt: number | undefined;
  /** V1's replies tell its programs when V1 ends. */
  readonly notices?: true;
  /** Announced hours in which its reads are refused while it uses V1 (`features/campaign/brownouts`). */
  readonly brownout?: { readonly from: number; readonly to: number };
}

/** An account at its current stage, with the values that belong to that stage. */
export type Account = AccountFacts & { readonly life: Stage };

/** The account's brown-out, unless it is over or the account no longer uses V1. */
export function brownoutOf({ life, brownout }: Account, now: number): Account['brownout'] {
  return life.stage === 'legacy' && brownout !== undefined && now < brownout.to ? brownout : undefined;
}

/** A change of stage that the life cycle does not allow. */
export class IllegalTransition extends Error {
  constructor(from: StageName, to: StageName) {
    super(`an account cannot go from ${from} to ${to}`);
    this.name = 'IllegalTransition';
  }
}

/** The meaning of a later version's stage is not known here, so nothing is done for such an account. */
export class LaterStage extends Error {
  constructor({ name, life }: Pick<Account, 'name' | 'life'>) {
    super(
      `${name} is at the stage ${life.stage}, which this version does not know: start the version that stored it`,
    );
    this.name = 'LaterStage';
  }
}

function from(life: Stage, allowed: readonly StageName[], to: StageName): void {
  if (!allowed.includes(life.stage)) throw new IllegalTransition(life.stage, to);
}

/** A proved consent, the first or a repeated one. A migrated or lost account keeps (or regains) its stage. */
export function consent(life: Stage, binding: Binding): Stage {
  from(life, ['legacy', 'awaiting-operator', 'consented', 'migrated', 'lost'], 'consented');
  return life.stage === 'migrated' || life.stage === 'lost'
    ? { stage: 'migrated', binding }
    : { stage: 'consented', binding };
}

/** A consent without proof; a newer one replaces one that is waiting. It never replaces a grant that is in use. */
export function propose(life: Stage, proposal: Binding): Stage {
  from(life, ['legacy', 'awaiting-operator'], 'awaiting-operator');
  return { stage: 'awaiting-operator', proposal };
}

/** Another consent has replaced the one that the operator judged, or nothing is waiting any more. */
export class NoLongerProposed extends Error {
  constructor() {
    super('the consent is no longer waiting for the operator');
    this.name = 'NoLongerProposed';
  }
}

/** The waiting consent, if it is the one the operator has seen. Throws `NoLongerProposed`. */
function proposed(life: Stage, grantId: string): Binding {
  if (life.stage !== 'awaiting-operator' || life.proposal.grantId !== grantId) throw new NoLongerProposed();
  return life.proposal;
}

/** The operator's confirmation replaces the proof. Throws `NoLongerProposed`. */
export const confirmProposal = (life: Stage, grantId: string): Stage => ({
  stage: 'consented',
  binding: proposed(life, grantId),
});

/** Throws `NoLongerProposed`. */
export function refuseProposal(life: Stage, grantId: string): Stage {
  proposed(life, grantId);
  return { stage: 'legacy' };
}

/** The grant an account uses, or would use. */
export function grantOf(life: Stage): string | undefined {
  if (life.stage === 'awaiting-operator') return life.proposal.grantId;
  return 'binding' in life ? life.binding.grantId : undefined;
}

/**
 * Whether tokens are held for the account. A grant belongs to the application that obtained it, so the account stays
 * with that application while it has one.
 */
export const holdsGrant = ({ stage }: Stage): boolean =>
  stage === 'awaiting-operator' || stage === 'consented' || stage === 'migrated';

/** Those accounts of a grant that use it: a lost one only names the grant it had. A later version's stage counts as use. */
export const holders = (accounts: readonly Account[]): readonly Account[] =>
  accounts.filter(({ life }) => life.stage !== 'lost');

/** Whether the account can no longer change its organisation: it cannot go back to V1. */
export const hasMoved = ({ life }: Account): boolean => life.stage === 'migrated' || life.stage === 'lost';

/** Cut-over: from now on V3 or V2 serves the account, permanently. */
export function migrate(life: Stage): Stage {
  if (life.stage !== 'consented') throw new IllegalTransition(life.stage, 'migrated');
  return { stage: 'migrated', binding: life.binding };
}

/** The grant was lost: `migrated` becomes `lost`; an account that had not moved returns to `legacy`. */
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

/** The failure for calls of an account whose grant is lost: who can help, and whether the connection ended at all. */
export const lostFailure = (reason: LossReason): Failure =>
  reason === 'exported'
    ? new Failure('consentNeeded', { text: EXPORTED_TEXT })
    : new Failure('consentNeeded');

/** Final: nothing leads out of `closed`. Throws `IllegalTransition`. */
export function close(life: Stage): Stage {
  from(life, ['legacy', 'awaiting-operator', 'consented', 'migrated', 'lost'], 'closed');
  return { stage: 'closed' };
}

/** An entry of an account's timeline. */
export interface AccountEvent {
  readonly at: number;
  readonly kind: string;
  /** The author: `operator`, `customer`, `bridge`, or the name of a token or a person. */
  readonly actor: string;
  /** A text for people; never a secret. */
  readonly detail: string;
}

/**
 * The author for places outside the database, such as events and the log: a person without the address in which their
 * name ends (`Ada Lovelace <ada@example.com>`), or of which it consists if the provider knows no other.
 */
export const authorOf = (actor: string): string =>
  actor.replace(/ <[^<>]*>$/, '').replace(/(?<=\S)@[^\s)]*/g, '');
