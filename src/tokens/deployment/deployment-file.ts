import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MarkUnwritable, type DeploymentMark, type Outside } from './deployment.ts';

/** Follows the name of a database file. */
export const ENDING = '.deployment';

/** The mark outside the store. */
export class DeploymentFile {
  readonly #path: string;
  readonly #owner: { readonly uid: number; readonly gid: number } | undefined;
  readonly #hasNeighbours: boolean;

  /**
   * `owner`: the owner to give the file, that of the database, if this process may change it. `hasNeighbours`: it lies
   * beside the database and is named after it, as those of other databases in the folder are.
   */
  constructor(path: string, owner?: { readonly uid: number; readonly gid: number }, hasNeighbours = false) {
    this.#path = path;
    this.#owner = owner;
    this.#hasNeighbours = hasNeighbours;
  }

  read(): Outside {
    const path = this.#path;
    try {
      const mark = markIn(readFileSync(path, 'utf8'));
      return mark === undefined
        ? { state: 'unusable', path, words: 'it is not a file of a deployment' }
        : { state: 'there', path, ...mark };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') return { state: 'unusable', path, words: code ?? '' };
      return { state: 'missing', path, neighbour: this.#hasNeighbours ? neighbourOf(path) : undefined };
    }
  }

  /** Completely or not at all, and on disk when it returns. Throws `MarkUnwritable`. */
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

/** A mark of another database in the same folder. */
function neighbourOf(path: string): string | undefined {
  try {
    return readdirSync(dirname(path))
      .filter((name) => name.endsWith(ENDING))
      .map((name) => join(dirname(path), name))
      .find((file) => file !== path && new DeploymentFile(file).read().state === 'there');
  } catch {
    // There is no folder yet, or it cannot be read.
    return undefined;
  }
}

/** Creates only the last folder of the path: if more is missing, something is not mounted. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

/** Removes a file that may not exist. */
function discard(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Whatever prevents writing the file also prevents removing it.
  }
}

function writeDurably(path: string, text: string): void {
  // Never write to what somebody else has put there, nor follow a link.
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A rename is durable when its folder is synced. Not every system can open a folder. */
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
