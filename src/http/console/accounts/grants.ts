import { covers } from '../../../features/admin/tokens/token.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { MOST_ON_A_PAGE } from '../../../features/admin/upkeep/grants.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { isChoosable } from '../../../features/consent/model.ts';
import { importReasons } from '../../../features/consent/grants/model.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface GrantsScreenParts {
  readonly admin: Pick<AdminService, 'grants'>;
  readonly pages: ConsolePages;
}

/** In bytes: as many tokens as the page accepts, of the longest usual length. */
export const LONGEST_TOKENS = 1024 * 1024;
/** In bytes: the same compressed, sealed and encoded for a form. */
export const LONGEST_TOKEN_DRAFT = 2 * LONGEST_TOKENS;

const GRANTS = `${CONSOLE_PATH}/grants`;

/** Imports refresh tokens, decides on those that wait, and exports grants; requires the scope `administer`. */
export class GrantsScreen {
  readonly #parts: GrantsScreenParts;

  constructor(parts: GrantsScreenParts) {
    this.#parts = parts;
  }

  async show(visit: Visit): Promise<void> {
    const { response, session } = visit;
    if (covers(session.token.scope, 'administer')) await this.#page(visit, 200, {});
    else
      this.#parts.pages.send(response, 403, 'message', {
        title: 'Grants need the scope “administer”',
        lines: [`You are signed in with the scope “${session.token.scope}”.`],
        session,
      });
  }

  /** Asks no service and writes nothing. */
  async preview(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, file, response, session, who } = deed;
    const text = file.length > 0 ? file.toString('utf8') : (form.get('lines') ?? '');
    const replace = form.get('replace') === 'yes';
    const found = await this.#tried(deed, 'importFault', () => admin.grants.previewFile(text, replace, who));
    if (found === undefined) return;
    pages.send(response, 200, 'grants-preview', {
      title: 'Import tokens: preview',
      under: '/consents',
      session,
      replace,
      ...found,
    });
  }

  async take({ form, response, session, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const lines = await admin.grants.importDraft(form.get('draft') ?? '', form.get('replace') === 'yes', who);
    pages.send(response, 200, 'grants-done', {
      title: 'Import tokens: result',
      under: '/consents',
      session,
      lines,
    });
  }

  async choose({ form, response, who }: Deed): Promise<void> {
    await this.#parts.admin.grants.choose(form.get('account') ?? '', form.get('organisation') ?? '', who);
    this.#parts.pages.redirect(response, GRANTS);
  }

  async discard({ form, response, who }: Deed): Promise<void> {
    await this.#parts.admin.grants.discard(form.get('account') ?? '', who);
    this.#parts.pages.redirect(response, GRANTS);
  }

  /** Changes nothing. */
  async previewExport(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, response, session } = deed;
    const key = form.get('key') ?? '';
    const found = await this.#tried(deed, 'exportFault', async () => {
      const ids = await admin.grants.idsOf(form.get('accounts') ?? '');
      return { ids, accounts: await admin.grants.checkExport(ids, key) };
    });
    if (found === undefined) return;
    pages.send(response, 200, 'grants-export', {
      title: 'Export grants: preview',
      under: '/consents',
      session,
      key,
      ...found,
    });
  }

  /** Answers with the sealed file; sending the form again creates it again. */
  async export({ form, response, session, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const made = await admin.grants.export(form.getAll('account'), form.get('key') ?? '', who);
    if (made.document !== undefined)
      pages.file(response, 'grants.jwe', `${made.document}\n`, 'application/jose');
    else
      pages.send(response, 409, 'message', {
        title: 'Nothing was exported',
        lines: made.accounts.map(({ account, words }) => `${account} ${words}.`),
        session,
      });
  }

  /** Unusable entries stay on the page; a token does not. */
  async #tried<Result>(
    deed: Deed,
    fault: 'importFault' | 'exportFault',
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      const { form } = deed;
      const given = { accounts: form.get('accounts') ?? '', key: form.get('key') ?? '' };
      const kept = fault === 'exportFault' ? { given } : {};
      await this.#page(deed, 400, { [fault]: sentenceOf(error.message), ...kept });
      return undefined;
    }
  }

  async #page(
    { response, session }: Visit,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const imports = await this.#parts.admin.grants.imports();
    this.#parts.pages.send(response, status, 'grants', {
      title: 'Grants',
      under: '/consents',
      session,
      most: MOST_ON_A_PAGE,
      imports: imports.toReversed().map((one) => ({
        ...one,
        words: one.reason && importReasons[one.reason],
        choices: one.organisations.filter(isChoosable),
      })),
      ...values,
    });
  }
}
