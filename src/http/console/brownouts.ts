/**
 * Brown-outs in the console: the plan is shown before anything is announced, one button stops each, and the page shows
 * the effects of each. Announcing or stopping one requires the scope `administer`.
 */
import type { AdminService } from '../../features/admin/admin.ts';
import type { BrownoutPlan, GivenBrownout } from '../../features/admin/campaign/brownouts.ts';
import { filterText, UNANSWERED, type Narrowing } from '../../features/status/report/filter-text.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { CONSOLE_PATH, type ConsolePages } from './pages.ts';
import type { Deed, Visit } from './session/session-guard.ts';
import { tried } from './tried.ts';

export interface BrownoutsScreenParts {
  readonly admin: Pick<AdminService, 'brownouts'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const PATH = `${CONSOLE_PATH}/campaign/brownouts`;

/** The page of brown-outs. */
export class BrownoutsScreen {
  readonly #parts: BrownoutsScreenParts;

  constructor(parts: BrownoutsScreenParts) {
    this.#parts = parts;
  }

  show(visit: Visit): Promise<void> {
    return this.#send(visit, 200, {});
  }

  /** Shows the accounts it would affect; announces nothing. */
  async preview(deed: Deed): Promise<void> {
    await this.#tried(deed, async () => {
      await this.#preview(deed, await this.#parts.admin.brownouts.preview(givenIn(deed.form)), 200);
    });
  }

  /** Announces it; shows the preview again if it would affect other accounts than that preview showed. */
  async plan(deed: Deed): Promise<void> {
    const { brownouts } = this.#parts.admin;
    await this.#tried(deed, async () => {
      const seen = deed.form.get('seen');
      const plan = seen === null ? undefined : await brownouts.preview(givenIn(deed.form));
      if (plan !== undefined && seen !== plan.accountsHash) {
        await this.#preview(deed, plan, 409);
        return;
      }
      await brownouts.plan(givenIn(deed.form), deed.who);
      this.#parts.pages.redirect(deed.response, PATH);
    });
  }

  async stop(deed: Deed): Promise<void> {
    await this.#tried(deed, async () => {
      await this.#parts.admin.brownouts.stop(deed.form.get('brownout') ?? '', deed.who);
      this.#parts.pages.redirect(deed.response, PATH);
    });
  }

  #preview(deed: Deed, plan: BrownoutPlan, status: number): Promise<void> {
    const given = { ...Object.fromEntries(deed.form), query: plan.query };
    return this.#send(deed, status, { plan, given, isChanged: status === 409 });
  }

  /** Shows the same page with the reason if the action is refused. */
  #tried(deed: Deed, act: () => Promise<void>): Promise<void> {
    return tried(deed, act, (values) => this.#send(deed, 400, values));
  }

  async #send(
    { response, session }: Visit,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    pages.send(response, status, 'brownouts', {
      title: 'Brown-outs',
      under: '/campaign',
      session,
      brownouts: await admin.brownouts.list(),
      path: PATH,
      now: clock.now(),
      ...values,
    });
  }
}

/** The accounts affected: those with a tag, and only invited ones if required. */
function queryOf(form: URLSearchParams): string {
  const tag = (form.get('tag') ?? '').trim();
  const which: Narrowing = form.get('which') === 'invited' ? UNANSWERED : { stage: ['legacy'] };
  return filterText(tag === '' ? which : { ...which, tag: [tag] });
}

const givenIn = (form: URLSearchParams): GivenBrownout => ({
  query: form.get('query') ?? queryOf(form),
  start: form.get('start') ?? '',
  minutes: Number(form.get('minutes') ?? ''),
});
