/**
 * The editor of texts: one page or e-mail at a time, with a preview at the width of a phone and of a desktop.
 *
 * Everything is a plain form. The typed texts are shown again with every answer: a fault beside its field, a preview, a
 * test that was sent, or another person's change. A preview is kept like the result of any other form, and its frames
 * name it, so they show the typed texts and not the stored ones.
 */
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { typedText, type TextEntry, type WantedText } from '../../../features/admin/texts/texts.ts';
import type { TextsInForce } from '../../../features/texts/texts-in-force.ts';
import { mailsOf } from '../../../features/admin/texts/samples.ts';
import type { Text } from '../../../features/texts/catalogue.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

/** What the editor needs. */
export interface EditorParts {
  readonly admin: Pick<AdminService, 'messages' | 'texts' | 'samples' | 'results'>;
  readonly pages: ConsolePages;
  readonly clock: { now(): number };
}

/** In bytes: the longest page has some forty texts, and a character may take nine. */
export const LONGEST_TEXTS = 1024 * 1024;

/** The texts being edited: those of one page or e-mail, in one language. */
interface Place {
  readonly language: string;
  readonly section: string;
}

/** What an answer shows besides the stored texts. */
interface Shown {
  /** The typed texts, by path; all others are the stored ones. */
  readonly typed?: Readonly<Record<string, string>>;
  /** Their faults, by path. */
  readonly faults?: Readonly<Record<string, readonly string[]>>;
  /** Why nothing was done. */
  readonly problem?: string;
  /** A note on what was done. */
  readonly notice?: string;
  /** Which of several previews, counted from 0. */
  readonly variant?: number;
  /** The recipient of a test. */
  readonly to?: string;
  /** If set, the frames show these texts. */
  readonly draft?: readonly (readonly [path: string, text: Text])[];
}

/** Typed texts to be shown without being stored. */
interface Drafted extends Shown {
  readonly draft: NonNullable<Shown['draft']>;
  readonly to: string;
}

