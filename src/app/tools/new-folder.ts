import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes files into a new folder, which appears completely or not at all. Throws the errors of writing, and `EEXIST` or
 * `ENOTEMPTY` if the folder exists.
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const [path, text] of files) {
    await mkdir(join(unfinished, dirname(path)), { recursive: true });
    await writeFile(join(unfinished, path), text);
  }
  await rename(unfinished, folder);
}
