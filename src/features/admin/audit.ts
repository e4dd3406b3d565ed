import type { Clock } from '../../lib/time/clock.ts';
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
  /** Newest first. `before`: only rows with a smaller `seq`. */
  list(page: { readonly limit: number; readonly before?: number | undefined }): Promise<readonly AuditRow[]>;
}

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
