import { products, type Product } from '../../domain/account.ts';
import type { Clock } from '../../domain/clock.ts';
import { lanes } from '../../domain/routes.ts';
import { DeskRefusal } from '../../migration/desk-refusal.ts';
import type { Desk } from '../../migration/desk.ts';
import { actions, type ActionName } from '../../migration/desk-words.ts';
import type { AccountPage } from '../../migration/desk-accounts.ts';
import type { Deed, Visit } from './gate.ts';
import { CONSOLE_PATH, type ConsolePages } from './pages.ts';

export interface AccountParts {
  readonly desk: Pick<Desk, 'accounts' | 'routes' | 'latestEvent'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const accountPath = (id: string): string => `${CONSOLE_PATH}/accounts/${encodeURIComponent(id)}`;
const idOf = ({ request }: Visit): string => String(request.params.id);

/** One account: how it stands, what happened, and what can be done. */
export class AccountScreen {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  async show(visit: Visit): Promise<void> {
    await this.#send(visit, { said: saidAfter(visit.query.get('done')) });
  }

  async edit(deed: Deed): Promise<void> {
    const { form, who } = deed;
    const text = (name: string): string => form.get(name) ?? '';
    const product = products.find((one): one is Product => one === form.get('product'));
    try {
      const fields = await this.#parts.desk.accounts.set(
        idOf(deed),
        {
          name: text('name'),
          ...(product === undefined ? {} : { product }),
          contactName: text('contactName'),
          email: text('email'),
          language: text('language'),
          organisationName: text('organisationName'),
          organisationId: text('organisationId'),
          notes: text('notes').replaceAll('\r\n', '\n'),
        },
        who,
      );
      this.#back(deed, fields.length === 0 ? 'same' : 'edited');
    } catch (error) {
      if (!(error instanceof DeskRefusal) || error.fault === 'unknown') throw error;
      await this.#send(deed, { problem: error.message, given: Object.fromEntries(form) }, 400);
    }
  }

  async route(deed: Deed): Promise<void> {
    const { form, who } = deed;
    const route = lanes.find((lane) => lane === form.get('route'));
    try {
      await this.#parts.desk.routes.set(form.get('method') ?? '', idOf(deed), route, who);
      this.#back(deed, 'routed');
    } catch (error) {
      if (!(error instanceof DeskRefusal)) throw error;
      await this.#send(deed, { routeProblem: error.message }, 400);
    }
  }

  /** The link is on this one page and nowhere else. */
  async link(deed: Deed): Promise<void> {
    const { link, expiresAt } = await this.#parts.desk.accounts.link(idOf(deed), deed.who);
    await this.#send(deed, { issued: { link, expiresAt } });
  }

  async #send(visit: Visit, values: Readonly<Record<string, unknown>>, status = 200): Promise<void> {
    const { desk, pages, clock } = this.#parts;
    const seq = await desk.latestEvent();
    const one = await desk.accounts.page(idOf(visit));
    pages.send(visit.response, status, 'account', {
      title: one.account.name,
      session: visit.session,
      ...(status === 200 && values.issued === undefined ? { seq } : {}),
      one,
      actions,
      possible: possible(one),
      products,
      methods: desk.routes.methods(),
      hasV2: desk.routes.hasV2,
      path: accountPath(one.account.id),
      now: clock.now(),
      ...values,
    });
  }

  #back(visit: Visit, done: keyof typeof doneWords): void {
    this.#parts.pages.redirect(visit.response, `${accountPath(idOf(visit))}?done=${done}`);
  }
}

const doneWords = {
  edited: 'The details were saved.',
  same: 'Nothing was different, nothing was changed.',
  routed: 'The route was set. Every process goes by it within a second.',
} as const;

const saidAfter = (done: string | null): string | undefined =>
  done !== null && Object.hasOwn(doneWords, done) ? doneWords[done as keyof typeof doneWords] : undefined;

/** What makes sense at this stage; the preview has the last word. */
function possible({ account: { life } }: AccountPage): readonly ActionName[] {
  switch (life.stage) {
    case 'legacy':
      return ['invite', 'remind', 'withdraw', 'close'];
    case 'lost':
      return ['invite', 'remind', 'withdraw', 'close'];
    case 'consented':
      return ['cutover', 'close'];
    case 'migrated':
      return ['close'];
    case 'closed':
      return [];
  }
}
