/**
 * The rehearsal of an account in the console: one button, how far it is, and what it found. The page keeps itself up to
 * date while one is under way.
 */
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface RehearsalScreenParts {
  readonly admin: Pick<AdminService, 'accounts' | 'rehearsal'>;
  readonly pages: ConsolePages;
}

const pathOf = (id: string): string => `${CONSOLE_PATH}/accounts/${encodeURIComponent(id)}/rehearsal`;

/** The rehearsal of one account. */
export class RehearsalScreen {
  readonly #parts: RehearsalScreenParts;

  constructor(parts: RehearsalScreenParts) {
    this.#parts = parts;
  }

  show(visit: Visit): Promise<void> {
    return this.#send(visit, 200);
  }

  async start(deed: Deed): Promise<void> {
    const { accounts, rehearsal } = this.#parts.admin;
    const account = await accounts.find(idOf(deed));
    try {
      await rehearsal.start(account, deed.who);
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      await this.#send(deed, 409, `${error.message}.`);
      return;
    }
    this.#parts.pages.redirect(deed.response, pathOf(account.id));
  }

  async #send(visit: Visit, status: number, problem?: string): Promise<void> {
    const { admin, pages } = this.#parts;
    const account = await admin.accounts.find(idOf(visit));
    const { stage } = account.life;
    pages.send(visit.response, status, 'rehearsal', {
      title: `Rehearsal of ${account.name}`,
      under: '/accounts',
      session: visit.session,
      account: { id: account.id, name: account.name },
      isToMove: stage === 'legacy' || stage === 'consented',
      ...(await admin.rehearsal.show(account)),
      path: pathOf(account.id),
      problem,
    });
  }
}

const idOf = ({ request }: Visit): string => String(request.params.id);
