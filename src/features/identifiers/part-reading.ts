/**
 * Reads the parts of records that have no identifier of their own as V1 shows them: notes, comments, documents.
 *
 * Most are in the lists that the pass reads anyway. Documents take a call for each client and job. One pass makes a
 * limited number of these calls, one after another, and stores its position, so that the next one continues from
 * there, even in another process. A record whose call V1 refuses has no parts; any other fault leaves the rest to the
 * next pass without failing this one.
 */
import { Failure } from '../../lib/failure.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import type { KeepListed, LearnPart, WithParts } from './learning.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { reached, recordsOf, textOf, UnusableReply } from './reading.ts';

/** The means to read the parts of one account. */
export interface PartReadingParts {
  readonly accountId: string;
  readonly plan: readonly LearnPart[];
  readonly keep: KeepListed;
  /** Throws the errors of the pass. */
  readonly get: (call: string) => Promise<UpstreamAnswer>;
}

/** Calls of one pass for each kind of part: V1's limits are not known. */
const MOST_CALLS = 1_000;
/** Records whose parts are stored together. */
const AT_ONCE = 25;

/** The parts of one account's records during one pass. */
export class PartReading {
  readonly #parts: PartReadingParts;
  /** Stripped of all children except their identifiers: V1 may have 100,000 of these records. */
  readonly #owners = new Map<Kind, XmlElement[]>();
  readonly #kept = new Map<Kind, number>();

  constructor(parts: PartReadingParts) {
    this.#parts = parts;
  }

  /** How many parts had something kept so far, by kind. */
  get kept(): ReadonlyMap<Kind, number> {
    return this.#kept;
  }

  /** Records of the list of `part`, as they arrive. */
  async listed(part: LearnPart, records: readonly XmlElement[]): Promise<void> {
    if (part.each === undefined) {
      await this.#keep(
        part,
        records.map((record) => ({ record, parts: reached(record.children, part.at) })),
      );
      return;
    }
    const owners = this.#owners.get(part.kind) ?? [];
    for (const record of records) owners.push(identified(record, part));
    this.#owners.set(part.kind, owners);
  }

  /**
   * Asks for the parts that no list shows. Returns whether every record has been asked. `unlisted`: parts whose records
   * are not known, so that the stored position stays.
   */
  async ask(unlisted: ReadonlySet<Kind>): Promise<boolean> {
    let isAll = true;
    for (const part of this.#parts.plan)
      if (part.each !== undefined && !unlisted.has(part.kind))
        isAll = (await this.#askEach(part, part.each)) && isAll;
    return isAll;
  }

  async #askEach(part: LearnPart, call: string): Promise<boolean> {
    const { accountId, keep } = this.#parts;
    const owners = this.#owners.get(part.kind) ?? [];
    const last = await keep.askedUpTo(accountId, part.kind);
    const from = owners.findIndex((owner) => textOf(owner, 'ID') === last) + 1;
    const to = Math.min(from + MOST_CALLS, owners.length);
    for (let at = from; at < to; at += AT_ONCE) {
      const some = owners.slice(at, Math.min(at + AT_ONCE, to));
      try {
        const found: WithParts[] = [];
        for (const record of some) found.push({ record, parts: await this.#partsOf(part, call, record) });
        await this.#keep(part, found);
      } catch (error) {
        if (error instanceof Failure) return false;
        throw error;
      }
      await keep.asked(accountId, part.kind, some.map((record) => textOf(record, 'ID')).at(-1) ?? '');
    }
    if (to < owners.length) return false;
    await keep.asked(accountId, part.kind, '');
    return true;
  }

  async #partsOf({ at }: LearnPart, call: string, record: XmlElement): Promise<readonly XmlElement[]> {
    const [container = '', ...rest] = at;
    const found: XmlElement[] = [];
    try {
      const answer = await this.#parts.get(`${call}/${encodeURIComponent(textOf(record, 'ID') ?? '')}`);
      for await (const some of recordsOf(answer.body, container)) found.push(...reached(some, rest));
    } catch (error) {
      if (!(error instanceof UnusableReply)) throw error;
    }
    return found;
  }

  async #keep(part: LearnPart, records: readonly WithParts[]): Promise<void> {
    const { accountId, keep } = this.#parts;
    const count = await keep.keepParts(accountId, part, records);
    this.#kept.set(part.kind, (this.#kept.get(part.kind) ?? 0) + count);
  }
}

function identified(record: XmlElement, { list }: LearnPart): XmlElement {
  const names = ['ID', 'UUID', list.number];
  return { ...record, children: record.children.filter(({ name }) => names.includes(name)) };
}
