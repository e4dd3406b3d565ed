import { access, constants, lstat, mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { wordsOf } from '../../lib/log/log.ts';
import { Refusal } from '../../lib/log/terminal.ts';

/** For work that is lost if its folder cannot be written in the end. Throws `Refusal`. */
export async function checkNewFolder(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.length > 0) throw new Refusal(`${folder} is not empty; name a new or empty folder`);
  await checkWritable(dirname(resolve(folder)), folder);
  await tryToWrite(folder);
}

/** Not every folder that seems writable is: it may be a place where another file system is mounted, or its name too long. */
async function tryToWrite(folder: string): Promise<void> {
  const target = resolve(folder);
  const missing = await missingFolders(target);
  try {
    if (missing.length > 0) await writeFolder(target, new Map());
    else await tryToReplace(target);
  } catch (error) {
    throw cannot(folder, error);
  } finally {
    // One that somebody has put something into meanwhile stays.
    for (const made of missing) await rmdir(made).catch(() => undefined);
  }
}

/** The folder and those that contain it, the innermost first, as far as they do not exist. */
async function missingFolders(folder: string): Promise<readonly string[]> {
  const exists = await lstat(folder).then(
    () => true,
    () => false,
  );
  return exists ? [] : [folder, ...(await missingFolders(dirname(folder)))];
}

/** Whether a new folder could take the place of an empty one, which stays the same folder, with its mode. */
async function tryToReplace(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new Error('it is a link to a folder');
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished);
  await rmdir(unfinished);
  await rename(folder, unfinished);
  await rename(unfinished, folder);
}

/** The contents of a folder, none if it does not exist. Throws `Refusal`. */
export const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw cannot(folder, error);
  });

/** The nearest existing folder decides. Throws `Refusal`. */
export async function checkWritable(place: string, folder: string): Promise<void> {
  try {
    await access(place, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(place) === place) throw cannot(folder, error);
    await checkWritable(dirname(place), folder);
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** The refusal for a folder that an error keeps from being written. */
export const cannot = (folder: string, error: unknown): Refusal =>
  new Refusal(`${folder} cannot be written: ${wordsOf(error)}`);

/**
 * Writes files into a new folder, which appears completely or not at all. Throws the errors of writing, and `EEXIST` or
 * `ENOTEMPTY` if the folder exists.
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  // Without the slash that a shell completes: `out/.unfinished` would be inside the folder.
  const target = resolve(folder);
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  try {
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    for (const [path, text] of files) {
      await mkdir(join(unfinished, dirname(path)), { recursive: true });
      await writeFile(join(unfinished, path), text);
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}
