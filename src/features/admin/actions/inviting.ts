/** What an invitation should know of its accounts: whether they should wait, and whether they are left alone. */
import type { SkippedReason } from '../../status/report/skipped.ts';
import { UnknownGroup } from '../../status/groups.ts';
import type { Status, WantedView } from '../../status/status.ts';
import type { InvitationGuard } from '../../campaign/asking/invitation-guard.ts';
import { filterOf } from '../campaign/groups.ts';
import { AdminRefusal } from '../refusal.ts';
import { skippedCautions, unreadyWords, type AdminAction } from './words.ts';

type StatusPart = Pick<Status, 'statusReport' | 'skipped' | 'guard'>;

/** By account: a warning, or why it is left alone. */
export interface Concerns {
  readonly cautions: ReadonlyMap<string, string>;
  readonly skipped: ReadonlyMap<string, SkippedReason>;
}

const NONE: Concerns = { cautions: new Map(), skipped: new Map() };

/** Nothing for any other action. Throws `AdminRefusal` unknown, unusable. */
export async function concernsOf(status: StatusPart, action: AdminAction): Promise<Concerns> {
  if (action.action !== 'invite') return NONE;
  // Both share one report.
  const [{ accounts }, found] = await Promise.all([
    status.statusReport(),
    skippedBy(status, action.chosenBy),
  ]);
  const unready = accounts.flatMap(({ id, inviteReady }) =>
    inviteReady === null || inviteReady.ready ? [] : [[id, unreadyWords(inviteReady.lacks)] as const],
  );
  if (action.chosenBy !== undefined) return { cautions: new Map(unready), skipped: found };
  const cautions = new Map<string, string>(unready);
  for (const [id, reason] of found) {
    const other = cautions.get(id);
    cautions.set(id, other === undefined ? skippedCautions[reason] : `${skippedCautions[reason]}; ${other}`);
  }
  return { cautions, skipped: NONE.skipped };
}

/**
 * The accounts that the action leaves alone because no one asked for exactly them. Throws `AdminRefusal` unknown,
 * unusable.
 */
export const skippedOf = async (
  status: StatusPart,
  action: AdminAction,
): Promise<ReadonlyMap<string, SkippedReason>> =>
  action.action === 'invite' && action.chosenBy !== undefined
    ? skippedBy(status, action.chosenBy)
    : NONE.skipped;

/** The action takes a while: what each account is asked again. Throws `AdminRefusal` unknown, unusable. */
export const guardOf = async (status: StatusPart, action: AdminAction): Promise<InvitationGuard> =>
  action.action === 'invite' && action.chosenBy !== undefined
    ? byChoice(action.chosenBy, (wanted) => status.guard(wanted))
    : {};

const skippedBy = (status: StatusPart, chosenBy = ''): Promise<ReadonlyMap<string, SkippedReason>> =>
  byChoice(chosenBy, (wanted) => status.skipped(wanted));

async function byChoice<Answer>(
  chosenBy: string,
  ask: (wanted: WantedView) => Promise<Answer>,
): Promise<Answer> {
  const query = new URLSearchParams(chosenBy);
  const group = query.get('group') ?? undefined;
  query.delete('group');
  const filter = filterOf(query);
  try {
    return await ask({ ...filter, group });
  } catch (error) {
    throw error instanceof UnknownGroup ? new AdminRefusal('unknown', error.message) : error;
  }
}
