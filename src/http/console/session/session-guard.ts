/**
 * Stands between the console's addresses and its screens. `looks` lets a signed-in person see a page, `listens` lets a
 * page's script wait for news, `acts` takes a form.
 *
 * A form is acted on only when all of these hold, in this order: there is a session; the form arrived whole and no
 * larger than allowed; it was not sent from another site (`Sec-Fetch-Site`); its CSRF token is the session's; the token
 * the person signed in with has the scope. Otherwise a page says that nothing was done. What a page's script asks by
 * itself does not keep the session alive, so an unattended console still signs out.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { covers, type Session, type TokenScope } from '../../../features/admin/token.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { isOurs } from '../../../lib/secret/random.ts';
import type { Tokens } from '../../../features/admin/tokens.ts';
import type { Cookies } from '../../server/cookie.ts';
import { readForm } from '../../server/body/form.ts';
import type { Handler } from '../../server/routes.ts';
import { readUpload } from '../../server/body/upload.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

/** Plain name of the cookie; under https it bears a prefix (`Cookies`). */
export const SESSION_COOKIE = 'causeway-console';

/** Somebody who is signed in, and what he asks for. */
export interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly session: Session;
  /** Of the address. */
  readonly query: URLSearchParams;
}

/** A posted form whose CSRF token was right. */
export interface Deed extends Visit {
  readonly form: URLSearchParams;
  /** What was uploaded with it; empty where nothing was. */
  readonly file: Buffer;
  /** Name of the token, for audit and timeline. */
  readonly who: string;
}

/** What a session is recognised by, and the pages that refuse. */
export interface SessionGuardParts {
  readonly tokens: Pick<Tokens, 'session'>;
  readonly cookies: Cookies;
  readonly pages: ConsolePages;
}

/** What a form may carry and who may send it. */
export interface DeedOptions {
  /** `read`: the deed changes nothing. */
  readonly scope?: TokenScope;
  /** Bytes of the form. */
  readonly longest?: number;
  /** A file may come with it. */
  readonly upload?: true;
}

/** Sent by the page's own script: what it fetches by itself does not count as somebody being there. */
const LIVE_HEADER = 'x-causeway-live';

/** Nobody passes without a session, and no form without its session's token. */
export class SessionGuard {
  readonly #parts: SessionGuardParts;

  constructor(parts: SessionGuardParts) {
    this.#parts = parts;
  }

  /** A page; without a session it leads to the sign-in and back. */
  looks(handler: (visit: Visit) => Promise<void> | void): Handler {
    return async (request, response) => {
      const session = await this.session(request, request.headers[LIVE_HEADER] !== undefined);
      if (session === undefined) this.#toSignIn(request, response);
      else await handler({ request, response, session, query: queryOf(request) });
    };
  }

  /** Nobody is there: a page asks by itself, and no sign-in is of use to it. */
  listens(handler: (visit: Visit) => void): Handler {
    return async (request, response) => {
      const session = await this.session(request, true);
      if (session === undefined) this.#parts.pages.nothing(response, 401);
      else handler({ request, response, session, query: queryOf(request) });
    };
  }

  /** A form; `options.scope` is `operate` unless said. */
  acts(handler: (deed: Deed) => Promise<void> | void, options: DeedOptions = {}): Handler {
    const { scope = 'operate' } = options;
    return async (request, response) => {
      const session = await this.session(request);
      if (session === undefined) {
        this.#toSignIn(request, response);
        return;
      }
      const { form, file } = await posted(request, options);
      const visit = { request, response, session, query: queryOf(request) };
      if (form === undefined || isForeign(request) || !sameText(form.get('csrf') ?? '', session.csrf))
        this.#refuse(visit, staleForm);
      else if (!covers(session.token.scope, scope)) this.#refuse(visit, notCovered(session, scope));
      else await handler({ ...visit, form, file, who: session.token.name });
    };
  }

  /** `quietly`: it keeps the session no longer alive. */
  async session(request: Request, quietly = false): Promise<Session | undefined> {
    const value = this.cookie(request);
    return value && this.#parts.tokens.session(value, quietly);
  }

  /** The session's secret as the browser sent it; undefined for one that cannot be ours. */
  cookie(request: Request): Secret | undefined {
    const value = this.#parts.cookies.read(request, SESSION_COOKIE);
    return value !== undefined && isOurs(value) ? new Secret(value) : undefined;
  }

  #refuse(
    { response, session }: Visit,
    words: { readonly title: string; readonly lines: readonly string[] },
  ) {
    this.#parts.pages.send(response, 403, 'message', { ...words, session });
  }

  #toSignIn(request: Request, response: Response): void {
    const to = request.method === 'GET' ? `?to=${encodeURIComponent(request.originalUrl)}` : '';
    // The script asks, too: to it a page of another address would look like the one it wanted.
    if (request.headers[LIVE_HEADER] !== undefined) this.#parts.pages.nothing(response, 401);
    else this.#parts.pages.redirect(response, `${CONSOLE_PATH}/sign-in${to}`);
  }
}

interface Posted {
  readonly form: URLSearchParams | undefined;
  readonly file: Buffer;
}

const NO_FILE = Buffer.alloc(0);

async function posted(request: Request, { longest, upload }: DeedOptions): Promise<Posted> {
  if (upload !== true) return { form: await readForm(request, longest), file: NO_FILE };
  return (await readUpload(request, longest ?? LONGEST_UPLOAD)) ?? { form: undefined, file: NO_FILE };
}

const LONGEST_UPLOAD = 1024 * 1024;

const staleForm = {
  title: 'This form is not valid any more',
  lines: [
    'It was made for another session, was too large, or did not arrive whole. Nothing has been done.',
    'Go back, load the page again and repeat what you did.',
  ],
};

const notCovered = ({ token }: Session, scope: TokenScope) => ({
  title: token.scope === 'read' ? 'You may look, not act' : 'This takes another token',
  lines: [
    `You are signed in with a token of scope “${token.scope}”, and this takes “${scope}”. Nothing has been done.`,
  ],
});

/** From the address as received: the query parser of express is off (`http/server/app.ts`). */
export function queryOf(request: Request): URLSearchParams {
  const at = request.originalUrl.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1));
}

/** Browsers say where a request comes from; those that say nothing are held by the token alone. */
export const isForeign = ({ headers }: Request): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);

/**
 * In constant time for texts of equal length, so that a CSRF token cannot be guessed byte by byte. Two empty texts
 * differ.
 */
export function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}
