import { open, readFile, rename } from 'node:fs/promises';
import type { Tokens, TokenStore } from './tokens.ts';

/** Tokens in a file that only its owner can read, for one process. Several processes need `exclusive`: a database. */
export class FileTokenStore implements TokenStore {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Throws for a file that is there and cannot be read. */
  async load(): Promise<Tokens | undefined> {
    try {
      return JSON.parse(await readFile(this.#file, 'utf8')) as Tokens;
    } catch (error) {
      if ((error as { readonly code?: string }).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Written beside it and put in its place whole: a process that dies leaves the old tokens or the new ones. */
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
