/**
 * A method as V1 serves it with `uuidMode=transition`: every record shows its UUID after its other elements,
 * beside its number, and requests may name records by either. Records that V1 shows with a UUID anyway
 * (custom fields) stay as they are.
 */
import type { Method } from '../model.ts';
import { isIdentifier, type RecordRow, type RecordTable, type ValueRow } from '../records.ts';

type Rows = Map<RecordTable, RecordTable>;

/** The variant of a method. */
export function inTransition(method: Method): Method {
  const { reply, body } = method;
  return {
    ...method,
    reply: 'of' in reply ? { ...reply, of: showing(reply.of, new Map(), true) } : reply,
    body: body && { ...body, of: taking(body.of, new Map()) },
  };
}

/** `isRoot`: the table is of the record itself, not of one that it names. */
function showing(table: RecordTable, known: Rows, isRoot: boolean): RecordTable {
  const found = known.get(table);
  if (found !== undefined) return found;
  const rows: RecordRow[] = [];
  const made: RecordTable = { ...table, rows };
  known.set(table, made);
  for (const row of table.rows)
    rows.push(row.holds === 'value' ? row : { ...row, of: showing(row.of, known, false) });
  rows.push(...table.inTransition);
  const uuid = uuidRow(table, isRoot);
  if (uuid !== undefined) rows.push(uuid);
  return made;
}

/** A number that is text shows its UUID only in the record itself. */
function uuidRow({ rows }: RecordTable, isRoot: boolean): ValueRow | undefined {
  const own = rows.find((row) => row.holds === 'value' && row.element === 'ID');
  if (own?.holds !== 'value' || rows.some(({ element }) => element === 'UUID')) return undefined;
  if (!own.hasUuid || (own.kind === undefined && !isRoot)) return undefined;
  const v2 = own.v2 && { ...own.v2, ...(own.kind === undefined && { paths: UUID_PATH }) };
  const plain = {
    kind: undefined,
    unknown: undefined,
    snapshot: undefined,
    isGap: false,
    format: 'text',
  } as const;
  return { ...own, ...plain, element: 'UUID', v3: 'UUID', also: [], unset: 'omit', v2 };
}

const UUID_PATH = [[{ step: 'key', name: 'uuid' }]] as const;

function taking(table: RecordTable, known: Rows): RecordTable {
  const found = known.get(table);
  if (found !== undefined) return found;
  const rows: RecordRow[] = [];
  const byLegacyName = new Map<string, RecordRow>();
  const made: RecordTable = { ...table, rows, byLegacyName };
  known.set(table, made);
  const taken = new Map<RecordRow, RecordRow>();
  for (const row of table.rows) {
    const one = row.holds === 'value' ? row : { ...row, of: taking(row.of, known) };
    rows.push(one);
    taken.set(row, one);
  }
  for (const [name, row] of table.byLegacyName) byLegacyName.set(name, taken.get(row) ?? row);
  for (const [name, row] of table.byLegacyName)
    if (isIdentifier(row)) {
      const other = name.replace(/(?:id)?$/, 'uuid');
      if (!byLegacyName.has(other)) byLegacyName.set(other, taken.get(row) ?? row);
    }
  return made;
}
