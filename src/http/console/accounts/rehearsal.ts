/**
 * The rehearsal of an account in the console: one button, its progress, and its findings. The page keeps itself up to
 * date during a rehearsal.
 */
import { isToMove } from '../../../features/cutover/rehearsal/rehearsals.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { tried } from '../tried.ts';

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
    const start = async (): Promise<void> => {
      await rehearsal.start(account, deed.who);
      this.#parts.pages.redirect(deed.response, pathOf(account.id));
    };
    await tried(deed, start, ({ problem }) => this.#send(deed, 409, problem));
  }

  async #send(visit: Visit, status: number, problem?: string): Promise<void> {
    const { admin, pages } = this.#parts;
    const account = await admin.accounts.find(idOf(visit));
    pages.send(visit.response, status, 'rehearsal', {
      title: `Rehearsal of ${account.name}`,
      under: '/accounts',
      session: visit.session,
      account: { id: account.id, name: account.name },
      isToMove: isToMove(account),
      neverOnV1: account.origin === 'issued',
      ...(await admin.rehearsal.show(account)),
      path: pathOf(account.id),
      problem,
    });
  }
}

const idOf = ({ request }: Visit): string => String(request.params.id);
