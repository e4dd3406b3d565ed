import type { Kind } from '../crosswalk/identifier.ts';
import { FamilyCompiler } from './family-compiler.ts';
import type { Naming } from './family-scope.ts';
import { MappingFaults, type MappingFault } from './fault.ts';
import { compileGeneric } from './generic/generic.ts';
import type { CallPattern, KindTable, LocalMethod, Mapping, Method, PartTable } from './model.ts';
import { readIdentifiers, readMappings, type MappingFiles } from './read.ts';
import { compileTables, noTables } from './v2/v2-compile.ts';
import type { V2Tables } from './v2/v2-model.ts';

/** V3 prints UUID where V1 prints ID, also at the end of a name (XML specification, "Custom field methods"). */
export function v3Name(element: string): string {
  return element === 'ID' || element.endsWith('ID') ? `${element.slice(0, -2)}UUID` : element;
}

/** A pattern without its placeholder names: two calls with the same form cannot be told apart. */
function form(verb: string, pattern: CallPattern): string {
  return `${verb} ${pattern.segments.map((segment) => ('literal' in segment ? segment.literal : '{}')).join('/')}`;
}

function compileKinds({ identifiers }: Pick<MappingFiles, 'identifiers'>): ReadonlyMap<Kind, KindTable> {
  return new Map(
    Object.entries(identifiers.source.kinds).map(([kind, row]) => [
      kind,
      {
        kind,
        error: row.error,
        map: row.map,
        list: row.list && {
          call: row.list.call,
          query: row.list.query ?? {},
          at: row.list.at.split('/'),
          number: row.list.number,
        },
      },
    ]),
  );
}

/** The kinds of a folder of mappings, without the rest of it. Throws `MappingFaults`. */
export const kindsIn = (folder: string): ReadonlyMap<Kind, KindTable> =>
  compileKinds({ identifiers: readIdentifiers(folder) });

/** Reports parts whose record kind has no list. */
function compileParts(
  { identifiers }: MappingFiles,
  kinds: ReadonlyMap<Kind, KindTable>,
  faults: MappingFault[],
): ReadonlyMap<Kind, PartTable> {
  const parts = new Map<Kind, PartTable>();
  for (const [kind, { of, by, query = {}, at, each }] of Object.entries(identifiers.source.parts ?? {})) {
    const list = kinds.get(of)?.list;
    const place = ['parts', kind, 'of'];
    if (list === undefined)
      faults.push({
        file: identifiers.file,
        line: identifiers.line(place),
        rule: `${place.join('.')}: V1 has no list of the kind ${of}`,
      });
    else
      parts.set(kind, {
        ...{ kind, of, by, each, at: at.split('/') },
        list: { ...list, query: { ...list.query, ...query } },
      });
  }
  return parts;
}

function tablesOf(files: MappingFiles, faults: MappingFault[]): V2Tables {
  const { v2 } = files;
  if (v2 === undefined) return noTables;
  const blame = (path: readonly (string | number)[], rule: string): void => {
    faults.push({ file: v2.file, line: v2.line(path), rule: `${path.join('.')}: ${rule}` });
  };
  const tables = compileTables(v2.source, blame);
  const families = new Set(files.families.map(({ source }) => source.family));
  for (const lookup of tables.lookups.values()) {
    const { kinds, parts = {} } = files.identifiers.source;
    if (lookup.form === 'kept' && kinds[lookup.kind]?.list === undefined && !(lookup.kind in parts))
      blame(['lookups', lookup.name, 'kept'], `V1 has no list of the kind ${lookup.kind}`);
    for (const family of lookup.form === 'list' ? lookup.families : [])
      if (!families.has(family)) blame(['lookups', lookup.name, 'families'], `there is no family ${family}`);
  }
  return tables;
}

/**
 * Compiles the folder `mappings/` once at start. Throws `MappingFaults` with everything that is wrong.
 * `identifiers`: the form of identifiers on V3 (profile); with numbers nothing is renamed.
 */
export function loadMapping(folder: string, identifiers: 'uuid' | 'number' = 'uuid'): Mapping {
  const naming: Naming =
    identifiers === 'uuid' ? (element, given) => given ?? v3Name(element) : (element) => element;
  const files = readMappings(folder);
  const faults: MappingFault[] = [];
  const kinds = compileKinds(files);
  const parts = compileParts(files, kinds, faults);
  const v2 = tablesOf(files, faults);
  const families: { readonly compiler: FamilyCompiler; readonly served: readonly Method[] }[] = [];
  const local: LocalMethod[] = [];
  const seen = new Map<string, string>();
  for (const file of files.families) {
    const compiler = new FamilyCompiler(file, { kinds, parts, naming, v2 }, (fault) => faults.push(fault));
    const [served, own] = [compiler.methods(), compiler.local()];
    families.push({ compiler, served });
    local.push(...own);
    for (const { id, legacy } of [
      ...served,
      ...own.map((method) => ({ ...method, legacy: [method.legacy] })),
    ]) {
      for (const call of legacy.flatMap((pattern) => pattern.verbs.map((verb) => form(verb, pattern)))) {
        const other = seen.get(call);
        if (other !== undefined)
          faults.push({
            ...{ file: file.file, line: file.line(['methods', id, 'legacy']) },
            rule: `${call} belongs to ${other} already`,
          });
        seen.set(call, id);
      }
    }
  }
  const all = families.flatMap(({ served }) => served);
  const methods = families.flatMap(({ compiler, served }) => compiler.settled(served, all));
  const generic = compileGeneric(files.identifiers, identifiers, kinds, (fault) => faults.push(fault));
  if (faults.length > 0) throw new MappingFaults(faults);
  return { methods, local, kinds, parts, generic, v2, digest: files.digest };
}
