/** The wave of an account: the one that invited it or, among the planned ones, the first that would. */
import type { WaveWithMembers } from '../../campaign/waves/model.ts';
import { nextActions } from '../codes.ts';
import type { ReportedAccount } from '../model.ts';
import type { StatusRows } from '../report-rows.ts';

/** A wave with the ids of its accounts; for a planned one, those that it would invite now. */
export interface Filled {
  readonly wave: WaveWithMembers;
  readonly ids: readonly string[];
  /** Those that it has not come to yet. */
  readonly ahead: ReadonlySet<string>;
}

/** A planned wave, with the accounts that it would invite now. */
export const plannedWave = (wave: WaveWithMembers, ids: readonly string[]): Filled => ({
  ...{ wave, ids },
  ahead: new Set(ids),
});

/** A wave that is out, with its accounts. */
export const sentWave = (wave: WaveWithMembers): Filled => ({
  wave,
  ids: wave.members.map(({ accountId }) => accountId),
  ahead: new Set(wave.members.flatMap((one) => (one.invitedAt === undefined ? [one.accountId] : []))),
});

/** Accounts whose invitation a stopped wave holds back or has not written yet, with the name of the wave. */
export function heldByWaves({
  waves,
  invitations,
}: Pick<StatusRows, 'waves' | 'invitations'>): ReadonlyMap<string, string> {
  const invited = new Set(invitations.map(({ accountId }) => accountId));
  return new Map(
    waves
      .filter(({ state }) => state === 'stopped')
      .flatMap(({ name, members }) =>
        members
          .filter(({ accountId, isQueued, isLeft }) => isQueued || !(isLeft || invited.has(accountId)))
          .map(({ accountId }) => [accountId, name]),
      ),
  );
}

/** The accounts with their waves. `filled`: in the order in which waves are sent. */
export function withWaves(
  accounts: readonly ReportedAccount[],
  filled: readonly Filled[],
): ReportedAccount[] {
  const found = new Map<string, Filled>();
  for (const one of filled) for (const id of one.ids) if (!found.has(id)) found.set(id, one);
  return accounts.map((account) => {
    const one = found.get(account.id);
    if (one === undefined) return account;
    const { name, state, start = null } = one.wave;
    const isAhead = account.next?.action === 'invite' && one.ahead.has(account.id);
    return {
      ...account,
      wave: { name, state, start },
      next: isAhead ? stepOf('wave-invites') : account.next,
    };
  });
}

const stepOf = (action: 'invite' | 'wave-invites'): ReportedAccount['next'] => ({
  ...{ action, ...nextActions[action] },
  at: null,
});

/** The account as the filters of a wave see it: without a planned wave of its own. */
export const beforeWaves = (account: ReportedAccount): ReportedAccount =>
  account.next?.action === 'wave-invites' ? { ...account, next: stepOf('invite') } : account;
