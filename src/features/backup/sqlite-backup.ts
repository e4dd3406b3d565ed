import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveRefusal, type BackupReport } from './archive.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { checkIntegrity, factsOf, writeDoubt } from './archive-facts.ts';
import { syncFolder } from '../../tokens/deployment/deployment-file.ts';
import { words } from '../../db/fault.ts';

/** Called after each step; tests kill the process there. */
export type Told = (step: string) => void;

export interface BackupOptions {
  readonly force: boolean;
  readonly now: number;
  readonly told?: Told | undefined;
}

/**
 * Copies a SQLite database while others read and write it, in one read transaction, without deleted content.
 * The copy is marked as one. Throws `ArchiveRefusal`; the target is then unchanged.
 */
export function backupSqlite(database: string, file: string, options: BackupOptions): BackupReport {
  const [source, target] = [resolve(database), resolve(file)];
  refuseTarget(source, target, options.force);
  tidy(target);
  const part = `${target}.part-${process.pid}`;
  try {
    copy(source, part);
    options.told?.('copied');
    const facts = finished(part, options.now);
    syncFile(part);
    options.told?.('checked');
    publish(part, target, options.force);
    options.told?.('published');
    return { ...facts, file };
  } catch (error) {
    if (error instanceof ArchiveRefusal) throw error;
    throw new ArchiveRefusal(`no backup was made: ${words(error)}`);
  } finally {
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true });
  }
}

function refuseTarget(source: string, target: string, force: boolean): void {
  if (!existsSync(source)) throw new ArchiveRefusal(`there is no database at ${source}`);
  if (!existsSync(dirname(target))) throw new ArchiveRefusal(`the folder does not exist: ${dirname(target)}`);
  const there = statSync(target, { throwIfNoEntry: false });
  const here = statSync(source);
  const own = ['-wal', '-shm', '-journal', '.deployment', '.lock']
    .map((end) => `${source}${end}`)
    .includes(target);
  if (own || (there?.ino === here.ino && there.dev === here.dev))
    throw new ArchiveRefusal(`${target} belongs to the database itself`);
  if (there === undefined) return;
  if (!there.isFile()) throw new ArchiveRefusal(`${target} is not a file`);
  if (!force) throw new ArchiveRefusal(`${target} already exists; --force replaces it`);
}

/**
 * Removes the remains of killed backups of the same name, or of one with other digits, such as another date: after an hour
 * nobody is working on them. Parts numbered from 0 or 01 are not ours: `split` numbers the parts of a backup so.
 */
export function tidy(target: string): void {
  const [folder, name] = [dirname(target), basename(target)];
  const entries = readdirSync(folder);
  for (const entry of entries) {
    const [, whole = ''] = /^(.*)\.part-[1-9]\d*(?:-(?:journal|wal|shm))?$/s.exec(entry) ?? [];
    if (withoutDigits(whole) !== withoutDigits(name)) continue;
    if (entries.some((other) => other.startsWith(`${whole}.part-0`))) continue;
    const path = join(folder, entry);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > HOUR) rmSync(path, { force: true });
  }
}

const withoutDigits = (name: string): string => name.replaceAll(/\d+/g, '0');

function copy(source: string, part: string): void {
  // SQLite writes into an empty file, created here so that nobody else can ever read it.
  makeEmpty(part);
  const raw = new DatabaseSync(source);
  try {
    raw.exec('PRAGMA busy_timeout = 10000');
    raw.prepare('VACUUM INTO ?').run(part);
  } finally {
    raw.close();
  }
}

/**
 * Creates a new file for its owner only. An existing file, or a link, would keep its permissions or lead
 * elsewhere.
 */
export function makeEmpty(path: string): void {
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
}

/** Checks the copy, reads its facts and marks it as a copy. */
function finished(part: string, now: number): Omit<BackupReport, 'file'> {
  const raw = new DatabaseSync(part);
  try {
    raw.exec('PRAGMA synchronous = FULL');
    checkIntegrity(raw, 'the copy');
    const facts = factsOf(raw, part);
    writeDoubt(raw, 'backup', now);
    return { ...facts, at: now, bytes: statSync(part).size };
  } finally {
    raw.close();
  }
}

/** A rename may reach the disk before the bytes it names, so the bytes are synced first. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A link never replaces a file that somebody else has created meanwhile; a rename does. */
function publish(part: string, target: string, force: boolean): void {
  if (force || !linked(part, target)) renameSync(part, target);
  syncFolder(dirname(target));
}

function linked(part: string, target: string): boolean {
  try {
    linkSync(part, target);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ArchiveRefusal(`${target} already exists; --force replaces it`);
    return false; // this file system has no links
  }
}
