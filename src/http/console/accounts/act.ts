import { counted } from '../../../lib/text/counted.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Forecast } from '../../../features/admin/actions/action-results.ts';
import {
  actionFrom,
  actionNames,
  actions,
  leftWords,
  type AdminAction,
} from '../../../features/admin/actions/words.ts';
import type { Deed } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';
import { confirmableIn, despiteIn, overridableIn } from './overriding.ts';
import { selectionIn, wantedOf } from './selection.ts';
import { destination } from '../session/destination.ts';

export interface ActParts {
  readonly admin: Pick<AdminService, 'view' | 'preview' | 'perform'>;
  readonly pages: ConsolePages;
}

/** In bytes: a thousand account and consent ids, and the rest of the form. */
export const LONGEST_SELECTION = 128 * 1024;

/** Shows what will happen to each account; a second form then does it. */
export class Act {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    this.#parts = parts;
  }

  /** Changes nothing. */
  async preview(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, response, session } = deed;
    const action = actionIn(form);
    const ids = await this.#chosen(form);
    const back = destination(form.get('back'));
    if (ids.length === 0) {
      pages.send(response, 400, 'message', {
        title: 'Nothing to do',
        lines: ['No account is selected.'],
        ...{ session, back },
      });
      return;
    }
    if (action === undefined) {
      this.#again(deed, 'No action is selected.');
      return;
    }
    const preview = await this.#refusable(deed, () => admin.preview(action, ids));
    if (preview === undefined) return;
    pages.send(response, 200, 'preview', {
      title: `${actions[action.action].words}: preview`,
      session,
      preview,
      action,
      words: actions[action.action].words,
      back,
      few: FEW,
      causes: causesOf(preview.accounts),
      confirmable: confirmableIn(action, preview.accounts),
      overridable: overridableIn(action, preview.accounts),
    });
  }

  async perform(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, response, session, who } = deed;
    const action = actionIn(form);
    if (action === undefined) throw new AdminRefusal('unusable', 'there is no such action');
    const first = Number(form.get('first') ?? 'all');
    const ids = form.getAll('account').slice(0, first >= 1 ? first : undefined);
    const performance = await this.#refusable(deed, () => admin.perform(action, ids, who));
    if (performance === undefined) return;
    pages.send(response, 200, 'done', {
      title: `${actions[action.action].words}: result`,
      session,
      performance,
      words: actions[action.action].words,
      done: actions[action.action].done,
      back: destination(form.get('back')),
    });
  }

  /** Undefined: the action was refused, and the page with the reason keeps the selection. */
  async #refusable<Value>(deed: Deed, act: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      this.#again(deed, sentenceOf(error.message));
      return undefined;
    }
  }

  /** The same form with the reason and everything that was chosen, to be corrected. */
  #again({ form, response, session }: Deed, problem: string): void {
    const kept = ['account', 'all', 'filter', 'back', 'consent'].flatMap((name) =>
      form.getAll(name).map((value) => [name, value] as const),
    );
    const chosen = form.getAll('account').length;
    this.#parts.pages.send(response, 400, 'again', {
      title: 'Nothing was done',
      under: '/accounts',
      ...{ session, problem, kept, actionNames, actions },
      many:
        form.get('all') === 'yes'
          ? 'All accounts found are'
          : `${counted(chosen, 'account')} ${chosen === 1 ? 'is' : 'are'}`,
      action: form.get('action'),
      tags: form.get('tags') ?? '',
      start: form.get('start') ?? '',
      back: destination(form.get('back')),
    });
  }

  /** The selected accounts, or all that match the filter. */
  async #chosen(form: URLSearchParams): Promise<readonly string[]> {
    if (form.get('all') !== 'yes') return form.getAll('account');
    const filter = selectionIn(new URLSearchParams(form.get('filter') ?? ''));
    return (await this.#parts.admin.view(wantedOf(filter))).accounts.map(({ id }) => id);
  }
}

/** The size of a cautious first batch. */
const FEW = 50;

interface Cause {
  readonly outcome: Forecast['outcome'];
  readonly words: string;
  readonly accounts: readonly Forecast[];
}

/** Groups accounts with the same outcome, or left alone for the same reason; the most frequent first. */
function causesOf(accounts: readonly Forecast[]): readonly Cause[] {
  const causes = new Map<string, { readonly cause: Omit<Cause, 'accounts'>; readonly of: Forecast[] }>();
  for (const one of accounts) {
    const words = one.outcome === 'left' ? leftWords[one.reason] : '';
    const key = `${one.outcome} ${words}`;
    const found = causes.get(key) ?? { cause: { outcome: one.outcome, words }, of: [] };
    found.of.push(one);
    causes.set(key, found);
  }
  return Array.from(causes.values(), ({ cause, of }) => ({ ...cause, accounts: of })).sort(
    (a, b) =>
      Number(a.outcome === 'left') - Number(b.outcome === 'left') || b.accounts.length - a.accounts.length,
  );
}

const actionIn = (form: URLSearchParams): AdminAction | undefined =>
  actionFrom(form.get('action'), {
    acceptUnlearned: form.get('accept-unlearned') === 'yes',
    despite: despiteIn(form),
    // A page without consents relies on the preview.
    consents: form.has('consent') ? form.getAll('consent') : undefined,
    tags: (form.get('tags') ?? '').slice(0, 1_000),
    chosenBy: form.get('all') === 'yes' ? (form.get('filter') ?? '') : undefined,
    start: (form.get('start') ?? '') === '' ? undefined : form.get('start')?.slice(0, 20),
  });
