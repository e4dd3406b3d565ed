import { messageKinds, type MessageKind } from '../../../features/campaign/outbox.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { MessagePreview } from '../../../features/admin/campaign/messages.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface MessagesParts {
  readonly admin: Pick<AdminService, 'messages' | 'texts' | 'accounts' | 'statusReport'>;
  readonly pages: ConsolePages;
}

interface Choice {
  readonly kind: MessageKind;
  readonly language: string | undefined;
  /** Id or name. */
  readonly account: string;
}

/** The campaign's texts, and each message as its customer would receive it. */
export class Messages {
  readonly #parts: MessagesParts;

  constructor(parts: MessagesParts) {
    this.#parts = parts;
  }

  async show({ response, session, query }: Visit): Promise<void> {
    const { admin, pages } = this.#parts;
    const texts = admin.messages.texts();
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
      sections: admin.texts.sections(),
      textLanguages: await admin.texts.languages(),
      unusable: await admin.texts.unusable(),
      frame: frame.toString(),
    });
  }

  /** Sends the message to the operator, as the account would get it. */
  async test({ form, who, response, session }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const languages = admin.messages.texts().map(({ language }) => language);
    const choice = choiceIn(form, languages);
    const [to, { id: accountId }] = [form.get('to') ?? '', await admin.accounts.find(choice.account)];
    const answer = await admin.messages.test({ ...choice, accountId, to }, who);
    const lines = [`Sent to ${to}. The mail server answered: ${answer}`];
    pages.send(response, 200, 'message', { title: 'Test sent', lines, session });
  }

  /** The content of the frame. */
  async message({ response, query }: Visit): Promise<void> {
    const { admin, pages } = this.#parts;
    const languages = admin.messages.texts().map(({ language }) => language);
    const found = await this.#preview(choiceIn(query, languages));
    if ('problem' in found) throw new AdminRefusal('unknown', found.problem);
    pages.message(response, found.preview.html);
  }

  async #preview({ kind, language, account: wanted }: Choice): Promise<Found> {
    const { admin } = this.#parts;
    const account = wanted === '' ? await this.#anybody() : wanted;
    if (account === undefined) return { problem: 'There are no accounts yet. The preview needs one.' };
    try {
      const { id, name } = await admin.accounts.find(account);
      return { account: { id, name }, preview: await admin.messages.preview(kind, id, language) };
    } catch (error) {
      if (error instanceof AdminRefusal) return { problem: sentenceOf(error.message) };
      throw error;
    }
  }

  async #anybody(): Promise<string | undefined> {
    const { admin } = this.#parts;
    const { accounts } = await admin.statusReport();
    const waiting = accounts.filter(({ stage }) => stage === 'legacy');
    const usual = waiting.find(
      ({ language, mail }) => language === admin.messages.language && mail !== 'no-address',
    );
    return (usual ?? waiting[0] ?? accounts[0])?.id;
  }
}

type Found =
  | { readonly problem: string }
  | { readonly account: { readonly id: string; readonly name: string }; readonly preview: MessagePreview };

const shownLanguage = (found: Found, [first]: readonly string[]): string | undefined =>
  'preview' in found ? found.preview.language : first;

const choiceIn = (query: URLSearchParams, languages: readonly string[]): Choice => ({
  kind: messageKinds.find((kind) => kind === query.get('kind')) ?? 'invitation',
  language: languages.find((language) => language === query.get('language')),
  account: (query.get('account') ?? '').trim().slice(0, 200),
});
