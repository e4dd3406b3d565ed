/**
 * Restores a backup of a SQLite database.
 *
 * `stageSqlite` copies the backup next to the database, checks the copy (integrity, schema, encryption keys) and
 * reports what would be lost. `put` locks the current database, marks the copy as restored, so that its tokens are
 * not presented before an operator has acknowledged it (docs/decisions/tokens/0009-copies-and-failovers.md), keeps
 * the current file under another name, and renames the copy into its place. A process that dies in between leaves the
 * old database or the new one, never none and never half of one.
 */
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ArchiveRefusal, type ArchiveFacts, type StagedRestore } from './archive.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { checkIntegrity, factsOf, tablesOf, unopened, writeDoubt } from './archive-facts.ts';
import { syncFolder } from '../../tokens/deployment/deployment-file.ts';
import { isSqliteBusy, isSqliteDamaged, words } from '../../db/fault.ts';
import { oldestFor } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { lossesOf } from './restore-losses.ts';
import { carryRevoked } from './restore-revoked.ts';
import { syncFile, tidy, type Told } from './sqlite-backup.ts';

/**
 * Checks a copy of the backup `file` that can replace `database`; the file itself is not touched. Throws
 * `ArchiveRefusal`.
 */
export function stageSqlite(database: string, file: string, seal: Seal, told?: Told): StagedRestore {
  const [target, source] = [behindLink(resolve(database)), resolve(file)];
  const part = `${target}.part-${process.pid}`;
  let made: string | undefined;
  const undo = () => {
    discard(part);
    if (made !== undefined) removeEmpty(dirname(target), made);
  };
  try {
    refuseSource(source, target);
    made = mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    tidy(target);
    copyBeside(source, part);
    told?.('copied');
    const facts = checked(part, file, seal);
    const losses = lossesOf(target, part);
    told?.('checked');
    return {
      facts,
      losses,
      put: async (now) => ({ kept: put({ target, part, now }, told) }),
      discard: async () => {
        undo();
      },
    };
  } catch (error) {
    undo();
    if (error instanceof ArchiveRefusal) throw error;
    throw new ArchiveRefusal(`${file} cannot be restored: ${words(error)}`);
  }
}

/**
 * A database on another disk may be reached by a symbolic link: the backup belongs there, and a rename would replace
 * the link.
 */
function behindLink(path: string): string {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return path;
  return existsSync(path) ? realpathSync(path) : resolve(realpathSync(dirname(path)), readlinkSync(path));
}

const beside = (path: string): readonly string[] =>
  ['-wal', '-shm', '-journal'].map((end) => `${path}${end}`);

function discard(part: string): void {
  for (const left of [part, ...beside(part)]) rmSync(left, { force: true });
}

/** Removes the folders from `folder` up to `topmost`, unless something lies in them. */
function removeEmpty(folder: string, topmost: string): void {
  if (!existsSync(folder) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  if (folder !== topmost) removeEmpty(dirname(folder), topmost);
}

function refuseSource(source: string, target: string): void {
  const found = statSync(source, { throwIfNoEntry: false });
  if (found?.isFile() !== true) throw new ArchiveRefusal(`there is no file ${source}`);
  const there = statSync(target, { throwIfNoEntry: false });
  if (there?.ino === found.ino && there.dev === found.dev)
    throw new ArchiveRefusal(`${source} is the database itself`);
}

/** Also copies the write-ahead log, in case somebody copied the file by hand while it was open. */
function copyBeside(source: string, part: string): void {
  discard(part);
  for (const end of ['', '-wal']) {
    if (!existsSync(`${source}${end}`)) continue;
    copyFileSync(`${source}${end}`, `${part}${end}`, constants.COPYFILE_EXCL);
    chmodSync(`${part}${end}`, 0o600);
  }
}

function checked(part: string, file: string, seal: Seal): ArchiveFacts {
  const raw = new DatabaseSync(part);
  try {
    raw.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
    checkIntegrity(raw, file);
    const facts = factsOf(raw, file);
    if (facts.schema > migrations.length && oldestIn(raw) > migrations.length)
      throw new ArchiveRefusal(
        `${file} was made by a newer Causeway (schema ${facts.schema}, this program knows ${migrations.length})`,
      );
    const missing = unopened(raw, seal);
    if (missing.length > 0)
      throw new ArchiveRefusal(
        `${file} needs the encryption ${missing.length > 1 ? 'keys' : 'key'} ${missing.join(', ')}, which CAUSEWAY_ENCRYPTION_KEYS does not hold`,
      );
    return facts;
  } finally {
    raw.close();
  }
}

interface Putting {
  readonly target: string;
  readonly part: string;
  readonly now: number;
}

/** Returns where the old database was kept; undefined if there was none. */
function put({ target, part, now }: Putting, told: Told | undefined): string | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = lockOf(target);
    mark(part, now, lock);
    ownAs(part, target);
    syncFile(part);
    told?.('marked');
    const kept = existsSync(target) ? keep(target, now) : undefined;
    told?.('kept');
    renameSync(part, target);
    syncFolder(dirname(target));
    told?.('renamed');
    return kept;
  } catch (error) {
    if (error instanceof ArchiveRefusal) throw error;
    throw new ArchiveRefusal(`nothing was restored: ${words(error)}`);
  } finally {
    lock?.close();
    discard(part);
  }
}

