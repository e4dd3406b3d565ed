import type { Clock } from '../../lib/time/clock.ts';
import { iso } from '../../lib/time/iso.ts';
import { by, type ListPage, type Orders } from '../../lib/text/list-order.ts';
import type { Account } from '../accounts/account.ts';

/**
 * Who did what in console, API or command line, and to which accounts. Written before the action is answered.
 */
export interface AuditRow {
  readonly seq: number;
  readonly at: number;
  /** Name of the token, or `command line`. */
  readonly who: string;
  /** `invite`, `cutover`, `tokens.create`, `sign-in`, … */
  readonly action: string;
  readonly accountIds: readonly string[];
  /** A text for people; never a secret. */
  readonly detail: string;
}

/** Stores who did what; entries are only added. */
export interface AuditRepository {
  write(row: Omit<AuditRow, 'seq'>): Promise<void>;
  /** Newest first, unless another order is wanted. */
  list(page: AuditPage): Promise<readonly AuditRow[]>;
}

/** The orders of the list. */
export const auditOrders: Orders<AuditRow, 'who' | 'action'> = {
  at: { column: 'seq', isNewestFirst: true, value: ({ seq }) => seq },
  who: by('who', ({ who }) => who),
  action: by('action', ({ action }) => action),
};

/** A part of the audit. */
export interface AuditPage extends ListPage<'who' | 'action'> {
  /** Only what this person, token or `command line` did. */
  readonly who?: string | undefined;
  /** Only this action. */
  readonly action?: string | undefined;
}

/** The columns of the audit as a table; `names`: the present ones, by the id of the account. */
export const auditColumns = (names: ReadonlyMap<string, string>) =>
  ({
    seq: ({ seq }: AuditRow) => seq,
    at: ({ at }: AuditRow) => iso(at),
    who: ({ who }: AuditRow) => who,
    action: ({ action }: AuditRow) => action,
    // An entry keeps ids alone; an account that was erased since stays one.
    accounts: ({ accountIds }: AuditRow) => accountIds.map((id) => names.get(id) ?? id).join('; '),
    account_ids: ({ accountIds }: AuditRow) => accountIds.join(' '),
    detail: ({ detail }: AuditRow) => detail,
  }) as const;

/** What entries are written with. */
export interface AuditParts {
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** What somebody did to one account, as of now. */
export const auditAccount = (
  { audit, clock }: AuditParts,
  { id }: Pick<Account, 'id'>,
  entry: Pick<AuditRow, 'who' | 'action' | 'detail'>,
): Promise<void> => audit.write({ at: clock.now(), ...entry, accountIds: [id] });

/** What somebody did that concerns no single account, as of now. */
export const auditDeed = (
  { audit, clock }: AuditParts,
  entry: Pick<AuditRow, 'who' | 'action' | 'detail'>,
): Promise<void> => audit.write({ at: clock.now(), ...entry, accountIds: [] });
