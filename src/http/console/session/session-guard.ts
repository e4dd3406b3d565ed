/**
 * Protects the console's screens. `looks` lets a signed-in visitor see a page, `listens` lets a page's script wait for
 * news, `acts` accepts a form.
 *
 * A form is accepted only if all of these hold, checked in this order: there is a session; the form arrived whole and
 * within its size limit; it was not sent from another site (`Sec-Fetch-Site`); its CSRF token is the session's; the
 * token used to sign in has the scope. Otherwise a page says that nothing was done. Requests that a page's script makes
 * by itself do not prolong the session, so an unattended console still signs out.
 */
import type { Request, Response } from 'express';
import { covers, type Session, type TokenScope } from '../../../features/admin/tokens/token.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { isOurs } from '../../../lib/secret/random.ts';
import { sameText } from '../../../lib/secret/same-text.ts';
import type { Tokens } from '../../../features/admin/tokens/tokens.ts';
import type { Cookies } from '../../server/cookie.ts';
import { readForm } from '../../server/body/form.ts';
import { isForeign } from '../../server/foreign.ts';
import type { Handler } from '../../server/routes.ts';
import { readUpload } from '../../server/body/upload.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { isOurOwn, keptForm, type KeptLabels } from './kept-form.ts';

/** The cookie's name without prefix; over https it has one (`Cookies`). */
export const SESSION_COOKIE = 'causeway-console';

/** A signed-in visitor and the request. */
export interface Visit {
  readonly request: Request;
  readonly response: Response;
  readonly session: Session;
  /** The query of the address. */
  readonly query: URLSearchParams;
}

/** A posted form with the right CSRF token. */
export interface Deed extends Visit {
  readonly form: URLSearchParams;
  /** The uploaded file; empty if there was none. */
  readonly file: Buffer;
  /** Name of the token, for audit log and timeline. */
  readonly who: string;
}

/** What is needed to recognise a session, and the pages that refuse. */
export interface SessionGuardParts {
  readonly tokens: Pick<Tokens, 'session'>;
  readonly cookies: Cookies;
  readonly pages: ConsolePages;
}

/** What a form may contain, and the scope it requires. */
export interface DeedOptions {
  /** `read`: the form changes nothing. */
  readonly scope?: TokenScope;
  /** Maximum size of the form, in bytes. Default: 16 KB; `LONGEST_KEPT` for forms that are returned. */
  readonly longest?: number;
  /** The form may contain a file. */
  readonly upload?: true;
  /** The form is returned, with these labels, if the session has ended meanwhile. */
  readonly keeps?: KeptLabels | undefined;
}

/** The field limit of a returned form: anyone can send one, and its page is many times as long. */
const MOST_KEPT = 1_000;

/** Sent by the page's own script: its requests do not count as user activity. */
const LIVE_HEADER = 'x-causeway-live';

/** Requires a session for every page, and its session's token for every form. */
export class SessionGuard {
  readonly #parts: SessionGuardParts;

  constructor(parts: SessionGuardParts) {
    this.#parts = parts;
  }

  /** Serves a page; without a session, redirects to the sign-in and back. */
  looks(handler: (visit: Visit) => Promise<void> | void): Handler {
    return async (request, response) => {
      const session = await this.session(request, request.headers[LIVE_HEADER] !== undefined);
      if (session === undefined) this.#toSignIn(request, response);
      else await handler({ request, response, session, query: queryOf(request) });
    };
  }

  /** Serves a request of a page's script, which cannot sign in. */
  listens(handler: (visit: Visit) => void): Handler {
    return async (request, response) => {
      const session = await this.session(request, true);
      if (session === undefined) this.#parts.pages.nothing(response, 401);
      else handler({ request, response, session, query: queryOf(request) });
    };
  }

  /** Accepts a form. `options.scope` defaults to `operate`. */
  acts(handler: (deed: Deed) => Promise<void> | void, options: DeedOptions = {}): Handler {
    const { scope = 'operate' } = options;
    return async (request, response) => {
      const session = await this.session(request);
      const keeps = isOurOwn(request) ? options.keeps : undefined;
      if (session === undefined && keeps === undefined) {
        this.#toSignIn(request, response);
        return;
      }
      const { form, file } = await posted(request, session === undefined ? withoutSession(options) : options);
      if (session === undefined) {
        this.#giveBack(request, response, form, keeps);
        return;
      }
      const visit = { request, response, session, query: queryOf(request) };
      if (form === undefined) this.#refuse(visit, staleForm);
      else if (!isOf(session, request, form)) {
        if (keeps !== undefined) this.#giveBack(request, response, form, keeps, session);
        else this.#refuse(visit, staleForm);
      } else if (!covers(session.token.scope, scope)) this.#refuse(visit, notCovered(session, scope));
      else await handler({ ...visit, form, file, who: session.token.name });
    };
  }

