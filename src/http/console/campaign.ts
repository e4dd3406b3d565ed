/**
 * The campaign in the console: its progress, when the rest is sent, and which customers to call. A note after a call
 * redirects to an address of its own, so that reloading the page does not note it twice.
 */
import type { AdminService } from '../../features/admin/admin.ts';
import type { PhoneLine } from '../../features/admin/campaign/sending.ts';
import type { ReportedAccount, StatusReport } from '../../features/status/model.ts';
import { sentenceOf } from '../../lib/text/sentence.ts';
import { AdminRefusal } from '../../features/admin/refusal.ts';
import { isPossible, waveDeedNames, type WaveDeed } from '../../features/admin/campaign/waves.ts';
import { usualBrake } from '../../features/campaign/waves/model.ts';
import { filterIn } from '../../features/status/report/filter-text.ts';
import { choicesFor } from './accounts/choices.ts';
import type { BrownoutState } from '../../features/campaign/brownouts/brownout.ts';
import { waveShown } from '../../features/campaign/waves/shown.ts';
import { readingWords } from '../../features/campaign/bounces/mailbox/record.ts';
import { hoursWords } from '../../features/campaign/schedule/hours.ts';
import { saidOf, sentWords } from '../../features/status/weekly/weekly-report.ts';
import { weeklyTimeWords } from '../../features/status/weekly/weekly-time.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { CONSOLE_PATH, type ConsolePages } from './pages.ts';
import type { Deed, Visit } from './session/session-guard.ts';
import { nextOf, unansweredIn } from './overview.ts';
import { tried } from './tried.ts';
import { givenOf, planClash, queryOf, type Given } from './wave-plan.ts';

export interface CampaignScreenParts {
  readonly admin: Pick<
    AdminService,
    'sending' | 'waves' | 'brownouts' | 'report' | 'health' | 'statusReport' | 'latestEvent'
  >;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const isAhead = (state: BrownoutState): boolean => state === 'planned' || state === 'running';

/**
 * Changes whenever the wave does (a change of the plan counts as a new beginning of its state) and, before a start, when
 * others would be invited or at another time.
 */
const seenOf = ({ wave: { state, since }, would, waits }: ShownWave, deed: WaveDeed | 'remove'): string =>
  deed === 'start' ? `${state} ${since} ${would} ${waits ?? ''}` : `${state} ${since}`;

type ShownWave = Awaited<ReturnType<AdminService['waves']['show']>>;

const accountsIn = ({ accounts }: StatusReport, lines: readonly PhoneLine[]): readonly ReportedAccount[] => {
  const ids = new Set(lines.map(({ accountId }) => accountId));
  return accounts.filter(({ id }) => ids.has(id));
};

/** These have fields of their own in the form, or no place in it. */
const OWN_FIELDS: readonly string[] = ['tag', 'ready', 'wave'];

const PHONE_PATH = `${CONSOLE_PATH}/campaign/phone`;
/** Rows on one page; the file has all of them. */
const PAGE = 50;
/** In place of a page's number: the whole list, to print. */
const ALL = 'all';

/** The pages of the campaign. */
export class CampaignScreen {
  readonly #parts: CampaignScreenParts;

  constructor(parts: CampaignScreenParts) {
    this.#parts = parts;
  }

  /** The progress of the campaign; with `wave`, the form contains that wave, to be changed. */
  async show(visit: Visit): Promise<void> {
    const name = visit.query.get('wave');
    if (name === null) await this.#send(visit, 200, {});
    else await this.#send(visit, 200, { given: givenOf((await this.#parts.admin.waves.show(name)).wave) });
  }

