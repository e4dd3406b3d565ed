import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Document, LineCounter } from 'yaml';
import type { z } from 'zod';
import { readYaml, yamlParser } from '../../lib/text/yaml.ts';
import { MappingFaults, type MappingFault } from './fault.ts';
import { v2FileSchema, type V2FileSource } from './v2/v2-file-schema.ts';
import { familySchema, identifiersSchema, type FamilySource, type IdentifiersSource } from './schema.ts';

/** The files that all families share. */
const IDENTIFIERS_FILE = 'identifiers.yaml';
const V2_FILE = 'v2.yaml';
const general: ReadonlySet<string> = new Set([IDENTIFIERS_FILE, V2_FILE]);

type Path = readonly (string | number)[];

/** A mapping file, checked against the schema, with the position of each entry. */
export interface Located<Source> {
  readonly file: string;
  readonly source: Source;
  /**
   * The line of the deepest existing entry along `path`. Only for faults, because it parses the file again.
   */
  line(path: Path): number;
}

/** The files of the folder, checked against their schemas but not yet against each other. */
export interface MappingFiles {
  readonly families: readonly Located<FamilySource>[];
  readonly identifiers: Located<IdentifiersSource>;
  /** Undefined: no method is translated. */
  readonly v2: Located<V2FileSource> | undefined;
  /** See `Mapping.digest`. */
  readonly digest: string;
}

/** A file with its positions, needed only to report a fault. */
interface Parsed {
  readonly document: Document;
  readonly lines: LineCounter;
}

function parsed(content: string): Parsed {
  const { LineCounter, parseDocument } = yamlParser();
  const lines = new LineCounter();
  return { document: parseDocument(content, { lineCounter: lines }), lines };
}

function lineOf({ document, lines }: Parsed, path: Path): number {
  const { isNode } = yamlParser();
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** A missing file or folder is reported like any other fault. */
function unreadable(path: string): MappingFaults {
  return new MappingFaults([{ file: basename(path), line: 1, rule: 'it cannot be read' }]);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw unreadable(path);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    throw unreadable(folder);
  }
}

/** The faults of the form that was most likely meant: the one with the deepest fault, or with only one. */
function unfolded(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const forms = issue.errors.map((form) =>
    form.flatMap((inner) => unfolded({ ...inner, path: [...issue.path, ...inner.path] })),
  );
  const depth = (form: readonly z.core.$ZodIssue[]): number =>
    Math.max(...form.map(({ path }) => path.length));
  const [meant] = forms.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length);
  return meant ?? [issue];
}

/** Throws `MappingFaults`. */
function yamlIn(file: string, content: string): unknown {
  try {
    return readYaml(content);
  } catch {
    const { errors } = parsed(content).document;
    throw new MappingFaults(errors.map((error) => faultOf(file, error)));
  }
}

const faultOf = (file: string, { linePos, code, message }: Document['errors'][number]): MappingFault => ({
  file,
  line: linePos?.[0].line ?? 1,
  rule: code === 'DUPLICATE_KEY' ? 'the same name stands twice' : (message.split('\n')[0] ?? code),
});

function checkedFile<Schema extends z.ZodType>(
  file: string,
  content: string,
  schema: Schema,
): Located<z.infer<Schema>> {
  let positions: Parsed | undefined;
  const line = (at: Path): number => lineOf((positions ??= parsed(content)), at);
  // Compiling a validator for each schema would take longer than checking each file once without one.
  const checked = schema.safeParse(yamlIn(file, content), { jitless: true });
  if (checked.success) return { file, source: checked.data, line };
  throw new MappingFaults(
    checked.error.issues.flatMap(unfolded).map((issue) => {
      const at = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
      return { file, line: line(at), rule: `${at.join('.')}: ${issue.message}` };
    }),
  );
}

/** Twelve hexadecimal digits that are the same for the same mapping files. `contents`: by name. */
function digestOf(contents: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256');
  for (const name of [...contents.keys()].sort()) hash.update(`${name}\0${contents.get(name) ?? ''}\0`);
  return hash.digest('hex').slice(0, 12);
}

/** Reads the file of the kinds alone. Throws `MappingFaults`. */
export const readIdentifiers = (folder: string): Located<IdentifiersSource> =>
  checkedFile(IDENTIFIERS_FILE, contentOf(join(folder, IDENTIFIERS_FILE)), identifiersSchema);

/** Reads every mapping file of a folder. Throws `MappingFaults` with the faults of all files together. */
export function readMappings(folder: string): MappingFiles {
  const faults: MappingFault[] = [];
  const contents = new Map<string, string>();
  const read = <Schema extends z.ZodType>(
    name: string,
    schema: Schema,
  ): Located<z.infer<Schema>> | undefined => {
    try {
      const content = contentOf(join(folder, name));
      contents.set(name, content);
      return checkedFile(name, content, schema);
    } catch (error) {
      if (!(error instanceof MappingFaults)) throw error;
      faults.push(...error.faults);
      return undefined;
    }
  };
  const all = namesIn(folder).filter((name) => name.endsWith('.yaml'));
  const names = all.filter((name) => !general.has(name));
  const families = names
    .sort()
    .map((name) => read(name, familySchema))
    .filter((file) => file !== undefined);
  const identifiers = read(IDENTIFIERS_FILE, identifiersSchema);
  const v2 = all.includes(V2_FILE) ? read(V2_FILE, v2FileSchema) : undefined;
  if (faults.length > 0 || identifiers === undefined) throw new MappingFaults(faults);
  return { families, identifiers, v2, digest: digestOf(contents) };
}
