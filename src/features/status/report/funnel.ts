import type { ReportedAccount, StatusReport } from '../model.ts';
import type { InvitationLine } from '../report-rows.ts';

/** Exported and closed accounts have left and need no action. */
export const isHere = ({ stage }: Pick<ReportedAccount, 'stage'>): boolean =>
  stage !== 'closed' && stage !== 'exported';

type StuckAccount = ReportedAccount & { readonly stuck: NonNullable<ReportedAccount['stuck']> };

/** Whether somebody needs to act. An exported account keeps its reason, which only says where it went. */
export const isStuck = (account: ReportedAccount): account is StuckAccount =>
  account.stuck !== null && isHere(account);

/** Somebody has approved; only the operator can say whether it was the customer. */
const stageSteps: Readonly<Partial<Record<ReportedAccount['stage'], number>>> = {
  'awaiting-operator': 2,
  consented: 3,
  migrated: 4,
};

/** 0: known, 1: invited, 2: looked at the invitation, 3: consented, 4: migrated. */
const stepOf = (account: ReportedAccount, stored: InvitationLine | undefined): number =>
  stageSteps[account.stage] ?? invitedStep(account, stored);

function invitedStep(
  { stage, since, invitation }: ReportedAccount,
  stored: InvitationLine | undefined,
): number {
  // Earlier invitations of a lost account no longer count.
  const counts = (issuedAt: number | undefined): boolean =>
    issuedAt !== undefined && (stage !== 'lost' || issuedAt >= Date.parse(since));
  if (!counts(stored?.issuedAt)) return 0;
  // Includes one that has expired since, or that a reminder followed.
  if (counts(stored?.openedIssuedAt)) return 2;
  return invitation.state === 'unsent' ? 0 : 1;
}

/** How many accounts reached each step or a later one. `stored`: by account. */
export function funnelOf(
  accounts: readonly ReportedAccount[],
  stored: ReadonlyMap<string, InvitationLine>,
): StatusReport['funnel'] {
  const steps = accounts.filter(isHere).map((account) => stepOf(account, stored.get(account.id)));
  const atLeast = (step: number): number => steps.filter((reached) => reached >= step).length;
  return {
    accounts: atLeast(0),
    invited: atLeast(1),
    opened: atLeast(2),
    consented: atLeast(3),
    migrated: atLeast(4),
  };
}
