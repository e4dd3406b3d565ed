import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generators } from './docs/generators.ts';

// npm run docs: writes the generated files. With --check it writes nothing and ends with code 1 if one differs.

const project = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');

const present = async (path: string): Promise<string | undefined> =>
  readFile(path, 'utf8').catch(() => undefined);

for (const { path, write } of generators) {
  const text = await write();
  const file = join(project, path);
  if ((await present(file)) === text) continue;
  if (check) {
    console.log(`${path} is not what npm run docs writes`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
