/**
 * Where the mapping names keys of V2's answers outside the rows of records: in the look-up tables that read
 * the same address, and in the steps of methods, which search an answer (`find`, `within`), take values from
 * it (`{found.uuid}`), or select among its records (`where`).
 */
import type { Mapping, RecordTable } from '../../../mapping/compile/model.ts';
import { keysIn, type Path } from '../../../mapping/compile/path.ts';
import { recordTablesIn } from '../../../mapping/compile/reply-tables.ts';
import type { Lookup, V2Row, V2Step } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit, KeyRenaming } from '../model.ts';

/**
 * A key with another name in the records at an address; `behind`: the keys from the record of the address on.
 */
export interface AnswerRenaming extends KeyRenaming {
  /** The address of the step that read it. */
  readonly segments: V2Step['segments'];
}

type LocalEdit = Edit extends infer One ? (One extends Edit ? Omit<One, 'file'> : never) : never;
type At = Edit['at'];

/** `fileOf`: the mapping file of a method. */
export function answerKeyEdits(
  { methods, v2 }: Mapping,
  fileOf: (method: string) => string,
  renaming: AnswerRenaming,
): readonly Edit[] {
  const inMethods = methods.flatMap(({ id, v2: row }) =>
    row?.way === 'steps'
      ? methodEdits(row, ['methods', id, 'v2'], renaming).map((edit) => ({ ...edit, file: fileOf(id) }))
      : [],
  );
  const inLookups = [...v2.lookups.values()].flatMap((lookup) =>
    lookupEdits(lookup, renaming).map((edit) => ({ ...edit, file: 'v2.yaml' })),
  );
  return [...inLookups, ...inMethods];
}

/**
 * The record is at another place of the answer, where the key follows fewer keys. Undefined if the record
 * does not contain it.
 */
function below(renaming: KeyRenaming, at: Path): KeyRenaming | undefined {
  const keys = keysIn(at);
  const { behind, from, to, moved } = renaming;
  if (!keys.every((key, index) => key === behind[index])) return undefined;
  if (moved !== undefined && !keys.every((key, index) => key === moved[index])) return undefined;
  return { behind: behind.slice(keys.length), from, to, moved: moved?.slice(keys.length) };
}

const pathEdit = (at: At, { behind, from, to, moved }: KeyRenaming): LocalEdit => ({
  ...{ at, change: 'path', behind, from, to, moved },
});

type ReadLookup = Lookup & { readonly form: 'list' | 'record' };

const isRead = (lookup: Lookup): lookup is ReadLookup => lookup.form === 'list' || lookup.form === 'record';

const isOfLookup = ({ segments }: ReadLookup, renaming: AnswerRenaming): boolean =>
  segments.length === renaming.segments.length &&
  segments.every((one, index) => one === '{key}' || isLiteral(renaming.segments[index], one));

function lookupEdits(lookup: Lookup, renaming: AnswerRenaming): readonly LocalEdit[] {
  if (!isRead(lookup) || !isOfLookup(lookup, renaming)) return [];
  const at = ['lookups', lookup.name];
  const paths = lookup.form === 'record' ? 'names' : 'at';
  const entry = below(renaming, lookup.form === 'list' ? (lookup.at ?? []) : []);
  return [pathEdit([...at, paths], renaming), ...fieldEdits(lookup, at, entry)];
}

/** `renaming`: from the entry on. */
function fieldEdits(lookup: ReadLookup, at: At, renaming: KeyRenaming | undefined): readonly LocalEdit[] {
  if (renaming === undefined || renaming.behind.length > 0 || renaming.moved !== undefined) return [];
  const { from, to } = renaming;
  const isKey = lookup.form === 'list' && lookup.key === from;
  const field = { at, change: 'entry', map: 'called', key: from, to } as const;
  return [
    ...(lookup.keep.includes(from) ? [field] : []),
    ...(isKey ? [{ at, change: 'set', key: 'key', to } as const] : []),
  ];
}

const isLiteral = (template: V2Step['segments'][number] | undefined, text: string): boolean =>
  template?.length === 1 && template[0] === text;

function methodEdits(row: V2Row, at: At, renaming: AnswerRenaming): readonly LocalEdit[] {
  const { reply } = row;
  const entry = isSameAddress(reply.from, renaming) ? below(renaming, reply.from.within ?? []) : undefined;
  const record = entry && below(entry, reply.at);
  return [
    ...row.steps.flatMap((step, index) => stepEdits(step, at, [...at, 'steps', index], renaming)),
    ...(entry === undefined ? [] : [pathEdit([...at, 'reply', 'at'], entry)]),
    ...(record === undefined ? [] : [pathEdit([...at, 'reply', 'where'], record)]),
  ];
}

const isSameAddress = (step: V2Step, { segments }: AnswerRenaming): boolean =>
  step.among === undefined &&
  step.verb === 'GET' &&
  step.segments.length === segments.length &&
  step.segments.every((template, index) => {
    const other = segments[index];
    const [only] = template;
    return typeof only === 'string' ? isLiteral(other, only) : typeof other?.[0] !== 'string';
  });

/** `method`: the position of the method's steps. */
function stepEdits(step: V2Step, method: At, at: At, renaming: AnswerRenaming): readonly LocalEdit[] {
  const before = step.before === undefined ? [] : stepEdits(step.before, method, [...at, 'before'], renaming);
  if (!isSameAddress(step, renaming)) return before;
  const entry = below(renaming, step.within ?? []);
  const { name } = step;
  return [
    ...before,
    pathEdit([...at, 'within'], renaming),
    ...(entry === undefined
      ? []
      : [
          { ...entry, at: [...at, 'find'], change: 'path', keys: true } as const,
          ...(name === undefined
            ? []
            : [{ ...entry, at: method, change: 'placeholder', step: name } as const]),
        ]),
  ];
}

/**
 * A record that is part of one answer and found in a look-up table for another is read by the same rows, so
 * the look-up table also keeps the field under its new name.
 */
export function lookedUpEdits(
  { methods, v2 }: Mapping,
  table: RecordTable,
  { behind, from, to, moved }: KeyRenaming,
): readonly Edit[] {
  if (behind.length > 0 || moved !== undefined) return [];
  const tables = recordTablesIn(methods.flatMap(({ reply }) => ('of' in reply ? [reply.of] : [])));
  const names = new Set(
    tables
      .flatMap(({ rows }) =>
        rows.flatMap((row) => (row.holds !== 'value' && row.of === table ? (row.v2?.paths ?? []) : [])),
      )
      .flatMap((path) => {
        const last = path.at(-1);
        return last?.step === 'lookup' ? [last.table] : [];
      }),
  );
  return [...names].flatMap((name): readonly Edit[] => {
    const lookup = v2.lookups.get(name);
    if (lookup === undefined || !isRead(lookup) || !lookup.keep.includes(from)) return [];
    const at = ['lookups', name];
    return [
      { file: 'v2.yaml', at: [...at, 'keep'], change: 'item', to },
      { file: 'v2.yaml', at, change: 'entry', map: 'called', key: to, to: from },
    ];
  });
}
