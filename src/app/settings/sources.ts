import { parse } from 'yaml';
import { nearest } from '../../lib/text/nearest.ts';
import { fileKey, names, table, type Name } from './table.ts';

/** The text of one setting and where it came from, for error messages. */
export interface Given {
  readonly text: string;
  readonly origin: string;
}

/** Reads a whole text file; throws what node throws. */
export type ReadText = (path: string) => string;

/** The texts of all settings, where each came from, and what could not be read. */
export interface Gathered {
  readonly given: ReadonlyMap<Name, Given>;
  readonly faults: readonly string[];
}

/** One source of settings, reduced to variables and texts. */
type Source = readonly { readonly variable: string; readonly text: string; readonly origin: string }[];

const variableOf = new Map<string, string>(
  names
    .flatMap((name) => [name, ...(table[name].secret ? [`${name}_FILE`] : [])])
    .map((name) => [fileKey(name), name]),
);

const known = new Set(variableOf.values());

const reason = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';

/** Compared without the prefix, which everybody gets right. */
function meant(variable: string): string {
  const base = variable.replace(/_FILE$/, '');
  if (base !== variable && known.has(base)) return '; only secrets can be given as a file';
  const near = nearest(fileKey(variable), [...variableOf.keys()]).map((key) => variableOf.get(key) ?? key);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

function meantKey(key: string): string {
  const near = nearest(key, [...variableOf.keys()]);
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}

/** `CAUSEWAY_TEST_…` belongs to the project's tests, which start bridges in their own environment. */
const isSetting = (variable: string): boolean =>
  variable.startsWith('CAUSEWAY_') &&
  variable !== 'CAUSEWAY_CONFIG' &&
  !variable.startsWith('CAUSEWAY_TEST_');

/** An empty variable counts as not set, as `NAME=` in an env file is meant. */
function fromEnvironment(env: NodeJS.ProcessEnv, faults: string[]): Source {
  return Object.entries(env).flatMap(([variable, value]) => {
    if (!isSetting(variable)) return [];
    if (!known.has(variable)) {
      faults.push(`${variable}: there is no such setting${meant(variable)}`);
      return [];
    }
    return value === undefined || value === '' ? [] : [{ variable, text: value, origin: variable }];
  });
}

/** `{ database: { url: x } }` and `{ 'database.url': x }` mean the same. */
function flatten(value: unknown, path: string): readonly (readonly [key: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(inner, path === '' ? key : `${path}.${key}`),
  );
}

function fromFile(path: string, readText: ReadText, faults: string[]): Source {
  const document = readDocument(path, readText, faults);
  if (document === undefined || document === null) return [];
  if (typeof document !== 'object' || Array.isArray(document)) {
    faults.push(`CAUSEWAY_CONFIG: ${path} must hold keys and values`);
    return [];
  }
  return flatten(document, '').flatMap(([key, value]) => fileEntry(path, key, value, faults));
}

function readDocument(path: string, readText: ReadText, faults: string[]): unknown {
  let content: string;
  try {
    content = readText(path);
  } catch (error) {
    faults.push(`CAUSEWAY_CONFIG: ${path} cannot be read (${reason(error)})`);
    return undefined;
  }
  try {
    return parse(content, { prettyErrors: false, schema: 'core' }) as unknown;
  } catch {
    // The parser's message quotes the line, which may contain a secret.
    faults.push(`CAUSEWAY_CONFIG: ${path} is not YAML`);
    return undefined;
  }
}

function fileEntry(path: string, key: string, value: unknown, faults: string[]): Source {
  const variable = variableOf.get(key);
  if (variable === undefined) {
    faults.push(`CAUSEWAY_CONFIG: ${path} has the unknown key ${key}${meantKey(key)}`);
    return [];
  }
  if (value === null || value === '') return [];
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ variable, text: String(value), origin: `${variable} (${key} in ${path})` }];
  faults.push(`${variable} (${key} in ${path}): must be a single value`);
  return [];
}

/** A secret as given: itself, or the text of the file it names without its last line break. */
function resolve(name: Name, source: Source, readText: ReadText, faults: string[]): Given | undefined {
  const direct = source.find(({ variable }) => variable === name);
  const byFile = source.find(({ variable }) => variable === `${name}_FILE`);
  if (direct !== undefined && byFile !== undefined) {
    faults.push(`${name}: is given twice, as ${direct.origin} and as ${byFile.origin}`);
    return direct;
  }
  if (byFile === undefined) return direct;
  try {
    return { text: readText(byFile.text).replace(/\r?\n$/, ''), origin: byFile.origin };
  } catch (error) {
    faults.push(`${byFile.origin}: the file cannot be read (${reason(error)})`);
    // The setting was given: do not report it as missing, too.
    return { text: '', origin: byFile.origin };
  }
}

/** The environment overrides the file; every fault is collected, none is thrown. */
export function gather(env: NodeJS.ProcessEnv, readText: ReadText): Gathered {
  const faults: string[] = [];
  const config = env.CAUSEWAY_CONFIG ?? '';
  const sources = [fromEnvironment(env, faults), config === '' ? [] : fromFile(config, readText, faults)];
  const given = new Map<Name, Given>();
  for (const name of names) {
    for (const source of sources) {
      const found = given.has(name) ? undefined : resolve(name, source, readText, faults);
      if (found !== undefined) given.set(name, found);
    }
  }
  return { given, faults };
}
