/**
 * The page of drift, below that of routes: changes of the service's answers, and their acknowledgement. The form
 * redirects to an address of its own, so that reloading it acknowledges nothing.
 */
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { changeWords, sinceWords } from '../../../features/usage/drift/words.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface DriftScreenParts {
  readonly admin: Pick<AdminService, 'drift'>;
  readonly pages: ConsolePages;
}

const PATH = `${CONSOLE_PATH}/routes/drift`;

/** Changes of the service's answers. */
export class DriftScreen {
  readonly #parts: DriftScreenParts;

  constructor(parts: DriftScreenParts) {
    this.#parts = parts;
  }

  show(visit: Visit): Promise<void> {
    const isDone = visit.query.get('done') === 'acknowledged';
    return this.#send(visit, 200, {
      said: isDone ? 'Change acknowledged. From now on it is the expected answer.' : undefined,
    });
  }

  async acknowledge(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, who, response } = deed;
    const [change, name, reason] = ['change', 'name', 'reason'].map((field) => form.get(field) ?? '');
    try {
      await admin.drift.acknowledge(change ?? '', { name: name ?? '', reason: reason ?? '' }, who);
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      await this.#send(deed, 400, { problem: sentenceOf(error.message), given: { change, name, reason } });
      return;
    }
    pages.redirect(response, `${PATH}?done=acknowledged`);
  }

  async #send(
    { response, session }: Visit,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { admin, pages } = this.#parts;
    const alarms = await admin.drift.list();
    const now = admin.drift.now();
    const rows = alarms.map((alarm) => ({
      ...alarm,
      change: changeWords(alarm),
      sinceWords: sinceWords(alarm.since, now),
    }));
    pages.send(response, status, 'drift', {
      ...{ title: 'Changes in the service', under: '/routes', session, path: PATH },
      open: rows.filter(({ state }) => state === 'open'),
      over: rows.filter(({ state }) => state !== 'open'),
      ...values,
    });
  }
}
