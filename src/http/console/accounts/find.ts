/**
 * The search for support: one field for anything a caller can tell.
 *
 * It is a form, not a search in the address, because the text may be an account key: addresses are kept in histories,
 * proxy logs and referrers. The result has an address of its own, which holds ids only.
 */
import { causeOf, type CallRecord } from '../../../features/usage/call-log.ts';
import { adviceFor } from '../../../features/usage/call-advice.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { adviceAbout, UNKNOWN_KEY_WORDS } from '../../../features/admin/support.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface FindParts {
  readonly admin: Pick<AdminService, 'support' | 'routes'>;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

/** A text of this many characters without a space may be a key: it must not get into an address. */
const keyForm = /^\S{16,}$/;

/** Redirects from the caller's text to the account or the call. A key is only in the form, never in an address. */
export async function find({ admin, pages }: FindParts, { form, response }: Deed): Promise<void> {
  const text = (form.get('text') ?? '').trim().slice(0, 200);
  const found = await admin.support.find(text);
  const to = (path: string): void => {
    pages.redirect(response, `${CONSOLE_PATH}${path}`);
  };
  switch (found.by) {
    case 'request':
      to(`/calls/${found.call.requestId}`);
      break;
    case 'key':
      to(`/accounts/${found.account.id}?done=key`);
      break;
    case 'words': {
      const [only, another] = found.accounts;
      if (only !== undefined && another === undefined) to(`/accounts/${only.id}`);
      else if (only === undefined && keyForm.test(text)) to('/find');
      else to(`/accounts?search=${encodeURIComponent(text)}`);
    }
  }
}

/** The page for a text that may have been a key and matched nothing. */
export function nothingFound({ pages }: FindParts, { response, session }: Visit): void {
  const lines = [
    'No account has this key, name, contact, address, phone number or note, and no call in the last seven days has this request id.',
    `${UNKNOWN_KEY_WORDS}.`,
    'Enter the whole key. The request id is in the reply’s X-Request-Id header and in the log.',
  ];
  pages.send(response, 404, 'message', {
    title: 'Nothing found',
    lines,
    session,
    back: `${CONSOLE_PATH}/accounts`,
  });
}

/** The method whose page shows its route; undefined: there is no such method. */
const routeOf = ({ routes }: FindParts['admin'], { method, asked }: CallRecord): string | undefined =>
  routes.methods().find(({ id }) => id === method || id === asked)?.id;

/** One call: its method, its source, its time and duration, and what was lost on the way. */
export async function call({ admin, pages, clock }: FindParts, visit: Visit): Promise<void> {
  const { request, response, session } = visit;
  const found = await admin.support.call(String(request.params.request));
  pages.send(response, 200, 'call', {
    title: `Call ${found.call.requestId}`,
    under: '/accounts',
    session,
    account: found.account,
    call: found.call,
    cause: causeOf(found.call),
    remedy: adviceAbout(found),
    write: found.write?.words,
    meaning: found.call.failure && adviceFor(found.call.failure)?.cause,
    route: routeOf(admin, found.call),
    now: clock.now(),
  });
}
