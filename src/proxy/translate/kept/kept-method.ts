import type { Snapshot } from '../../../features/snapshot/snapshot.ts';
import { lossesOf } from '../../../mapping/compile/loss.ts';
import type { Method, RecordTable } from '../../../mapping/compile/model.ts';
import { own, tablesIn, textOf } from '../../../mapping/compile/path.ts';
import type { V2Row, V2Tables } from '../../../mapping/compile/v2/v2-model.ts';
import type { Kind } from '../../../mapping/crosswalk/identifier.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { MovedCall } from '../../call/call.ts';
import { askedIn, KeptChange } from '../../writes/kept-writes.ts';
import type { Context } from '../context.ts';
import type { Given } from '../lookups/given.ts';
import { Records } from '../records.ts';

/** A method whose reply or request involves values that may be kept from V1. */
export class KeptMethod {
  /** As for the method itself, with V1's values. */
  readonly records: Records | undefined;
  /** Elements that V1 may have had, among those without a place in V2. */
  readonly elements: ReadonlySet<string>;
  /** Undefined: its requests change nothing that is kept. */
  readonly change: KeptChange | undefined;

  readonly snapshot: Snapshot;
  readonly #method: Method;

  private constructor(snapshot: Snapshot, method: Method, v2: V2Row) {
    this.snapshot = snapshot;
    this.#method = method;
    const { reply, creates } = method;
    const { keptAs } = snapshot;
    this.records = 'of' in reply ? new Records(reply.element, reply.of, creates, v2, keptAs) : undefined;
    this.elements = new Set(
      lossesOf(method).flatMap((one) =>
        one.loss === 'element' && one.kept !== undefined && keptAs.includes(one.kept) ? [one.element] : [],
      ),
    );
    this.change = KeptChange.of(method, snapshot);
  }

  /** Undefined: no kept value could be of use. */
  static of(method: Method, v2: V2Row, { lookups }: V2Tables, snapshot: Snapshot): KeptMethod | undefined {
    const { elements } = snapshot;
    const names = new Set(
      [...lookups.values()].flatMap((one) =>
        one.form === 'kept' && elements.has(one.kind) ? [one.name] : [],
      ),
    );
    const { reply, body } = method;
    const tables = ['of' in reply ? reply.of : undefined, body?.of];
    const meets = tables.some((table) => table !== undefined && meetsKept(table, names));
    const isOfUse = meets || KeptChange.of(method, snapshot) !== undefined;
    return isOfUse ? new KeptMethod(snapshot, method, v2) : undefined;
  }

  /** Undefined: the request repeats none of V1's values. */
  async unrepeated(moved: MovedCall, element: XmlElement): Promise<Given | undefined> {
    const snapshot = await this.snapshot.of(moved.to.accountId);
    if (snapshot === undefined || this.change === undefined) return undefined;
    const asked = await askedIn(element, this.#method, moved);
    return asked && this.change.unrepeated(snapshot, asked.path, asked.given);
  }
}

/** The kind of the record whose parts without an identifier a reply holds; undefined: it holds none. */
export function ownersOf({ reply }: Method): Kind | undefined {
  const kept = 'of' in reply ? reply.of.kept : undefined;
  return kept?.by === 'content' ? kept.of : undefined;
}

/** The record whose parts are read: the one in the address, or the one returned by the step named after its kind. */
export const ownerIn = (kind: Kind, { path, answers }: Pick<Context, 'path' | 'answers'>): string =>
  path.get(kind) ?? textOf(own(answers.get(kind), 'uuid')) ?? '';

function meetsKept(table: RecordTable, names: ReadonlySet<string>, seen = new Set<RecordTable>()): boolean {
  if (seen.has(table)) return false;
  seen.add(table);
  if (table.kept !== undefined && names.has(table.kept.table)) return true;
  return table.rows.some((row) => {
    const { paths = [], conditions = [] } = row.v2 ?? {};
    const ways = [...paths, ...conditions.map(({ path }) => path)];
    return (
      ways.some((way) => tablesIn(way).some((name) => names.has(name))) ||
      (row.holds !== 'value' && meetsKept(row.of, names, seen))
    );
  });
}
