import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const MEGABYTE = 1024 * 1024;
/** A disk is low if less than this share and less than `LOW_BYTES` is free. */
const LOW_SHARE = 0.1;
const LOW_BYTES = 2 * 1024 * MEGABYTE;
/** Too little for a database to write anything useful. */
const FULL_BYTES = MEGABYTE / 16;

/** The trouble with a disk, as `/health/ready` reports it. */
export interface DiskTrouble {
  readonly code: 'disk-full' | 'disk-low' | 'spool-full';
  readonly words: string;
}

/** The trouble with the disk of a folder, or of its nearest existing parent. */
export async function diskTrouble(folder: string): Promise<DiskTrouble | undefined> {
  const found = await diskOf(folder);
  if (found === undefined) return undefined;
  const { free, size } = found;
  const left = `${(free / MEGABYTE).toFixed(1)} MB of ${(size / MEGABYTE).toFixed(0)} are free at ${folder}`;
  if (free < FULL_BYTES) return { code: 'disk-full', words: `the disk is full: ${left}` };
  if (free >= LOW_BYTES || free >= size * LOW_SHARE) return undefined;
  return { code: 'disk-low', words: `the disk is nearly full: ${left}` };
}

/** The trouble with a disk on which only documents wait. If it is full, writes that need no file are sent as before. */
export async function spoolTrouble(folder: string): Promise<DiskTrouble | undefined> {
  const trouble = await diskTrouble(folder);
  if (trouble?.code !== 'disk-full') return trouble;
  return { code: 'spool-full', words: `no long document is sent to V3 or V2: ${trouble.words}` };
}

/** The trouble with a disk on which only spilled tokens are. Calls are served as before, even if it is full. */
export async function spillTrouble(folder: string): Promise<DiskTrouble | undefined> {
  const trouble = await diskTrouble(folder);
  if (trouble === undefined) return undefined;
  const words = `new tokens may find no place while the database cannot store them: ${trouble.words}`;
  return { code: 'disk-low', words };
}

/** Whether none of the other folders is on a folder's disk. */
export async function hasOwnDisk(folder: string, others: readonly string[]): Promise<boolean> {
  const [own, ...rest] = await Promise.all([folder, ...others].map(diskOf));
  return rest.every((other) => other?.device !== own?.device);
}

/** The free bytes and the size of a folder's disk; undefined if none of its parents exists either. */
export const diskOf = (folder: string): Promise<Room | undefined> => nearest(resolve(folder));

/** Whether this user can write to a folder, or create it. */
export async function isWritable(folder: string): Promise<boolean> {
  const found = await diskOf(folder);
  if (found === undefined) return false;
  return access(found.folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

interface Room {
  /** The folder, or its nearest parent that exists. */
  readonly folder: string;
  /** The number of the file system. */
  readonly device: number;
  readonly free: number;
  readonly size: number;
}

async function nearest(folder: string): Promise<Room | undefined> {
  try {
    const [{ bavail, blocks, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
    return { folder, device: dev, free: bavail * bsize, size: blocks * bsize };
  } catch {
    const above = dirname(folder);
    return above === folder ? undefined : nearest(above);
  }
}
