import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { MOST_LINES } from '../../../features/admin/import.ts';
import { accountColumns } from '../../../features/accounts/import/columns.ts';
import { faultyLines } from '../../../features/accounts/import/faulty.ts';
import type { LineVerdict } from '../../../features/accounts/import/import.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import type { ConsolePages } from '../pages.ts';

export interface ImportScreenParts {
  readonly admin: Pick<AdminService, 'imports'>;
  readonly pages: ConsolePages;
}

/** In bytes; the same limit as the API's. */
export const LONGEST_FILE = 8 * 1024 * 1024;
/** In characters: the same file compressed, sealed and encoded for a form. */
export const LONGEST_DRAFT = 2 * LONGEST_FILE;
/** Lines of each kind on a page, or more if they have remarks; the others are only counted. */
const MOST_SHOWN = 200;

/** Imports a list of accounts: first shows what it would do, then does it. */
export class ImportScreen {
  readonly #parts: ImportScreenParts;

  constructor(parts: ImportScreenParts) {
    this.#parts = parts;
  }

  show(visit: Visit): void {
    this.#form(visit, 200, undefined);
  }

  /** Writes nothing. */
  async preview(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { response, session, who } = deed;
    const text = textOf(deed);
    if (text.trim() === '') {
      this.#form(deed, 400, 'Choose a file or paste its lines.');
      return;
    }
    try {
      const { verdicts, unknown, draft, faultyFile } = await admin.imports.preview(text, who);
      pages.send(response, 200, 'import-preview', {
        title: 'Import: preview',
        under: '/accounts',
        session,
        unknown,
        draft,
        faultyFile,
        ...grouped(verdicts),
      });
    } catch (error) {
      if (!(error instanceof AdminRefusal)) throw error;
      this.#form(deed, 400, sentenceOf(error.message));
    }
  }

  async take({ form, response, session, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { verdicts, faultyFile } = await admin.imports.take(form.get('draft') ?? '', who);
    pages.send(response, 200, 'import-done', {
      title: 'Import: result',
      under: '/accounts',
      session,
      faultyFile,
      ...grouped(verdicts),
    });
  }

  #form({ response, session }: Visit, status: number, problem: string | undefined): void {
    this.#parts.pages.send(response, status, 'import', {
      title: 'Import accounts',
      under: '/accounts',
      session,
      problem,
      columns: Object.values(accountColumns),
      most: MOST_LINES,
    });
  }
}

/** Bytes that are not UTF-8 become a character that the CSV reader refuses by name. */
const textOf = ({ file, form }: Deed): string =>
  file.length > 0 ? file.toString('utf8') : (form.get('lines') ?? '');

interface Group {
  readonly count: number;
  readonly shown: readonly LineVerdict[];
}

/** Whether a line that can be imported looks wrong. An unchanged one is listed nowhere. */
const isRemarked = (one: LineVerdict): boolean =>
  one.verdict !== 'faulty' && one.verdict !== 'same' && one.warnings.length > 0;

function grouped(verdicts: readonly LineVerdict[]) {
  const group = (wanted: LineVerdict['verdict']): Group => {
    const found = verdicts.filter(({ verdict }) => verdict === wanted);
    const remarked = found.filter(isRemarked);
    const rest = found.filter((verdict) => !isRemarked(verdict));
    return {
      count: found.length,
      // All lines with a remark, first: one that matters may come after many with a harmless one.
      shown: [...remarked, ...rest.slice(0, Math.max(0, MOST_SHOWN - remarked.length))],
    };
  };
  return {
    remarked: verdicts.filter(isRemarked).length,
    fresh: group('new'),
    changed: group('changed'),
    same: group('same'),
    faulty: group('faulty'),
    unimported: faultyLines(verdicts),
  };
}
