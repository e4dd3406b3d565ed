/**
 * The sources of the settings' texts: the environment, the file that `CAUSEWAY_CONFIG` names, and files with secrets.
 * Former names of settings are understood, and noted. The texts are interpreted elsewhere; unreadable ones and unknown
 * names are collected here.
 */
import { nearest } from '../../lib/text/nearest.ts';
import { yamlParser } from '../../lib/text/yaml.ts';
import { renamed, workingUntil, type Renamings } from './renamed.ts';
import { fileKey, names, table, type Name } from './table.ts';

/** The text of one setting and its source, for error messages. */
export interface Given {
  readonly text: string;
  readonly origin: string;
}

/** Reads a whole text file. Throws Node's errors. */
export type ReadText = (path: string) => string;

/** The texts of all settings, the source of each, and the faults. */
export interface Gathered {
  readonly given: ReadonlyMap<Name, Given>;
  readonly faults: readonly string[];
  /** For settings given by a former name. */
  readonly notices: readonly string[];
}

/** The collectors of faults and notices, and the valid former names. */
interface Gathering {
  readonly faults: string[];
  readonly notices: string[];
  readonly renamings: Renamings;
}

/** One source of settings, reduced to variables and texts. */
type Source = readonly { readonly variable: string; readonly text: string; readonly origin: string }[];

const variableOf = new Map<string, string>(
  names
    .flatMap((name) => [name, ...(table[name].secret ? [`${name}_FILE`] : [])])
    .map((name) => [fileKey(name), name]),
);

const known = new Set(variableOf.values());

/** In a word, why a file cannot be read. */
export const reason = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read';

/** The end of a fault about an unknown name: the names probably meant, if any. */
export const hint = (near: readonly string[]): string =>
  near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;

/** The names probably meant, compared without the prefix, which is always right. */
function meant(variable: string): string {
  const base = variable.replace(/_FILE$/, '');
  if (base !== variable && known.has(base)) return '; only secrets can be given as a file';
  return hint(nearest(fileKey(variable), [...variableOf.keys()]).map((key) => variableOf.get(key) ?? key));
}

const meantKey = (key: string): string => hint(nearest(key, [...variableOf.keys()]));

/** `CAUSEWAY_TEST_…` belongs to the project's tests, which start bridges in their own environment. */
const isSetting = (variable: string): boolean =>
  variable.startsWith('CAUSEWAY_') &&
  variable !== 'CAUSEWAY_CONFIG' &&
  !variable.startsWith('CAUSEWAY_TEST_');

/** The present name of a variable, noting the use of a former one; other names are returned as they are. */
function presentName(variable: string, { notices, renamings }: Gathering): string {
  const file = !(variable in renamings) && variable.endsWith('_FILE') ? '_FILE' : '';
  const renaming = renamings[variable.slice(0, variable.length - file.length)];
  if (renaming === undefined || known.has(variable)) return variable;
  const now = `${renaming.now}${file}`;
  notices.push(
    `${variable} is called ${now} since ${renaming.since}: its former name works until ${workingUntil(renaming)}`,
  );
  return now;
}

/** An empty variable counts as not set, which is what `NAME=` in an env file means. */
function fromEnvironment(env: NodeJS.ProcessEnv, gathering: Gathering): Source {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!isSetting(name)) return [];
    const variable = presentName(name, gathering);
    if (!known.has(variable)) {
      gathering.faults.push(`${name}: there is no such setting${meant(name)}`);
      return [];
    }
    return value === undefined || value === '' ? [] : [{ variable, text: value, origin: name }];
  });
}

/** `{ database: { url: x } }` and `{ 'database.url': x }` mean the same. */
export function flatten(value: unknown, path: string): readonly (readonly [key: string, value: unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(inner, path === '' ? key : `${path}.${key}`),
  );
}

function fromFile(path: string, readText: ReadText, gathering: Gathering): Source {
  const { faults } = gathering;
  const document = readDocument({ path, variable: 'CAUSEWAY_CONFIG', readText, faults });
  if (document === undefined || document === null) return [];
  if (typeof document !== 'object' || Array.isArray(document)) {
    faults.push(`CAUSEWAY_CONFIG: ${path} must be YAML with keys and values, such as port: 8080`);
    return [];
  }
  return flatten(document, '').flatMap(([key, value]) => fileEntry(path, key, value, gathering));
}

