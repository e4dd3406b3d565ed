import type { Clock } from '../../lib/time/clock.ts';
import { idKey, type Crosswalk, type Kind } from '../../mapping/crosswalk/identifier.ts';
import { pairOf } from '../identifiers/id-map.ts';
import type { KeepListed, LearnKind, LearnPart, WithParts } from '../identifiers/learning.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { textOf } from '../identifiers/reading.ts';
import { partKey } from './part-key.ts';
import type { KeptFields, Snapshot } from './snapshot.ts';

/** Keeps the elements of V1's lists that the mapping names, while the identifier sync reads them. */
export class SnapshotKeeping implements KeepListed {
  readonly #snapshot: Snapshot;
  readonly #crosswalk: Pick<Crosswalk, 'uuids'>;
  readonly #clock: Clock;

  constructor(snapshot: Snapshot, crosswalk: Pick<Crosswalk, 'uuids'>, clock: Clock) {
    this.#snapshot = snapshot;
    this.#crosswalk = crosswalk;
    this.#clock = clock;
  }

  get kinds(): ReadonlySet<Kind> {
    return new Set(this.#snapshot.elements.keys());
  }

  /** Returns how many records were kept; one with an unknown UUID cannot be kept. */
  async keep(accountId: string, { kind, list }: LearnKind, elements: readonly XmlElement[]): Promise<number> {
    const kept = this.#snapshot.elements.get(kind);
    if (kept === undefined) return 0;
    const names = [...kept.keys()];
    const uuids = await this.#uuids(accountId, kind, elements, list?.number ?? 'ID');
    const records = elements.flatMap((element, at) => {
      const uuid = uuids[at];
      return uuid === undefined ? [] : [{ kind, uuid, fields: fieldsIn(element, names) }];
    });
    return this.#snapshot.keep(accountId, records, this.#clock.now());
  }

  /** Parts of one record with the same texts cannot be distinguished, so none of them is kept. */
  async keepParts(
    accountId: string,
    { kind, of, by, list }: LearnPart,
    records: readonly WithParts[],
  ): Promise<number> {
    const names = [...(this.#snapshot.elements.get(kind)?.keys() ?? [])];
    const owners = records.map(({ record }) => record);
    const uuids = await this.#uuids(accountId, of, owners, list.number ?? 'ID');
    const found = new Map<string, KeptFields>();
    for (const [at, { parts }] of records.entries()) {
      const owner = uuids[at];
      if (owner === undefined) continue;
      for (const part of parts) {
        const texts = by.map((name) => textOf(part, name) ?? '');
        const key = partKey(owner, texts);
        found.set(key, found.has(key) ? {} : fieldsIn(part, names));
      }
    }
    const kept = Array.from(found, ([uuid, fields]) => ({ kind, uuid, fields }));
    return this.#snapshot.keep(accountId, kept, this.#clock.now());
  }

  askedUpTo(accountId: string, part: Kind): Promise<string> {
    return this.#snapshot.askedUpTo(accountId, part);
  }

  asked(accountId: string, part: Kind, upTo: string): Promise<void> {
    return this.#snapshot.asked(accountId, part, upTo);
  }

  /** The UUIDs that V1 prints, or else those of the numbers. */
  async #uuids(
    accountId: string,
    kind: Kind,
    elements: readonly XmlElement[],
    number: string,
  ): Promise<readonly (string | undefined)[]> {
    const printed = elements.map((element) => ({
      uuid: pairOf(kind, '1', trimmed(element, 'UUID'))?.uuid,
      number: Number(trimmed(element, number)),
    }));
    const unknown = printed.flatMap(({ uuid, number: one }) =>
      uuid === undefined && Number.isInteger(one) && one > 0 ? [{ kind, number: one }] : [],
    );
    const known = unknown.length === 0 ? undefined : await this.#crosswalk.uuids(accountId, unknown);
    return printed.map(({ uuid, number: one }) => uuid ?? known?.get(idKey(kind, one)));
  }
}

const trimmed = (element: XmlElement, name: string): string => (textOf(element, name) ?? '').trim();

/** Variants of V1 differ in the case of a name (`LinkUrl`, `LinkURL`). */
function fieldsIn({ children }: XmlElement, names: readonly string[]): KeptFields {
  const texts = new Map(children.map(({ name, text }) => [name.toLowerCase(), text]));
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = texts.get(name.toLowerCase()) ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  );
}
