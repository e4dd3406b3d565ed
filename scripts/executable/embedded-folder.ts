/**
 * Inside the executable, the files that the program reads beside its modules (mappings, texts, templates, style sheets)
 * are assets of the executable, and `readFileSync` and `readdirSync` find them under `EMBEDDED`. Everything else is
 * read from the disk as usual. Nothing is written there.
 */
import fs from 'node:fs';
import { getAsset, getAssetKeys } from 'node:sea';

/** The executable does not see a folder of this name on the disk. */
export const EMBEDDED = '/embedded/causeway';

const within = `${EMBEDDED}/`;

const missing = (path: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: 'ENOENT' });

function contentOf(path: string): Buffer {
  try {
    return Buffer.from(getAsset(path.slice(within.length)));
  } catch {
    throw missing(path);
  }
}

/** The names of files and folders in a folder. */
function namesIn(folder: string, keys: readonly string[]): readonly string[] {
  const start = `${folder.slice(within.length)}/`;
  const names = keys
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length).split('/')[0] ?? '');
  if (names.length === 0) throw missing(folder);
  return [...new Set(names)];
}

const isEmbedded = (path: unknown): path is string => typeof path === 'string' && path.startsWith(within);

type Read = (path: unknown, options?: unknown) => unknown;

const encodingOf = (options: unknown): unknown =>
  typeof options === 'object' && options !== null && 'encoding' in options ? options.encoding : options;

/** Called once, before any module of the program is loaded. */
export function openEmbeddedFolder(): void {
  const readFileSync = fs.readFileSync as Read;
  const readdirSync = fs.readdirSync as Read;
  const keys = getAssetKeys();
  const readFile: Read = (path, options) => {
    if (!isEmbedded(path)) return readFileSync(path, options);
    const encoding = encodingOf(options);
    const content = contentOf(path);
    return typeof encoding === 'string' ? content.toString(encoding as BufferEncoding) : content;
  };
  const readFolder: Read = (path, options) =>
    isEmbedded(path) ? namesIn(path, keys) : readdirSync(path, options);
  fs.readFileSync = readFile as typeof fs.readFileSync;
  fs.readdirSync = readFolder as typeof fs.readdirSync;
}
