/**
 * The records that answers have shown, by kind and surface: their identifiers are used to call the methods
 * that need one.
 *
 * On every surface the same records are preferred, matched by name, so that their values can be compared.
 */
import type { Surface } from './model.ts';
import { childrenOf, labelOf, nameOf } from './judging/reference.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { TEXT_NUMBER, type Method, type RecordTable } from '../../mapping/compile/model.ts';

/** A record for calling a method. */
interface KnownRecord {
  readonly id: string;
  readonly label: string;
}

const MOST = 200;
const DEEPEST = 6;

/** The records of one run, by kind. */
export class KnownRecords {
  readonly #records = new Map<string, KnownRecord[]>();
  /** The labels of the records that each method was called with. */
  readonly #used = new Set<string>();
  readonly #names = new Map<string, Set<string>>();

  /** Adds the records of a legacy reply. */
  add(
    surface: Surface,
    table: RecordTable,
    element: string,
    records: readonly XmlElement[],
    depth = 0,
  ): void {
    if (depth > DEEPEST) return;
    for (const record of records) {
      this.#addOne(surface, table, element, record);
      for (const row of table.rows) {
        if (row.holds === 'value') continue;
        const found = childrenOf(record, [row.element]);
        const inside = row.holds === 'list' ? found.flatMap((one) => childrenOf(one, [row.child])) : found;
        this.add(surface, row.of, row.holds === 'list' ? row.child : row.element, inside, depth + 1);
      }
    }
  }

  /** Notes the names that V1 and V3 show for a method. */
  addNames(method: string, records: readonly XmlElement[]): void {
    const names = this.#names.get(method) ?? new Set<string>();
    for (const record of records) names.add(nameOf(record));
    names.delete('');
    this.#names.set(method, names);
  }

  /** The names that V1 and V3 showed for a method. */
  namesOf(method: string): readonly string[] {
    return [...(this.#names.get(method) ?? [])];
  }

  #addOne(surface: Surface, table: RecordTable, element: string, record: XmlElement): void {
    const label = labelOf(record);
    for (const row of table.rows) {
      if (row.holds !== 'value') continue;
      const isText = row.kind === undefined && row.element === 'ID';
      const kind = isText ? textKind(element) : row.kind;
      const id = childrenOf(record, [row.element])[0]?.text.trim() ?? '';
      if (kind !== undefined && id !== '') this.#enter(`${surface} ${kind}`, { id, label });
    }
  }

  #enter(key: string, record: KnownRecord): void {
    const known = this.#records.get(key) ?? [];
    if (known.length < MOST && !known.some(({ id }) => id === record.id)) known.push(record);
    this.#records.set(key, known);
  }

  /** Identifiers for calling a method, those of records used on another surface first. */
  idsOf(surface: Surface, kind: string, most: number, method = ''): readonly string[] {
    const known = this.#records.get(`${surface} ${kind}`) ?? [];
    const isUsed = ({ label }: KnownRecord): number => (this.#used.has(`${method} ${label}`) ? 0 : 1);
    const chosen = known.toSorted((a, b) => isUsed(a) - isUsed(b)).slice(0, most);
    for (const { label } of chosen) this.#used.add(`${method} ${label}`);
    return chosen.map(({ id }) => id);
  }

  /** A word that finds records; undefined if none has a name. */
  wordOf(surface: Surface, kind: string): string | undefined {
    return this.#records
      .get(`${surface} ${kind}`)
      ?.map(({ label }) => label.split(' ', 1)[0] ?? '')
      .find((word) => /^[\p{L}]{3,}$/u.test(word));
  }
}

/** Jobs, invoices, quotes and orders have text numbers and no kind of their own. */
const textKind = (element: string): string => `#${element}`;

/** The kind of the placeholder in a method's address; undefined if it has none. */
export function placeholderOf(method: Method, methods: readonly Method[]): string | undefined {
  const segments = method.legacy[0]?.segments ?? [];
  const kind = segments.flatMap((segment) => ('kind' in segment ? [segment.kind] : []))[0];
  if (kind !== TEXT_NUMBER) return kind;
  // `job.api/get/{number}`, `invoice.api/job/{number}`
  const words = segments.flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  if (words[0] === 'job.api' || words[1] === 'job') return textKind('Job');
  const single = methods.find(({ id }) => id === `${method.id.split('.', 1)[0] ?? ''}.get`)?.reply;
  return single?.form === 'one' ? textKind(single.element) : undefined;
}
