import type { Kind } from '../../crosswalk/identifier.ts';
import type { MappingFault } from '../fault.ts';
import { TEXT_NUMBER, type GenericTable, type KindTable, type Rename } from '../model.ts';
import type { Located } from '../read.ts';
import type { IdentifiersSource } from '../schema.ts';

interface Renames {
  readonly legacy: ReadonlyMap<string, Rename>;
  readonly v3: ReadonlyMap<string, Rename>;
}

const none: Renames = { legacy: new Map(), v3: new Map() };

/** Element names are compared in any case, as the legacy service did. */
function renames(table: Readonly<Record<string, { readonly v3: string; readonly kind: Kind }>>): Renames {
  const rows = Object.entries(table).map(([legacy, row]): Rename => ({ legacy, ...row }));
  return {
    legacy: new Map(rows.map((row) => [row.legacy.toLowerCase(), row])),
    v3: new Map(rows.map((row) => [row.v3.toLowerCase(), row])),
  };
}

function byName<Row>(table: Readonly<Record<string, Row>>): ReadonlyMap<string, Row> {
  return new Map(Object.entries(table).map(([name, row]) => [name.toLowerCase(), row]));
}

/** The rows of a nested table, each with its path. */
function nested<Row>(table: Readonly<Record<string, Readonly<Record<string, Row>>>>): [string[], Row][] {
  return Object.entries(table).flatMap(([outer, rows]) =>
    Object.entries(rows).map(([inner, row]): [string[], Row] => [[outer, inner], row]),
  );
}

/** `identifiers`: with numbers on V3 no name is changed. */
export function compileGeneric(
  file: Located<IdentifiersSource>,
  identifiers: 'uuid' | 'number',
  kinds: ReadonlyMap<Kind, KindTable>,
  fault: (fault: MappingFault) => void,
): GenericTable {
  const { generic } = file.source;
  const used: [Kind, string[]][] = [
    ...Object.entries(generic.records).map(([name, kind]): [Kind, string[]] => [kind, ['records', name]]),
    ...Object.entries(generic.paths).map(([name, kind]): [Kind, string[]] => [kind, ['paths', name]]),
    ...Object.entries(generic.names).map(([name, row]): [Kind, string[]] => [row.kind, ['names', name]]),
    ...nested(generic.families).map(([at, kind]): [Kind, string[]] => [kind, ['families', ...at]]),
    ...nested(generic.inside).map(([at, row]): [Kind, string[]] => [row.kind, ['inside', ...at]]),
    ...nested(generic.attributes).map(([at, row]): [Kind, string[]] => [row.kind, ['attributes', ...at]]),
  ];
  for (const [kind, path] of used) {
    const at = ['generic', ...path];
    if (!kinds.has(kind) && !(kind === TEXT_NUMBER && path[0] === 'paths'))
      fault({ file: file.file, line: file.line(at), rule: `${at.join('.')}: ${kind} is no kind` });
  }
  const records = byName(generic.records);
  const families = new Map(
    Object.entries(generic.families).map(([family, table]) => [family, byName(table)]),
  );
  const names = renames(generic.names);
  const inside = new Map(
    Object.entries(generic.inside).map(([name, table]) => [name.toLowerCase(), renames(table)]),
  );
  const attributes = new Map(
    Object.entries(generic.attributes).map(([family, table]) => [family, renames(table)]),
  );
  const paths = new Map(Object.entries(generic.paths));
  const creates = new Map<string, readonly string[]>(Object.entries(generic.creates));
  const verbs = new Map(
    Object.entries(generic.verbs).map(([method, table]) => [method, new Map(Object.entries(table))]),
  );
  const requires = new Map(Object.entries(generic.requires));
  const calls = {
    required: (segments: readonly string[]) => requires.get(methodOf(segments)) ?? [],
    verb: (verb: string, segments: readonly string[]): string =>
      verbs.get(methodOf(segments))?.get(verb) ?? verb,
    creates: (verb: string, segments: readonly string[]) =>
      creates.get(verb)?.includes(segments[1]?.toLowerCase() ?? '') ?? false,
  };
  if (identifiers === 'number') return { ...untouched, ...calls };
  return {
    ...calls,
    recordKind: (family, element) =>
      families.get(family)?.get(element.toLowerCase()) ?? records.get(element.toLowerCase()),
    byLegacyName: (parent, element) =>
      (inside.get(parent.toLowerCase()) ?? none).legacy.get(element.toLowerCase()) ??
      names.legacy.get(element.toLowerCase()),
    byV3Name: (parent, element) =>
      (inside.get(parent.toLowerCase()) ?? none).v3.get(element.toLowerCase()) ??
      names.v3.get(element.toLowerCase()),
    attribute: (family, name, from) => (attributes.get(family) ?? none)[from].get(name.toLowerCase()),
    pathKind: (segments) => {
      const kind = paths.get(methodOf(segments)) ?? paths.get(segments[0] ?? '');
      return kind === TEXT_NUMBER ? undefined : kind;
    },
  };
}

const methodOf = (segments: readonly string[]): string => segments.slice(0, 2).join('/').toLowerCase();

const untouched = {
  recordKind: () => undefined,
  byLegacyName: () => undefined,
  byV3Name: () => undefined,
  attribute: () => undefined,
  pathKind: () => undefined,
};
