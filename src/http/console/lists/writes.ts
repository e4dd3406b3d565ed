import type { AdminService } from '../../../features/admin/admin.ts';
import type { Finding } from '../../../features/admin/writes.ts';
import { writeFilters, writeOrders } from '../../../features/writes/model.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { pageIn, sortedValues } from './sorted.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import type { Deed, Visit } from '../session/session-guard.ts';

export interface WritesScreenParts {
  readonly admin: Pick<AdminService, 'writes' | 'health' | 'latestEvent'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const PAGE = 50;
/** Filters with a count come first. */
const chips = ['unsettled', 'undecidable', 'unknown', 'open', 'done', 'refused', 'settled', 'all'] as const;

/**
 * Calls that create, change or delete: their outcome, and the operator's decision on those that cannot be
 * decided automatically.
 */
export class WritesScreen {
  readonly #parts: WritesScreenParts;

  constructor(parts: WritesScreenParts) {
    this.#parts = parts;
  }

  async list({ response, session, query }: Visit): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const asked = (name: string): string | undefined => query.get(name) ?? undefined;
    const [page, accountId] = [pageIn(query, writeOrders), asked('account')];
    const state = [...writeFilters, 'all' as const].find((one) => one === asked('state')) ?? 'unsettled';
    // Read first: an event in between is then reported twice rather than missed.
    const seq = page.before === undefined ? await admin.latestEvent() : undefined;
    const { unknown, undecidable, open } = (await admin.health()).census.writes;
    const found = await admin.writes.list({
      ...{ ...page, limit: PAGE + 1, accountId },
      state: state === 'all' ? undefined : state,
    });
    const filter = { state, account: accountId };
    pages.send(response, 200, 'writes', {
      ...{ title: 'Writes', session, now: clock.now(), state, accountId, chips },
      ...(seq !== undefined && { seq }),
      counts: { unknown, undecidable, open, unsettled: unknown + undecidable },
      ...sortedValues({ orders: writeOrders, page, filter, found, shown: PAGE, listRows: admin.writes.rows }),
    });
  }

  async show(visit: Visit): Promise<void> {
    await this.#page(visit, { said: visit.query.has('done') ? 'Write settled.' : undefined });
  }

  /** Shows what would be settled and asks for confirmation; changes nothing. */
  async preview(deed: Deed): Promise<void> {
    const finding = findingIn(deed.form);
    const { doubt } = await this.#parts.admin.writes.check(String(deed.request.params.id), finding);
    await this.#page(deed, { finding, doubt });
  }

  async settle({ request, response, form, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { id } = await admin.writes.settle(String(request.params.id), findingIn(form), who);
    pages.redirect(response, `${CONSOLE_PATH}/writes/${encodeURIComponent(id)}?done`);
  }

  async #page(
    { request, response, session }: Visit,
    more: {
      readonly said?: string | undefined;
      readonly finding?: Finding;
      readonly doubt?: string | undefined;
    },
  ): Promise<void> {
    const { admin, pages } = this.#parts;
    const shown = await admin.writes.find(String(request.params.id));
    const frame = { title: 'Write', under: '/writes', session };
    pages.send(response, 200, 'write', {
      ...frame,
      said: undefined,
      finding: undefined,
      doubt: undefined,
      ...shown,
      ...more,
    });
  }
}

function findingIn(form: URLSearchParams): Finding {
  if (form.get('settlement') !== 'done') return { settlement: 'not-done' };
  const number = (form.get('number') ?? '').trim();
  return { settlement: 'done', made: number === '' ? undefined : number };
}
