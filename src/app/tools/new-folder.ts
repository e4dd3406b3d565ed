import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

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
