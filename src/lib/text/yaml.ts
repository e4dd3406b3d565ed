/**
 * Reads the YAML files of the program itself: mappings, texts, profiles. Reading them all takes as long as the rest of
 * the start, and they change only with a release. So the content of a text is kept as JSON beside the compiled modules
 * (`launch.js`), under the hash of the text, and the parser is only loaded for a new text.
 *
 * If modules are not kept, nothing is kept here either. A file that is damaged or incomplete is replaced. Not for texts
 * that may hold a secret.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type * as yaml from 'yaml';

const require = createRequire(import.meta.url);

/** The parser, loaded with the first text that is new or has a fault. */
export const yamlParser = (): typeof yaml => require('yaml') as typeof yaml;

/**
 * The content of a YAML 1.2 document, as plain JSON values. `folder`: where it is kept between starts; undefined:
 * nowhere. Throws `YAMLParseError` for text that is not YAML, or has the same key twice.
 */
export function readYaml(text: string, folder = keptIn()): unknown {
  if (folder === undefined) return yamlParser().parse(text) as unknown;
  const path = join(folder, `${createHash('sha256').update(text).digest('hex')}.json`);
  const kept = keptAt(path);
  if (kept !== undefined) return kept;
  const content = yamlParser().parse(text) as unknown;
  keep(folder, path, content);
  return content;
}

/** The folder's name contains the version of Node and the user, so that neither is shared. */
function keptIn(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : join(folder, 'yaml');
}

function keptAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return undefined; // missing or incomplete
  }
}

/** Processes that start together write the same content; a reader sees one of them whole. */
function keep(folder: string, path: string, content: unknown): void {
  const part = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(part, JSON.stringify(content), { mode: 0o600 });
    renameSync(part, path);
  } catch {
    // The file system is full or read-only: the next start parses the text again.
  }
}