/** The content of a YAML (or JSON) file; undefined, with a fault, if it cannot be read. */
export function readDocument({
  path,
  variable,
  readText,
  faults,
}: {
  readonly path: string;
  readonly variable: string;
  readonly readText: ReadText;
  readonly faults: string[];
}): unknown {
  let content: string;
  try {
    content = readText(path);
  } catch (error) {
    faults.push(`${variable}: ${path} cannot be read (${reason(error)})`);
    return undefined;
  }
  const assigned = content.split('\n').findIndex((line) => ASSIGNED.test(line)) + 1;
  if (assigned > 0) {
    faults.push(
      `${variable}: ${path} is read as YAML (port: 8080), but line ${assigned} is NAME=value, as for the environment`,
    );
    return undefined;
  }
  try {
    // Read as a number, a secret or an id of digits would lose its leading zeros and its last places.
    const asWritten = { schema: 'failsafe', customTags: ['null', 'bool'] as ('null' | 'bool')[] } as const;
    return yamlParser().parse(content, { prettyErrors: false, ...asWritten }) as unknown;
  } catch {
    // The parser's message quotes the line, which may contain a secret.
    faults.push(`${variable}: ${path} is not YAML, or has a key twice`);
    return undefined;
  }
}

/** A line of a file for the environment. YAML takes some for keys, and an unknown key is quoted with its secret. */
const ASSIGNED = /^(?:export\s+)?[A-Z][A-Z\d_]*=/;

/** The variable for a key of the file, by its present name or by a former one. */
function variableFor(key: string, gathering: Gathering): string | undefined {
  const former = Object.keys(gathering.renamings).flatMap((name) => [name, `${name}_FILE`]);
  const found = former.find((name) => fileKey(name) === key);
  const variable = found === undefined ? undefined : presentName(found, gathering);
  return variableOf.get(key) ?? (variable !== undefined && known.has(variable) ? variable : undefined);
}

function fileEntry(path: string, key: string, value: unknown, gathering: Gathering): Source {
  const { faults } = gathering;
  const variable = variableFor(key, gathering);
  if (variable === undefined) {
    faults.push(`CAUSEWAY_CONFIG: ${path} has the unknown key ${key}${meantKey(key)}`);
    return [];
  }
  if (value === null || value === '') return [];
  if (typeof value === 'string' || typeof value === 'boolean')
    return [{ variable, text: String(value), origin: `${variable} (${key} in ${path})` }];
  faults.push(`${variable} (${key} in ${path}): must be a single value`);
  return [];
}

/** The text of a file with a secret, without its last line break. Throws the errors of `readText`. */
export const secretIn = (path: string, readText: ReadText): string => readText(path).replace(/\r?\n$/, '');

/** A secret as given: the text itself, or the content of the file it names. */
function resolve(name: Name, source: Source, readText: ReadText, faults: string[]): Given | undefined {
  const [first, second] = [name, `${name}_FILE`].flatMap((one) =>
    source.filter(({ variable }) => variable === one),
  );
  if (first !== undefined && second !== undefined) {
    faults.push(`${name}: is given twice, as ${first.origin} and as ${second.origin}`);
    return first;
  }
  if (first === undefined || first.variable === name) return first;
  const byFile = first;
  try {
    return { text: secretIn(byFile.text, readText), origin: byFile.origin };
  } catch (error) {
    faults.push(`${byFile.origin}: the file cannot be read (${reason(error)})`);
    // The setting was given: do not report it as missing, too.
    return { text: '', origin: byFile.origin };
  }
}

/** The environment overrides the file; every fault is collected, none is thrown. */
export function gather(env: NodeJS.ProcessEnv, readText: ReadText, renamings: Renamings = renamed): Gathered {
  const [faults, notices]: [string[], string[]] = [[], []];
  const gathering = { faults, notices, renamings };
  const config = env.CAUSEWAY_CONFIG ?? '';
  const sources = [
    fromEnvironment(env, gathering),
    config === '' ? [] : fromFile(config, readText, gathering),
  ];
  const given = new Map<Name, Given>();
  for (const name of names) {
    for (const source of sources) {
      const found = given.has(name) ? undefined : resolve(name, source, readText, faults);
      if (found !== undefined) given.set(name, found);
    }
  }
  return { given, faults, notices };
}
