import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, storeOn, type Store } from '../../src/app/store.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';

let image: Promise<Uint8Array> | undefined;

/** A migrated database as a file holds it, made once for all suites of a process. */
export const migratedImage = (): Promise<Uint8Array> => (image ??= makeImage());

/** A new store in memory: a copy, ten times as fast as a migration. */
export const openMemoryStore = async (): Promise<Store> =>
  storeOn(sqliteEngine(':memory:', undefined, await migratedImage()));

/** A store at the address: if its SQLite file is new, it begins with the image, which takes a sixth of a migration. */
export async function openStoreAt(url: string): Promise<Store> {
  const file = url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
  if (file !== undefined && !existsSync(file)) writeFileSync(file, await migratedImage());
  return openStore(url);
}

async function makeImage(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-image-'));
  try {
    const file = join(folder, 'store.db');
    await (await openStore(`sqlite:${file}`)).close();
    return serialized(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What is in memory has no log of writes, so none may be named in the image. */
function serialized(file: string): Uint8Array {
  const raw = new DatabaseSync(file);
  try {
    raw.exec('PRAGMA journal_mode = DELETE');
    return raw.serialize();
  } finally {
    raw.close();
  }
}
