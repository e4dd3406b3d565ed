import type { Clock } from '../../lib/time/clock.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { AdminRefusal } from './refusal.ts';
import { SealedDraft } from './upkeep/draft.ts';
import { readImportFile, UnusableFile, type ImportFile } from '../accounts/import/file.ts';
import { faultyFile } from '../accounts/import/faulty.ts';
import type { ImportLine, LineVerdict } from '../accounts/import/import.ts';

export interface AdminImportParts {
  /** Imports the lines; see `AdminAccounts.import`. */
  readonly take: (lines: readonly ImportLine[], dry: boolean, who: string) => Promise<readonly LineVerdict[]>;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly clock: Clock;
}

/** What importing a file would do. */
export interface ImportPreview extends Pick<ImportFile, 'unknown'> {
  readonly verdicts: readonly LineVerdict[];
  /**
   * The sealed file, which the same operator hands back to import it. A file contains account keys, so it is neither
   * shown again nor stored here; sealed, it can travel through a page to any process.
   */
  readonly draft: string;
  /** The lines that cannot be imported, to correct and send again; see `faultyFile`. */
  readonly faultyFile: string | undefined;
}

/** The result of importing a file. */
export type ImportDone = Pick<ImportPreview, 'verdicts' | 'faultyFile'>;

export const MOST_LINES = 10_000;

/** Imports a file of accounts: first a preview, then the import. */
export class AdminImport {
  readonly #parts: AdminImportParts;
  readonly #drafts: SealedDraft;

  constructor(parts: AdminImportParts) {
    this.#parts = parts;
    this.#drafts = new SealedDraft(parts, 'import-draft');
  }

  /** Writes nothing. Throws `AdminRefusal` unusable. */
  async preview(text: string, who: string): Promise<ImportPreview> {
    const { lines, unknown } = await read(text);
    const verdicts = await this.#parts.take(lines, true, who);
    return {
      verdicts,
      unknown,
      draft: await this.#drafts.seal(text, who),
      faultyFile: faultyFile(lines, verdicts),
    };
  }

  /**
   * Imports the previewed file, as far as the preview still applies. Throws `AdminRefusal` unusable if the draft is
   * another operator's or too old.
   */
  async take(draft: string, who: string): Promise<ImportDone> {
    const { lines } = await read(await this.#drafts.open(draft, who));
    const verdicts = await this.#parts.take(lines, false, who);
    return { verdicts, faultyFile: faultyFile(lines, verdicts) };
  }
}

async function read(text: string): Promise<ImportFile> {
  try {
    return await readImportFile(text, MOST_LINES);
  } catch (error) {
    throw error instanceof UnusableFile ? new AdminRefusal('unusable', error.message) : error;
  }
}
