import { DAY, type Clock } from '../../lib/time/clock.ts';
import { sentenceOf } from '../../lib/text/sentence.ts';
import { covers, DuplicateToken, tokenScopes, tokenState } from '../../features/admin/tokens/token.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import { UnusableToken } from '../../features/admin/tokens/tokens.ts';
import type { Deed, Visit } from './session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from './pages.ts';

export interface TokensScreenParts {
  readonly admin: Pick<AdminService, 'tokens' | 'admitPerson'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

/** In days, until a token expires. */
const lifetimes = [7, 30, 90, 365] as const;

/** Manages the tokens for console and API. */
export class TokensScreen {
  readonly #parts: TokensScreenParts;

  constructor(parts: TokensScreenParts) {
    this.#parts = parts;
  }

  async show(visit: Visit): Promise<void> {
    const { pages } = this.#parts;
    const { response, session } = visit;
    if (covers(session.token.scope, 'administer')) await this.#send(visit, 200, {});
    else
      pages.send(response, 403, 'message', {
        title: 'Tokens need the scope “administer”',
        lines: [`You are signed in with the scope “${session.token.scope}”.`],
        session,
      });
  }

  /** The token is shown on this page only, once. */
  async create(deed: Deed): Promise<void> {
    const { form, who } = deed;
    const name = form.get('name') ?? '';
    const scope = tokenScopes.find((one) => one === form.get('scope')) ?? 'read';
    const days = lifetimes.find((one) => String(one) === form.get('days'));
    const expiresAt = days && this.#parts.clock.now() + days * DAY;
    try {
      const { token, secret } = await this.#parts.admin.tokens.create(name, scope, who, expiresAt);
      await this.#send(deed, 200, { made: { name: token.name, scope, secret: secret.reveal() } });
    } catch (error) {
      if (!(error instanceof DuplicateToken || error instanceof UnusableToken)) throw error;
      await this.#send(deed, 400, { problem: sentenceOf(error.message), given: { name, scope, days } });
    }
  }

  async revoke({ form, response, who }: Deed): Promise<void> {
    await this.#parts.admin.tokens.revoke(form.get('token') ?? '', who);
    this.#parts.pages.redirect(response, `${CONSOLE_PATH}/tokens`);
  }

  async admit({ form, response, who }: Deed): Promise<void> {
    await this.#parts.admin.admitPerson(form.get('token') ?? '', who);
    this.#parts.pages.redirect(response, `${CONSOLE_PATH}/tokens`);
  }

  async #send(
    { response, session }: Visit,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const all = await admin.tokens.list();
    pages.send(response, status, 'tokens', {
      title: 'Tokens',
      session,
      active: all.filter((token) => tokenState(token, clock.now()) === 'good'),
      ended: all.filter((token) => tokenState(token, clock.now()) !== 'good').reverse(),
      scopes: tokenScopes,
      lifetimes,
      now: clock.now(),
      ...values,
    });
  }
}
