/** Rehearsals of the move, for operators: the state of the last one, a new one, and its report to print. */
import { Refusal } from '../../../lib/log/terminal.ts';
import type { Progress } from '../../../lib/progress.ts';
import type { Account } from '../../accounts/account.ts';
import { rehearsalHtml } from '../../cutover/rehearsal/html.ts';
import type { Rehearsal } from '../../cutover/rehearsal/model.ts';
import type { KnownRehearsal, Rehearsals } from '../../cutover/rehearsal/rehearsals.ts';
import { auditAccount, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** The parts of the service. */
export interface AdminRehearsalParts extends AuditParts {
  readonly rehearsals: Rehearsals;
}

/** The admin service for rehearsals. */
export class AdminRehearsal {
  readonly #parts: AdminRehearsalParts;

  constructor(parts: AdminRehearsalParts) {
    this.#parts = parts;
  }

  /** Returns the stored state; nothing is played. */
  show(account: Account): Promise<KnownRehearsal> {
    return this.#parts.rehearsals.report(account);
  }

  /**
   * Begins one; names and texts are masked. Throws `AdminRefusal` conflict if the account has moved, V1 is not
   * configured or another is in progress.
   */
  async start(account: Account, who: string): Promise<KnownRehearsal> {
    const { rehearsals } = this.#parts;
    // Audited first: it reads all data of the account.
    await this.#audit(account, who, 'requested');
    try {
      await rehearsals.start(account, who);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.#audit(account, who, `refused: ${error.message}`);
      throw new AdminRefusal('conflict', error.message);
    }
    return rehearsals.report(account);
  }

  /** Begins one and waits for it. Rejects with `Refusal`. */
  async rehearse(account: Account, who: string, masks: boolean, progress: Progress): Promise<Rehearsal> {
    await this.#audit(account, who, masks ? 'requested' : 'requested, with its values');
    const rehearsal = await this.#parts.rehearsals.rehearse(account, who, masks, progress);
    await this.#audit(account, who, `done: ${rehearsal.verdict}`);
    return rehearsal;
  }

  /** The last report as a page of its own, to print. Throws `AdminRefusal` unknown if there is none. */
  async html(account: Account): Promise<string> {
    const { report } = await this.show(account);
    if (report === undefined) throw new AdminRefusal('unknown', `${account.name} has never been rehearsed`);
    return rehearsalHtml(account.name, report);
  }

  #audit(account: Account, who: string, detail: string): Promise<void> {
    return auditAccount(this.#parts, account, { who, action: 'rehearse', detail });
  }
}