  /** Plans a wave. */
  async plan(deed: Deed): Promise<void> {
    const { form } = deed;
    const text = (name: string): string => (form.get(name) ?? '').trim();
    const number = (name: string): number | undefined => (text(name) === '' ? undefined : Number(text(name)));
    await this.#tried(deed, async () => {
      if (text('replace') === 'yes' && (await this.#isOvertaken(deed, text('name')))) return;
      await this.#parts.admin.waves.save(
        {
          name: text('name'),
          query: queryOf(form),
          most: number('most'),
          start: text('start') === '' ? undefined : text('start'),
          holdHours: number('hold'),
          mostErrorPercent: number('errors'),
          mostTroubledPercent: number('troubled'),
          replace: text('replace') === 'yes',
        },
        deed.who,
      );
      this.#toWaves(deed);
    });
  }

  /** Whether another person has changed the wave since the form showed it; then the form is shown again, with the change. */
  async #isOvertaken(deed: Deed, name: string): Promise<boolean> {
    const { wave } = await this.#parts.admin.waves.show(name);
    const problem = planClash(deed.form, wave);
    if (problem === undefined) return false;
    const given = { ...Object.fromEntries(deed.form), shown: givenOf(wave).shown ?? '' };
    await this.#send(deed, 409, { problem, given });
    return true;
  }

  /**
   * An operator's decision: starts a wave, stops it, lets the next one continue, or deletes it; after a confirmation
   * page with the consequences.
   */
  async decide(deed: Deed): Promise<void> {
    const { admin } = this.#parts;
    const { form, who } = deed;
    const name = form.get('wave') ?? '';
    const known = waveDeedNames.find((one) => one === form.get('deed'));
    await this.#tried(deed, async () => {
      const shown = await admin.waves.show(name);
      const isSure = form.get('sure') === 'yes';
      // The consequences that were confirmed are those of the wave that was shown.
      if (!isSure || form.get('seen') !== seenOf(shown, known ?? 'remove')) {
        this.#ask(deed, shown, known ?? 'remove', isSure);
        return;
      }
      if (known === undefined) await admin.waves.remove(name, who);
      else await admin.waves.act(name, known, who);
      this.#toWaves(deed);
    });
  }

  /** Reads the mailbox for bounces now; a failure is shown on the page. */
  async readMailbox({ who, response }: Deed): Promise<void> {
    await this.#parts.admin.sending.readMailbox(who);
    this.#parts.pages.redirect(response, `${CONSOLE_PATH}/campaign#bounces`);
  }

  /** Sends the report by e-mail now; redirects to its result. */
  async sendReport(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const to = (deed.form.get('to') ?? '').split(/[\s,;]+/).filter((one) => one !== '');
    const sending = async (): Promise<void> => {
      await admin.report.send(to.length === 0 ? undefined : to, deed.who);
      pages.redirect(deed.response, `${CONSOLE_PATH}/campaign#report`);
    };
    await tried(deed, sending, ({ problem, given }) =>
      this.#send(deed, 400, { reportProblem: problem, reportGiven: given }),
    );
  }

  /** Shows the confirmation page; nothing is done yet. `isChanged`: it is no longer what was shown. */
  #ask({ response, session }: Deed, shown: ShownWave, deed: WaveDeed | 'remove', isChanged: boolean): void {
    const { wave, would, nobody, waits } = shown;
    const canBe = isPossible(deed, wave.state);
    this.#parts.pages.send(response, isChanged || !canBe ? 409 : 200, 'wave-decide', {
      title: wave.name,
      under: '/campaign',
      session,
      wave: waveShown(wave),
      ...{ would, nobody, waits, deed, isChanged },
      canBe,
      seen: seenOf(shown, deed),
    });
  }

  #toWaves({ response }: Deed): void {
    this.#parts.pages.redirect(response, `${CONSOLE_PATH}/campaign#waves`);
  }

  #tried(deed: Deed, act: () => Promise<void>): Promise<void> {
    return tried(deed, act, (values) => this.#send(deed, 400, values));
  }

  async #send(
    { response, session }: Visit,
    status: number,
    values: Readonly<Record<string, unknown>> & { readonly given?: Given },
  ): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const given = values.given ?? {};
    // Read first: an event in between is then reported twice rather than missed.
    const seq = await admin.latestEvent();
    const health = await admin.health();
    // Both read the status report; requested at once, they share one.
    const [pace, toCall, statusReport] = await Promise.all([
      admin.waves.pace(),
      admin.sending.phoneList(),
      admin.statusReport(),
    ]);
    pages.send(response, status, 'campaign', {
      title: 'Campaign',
      session,
      // Typed values and a refusal stay as they are.
      ...(status === 200 && { seq }),
      mails: health.configured.mail,
      pausedUntil: health.sending.pausedUntil,
      progress: await admin.sending.progress(),
      hours: admin.sending.hours,
      hoursText: hoursWords(admin.sending.hours),
      waves: await admin.waves.list(),
      brownouts: (await admin.brownouts.list()).filter(({ state }) => isAhead(state)),
      pace,
      report: await this.#report(),
      filters: choicesFor(statusReport, filterIn(new URLSearchParams(given))).filter(
        ({ name }) => !OWN_FIELDS.includes(name),
      ),
      tags: [...new Set(statusReport.accounts.flatMap(({ tags }) => tags))].sort(),
      brake: usualBrake,
      toCall: toCall.length,
      callsByStep: nextOf(accountsIn(statusReport, toCall)),
      ...unansweredIn(statusReport),
      mailbox: await admin.sending.mailbox(),
      readingWords,
      ...values,
      now: clock.now(),
    });
  }

  async #report() {
    const plan = await this.#parts.admin.report.show();
    const sent = plan.last?.sent.map(({ address, verdict }) => ({
      address,
      good: verdict.verdict === 'sent',
      words: sentWords[verdict.verdict],
      said: saidOf(verdict),
    }));
    return { ...plan, at: weeklyTimeWords(plan.at), sent: sent ?? [] };
  }

  /** The customers to call. */
  async phone(visit: Visit): Promise<void> {
    const said =
      visit.query.get('done') === 'noted' ? 'The phone call was saved to the account’s timeline.' : undefined;
    await this.#sendPhone(visit, 200, { said });
  }

  /** Notes the result of a call. */
  async talk(deed: Deed): Promise<void> {
    const { form, who, response } = deed;
    const account = form.get('account') ?? '';
    const note = (form.get('note') ?? '').replaceAll('\r\n', '\n');
    try {
      await this.#parts.admin.sending.talked(account, note, who);
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      await this.#sendPhone(deed, 400, { problem: sentenceOf(error.message), given: { account, note } });
      return;
    }
    const page = deed.query.get('page');
    const back = new URLSearchParams({ ...(page !== null && { page }), done: 'noted' });
    this.#parts.pages.redirect(response, `${PHONE_PATH}?${back.toString()}`);
  }

  /** The list is read anew for each page: another person may have called meanwhile. */
  async #sendPhone(visit: Visit, status: number, values: Readonly<Record<string, unknown>>): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const lines = await admin.sending.phoneList();
    const shown = pageOf(lines, visit.query.get('page') ?? '1');
    pages.send(visit.response, status, 'phone', {
      title: 'Customers to call',
      under: '/campaign',
      session: visit.session,
      ...shown,
      all: ALL,
      isPaged: lines.length > PAGE,
      total: lines.length,
      now: clock.now(),
      ...values,
    });
  }
}

/** A page of the list, and its number as an address has it. */
function pageOf<Line>(lines: readonly Line[], wanted: string) {
  if (wanted === ALL) return { lines, page: 1, last: 1, from: 0, address: ALL };
  const last = Math.max(1, Math.ceil(lines.length / PAGE));
  const page = Math.min(last, Math.max(1, Math.floor(Number(wanted)) || 1));
  const from = (page - 1) * PAGE;
  return { lines: lines.slice(from, from + PAGE), page, last, from, address: String(page) };
}
