import { rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Hindrance } from '../../lib/store-fault.ts';

/** In bytes: enough for a few hundred records created upstream while the disk became full. */
export const RESERVE_BYTES = 512 * 1024;
/** Between two attempts on a full disk, in milliseconds. */
const BETWEEN_ATTEMPTS = 1_000;

/**
 * A file beside the database that only reserves space. It allows the result of a write upstream to be stored
 * although the disk is full: the file is then removed. No write is sent upstream without it.
 */
export class DiskReserve {
  /** The database whose space it reserves. */
  readonly database: string;
  readonly #path: string;
  #held: boolean;
  #hindrance: Hindrance | undefined;
  #making: Promise<boolean> | undefined;
  #triedAt = -Infinity;

  constructor(database: string) {
    this.database = database;
    this.#path = `${database}.reserve`;
    this.#held = isWhole(this.#path);
  }

  get held(): boolean {
    return this.#held;
  }

  /** Why it could not be created; undefined if that was not tried yet, or if it exists. */
  get hindrance(): Hindrance | undefined {
    return this.#held ? undefined : this.#hindrance;
  }

  /**
   * Resolves with whether the file exists; creates it if it is missing and the disk has space. Never rejects.
   */
  hold(): Promise<boolean> {
    // Another worker may have used the reserve.
    this.#held &&= isWhole(this.#path);
    if (this.#held) return Promise.resolve(true);
    if (this.#making === undefined && performance.now() - this.#triedAt < BETWEEN_ATTEMPTS)
      return Promise.resolve(false);
    this.#making ??= this.#make().finally(() => {
      this.#triedAt = performance.now();
      this.#making = undefined;
    });
    return this.#making;
  }

  /** Releases the space; returns whether there was any. */
  release(): boolean {
    const had = this.#held;
    this.#held = false;
    this.#triedAt = performance.now();
    remove(this.#path);
    return had;
  }

  async #make(): Promise<boolean> {
    try {
      const file = await open(this.#path, 'w', 0o600);
      try {
        // Not zeros, because some file systems allocate no space for those.
        await file.writeFile(Buffer.alloc(RESERVE_BYTES, 'causeway'));
        await file.sync();
      } finally {
        await file.close();
      }
      this.#held = true;
    } catch (error) {
      this.#hindrance = READ_ONLY.has((error as NodeJS.ErrnoException).code) ? 'read-only' : 'full';
      remove(this.#path);
    }
    return this.#held;
  }
}

const READ_ONLY: ReadonlySet<string | undefined> = new Set(['EROFS', 'EACCES', 'EPERM']);

/** If the folder cannot be read, opening the database says so. */
function isWhole(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.size === RESERVE_BYTES && found.blocks * 512 >= RESERVE_BYTES;
  } catch {
    return false;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The file system has become read-only, so nothing can be stored there anyway.
  }
}