  /** `quietly`: does not prolong the session. */
  async session(request: Request, quietly = false): Promise<Session | undefined> {
    const value = this.cookie(request);
    return value && this.#parts.tokens.session(value, quietly);
  }

  /** The session's secret as the browser sent it; undefined if the bridge cannot have issued it. */
  cookie(request: Request): Secret | undefined {
    const value = this.#parts.cookies.read(request, SESSION_COOKIE);
    return value !== undefined && isOurs(value) ? new Secret(value) : undefined;
  }

  /** The `Set-Cookie` header that begins a session. */
  cookieOf(session: Secret): string {
    return this.#parts.cookies.write(SESSION_COOKIE, session.reveal(), undefined, 'Strict');
  }

  #refuse(
    { response, session }: Visit,
    words: { readonly title: string; readonly lines: readonly string[] },
  ) {
    this.#parts.pages.send(response, 403, 'message', { ...words, session });
  }

  /**
   * Returns a form. Without a session, it asks for a sign-in first; with one, for a second look, because the form is
   * not that session's.
   */
  #giveBack(
    request: Request,
    response: Response,
    form: URLSearchParams | undefined,
    keeps: KeptLabels | undefined,
    session?: Session,
  ): void {
    if (form === undefined || keeps === undefined || form.size > MOST_KEPT) {
      this.#toSignIn(request, response);
      return;
    }
    const title = session === undefined ? 'You are signed out' : 'Send this again?';
    this.#parts.pages.send(response, 403, 'kept', { title, session, kept: keptForm(request, form, keeps) });
  }

  #toSignIn(request: Request, response: Response): void {
    const undone = request.path === '/sign-out' ? '' : '?undone';
    const to = request.method === 'GET' ? `?to=${encodeURIComponent(request.originalUrl)}` : undone;
    // Requests of the page's script must not get a page of another address in place of the one they asked for.
    if (request.headers[LIVE_HEADER] !== undefined) this.#parts.pages.nothing(response, 401);
    else this.#parts.pages.redirect(response, `${CONSOLE_PATH}/sign-in${to}`);
  }
}

interface Posted {
  readonly form: URLSearchParams | undefined;
  readonly file: Buffer;
}

const NO_FILE = Buffer.alloc(0);

async function posted(request: Request, { longest, upload, keeps }: DeedOptions): Promise<Posted> {
  if (upload !== true)
    return {
      form: await readForm(request, longest ?? (keeps === undefined ? undefined : LONGEST_KEPT)),
      file: NO_FILE,
    };
  return (await readUpload(request, longest ?? LONGEST_UPLOAD)) ?? { form: undefined, file: NO_FILE };
}

const LONGEST_UPLOAD = 1024 * 1024;
/**
 * In bytes: the limit of a form that anyone can send. The texts of one page are shorter, and so are an account's notes,
 * which its form contains twice, with nine bytes for a Chinese character.
 */
const LONGEST_KEPT = 128 * 1024;

const withoutSession = (options: DeedOptions): DeedOptions =>
  options.longest === undefined ? options : { ...options, longest: Math.min(options.longest, LONGEST_KEPT) };

/** Whether a form is from a page of this session. */
const isOf = (session: Session, request: Request, form: URLSearchParams): boolean =>
  !isForeign(request) && sameText(form.get('csrf') ?? '', session.csrf);

const staleForm = {
  title: 'This form is no longer valid',
  lines: [
    'It belongs to another session, was too large, or did not arrive complete. Nothing has been done.',
    'Go back, reload the page and try again.',
  ],
};

const notCovered = ({ token }: Session, scope: TokenScope) => ({
  title: token.scope === 'read' ? 'You have read-only access' : 'This needs a higher scope',
  lines: [`You are signed in with the scope “${token.scope}”. This needs “${scope}”. Nothing has been done.`],
});

/** Reads the address as received: express's own query parser is off (`http/server/app.ts`). */
export function queryOf(request: Request): URLSearchParams {
  const at = request.originalUrl.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : request.originalUrl.slice(at + 1));
}
