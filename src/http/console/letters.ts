import { messageKinds, type MessageKind } from '../../features/campaign/outbox.ts';
import { DeskRefusal } from '../../features/admin/refusal.ts';
import type { Desk } from '../../features/admin/admin.ts';
import type { LetterPreview } from '../../features/admin/messages.ts';
import type { Visit } from './gate.ts';
import type { ConsolePages } from './pages.ts';

export interface LettersParts {
  readonly desk: Pick<Desk, 'letters' | 'accounts' | 'board'>;
  readonly pages: ConsolePages;
}

interface Choice {
  readonly kind: MessageKind;
  readonly language: string | undefined;
  /** Id or name. */
  readonly account: string;
}

/** The campaign's texts, and each letter as its customer would get it. */
export class Letters {
  readonly #parts: LettersParts;

  constructor(parts: LettersParts) {
    this.#parts = parts;
  }

  async show({ response, session, query }: Visit): Promise<void> {
    const { desk, pages } = this.#parts;
    const texts = desk.letters.texts();
    const languages = [...new Set(texts.map(({ language }) => language))];
    const choice = choiceIn(query, languages);
    const found = await this.#preview(choice);
    const frame = new URLSearchParams({
      kind: choice.kind,
      ...(choice.language === undefined ? {} : { language: choice.language }),
      ...('account' in found ? { account: found.account.id } : {}),
    });
    pages.send(response, 200, 'texts', {
      title: 'Texts',
      session,
      texts: texts.filter(
        ({ language }) => language === (choice.language ?? shownLanguage(found, languages)),
      ),
      languages,
      kinds: messageKinds,
      choice,
      found,
      frame: frame.toString(),
    });
  }

  /** What the frame holds. */
  async letter({ response, query }: Visit): Promise<void> {
    const { desk, pages } = this.#parts;
    const languages = desk.letters.texts().map(({ language }) => language);
    const found = await this.#preview(choiceIn(query, languages));
    if ('problem' in found) throw new DeskRefusal('unknown', found.problem);
    pages.letter(response, found.preview.html);
  }

  async #preview({ kind, language, account: wanted }: Choice): Promise<Found> {
    const { desk } = this.#parts;
    const account = wanted === '' ? await this.#anybody() : wanted;
    if (account === undefined)
      return { problem: 'There is no account yet: a letter is shown as one of them would get it.' };
    try {
      const { id, name } = await desk.accounts.find(account);
      return { account: { id, name }, preview: await desk.letters.preview(kind, id, language) };
    } catch (error) {
      if (error instanceof DeskRefusal) return { problem: `${error.message}: use its exact name, or its id` };
      throw error;
    }
  }

  async #anybody(): Promise<string | undefined> {
    const { accounts } = await this.#parts.desk.board();
    return (accounts.find(({ stage }) => stage === 'legacy') ?? accounts[0])?.id;
  }
}

type Found =
  | { readonly problem: string }
  | { readonly account: { readonly id: string; readonly name: string }; readonly preview: LetterPreview };

const shownLanguage = (found: Found, [first]: readonly string[]): string | undefined =>
  'preview' in found ? found.preview.language : first;

const choiceIn = (query: URLSearchParams, languages: readonly string[]): Choice => ({
  kind: messageKinds.find((kind) => kind === query.get('kind')) ?? 'invitation',
  language: languages.find((language) => language === query.get('language')),
  account: (query.get('account') ?? '').trim().slice(0, 200),
});
