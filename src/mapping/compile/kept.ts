import type { Kind } from '../crosswalk/identifier.ts';
import type { Method, PartTable, RecordRow, RecordTable } from './model.ts';
import type { KeptAs, KeptKey } from './records.ts';
import type { Lookup, V2Tables } from './v2/v2-model.ts';

/** The kept elements of a kind, by name in the legacy form. */
export type KeptElements = ReadonlyMap<string, KeptElement>;

/** How one element is kept. */
export interface KeptElement {
  readonly as: KeptAs;
  /** The text that means "no value": every record shows it anyway, so it is not kept. */
  readonly absent: string | undefined;
  /** V1 writes the element even if the record has no value for it. */
  readonly isWrittenEmpty: boolean;
  /** The kept value is used only where V2 has none. */
  readonly isGap: boolean;
}

/** The elements that the mapping keeps for each kind, from V1's replies before the move. */
export function keptKinds(methods: readonly Method[]): ReadonlyMap<Kind, KeptElements> {
  const kinds = new Map<Kind, Map<string, KeptElement>>();
  const seen = new Set<RecordTable>();
  for (const { reply } of methods) if ('of' in reply) gather(reply.of, kinds, seen);
  return kinds;
}

function gather(
  table: RecordTable,
  kinds: Map<Kind, Map<string, KeptElement>>,
  seen: Set<RecordTable>,
): void {
  if (seen.has(table)) return;
  seen.add(table);
  for (const row of table.rows) {
    if (row.holds !== 'value') gather(row.of, kinds, seen);
    else if (table.kept !== undefined && row.snapshot !== undefined) {
      const elements = kinds.get(table.kept.kind) ?? new Map<string, KeptElement>();
      kinds.set(table.kept.kind, elements.set(row.element, keptElement(row, row.snapshot)));
    }
  }
}

function keptElement(row: RecordRow & { readonly holds: 'value' }, as: KeptAs): KeptElement {
  const absent = row.v2?.absent;
  const isWrittenEmpty = row.unset !== 'omit' && absent === undefined && !row.isGap;
  return { as, absent, isWrittenEmpty, isGap: row.isGap };
}

/** How kept values of a record are found again; undefined if they cannot be, which is reported to `blame`. */
export function keptKeyOf(
  { rows }: RecordTable,
  { lookups }: V2Tables,
  blame: (rule: string) => void,
): KeptKey | undefined {
  const own = rows.find((row) => row.holds === 'value' && row.kind !== undefined);
  const kind = own?.holds === 'value' ? own.kind : undefined;
  const [path] = own?.v2?.paths ?? [];
  if (kind === undefined || path === undefined) {
    blame('snapshot: the record has no identifier of its own');
    return undefined;
  }
  const table = keptTable(kind, lookups, blame);
  return table && { kind, table: table.name, by: 'uuid', path };
}

/** The same for a part of a record, which has no identifier. */
export function keptPartOf(
  { byLegacyName }: RecordTable,
  { kind, of, by }: PartTable,
  { lookups }: V2Tables,
  blame: (rule: string) => void,
): KeptKey | undefined {
  const places = by.map((element) => byLegacyName.get(element.toLowerCase())?.v2?.paths ?? []);
  if (places.some((paths) => paths.length === 0)) {
    blame(`snapshot: V2 does not have all of ${by.join(', ')}`);
    return undefined;
  }
  const table = keptTable(kind, lookups, blame);
  return table && { kind, table: table.name, by: 'content', of, places, made: table.made };
}

function keptTable(
  kind: Kind,
  lookups: V2Tables['lookups'],
  blame: (rule: string) => void,
): (Lookup & { readonly form: 'kept' }) | undefined {
  for (const one of lookups.values()) if (one.form === 'kept' && one.kind === kind) return one;
  blame(`snapshot: no look-up of v2.yaml keeps the kind ${kind}`);
  return undefined;
}
