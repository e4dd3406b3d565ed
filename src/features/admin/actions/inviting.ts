/** What an invitation should know of its accounts: whether they should wait, and whether they are left alone. */
import { filterIn, unknownIn } from '../../status/report/filter-text.ts';
import type { SparedReason } from '../../status/report/spared.ts';
import { UnknownGroup } from '../../status/groups.ts';
import type { Status } from '../../status/status.ts';
import { AdminRefusal } from '../refusal.ts';
import { sparedCautions, unreadyWords, type AdminAction } from './words.ts';

type StatusPart = Pick<Status, 'statusReport' | 'spared'>;

/** By account: a warning, or why it is left alone. */
export interface Concerns {
  readonly cautions: ReadonlyMap<string, string>;
  readonly spared: ReadonlyMap<string, SparedReason>;
}

const NONE: Concerns = { cautions: new Map(), spared: new Map() };

/** Nothing for any other action. Throws `AdminRefusal` unknown, unusable. */
export async function concernsOf(status: StatusPart, action: AdminAction): Promise<Concerns> {
  if (action.action !== 'invite') return NONE;
  // Both share one report.
  const [{ accounts }, found] = await Promise.all([status.statusReport(), sparedBy(status, action.chosenBy)]);
  const unready = accounts.flatMap(({ id, inviteReady }) =>
    inviteReady === null || inviteReady.ready ? [] : [[id, unreadyWords(inviteReady.lacks)] as const],
  );
  if (action.chosenBy !== undefined) return { cautions: new Map(unready), spared: found };
  const cautions = new Map<string, string>(unready);
  for (const [id, reason] of found) {
    const other = cautions.get(id);
    cautions.set(id, other === undefined ? sparedCautions[reason] : `${sparedCautions[reason]}; ${other}`);
  }
  return { cautions, spared: NONE.spared };
}

/**
 * The accounts that the action leaves alone because no one asked for exactly them. Throws `AdminRefusal` unknown,
 * unusable.
 */
export const sparedOf = async (
  status: StatusPart,
  action: AdminAction,
): Promise<ReadonlyMap<string, SparedReason>> =>
  action.action === 'invite' && action.chosenBy !== undefined
    ? sparedBy(status, action.chosenBy)
    : NONE.spared;

async function sparedBy(status: StatusPart, chosenBy = ''): Promise<ReadonlyMap<string, SparedReason>> {
  const query = new URLSearchParams(chosenBy);
  const group = query.get('group') ?? undefined;
  query.delete('group');
  const unknown = unknownIn(query);
  if (unknown !== undefined) throw new AdminRefusal('unusable', `there is no filter ${unknown}`);
  try {
    return await status.spared({ ...filterIn(query), group });
  } catch (error) {
    throw error instanceof UnknownGroup ? new AdminRefusal('unknown', error.message) : error;
  }
}
