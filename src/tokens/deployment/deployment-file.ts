import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { MarkUnwritable, type DeploymentMark, type Outside } from './deployment.ts';

/** The mark outside of the store. */
export class DeploymentFile {
  readonly #path: string;
  readonly #owner: { readonly uid: number; readonly gid: number } | undefined;

  /** `owner`: whose file it shall be where this process may decide that, as the owner of the database. */
  constructor(path: string, owner?: { readonly uid: number; readonly gid: number }) {
    this.#path = path;
    this.#owner = owner;
  }

  read(): Outside {
    const path = this.#path;
    try {
      const mark = markIn(readFileSync(path, 'utf8'));
      return mark === undefined
        ? { state: 'unusable', path, words: 'it is no file of a deployment' }
        : { state: 'there', path, ...mark };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' ? { state: 'missing', path } : { state: 'unusable', path, words: code ?? '' };
    }
  }

  /** Whole or not at all, and on disk when it returns. Throws `MarkUnwritable`. */
  write({ id, epoch }: DeploymentMark): void {
    const written = `${this.#path}.${process.pid}.new`;
    try {
      makeFolder(dirname(this.#path));
      writeDurably(written, `${JSON.stringify({ deployment: id, epoch })}\n`);
      this.#give(written);
      renameSync(written, this.#path);
      syncFolder(dirname(this.#path));
    } catch (error) {
      discard(written);
      const { code } = error as NodeJS.ErrnoException;
      throw new MarkUnwritable(this.#path, code ?? 'no reason given');
    }
  }

  /** A tool run by root must not lock the bridge out. */
  #give(path: string): void {
    if (this.#owner === undefined || process.getuid?.() !== 0) return;
    chownSync(path, this.#owner.uid, this.#owner.gid);
  }
}

/** The last folder of the path alone: where more is missing something is not mounted. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

/** It may not even be there. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What is in the way of the file is in the way of its removal.
  }
}

function writeDurably(path: string, text: string): void {
  // Never what somebody else has laid there, nor what a link leads to.
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is on disk when its folder is. Not every system lets a folder be opened. */
export function syncFolder(folder: string): void {
  let file: number | undefined;
  try {
    file = openSync(folder, 'r');
    fsyncSync(file);
  } catch {
    // Then the rename is as safe as that system makes it.
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function markIn(text: string): DeploymentMark | undefined {
  try {
    const { deployment, epoch } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof deployment !== 'string' || typeof epoch !== 'number' || !Number.isSafeInteger(epoch))
      return undefined;
    return { id: deployment, epoch };
  } catch {
    return undefined;
  }
}