/** The screens of the editor. */
export class TextEditor {
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.#parts = parts;
  }

  /** The stored texts; after a change, with the number of texts that differ now. */
  async show(visit: Visit): Promise<void> {
    const saved = Number(visit.query.get('saved') ?? '');
    const notice = saved > 0 ? `${saved === 1 ? 'One text' : `${saved} texts`} changed.` : undefined;
    const variant = Number(visit.query.get('variant')) || 0;
    await this.#send(visit, 200, placeIn(visit.query), { ...(notice && { notice }), variant });
  }

  /** Saves, previews or sends a test, depending on the button pressed. */
  async edit(deed: Deed): Promise<void> {
    const { form } = deed;
    const { admin } = this.#parts;
    const place = placeIn(form);
    const entries = await admin.texts.list(place.language, place.section);
    const wanted = wantedIn(form, entries);
    const [act = '', variant = '0'] = (form.get('do') ?? '').split(':');
    const shown = { ...this.#typed(form, entries, wanted), variant: Number(variant) || 0 };
    if (Object.keys(shown.faults).length > 0) {
      await this.#send(deed, 400, place, {
        ...shown,
        problem: 'Nothing was saved. Correct the texts marked below.',
      });
      return;
    }
    try {
      if (act === 'save') await this.#save(deed, place, wanted);
      else await this.#draft(deed, place, { ...shown, draft: draftOf(wanted, entries) }, act === 'test');
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      const status = error.fault === 'conflict' ? 409 : 400;
      await this.#send(deed, status, place, { ...shown, problem: sentenceOf(error.message) });
    }
  }

  /** Redirects to the stored texts, so that reloading the page does not store them again. */
  async #save({ response, who }: Deed, place: Place, wanted: readonly WantedText[]): Promise<void> {
    const { admin, pages } = this.#parts;
    const saved = await admin.texts.save(place.language, wanted, who);
    const query = new URLSearchParams({ ...place, saved: String(saved.length) });
    pages.redirect(response, `${CONSOLE_PATH}/texts/edit?${query.toString()}`);
  }

  /** Shows the typed texts, and sends a test of them if asked to. Stores nothing. */
  async #draft(deed: Deed, place: Place, shown: Drafted, isTest: boolean): Promise<void> {
    if (isTest) await this.#test(deed, place, shown.draft);
    const notice = isTest ? `A test is on its way to ${shown.to}. Nothing was saved.` : '';
    await this.#send(deed, 200, place, { ...shown, notice });
  }

  /** All earlier versions of a text. */
  async history({ response, session, query }: Visit): Promise<void> {
    const { admin, pages } = this.#parts;
    const entry = await admin.texts.show(query.get('language') ?? '', query.get('path') ?? '');
    pages.send(response, 200, 'text-history', {
      title: entry.path,
      under: '/texts',
      session,
      entry,
      restored: query.has('restored'),
    });
  }

  /** Restores the text as it was after one of its changes. */
  async restore({ form, response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const [language, path] = [form.get('language') ?? '', form.get('path') ?? ''];
    await admin.texts.restore(language, path, Number(form.get('change')), who);
    const query = new URLSearchParams({ language, path, restored: 'yes' });
    pages.redirect(response, `${CONSOLE_PATH}/texts/history?${query.toString()}`);
  }

  /** Adds a language and redirects to the first of its texts. */
  async addLanguage({ form, response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const language = await admin.texts.addLanguage(form.get('language') ?? '', form.get('copyOf') ?? '', who);
    const query = new URLSearchParams({ language, section: 'letters.invitation' });
    pages.redirect(response, `${CONSOLE_PATH}/texts/edit?${query.toString()}`);
  }

  /** Keeps the texts, in case the language is added again. */
  async removeLanguage({ form, response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    await admin.texts.removeLanguage(form.get('language') ?? '', who);
    pages.redirect(response, `${CONSOLE_PATH}/texts`);
  }

  /** The content of a frame: the stored texts or, with `draft`, those of a form sent earlier. */
  async sample({ response, session, query }: Visit): Promise<void> {
    const { admin, pages } = this.#parts;
    const { language, section } = placeIn(query);
    const id = query.get('draft');
    const kept = id === null ? undefined : await admin.results.find(id, session.token.id);
    const draft = (kept?.values.draft ?? []) as NonNullable<Shown['draft']>;
    const texts = this.#drafted(language, draft);
    const variant = Number(query.get('variant')) || 0;
    const sample = admin.samples.drawn({ language, section, variant, texts });
    if (sample.kind === 'e-mail') pages.message(response, sample.html);
    else pages.customerPage(response, sample.html);
  }

  /** Sends the first of the e-mails that show the texts. Throws `AdminRefusal`. */
  async #test(deed: Deed, { language, section }: Place, draft: NonNullable<Shown['draft']>): Promise<void> {
    const { admin } = this.#parts;
    const mail = mailsOf(section)[0] ?? '';
    const texts = this.#drafted(language, draft);
    const to = (deed.form.get('to') ?? '').trim();
    await admin.messages.testSample({ name: mail, language, texts }, to, deed.who);
  }

  /** Throws `AdminRefusal` unusable: a frame's address may be made by hand. */
  #drafted(language: string, draft: NonNullable<Shown['draft']>): TextsInForce {
    const wanted = draft.map(([path, text]) => ({ path, text }));
    return this.#parts.admin.texts.drafted(language, wanted);
  }

  /** The typed texts, shown with every answer so that none is lost. */
  #typed(form: URLSearchParams, entries: readonly TextEntry[], wanted: readonly WantedText[]) {
    const faults = this.#parts.admin.texts.faults(wanted);
    return {
      typed: Object.fromEntries(entries.map(({ path }) => [path, form.get(`text:${path}`) ?? ''])),
      faults: Object.fromEntries(
        [...faults].map(([path, words]) => [path, words.map((one) => one.slice(path.length + 2))]),
      ),
      to: (form.get('to') ?? '').trim().slice(0, 254),
    };
  }

  /** The editor's page, whatever the answer. */
  async #send({ response, session }: Visit, status: number, place: Place, shown: Shown): Promise<void> {
    const { admin, pages } = this.#parts;
    const { language, section } = place;
    const entries = await admin.texts.list(language, section);
    pages.send(response, status, 'text-edit', {
      title: 'Edit texts',
      under: '/texts',
      session,
      language,
      section,
      languages: (await admin.texts.languages()).map((one) => one.language),
      sections: admin.texts.sections(),
      entries,
      labels: admin.samples.labels(section),
      isMail: section.startsWith('letters.'),
      frame: new URLSearchParams({ language, section, variant: String(shown.variant ?? 0) }).toString(),
      ...{ variant: 0, typed: {}, faults: {}, problem: '', notice: '', to: '' },
      ...shown,
    });
  }
}

/** An unknown place is refused when its texts are read. */
const placeIn = (values: URLSearchParams): Place => ({
  language: values.get('language') ?? '',
  section: values.get('section') ?? '',
});

/** The texts in the form; a text missing from it stays as it is. */
const wantedIn = (form: URLSearchParams, entries: readonly TextEntry[]): readonly WantedText[] =>
  entries.flatMap((entry) => {
    const typed = form.get(`text:${entry.path}`);
    if (typed === null) return [];
    const seen = Number(form.get(`seen:${entry.path}`)) || 0;
    return [{ path: entry.path, text: typedText(entry, typed), seen }];
  });

/** An empty field stands for the product's own text, in a preview too. */
const draftOf = (
  wanted: readonly WantedText[],
  entries: readonly TextEntry[],
): NonNullable<Shown['draft']> => {
  const own = new Map(entries.map((entry) => [entry.path, entry.own]));
  return wanted.flatMap(({ path, text = own.get(path) }) =>
    text === undefined ? [] : [[path, text] as const],
  );
};
