import type { Clock } from '../../lib/time/clock.ts';
import { iso } from '../../lib/time/iso.ts';
import { by, type ListPage, type Orders, type ListRows } from '../../lib/text/list-order.ts';
import type { Account } from '../accounts/account.ts';

/**
 * One action in console, API or command line: its operator, its name and its accounts. Written before the action is
 * answered.
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

/** Stores the actions of operators; entries are only added. */
export interface AuditRepository {
  write(row: Omit<AuditRow, 'seq'>): Promise<void>;
  /** Newest first, unless another order is given. */
  list(page: AuditPage): Promise<readonly AuditRow[]>;
}

/** The orders of the list. */
export const auditOrders: Orders<AuditRow, 'who' | 'action'> = {
  at: { column: 'seq', isNewestFirst: true, value: ({ seq }) => seq, type: 'number' },
  who: by('who', ({ who }) => who),
  action: by('action', ({ action }) => action),
};

/** Nothing deletes an entry. */
export const auditRows: ListRows<AuditRow> = { idOf: ({ seq }) => seq, isKept: () => true };

/** A part of the audit log. */
export interface AuditPage extends ListPage<'who' | 'action'> {
  /** Only entries of this person, token or `command line`. */
  readonly who?: string | undefined;
  /** Only this action. */
  readonly action?: string | undefined;
}

/** The columns of the audit log as a table; `names`: the present names, by the id of the account. */
export const auditColumns = (names: ReadonlyMap<string, string>) =>
  ({
    seq: ({ seq }: AuditRow) => seq,
    at: ({ at }: AuditRow) => iso(at),
    who: ({ who }: AuditRow) => who,
    action: ({ action }: AuditRow) => action,
    // An entry keeps only ids; that of an account that was erased since is shown as it is.
    accounts: ({ accountIds }: AuditRow) => accountIds.map((id) => names.get(id) ?? id).join('; '),
    account_ids: ({ accountIds }: AuditRow) => accountIds.join(' '),
    detail: ({ detail }: AuditRow) => detail,
  }) as const;

/** The means to write entries. */
export interface AuditParts {
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** Records an action on one account, as of now. */
export const auditAccount = (
  { audit, clock }: AuditParts,
  { id }: Pick<Account, 'id'>,
  entry: Pick<AuditRow, 'who' | 'action' | 'detail'>,
): Promise<void> => audit.write({ at: clock.now(), ...entry, accountIds: [id] });

/** Records an action that concerns no single account, as of now. */
export const auditDeed = (
  { audit, clock }: AuditParts,
  entry: Pick<AuditRow, 'who' | 'action' | 'detail'>,
): Promise<void> => audit.write({ at: clock.now(), ...entry, accountIds: [] });
