import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { unmountBelow } from './small-disk.ts';

const MEMORY = '/dev/shm';
const PREFIX = 'causeway-tests-';
/** As defined by Linux (`statfs(2)`). */
const TMPFS = 0x0102_1994;
/** Several times the most that the suites and their PostgreSQL hold at once. A container has 64 MB by default. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** A folder for files written by the tests. */
export interface Scratch {
  readonly folder: string;
  remove(): void;
}

/**
 * A folder in memory, if there is room: SQLite waits for the disk at each commit, thousands of times, and no test cuts
 * the power. Undefined: the system's temporary folder serves as well, but is slower.
 */
export function memoryScratch(): Scratch | undefined {
  try {
    if (!hasRoom()) return undefined;
    sweep();
    const folder = join(MEMORY, `${PREFIX}${process.pid}`);
    mkdirSync(folder);
    // PostgreSQL runs as another user, who must be able to enter.
    chmodSync(folder, 0o711);
    return {
      folder,
      remove: () => {
        removeWhole(folder);
      },
    };
  } catch {
    return undefined;
  }
}

/** Half of it may be used by other processes when the tests need it: the kernel counts the same memory for all. */
function hasRoom(): boolean {
  const { type, bavail, bsize } = statfsSync(MEMORY);
  return type === TMPFS && Math.min(bavail * bsize, process.availableMemory() / 2) >= ENOUGH_BYTES;
}

/** Removes the folders of killed runs. */
function sweep(): void {
  const left = readdirSync(MEMORY).filter(
    (name) => name.startsWith(PREFIX) && !runs(Number(name.slice(PREFIX.length))),
  );
  for (const name of left)
    try {
      removeWhole(join(MEMORY, name));
    } catch {
      // Another user's: this run has room beside it.
    }
}

/** Removes a folder in which a killed suite may have left a small disk. */
function removeWhole(folder: string): void {
  unmountBelow(folder);
  rmSync(folder, { recursive: true, force: true });
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
