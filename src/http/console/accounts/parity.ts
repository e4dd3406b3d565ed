/**
 * The proof before the switch in the console: one page for each account. Every form redirects to an address of its own,
 * so that reloading it compares and accepts nothing.
 */
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { byCause } from '../../../features/admin/cutover/parity.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { hasMoved, type Account } from '../../../features/accounts/account.ts';
import { parityModeWords } from '../../../features/cutover/parity/words.ts';
import type { DifferenceExample, ParityReport } from '../../../features/cutover/parity/model.ts';
import { markOf } from '../../../features/cutover/parity/signature.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface ParityScreenParts {
  readonly admin: Pick<AdminService, 'accounts' | 'parity'>;
  readonly pages: ConsolePages;
}

const pathOf = (id: string): string => `${CONSOLE_PATH}/accounts/${encodeURIComponent(id)}/parity`;

const doneWords: Readonly<Record<string, string>> = {
  started:
    'The comparison has started. Customers’ calls take precedence, so it may take some minutes. Reload the page to see the result.',
  accepted: 'Accepted. The acceptance is void as soon as something else differs.',
};

/** The proof before the switch of one account. */
export class ParityScreen {
  readonly #parts: ParityScreenParts;

  constructor(parts: ParityScreenParts) {
    this.#parts = parts;
  }

  show(visit: Visit): Promise<void> {
    return this.#send(visit, 200, { said: doneWords[visit.query.get('done') ?? ''] });
  }

  async start(deed: Deed): Promise<void> {
    const { accounts, parity } = this.#parts.admin;
    const account = await accounts.find(idOf(deed));
    await parity.start(account, deed.who);
    this.#parts.pages.redirect(deed.response, `${pathOf(account.id)}?done=started`);
  }

  /** Accepts the ticked differences. */
  async accept(deed: Deed): Promise<void> {
    const { accounts, parity } = this.#parts.admin;
    const { form, who } = deed;
    const account = await accounts.find(idOf(deed));
    const keys = form.getAll('difference');
    const [name, reason] = [form.get('name') ?? '', form.get('reason') ?? ''];
    try {
      if (keys.length === 0) throw new AdminRefusal('unusable', 'select at least one difference');
      const forAll = form.get('everywhere') === 'yes';
      await parity.accept(account, { keys, seen: form.getAll('seen'), forAll, name, reason }, who);
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      await this.#send(deed, 400, { problem: sentenceOf(error.message), ticked: keys, name, reason });
      return;
    }
    this.#parts.pages.redirect(deed.response, `${pathOf(account.id)}?done=accepted`);
  }

  /** Shows the values once, and records this in the audit log. */
  async values(deed: Deed): Promise<void> {
    const { accounts, parity } = this.#parts.admin;
    const account = await accounts.find(idOf(deed));
    await this.#send(deed, 200, { values: await parity.values(account, deed.who) });
  }

  async #send(
    visit: Visit,
    status: number,
    given: Readonly<Record<string, unknown>> & { readonly values?: readonly DifferenceExample[] },
  ): Promise<void> {
    const { admin, pages } = this.#parts;
    const account = await admin.accounts.find(idOf(visit));
    const report: ParityReport = await admin.parity.show(account);
    pages.send(visit.response, status, 'parity', {
      title: `Proof of ${account.name}`,
      under: '/accounts',
      session: visit.session,
      account: { id: account.id, name: account.name },
      canCompare: 'binding' in account.life,
      hasMoved: hasMoved(account),
      report,
      move: moveWords(account, report),
      causes: byCause(report),
      seen: report.groups.filter(({ accepted }) => accepted === undefined).map(markOf),
      path: pathOf(account.id),
      ticked: [],
      name: visit.session.token.name,
      reason: '',
      ...given,
    });
  }
}

/** What the proof means for the move. */
const moveWords = (account: Account, { mode }: ParityReport): string =>
  hasMoved(account) ? 'It has moved: V3 serves it, whatever a comparison shows now.' : parityModeWords(mode);

const idOf = ({ request }: Visit): string => String(request.params.id);
