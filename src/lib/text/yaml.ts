/**
 * Reads the YAML files of the program itself: mappings, texts, profiles. To read them all takes as long as to start
 * everything else, and they change with a release at most. So what a text says is kept as JSON beside the compiled
 * modules (`launch.js`), under the hash of the text, and the parser is only loaded for a text that is new.
 *
 * Where modules are not kept, nothing is kept here either. A file that is damaged, or was not written whole, is replaced.
 * Never for a text that may hold a secret.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import type * as yaml from 'yaml';

const require = createRequire(import.meta.url);

/** The parser, loaded with the first text that is not known yet, or has a fault. */
export const yamlParser = (): typeof yaml => require('yaml') as typeof yaml;

/**
 * What a YAML 1.2 document says, as plain values of JSON. `folder`: where it is kept from start to start; undefined: nowhere.
 * Throws `YAMLParseError` for what is not YAML, or has the same key twice.
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

/** Its name holds the version of Node and the user, so no two of either share it. */
function keptIn(): string | undefined {
  const folder = getCompileCacheDir();
  return folder === undefined ? undefined : join(folder, 'yaml');
}

function keptAt(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return undefined; // not there, or not whole
  }
}

/** Processes that start together write the same; a reader sees one of them whole. */
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