/** The oldest schema version that a program must know to use a backup of a newer one. */
function oldestIn(raw: DatabaseSync): number {
  const hasColumn = raw
    .prepare("select 1 from pragma_table_info('schema_version') where name = 'oldest'")
    .get();
  if (hasColumn === undefined) return Number.POSITIVE_INFINITY;
  return Number(raw.prepare(oldestFor(migrations.length)).get()?.oldest);
}

/**
 * An exclusive lock on the database, with its write-ahead log checkpointed. Every process that has it open
 * holds a lock that the system releases when the process ends, however it ends. Undefined if there is no
 * database, or none SQLite can use.
 */
function lockOf(target: string): DatabaseSync | undefined {
  if (!existsSync(target)) return undefined;
  let lock: DatabaseSync | undefined;
  try {
    inOneFile(target);
    lock = new DatabaseSync(target);
    // Held until after the rename, so that no other process can intervene.
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    if (lock.prepare('PRAGMA journal_mode').get()?.journal_mode === 'delete') return lock;
    lock.close();
  } catch (error) {
    lock?.close();
    if (isSqliteDamaged(error)) return undefined; // the damage may be the reason for the restore
    if (!isSqliteBusy(error)) throw error;
  }
  throw new ArchiveRefusal(`${target} is in use: first stop the bridge and every other process that uses it`);
}

function inOneFile(target: string): void {
  const raw = new DatabaseSync(target);
  try {
    raw.exec('PRAGMA busy_timeout = 2000; PRAGMA journal_mode = DELETE');
  } finally {
    raw.close();
  }
}

/**
 * Marks the copy as restored; its tokens are not presented before an operator has acknowledged it. Who was revoked in the
 * present database stays so, and everybody signs in again: a session of the copy may have been ended since.
 */
function mark(part: string, now: number, present: DatabaseSync | undefined): void {
  const raw = new DatabaseSync(part);
  try {
    raw.exec('PRAGMA synchronous = FULL');
    if (tablesOf(raw).has('console_sessions')) raw.exec('delete from console_sessions');
    if (present !== undefined) carryReadable(present, raw);
    writeDoubt(raw, 'restored', now);
  } finally {
    raw.close();
  }
}

/** A damaged database may be the reason for the restore; the operator has been told that it could not be read. */
function carryReadable(present: DatabaseSync, copy: DatabaseSync): void {
  try {
    carryRevoked(present, copy);
  } catch (error) {
    if (!isSqliteDamaged(error)) throw error;
  }
}

function ownAs(part: string, target: string): void {
  const owner = statSync(existsSync(target) ? target : dirname(target));
  if (process.getuid?.() === 0) chownSync(part, owner.uid, owner.gid);
}

/**
 * Links the old file under another name; its own name remains until the rename. A damaged one keeps its
 * write-ahead log.
 */
function keep(target: string, now: number): string {
  const kept = freeName(`${target}.replaced-${stamp(now)}`);
  try {
    linkSync(target, kept);
  } catch (error) {
    throw new ArchiveRefusal(
      `the current database cannot be kept as ${kept} (${words(error)}): move it away yourself, then restore again`,
    );
  }
  for (const end of ['-wal', '-shm', '-journal'])
    if (existsSync(`${target}${end}`)) renameSync(`${target}${end}`, `${kept}${end}`);
  return kept;
}

/** 20261120-191200, in UTC. */
const stamp = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

function freeName(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!existsSync(name)) return name;
  }
}
