import { open, readFile, rename } from 'node:fs/promises';
import type { Tokens, TokenStore } from './tokens.ts';

/**
 * Stores tokens in a file that only its owner can read, for one process. Several processes need a store with
 * `exclusive`, such as a database.
 */
export class FileTokenStore implements TokenStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws if the file exists but cannot be read. */
  async load(): Promise<Tokens | undefined> {
    try {
      return JSON.parse(await readFile(this.#file, 'utf8')) as Tokens;
    } catch (error) {
      if ((error as { readonly code?: string }).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /**
   * Writes a new file and renames it, so that a process that dies leaves either the old or the new tokens.
   */
  async save(tokens: Tokens): Promise<void> {
    const file = await open(`${this.#file}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(tokens));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${this.#file}.new`, this.#file);
  }
}
