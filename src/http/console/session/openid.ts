/**
 * Sign-in to the console at an OpenID provider, as the browser sees it: a link leads there, and the provider sends the
 * browser back with a code.
 *
 * The values of one sign-in (state, nonce, PKCE verifier, and the page that was wanted) are kept in a sealed cookie for
 * ten minutes and used once, so that nothing is stored for visitors who never come back, and an answer begun in another
 * browser is refused. A refused person sees the reason and what to do; the log has the reason without any token.
 */
import type { Request, Response } from 'express';
import type { AdminService } from '../../../features/admin/admin.ts';
import {
  OpenIdFault,
  type OpenIdFaultCode,
  type SignInAttempt,
} from '../../../features/admin/tokens/openid/provider.ts';
import type { OpenIdSignIn } from '../../../features/admin/tokens/openid/openid-sign-in.ts';
import type { Log } from '../../../lib/log/log.ts';
import { Kept, type KeptParts } from '../../customer/result.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { destination } from './destination.ts';
import { sameText } from '../../../lib/secret/same-text.ts';
import { queryOf, type SessionGuard } from './session-guard.ts';

export interface OpenIdPagesParts extends KeptParts {
  readonly openId: OpenIdSignIn;
  readonly admin: Pick<AdminService, 'tokens' | 'note'>;
  readonly guard: SessionGuard;
  readonly pages: ConsolePages;
  readonly log: Log;
}

interface Leaving extends SignInAttempt {
  readonly to: string;
}

interface Told {
  readonly status: number;
  readonly title: string;
  readonly words: (host: string, claim: string) => string;
}

/** The message of the page, and what the person can do. */
const told: Readonly<Record<OpenIdFaultCode | 'stale', Told>> = {
  stale: {
    status: 403,
    title: 'This sign-in is no longer valid',
    words: () =>
      'It took longer than ten minutes, was already completed, or was started in another browser. Please sign in again.',
  },
  declined: {
    status: 403,
    title: 'You are not signed in',
    words: (host) => `${host} did not sign you in, or you cancelled there. Please try again.`,
  },
  silent: {
    status: 502,
    title: 'Sign-in is not responding',
    words: (host) =>
      `${host} does not respond, or not as an OpenID provider should. Try again later. In an emergency, sign in with a token.`,
  },
  refused: {
    status: 502,
    title: 'You are not signed in',
    words: (host) =>
      `${host} did not confirm the sign-in to the bridge. If this happens again, tell an operator of the bridge: its log has the reason, under console.openid-refused.`,
  },
  untrusted: {
    status: 403,
    title: 'You are not signed in',
    words: (host) =>
      `The answer from ${host} did not pass the checks and was not trusted. If this happens again, tell an operator of the bridge: its log names the check, under console.openid-refused.`,
  },
  noClaim: {
    status: 403,
    title: 'You have no access to this console',
    words: (host, claim) =>
      `${host} says who you are, but not which role you have: “${claim}” is missing. An administrator of ${host} can add it.`,
  },
  noRole: {
    status: 403,
    title: 'You have no access to this console',
    words: (host, claim) =>
      `${host} says who you are, but nothing in “${claim}” gives you a role here. Ask an administrator of ${host} for a role, then sign in again.`,
  },
  revoked: {
    status: 403,
    title: 'You have no access to this console',
    words: () =>
      'Your access was revoked in this console. An administrator can unblock you on the Tokens page.',
  },
};

/** Sign-in at an OpenID provider: the redirect, and the return. */
export class OpenIdPages {
  readonly #parts: OpenIdPagesParts;
  readonly #leaving: Kept<Leaving>;

  constructor(parts: OpenIdPagesParts) {
    this.#parts = parts;
    this.#leaving = new Kept(parts, 'causeway-console-openid');
  }

  /** Sends the browser to the provider. */
  async leave(request: Request, response: Response): Promise<void> {
    const { openId, pages } = this.#parts;
    try {
      const { url, attempt } = await openId.begin();
      const to = destination(queryOf(request).get('to'));
      pages.redirect(response, url, [this.#leaving.write({ ...attempt, to })]);
    } catch (error) {
      if (!(error instanceof OpenIdFault)) throw error;
      this.#refuse(response, error.code, error.detail);
    }
  }

  /**
   * Handles the return from the provider. The values in the cookie are used once. The reply is a page that leads on,
   * not a redirect: browsers do not send a `SameSite=Strict` cookie along a chain of redirects that began at another
   * site. A HEAD request must not use up the code.
   */
  async arrive(request: Request, response: Response): Promise<void> {
    const { openId, admin, guard, pages } = this.#parts;
    if (request.method === 'HEAD') {
      pages.nothing(response, 200);
      return;
    }
    const leaving = this.#leaving.read(request);
    const query = queryOf(request);
    response.setHeader('Set-Cookie', this.#leaving.end());
    if (leaving === undefined || !sameText(query.get('state') ?? '', leaving.state)) {
      this.#refuse(response, 'stale');
      return;
    }
    try {
      const { token, cookie } = await openId.complete(query, leaving);
      const old = guard.cookie(request);
      if (old !== undefined) await admin.tokens.signOut(old);
      await admin.note(token.name, 'sign-in', `signed in, ${token.scope}; ${token.subject ?? ''}`);
      response.setHeader('Set-Cookie', [this.#leaving.end(), guard.cookieOf(cookie)]);
      pages.send(response, 200, 'entered', {
        title: 'You are signed in',
        session: undefined,
        who: token.name,
        onward: leaving.to,
      });
    } catch (error) {
      if (!(error instanceof OpenIdFault)) throw error;
      this.#refuse(response, error.code, error.detail);
    }
  }

  #refuse(response: Response, code: keyof typeof told, detail = ''): void {
    const { openId, pages, log } = this.#parts;
    log.warn('console.openid-refused', { reason: code, detail });
    const { status, title, words } = told[code];
    pages.send(response, status, 'message', {
      title,
      lines: [words(openId.host, openId.claim)],
      back: `${CONSOLE_PATH}/sign-in`,
      session: undefined,
    });
  }
}
