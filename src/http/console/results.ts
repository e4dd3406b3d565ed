/**
 * The result pages of forms. A form is answered with the address of its result (`ConsolePages.send`), so the browser's
 * history holds pages that can be reloaded, and no form that could be sent again.
 */
import type { AdminService } from '../../features/admin/admin.ts';
import type { Visit } from './session/session-guard.ts';
import { CONSOLE_PATH, isView, type ConsolePages } from './pages.ts';

export interface ResultsParts {
  readonly admin: Pick<AdminService, 'results'>;
  readonly pages: ConsolePages;
}

const gone = {
  title: 'This page has expired',
  lines: [
    'The result of a form is kept for an hour; a key, token or link is shown only once. Nothing was repeated.',
    'The audit log and each account’s timeline show what was done.',
  ],
};

/** The result page of a form; reloading it repeats nothing. */
export async function result(
  { admin, pages }: ResultsParts,
  { request, response, session }: Visit,
): Promise<void> {
  if (request.method === 'HEAD') {
    pages.nothing(response, 200); // it must not use up a secret
    return;
  }
  const id = String(request.params.id);
  const kept = await admin.results.find(id, session.token.id);
  if (kept === undefined || !isView(kept.view)) {
    pages.send(response, 410, 'message', { ...gone, session });
    return;
  }
  const self = `${CONSOLE_PATH}/results/${id}`;
  pages.send(response, 200, kept.view, { title: '', ...kept.values, session, self });
}

/** The lines that an import did not accept, as a file to correct and send again. */
export async function faultyLines(
  { admin, pages }: ResultsParts,
  { request, response, session }: Visit,
): Promise<void> {
  const kept = await admin.results.find(String(request.params.id), session.token.id);
  const file = kept?.values.faultyFile;
  if (typeof file === 'string') pages.file(response, 'faulty-lines.csv', file);
  else pages.send(response, 410, 'message', { ...gone, session });
}
