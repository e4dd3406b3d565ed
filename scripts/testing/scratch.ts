import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = 'causeway-tests-';
/** As Linux tells it (`statfs(2)`). */
const TMPFS = 0x0102_1994;
/** Several times what the suites and their PostgreSQL ever hold at once. A container has 64 MB, unless told otherwise. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/** A folder for what the tests write. */
export interface Scratch {
  readonly folder: string;
  remove(): void;
}

/**
 * In memory, where there is room: SQLite waits for the disk at each commit, thousands of times, and no test can cut the
 * power. Undefined: the system's temporary folder is as good, and slower.
 */
export function memoryScratch(): Scratch | undefined {
  try {
    if (!hasRoom()) return undefined;
    sweep();
    const folder = join(MEMORY, `${PREFIX}${process.pid}`);
    mkdirSync(folder);
    // PostgreSQL runs as another user, and has to get through.
    chmodSync(folder, 0o711);
    return {
      folder,
      remove: () => {
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch {
    return undefined;
  }
}

/** Half of it may be in use elsewhere by the time the tests want it: the kernel counts the same memory for everybody. */
function hasRoom(): boolean {
  const { type, bavail, bsize } = statfsSync(MEMORY);
  return type === TMPFS && Math.min(bavail * bsize, process.availableMemory() / 2) >= ENOUGH_BYTES;
}

/** What runs that were killed have left. */
function sweep(): void {
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(PREFIX) && !runs(Number(name.slice(PREFIX.length))))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
