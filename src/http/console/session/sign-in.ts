/**
 * Sign-in to the console with a token: a form that is bound to its browser, an exchange of the token for a session.
 * After many wrong tokens an address has to wait; a right one is still accepted. Sign-in by OpenID Connect has its own
 * file and ends in the same session.
 */
import type { Request, Response } from 'express';
import { sameText } from '../../../lib/secret/same-text.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { tokenState } from '../../../features/admin/tokens/token.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { CallerAddresses } from '../../server/caller-address.ts';
import type { Cookies } from '../../server/cookie.ts';
import { readForm } from '../../server/body/form.ts';
import type { Throttle } from '../../server/throttle.ts';
import { isForeign } from '../../server/foreign.ts';
import { queryOf, SESSION_COOKIE, type Deed, type SessionGuard } from './session-guard.ts';
import type { OpenIdSignIn } from '../../../features/admin/tokens/openid/openid-sign-in.ts';
import { destination } from './destination.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface SignInParts {
  readonly admin: Pick<AdminService, 'tokens' | 'note'>;
  /** Undefined: tokens only. */
  readonly openId: OpenIdSignIn | undefined;
  readonly guard: SessionGuard;
  readonly throttle: Throttle;
  readonly callers: Pick<CallerAddresses, 'of'>;
  readonly cookies: Cookies;
  readonly pages: ConsolePages;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** The cookie that binds the sign-in form to the browser it was shown to, before there is a session. */
const FORM_COOKIE = 'causeway-console-form';
const LONGEST_TOKEN = 1_024;

const says = {
  wrong: { status: 403, problem: 'This token is not accepted. For security, no reason is given.' },
  stale: { status: 403, problem: 'The form has expired or came from elsewhere. Please try again.' },
} as const;

/** Sign-in to the console: exchanges a token for a session. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  async show(request: Request, response: Response): Promise<void> {
    if ((await this.#parts.guard.session(request)) !== undefined)
      this.#parts.pages.redirect(response, destination(queryOf(request).get('to')));
    else {
      const query = queryOf(request);
      const farewell = query.has('left') ? await this.#parts.openId?.farewell() : undefined;
      await this.#form(response, 200, { to: query.get('to'), farewell, undone: query.has('undone') });
    }
  }

  /** The answer is the same for every fault of a token. */
  async enter(request: Request, response: Response): Promise<void> {
    const { throttle, cookies, admin, log } = this.#parts;
    const form = await readForm(request);
    const to = form?.get('to') ?? null;
    const expected = cookies.read(request, FORM_COOKIE) ?? '';
    if (form === undefined || isForeign(request) || !sameText(form.get('csrf') ?? '', expected)) {
      await this.#form(response, says.stale.status, { to, problem: says.stale.problem });
      return;
    }
    const address = this.#parts.callers.of(request);
    const wait = throttle.attempt(address);
    const token = (form.get('token') ?? '').trim();
    // A right token is accepted, however many wrong ones were tried before: tokens are too long to guess, and guesses
    // must not lock out their owner.
    const judged = token !== '' && token.length <= LONGEST_TOKEN;
    const entered = judged ? await admin.tokens.signIn(new Secret(token)) : undefined;
    if (entered === undefined && wait !== undefined) {
      log.warn('console.throttled', {});
      await this.#tooMany(response, wait, to);
      return;
    }
    if (entered === undefined) {
      log.warn('console.refused', {});
      await this.#form(response, says.wrong.status, { to, problem: says.wrong.problem });
      return;
    }
    if (wait === undefined) throttle.succeeded(address);
    await this.#endOld(request);
    await admin.note(entered.token.name, 'sign-in', `signed in, ${entered.token.scope}`);
    this.#parts.pages.redirect(response, destination(to), [
      this.#parts.guard.cookieOf(entered.cookie),
      cookies.write(FORM_COOKIE, '', 0, 'Strict'),
    ]);
  }

  /** A person who signed in at the provider is also shown where to sign out there. */
  async leave({ request, response, who, session }: Deed): Promise<void> {
    const { admin, cookies, pages } = this.#parts;
    await this.#endOld(request);
    await admin.note(who, 'sign-out', 'signed out');
    const to = session.token.subject === undefined ? '/sign-in' : '/sign-in?left';
    pages.redirect(response, `${CONSOLE_PATH}${to}`, [cookies.write(SESSION_COOKIE, '', 0, 'Strict')]);
  }

  async #endOld(request: Request): Promise<void> {
    const old = this.#parts.guard.cookie(request);
    if (old !== undefined) await this.#parts.admin.tokens.signOut(old);
  }

  async #tooMany(response: Response, wait: number, to: string | null): Promise<void> {
    const minutes = Math.max(1, Math.ceil(wait / (60 * SECOND)));
    response.setHeader('Retry-After', String(Math.max(1, Math.ceil(wait / SECOND))));
    const problem = `Too many attempts. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
    await this.#form(response, 429, { to, problem });
  }

  async #form(
    response: Response,
    status: number,
    {
      to,
      problem,
      farewell,
      undone = false,
    }: {
      readonly to: string | null;
      readonly problem?: string;
      readonly farewell?: string | undefined;
      /** A form led here: its sender must not take it for carried out. */
      readonly undone?: boolean;
    },
  ): Promise<void> {
    const { admin, pages, cookies, random, clock, openId } = this.#parts;
    const tokens = await admin.tokens.list();
    const isOpen = openId !== undefined || tokens.some((token) => tokenState(token, clock.now()) === 'good');
    if (!isOpen) {
      pages.send(response, 404, 'closed', { title: 'The console is closed', session: undefined });
      return;
    }
    const csrf = random.secret().reveal();
    response.setHeader('Set-Cookie', cookies.write(FORM_COOKIE, csrf, undefined, 'Strict'));
    pages.send(response, status, 'sign-in', {
      title: 'Sign in',
      session: undefined,
      csrf,
      to: destination(to),
      ...{ problem, farewell, undone },
      openId: openId?.host,
    });
  }
}
