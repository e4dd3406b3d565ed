/**
 * Corrections for an element with another name on V1, in the rows that say how an unknown outcome is looked
 * up: the `settle` rows of writes whose look-up reads such records. What a write sends keeps its name.
 */
import type { Method, RecordTable } from '../../../mapping/compile/model.ts';
import { isSameRecord } from '../../../mapping/compile/reply-tables.ts';
import type { Compared, SettleChanged, SettleRead } from '../../../mapping/settle/model.ts';
import type { Edit } from '../model.ts';

/** An element of a table's records, with its other name. */
export interface Renaming {
  readonly table: RecordTable;
  readonly from: string;
  readonly to: string;
}

/** `fileOf`: the mapping file of a method. */
export const settleEdits = (
  methods: readonly Method[],
  fileOf: (method: string) => string,
  renaming: Renaming,
): readonly Edit[] =>
  methods.flatMap((method) => {
    const place = { file: fileOf(method.id), at: ['methods', method.id, 'settle'] };
    return editsOf(method, renaming).map((edit) => ({ ...edit, ...place, at: [...place.at, ...edit.at] }));
  });

type LocalEdit = Edit extends infer One ? (One extends Edit ? Omit<One, 'file'> : never) : never;

function editsOf(method: Method, renaming: Renaming): readonly LocalEdit[] {
  const { settle } = method;
  if (settle === undefined || settle.way === 'none') return [];
  const read = settle.way === 'made' ? settle.list : settle.read;
  const compared = settle.way === 'gone' ? [] : settle.compared;
  const expected = settle.way === 'made' ? [] : settle.is;
  return [
    ...atEdits(read, renaming),
    ...expected.flatMap(({ shown }): readonly LocalEdit[] =>
      isSameRecord(read.of, renaming.table) && isName(shown, renaming.from)
        ? [{ at: ['is', shown], change: 'key', to: renaming.to }]
        : [],
    ),
    ...compared.flatMap((one) => sameEdits(method, read, one, renaming)),
    ...(settle.way === 'changed' ? namedEdits(method, settle, renaming) : []),
  ];
}

const isName = (one: string | undefined, other: string): boolean =>
  one?.toLowerCase() === other.toLowerCase();

/** The list within a record whose entries are compared. */
const atEdits = ({ within, at }: SettleRead, { table, from, to }: Renaming): readonly LocalEdit[] =>
  isSameRecord(within, table) && isName(at.at(-2), from) ? [{ at: ['at'], change: 'text', to }] : [];

/** In a list: the element that names the record, and the elements of its entries. */
function namedEdits(
  { body }: Method,
  { read, find, entries }: SettleChanged,
  { table, from, to }: Renaming,
): readonly LocalEdit[] {
  if (!isSameRecord(read.of, table)) return [];
  const inner = body?.of.byLegacyName.get(entries?.sent ?? '');
  const rows = inner?.holds === 'many' ? inner.of.rows : [];
  const renamed = [...(entries?.keys ?? []), ...(entries?.values ?? [])].filter(({ shown }) =>
    isName(shown[0], from),
  );
  const elements = [
    ...(find !== undefined && isName(find.shown, from)
      ? (body?.of.rows.filter(({ element }) => isName(element, find.sent[0] ?? '')) ?? [])
      : []),
    ...renamed.flatMap(({ sent }) => rows.filter(({ element }) => isName(element, sent[0] ?? ''))),
  ];
  return elements.map(({ element }) => ({ at: [], change: 'entry', map: 'same', key: element, to }));
}

/** Where the record shows the element under its new name while the message keeps the old one. */
function sameEdits(
  { body }: Method,
  { of }: SettleRead,
  { sent, shown }: Compared,
  renaming: Renaming,
): readonly LocalEdit[] {
  const to = shownAs(of, shown, renaming);
  const element = body?.of.rows.find((one) => isName(one.element, sent[0] ?? ''))?.element;
  return to === undefined || element === undefined
    ? []
    : [{ at: [], change: 'entry', map: 'same', key: element, to: to.join('/') }];
}

/** The path of names from the record, with the renamed one replaced; undefined if none is renamed. */
function shownAs(
  of: RecordTable,
  [outer = '', ...inner]: readonly string[],
  { table, from, to }: Renaming,
): readonly string[] | undefined {
  if (isSameRecord(of, table) && isName(outer, from)) return [to, ...inner];
  const row = of.byLegacyName.get(outer.toLowerCase());
  const isInside = row?.holds === 'one' && isSameRecord(row.of, table) && isName(inner[0], from);
  return isInside ? [outer, to] : undefined;
}
