import { open, rename, rm, link, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file that appears under its name only when it is complete, and only if that name is free. */
export class NewFile {
  readonly #path: string;
  readonly #file: FileHandle;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /**
   * Begins the file beside its place, readable by its owner only. Throws Node's errors: `EEXIST` if the file, or a part
   * of it, exists.
   */
  static async begin(path: string): Promise<NewFile> {
    const taken = await open(path, 'r').then(
      (file) => file.close().then(() => true),
      () => false,
    );
    if (taken) throw Object.assign(new Error('the file exists'), { code: 'EEXIST' });
    return new NewFile(path, await open(partOf(path), 'wx', 0o600));
  }

  /** Writes the file to the disk and gives it its name. */
  async complete(text: string): Promise<void> {
    await this.#file.writeFile(text, 'utf8');
    await this.#file.sync();
    await this.#file.close();
    // A link fails where a rename would replace a file created meanwhile.
    await link(partOf(this.#path), this.#path).then(
      () => rm(partOf(this.#path)),
      async (error: unknown) => {
        if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOSYS' && codeOf(error) !== 'ENOTSUP')
          throw error;
        await rename(partOf(this.#path), this.#path);
      },
    );
    await synced(dirname(this.#path));
  }

  /** Removes what has been written. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(partOf(this.#path), { force: true });
  }
}

/** Whether `begin` has failed because the file, or a part of it, exists. */
export const isTaken = (error: unknown): boolean => codeOf(error) === 'EEXIST';

const partOf = (path: string): string => `${path}.part`;

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;

/** Makes sure that the new name is on the disk, too. */
async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
