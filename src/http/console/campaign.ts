/**
 * The campaign in the console: how far sending is, when the rest leaves, and whom somebody has to call. A note after a
 * talk ends in an address of its own, so that loading the page again notes nothing twice.
 */
import type { AdminService } from '../../features/admin/admin.ts';
import { AdminRefusal } from '../../features/admin/refusal.ts';
import { hoursWords } from '../../features/campaign/schedule/hours.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { CONSOLE_PATH, type ConsolePages } from './pages.ts';
import type { Deed, Visit } from './session/session-guard.ts';

export interface CampaignScreenParts {
  readonly admin: Pick<AdminService, 'sending' | 'health'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const PHONE_PATH = `${CONSOLE_PATH}/campaign/phone`;
/** Rows on one page; the file has all of them. */
const MOST = 200;

/** The pages of the campaign. */
export class CampaignScreen {
  readonly #parts: CampaignScreenParts;

  constructor(parts: CampaignScreenParts) {
    this.#parts = parts;
  }

  async show({ response, session }: Visit): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const health = await admin.health();
    pages.send(response, 200, 'campaign', {
      title: 'Campaign',
      session,
      mails: health.configured.mail,
      pausedUntil: health.sending.pausedUntil,
      progress: await admin.sending.progress(),
      hours: admin.sending.hours,
      hoursText: hoursWords(admin.sending.hours),
      toCall: (await admin.sending.phoneList()).length,
      now: clock.now(),
    });
  }

  async phone(visit: Visit): Promise<void> {
    const said =
      visit.query.get('done') === 'noted' ? 'The note was saved, in the timeline of the account.' : undefined;
    await this.#sendPhone(visit, 200, { said });
  }

  /** What came of a talk. */
  async talk(deed: Deed): Promise<void> {
    const { form, who, response } = deed;
    const account = form.get('account') ?? '';
    const note = (form.get('note') ?? '').replaceAll('\r\n', '\n');
    try {
      await this.#parts.admin.sending.talked(account, note, who);
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      await this.#sendPhone(deed, 400, { problem: `${error.message}.`, given: { account, note } });
      return;
    }
    this.#parts.pages.redirect(response, `${PHONE_PATH}?done=noted`);
  }

  async #sendPhone(visit: Visit, status: number, values: Readonly<Record<string, unknown>>): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const lines = await admin.sending.phoneList();
    pages.send(visit.response, status, 'phone', {
      title: 'To call',
      under: '/campaign',
      session: visit.session,
      lines: lines.slice(0, MOST),
      total: lines.length,
      now: clock.now(),
      ...values,
    });
  }
}
