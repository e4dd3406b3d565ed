/**
 * `causeway backup` records in the database when it made a copy. The record is not in that copy but in the next one,
 * and copies by other tools are not seen.
 */
import { StoredSettings } from '../../db/settings.ts';
import type { Engine } from '../../db/engine.ts';
import { DAY, HOUR } from '../../lib/time/clock.ts';
import { openEngine } from '../migration.ts';
import { failed, ok, unknown, warning, type Verdict } from './model.ts';

/** Name in the settings of the store: milliseconds since the epoch. */
const LAST_BACKUP = 'last-backup';
/** A daily backup may take its time. */
const LATE = 26 * HOUR;
const TOO_LATE = 7 * DAY;

/** Records in the database that a copy of it was made. Throws `StoreFault`. */
export async function noteBackup(url: string, at: number): Promise<void> {
  const engine = await openEngine(url);
  try {
    await new StoredSettings(engine).set(LAST_BACKUP, String(at));
  } finally {
    await engine.db.destroy();
  }
}

/** How old the last backup is. */
export async function backupAge(engine: Engine, now: number): Promise<Verdict> {
  const noted = await new StoredSettings(engine).get(LAST_BACKUP);
  const remedy = 'causeway backup FILE, every day by a timer (docs/operate/backup.md)';
  if (noted === undefined)
    return unknown('causeway backup has made none; it cannot see backups made with other tools', remedy);
  const age = now - Number(noted);
  const words = `the last one by causeway backup is ${Math.floor(age / HOUR)} hours old`;
  if (age > TOO_LATE) return failed(words, remedy);
  return age > LATE ? warning(words, remedy) : ok(words);
}
