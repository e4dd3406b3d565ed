import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  rmdirSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system, small enough to be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk except for `left` bytes. */
  fill(left?: number): void;
  /** Frees the space that `fill` took. */
  empty(): void;
  /** Possible while no file is open for writing. */
  makeReadOnly(): void;
  unmount(): void;
}

const run = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: 'ignore' }).status === 0;

/** Undefined if this user may not mount. */
export function smallDisk(megabytes = 2): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-disk-'));
  if (process.getuid?.() !== 0 || !run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) {
    rmdirSync(folder);
    return undefined;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(left = 0) {
      const { bavail, bsize } = statfsSync(folder);
      fillWith(filler, bavail * bsize - left);
    },
    empty() {
      rmSync(filler, { force: true });
    },
    makeReadOnly() {
      if (!run('mount', '-o', 'remount,ro', folder)) throw new Error('the disk cannot be made read-only');
    },
    unmount() {
      run('umount', '-l', folder);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function canMount(): boolean {
  const disk = smallDisk();
  disk?.unmount();
  return disk !== undefined;
}

/** Unmounts what a killed process has left mounted below a folder. */
export function unmountBelow(folder: string): void {
  const places = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '');
  for (const place of places) if (place.startsWith(`${folder}/`)) run('umount', '-l', place);
}

const PIECE = Buffer.alloc(4_096, 'filler');

/** Writes as much as fits: the last piece may find no room. */
function fillWith(path: string, bytes: number): void {
  const file = openSync(path, 'a');
  try {
    for (let written = 0; written < bytes; written += PIECE.length) writeSync(file, PIECE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
