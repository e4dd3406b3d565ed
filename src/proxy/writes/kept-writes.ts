/**
 * Updates the values kept from V1 (`features/snapshot`) after the account's own writes since the move, whichever route
 * they take: once the service has carried one out, its values for kept elements are returned from then on. If the
 * process dies in between, V1's earlier value stays, with its time.
 */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { AccountSnapshot, KeptFields, Snapshot } from '../../features/snapshot/snapshot.ts';
import type { Kind, UuidId } from '../../mapping/crosswalk/identifier.ts';
import type { Method, RecordRow } from '../../mapping/compile/model.ts';
import { formatOf } from '../../mapping/formats.ts';
import type { MovedCall, Reply, Service } from '../call/call.ts';
import type { BodyReader } from '../call/body-reader.ts';
import { readGiven, type Given, type GivenValue } from '../translate/lookups/given.ts';

type ValueRow = RecordRow & { readonly holds: 'value' };

/** The kept elements in a method's requests. */
export class KeptChange {
  readonly #snapshot: Snapshot;
  readonly #kind: Kind;
  readonly #key: string | undefined;
  readonly #rows: readonly ValueRow[];
  /** Changes implied by the method itself: a deleted record is marked as such. */
  readonly #marks: KeptFields;

  private constructor(
    snapshot: Snapshot,
    kind: Kind,
    { rows, marks }: { readonly rows: readonly ValueRow[]; readonly marks: KeptFields },
    key: string | undefined,
  ) {
    this.#snapshot = snapshot;
    this.#kind = kind;
    this.#rows = rows;
    this.#marks = marks;
    this.#key = key;
  }

  /** Undefined: its requests contain no kept elements, or name no existing record. */
  static of(method: Method, snapshot: Snapshot): KeptChange | undefined {
    const { body, creates } = method;
    if (body === undefined || creates) return undefined;
    const values = body.of.rows.filter((row) => row.holds === 'value');
    const kind = changedKind(method, values);
    const names = snapshot.elements.get(kind);
    if (names === undefined) return undefined;
    const rows = values.filter(({ element }) => names.has(element));
    const marks = Object.fromEntries(marksOf(method).filter(([element]) => names.has(element)));
    if (rows.length === 0 && Object.keys(marks).length === 0) return undefined;
    const key = values.find((row) => row.kind === kind)?.element;
    return new KeptChange(snapshot, kind, { rows, marks }, key);
  }

  /**
   * The request without values that merely repeat V1's: like a masked tax number, they are not passed on. `path`: the
   * identifiers of the address, by kind.
   */
  async unrepeated(account: AccountSnapshot, path: ReadonlyMap<Kind, string>, given: Given): Promise<Given> {
    const id = this.#named(path, given);
    const [kept] = id === undefined ? [] : await this.#snapshot.read(account, [id]);
    if (kept === undefined) return given;
    const elements = this.#snapshot.elements.get(this.#kind);
    const repeats = new Set(
      this.#said(given).flatMap(([element, text]) =>
        text === kept.fields[element] &&
        !this.#clears(element, text) &&
        elements?.get(element)?.isGap !== true
          ? [element]
          : [],
      ),
    );
    if (repeats.size === 0) return given;
    return Object.fromEntries<GivenValue>(Object.entries(given).filter(([element]) => !repeats.has(element)));
  }

  /** Whether an empty text clears a value that V2 may have got since. */
  #clears(element: string, text: string): boolean {
    const row = this.#rows.find((one) => one.element === element);
    return text === '' && (row?.v2?.paths ?? []).length > 0;
  }

  #named(path: ReadonlyMap<Kind, string>, given: Given): UuidId | undefined {
    const uuid = this.#key === undefined ? path.get(this.#kind) : given[this.#key];
    return typeof uuid === 'string' ? { kind: this.#kind, uuid } : undefined;
  }

  #said(given: Given): readonly (readonly [element: string, text: string])[] {
    return this.#rows.flatMap(({ element, format }) => {
      const text = given[element];
      return typeof text === 'string' ? [[element, legacyText(format, text)] as const] : [];
    });
  }

  /** `path`: as for `unrepeated`. */
  async make(accountId: string, path: ReadonlyMap<Kind, string>, given: Given): Promise<void> {
    const id = this.#named(path, given);
    if (id === undefined || (await this.#snapshot.of(accountId)) === undefined) return;
    const said = { ...Object.fromEntries(this.#said(given)), ...this.#marks };
    await this.#snapshot.change(accountId, id, said);
  }
}

/** The kind of the reply's record, or of the one that the request names; empty: none. */
function changedKind({ reply }: Method, values: readonly ValueRow[]): Kind {
  const kept = 'of' in reply ? reply.of.kept : undefined;
  if (kept?.by === 'uuid') return kept.kind;
  return values.find(({ element }) => element === 'ID')?.kind ?? '';
}

/** What a record shows once the method has been carried out. */
const marksOf = ({ settle }: Method): readonly (readonly [element: string, text: string])[] =>
  settle === undefined || !('is' in settle) ? [] : settle.is.map(({ shown, text }) => [shown, text]);

/** The text as V1 would print it: `true` becomes `Yes`. */
function legacyText(format: ValueRow['format'], text: string): string {
  if (text === '') return '';
  const { fromV2, toV2 } = formatOf(format);
  const values = toV2?.(text);
  return (values && fromV2(values, () => undefined)) ?? text;
}

/** A request by its rows, with UUIDs. */
export interface Asked {
  /** The identifiers of the address, by kind. */
  readonly path: ReadonlyMap<Kind, string>;
  readonly given: Given;
}

/** Throws `Failure` for an unknown identifier. */
export function askedIn(
  element: XmlElement,
  { legacy, body }: Method,
  { ids, values }: MovedCall,
): Asked | Promise<Asked> | undefined {
  if (body === undefined) return undefined;
  const kinds = (legacy[0]?.segments ?? []).flatMap((segment) => ('kind' in segment ? [segment.kind] : []));
  return ids.toV3((toV3) => ({
    path: new Map(kinds.map((kind, at) => [kind, toV3(kind, values[at] ?? '')])),
    given: readGiven(element, body.of, toV3, () => undefined, [body.root]),
  }));
}

/** A method on V3 whose requests contain kept elements. */
export class KeptWrites implements Service {
  readonly #inner: Service;
  readonly #method: Method;
  readonly #change: KeptChange;
  readonly #body: BodyReader;

  constructor(inner: Service, method: Method, change: KeptChange, body: BodyReader) {
    this.#inner = inner;
    this.#method = method;
    this.#change = change;
    this.#body = body;
  }

  async serve(moved: MovedCall): Promise<Reply> {
    const { body } = this.#method;
    const element = body && (await this.#body.peek(moved.call, body));
    const reply = await this.#inner.serve(moved);
    const asked = element && (await askedIn(element, this.#method, moved));
    if (asked !== undefined) await this.#change.make(moved.to.accountId, asked.path, asked.given);
    return reply;
  }
}
