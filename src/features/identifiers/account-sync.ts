/**
 * One pass over everything V1 can say about the identifiers of one account, while V1 still answers
 * (docs/decisions/calls/0002-learn-before-consent.md).
 *
 * First come the exported maps of numbers and UUIDs, kind by kind. Then, for kinds without a map of this moment, the
 * lists that show both, each read once however many kinds it shows. What no list shows is known as of its map. Pairs are stored as they arrive. A kind is marked
 * complete only if all of its reading went without a fault, because from then on an unknown UUID counts as a new record.
 * Refused keys and temporary faults end the pass; any other fault leaves only its own kinds incomplete, with the reason.
 * If the process dies, the stored pairs remain and no kind is complete; the next pass reads again.
 */
import { MINUTE, type Clock } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Contradiction, Crosswalk, Kind, Pair } from '../../mapping/crosswalk/identifier.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { UpstreamAnswer, V1Reader } from '../../upstream/model.ts';
import { EARLIER, exportedMap, listedPairs, pairsIn, type ExportedMap } from './id-map.ts';
import type { KeepListed, Learning, LearnKind, LearnPart, LearnPlan } from './learning.ts';
import { listCalls, type ListCall } from './list-calls.ts';
import { PartReading } from './part-reading.ts';
import { NotKept, stored } from './stored-keeping.ts';
import {
  asPassing,
  asRefused,
  KeysRefused,
  NO_METHOD,
  NoSuchMethod,
  reasonOf,
  usable,
  usableMap,
} from './usable.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { reached, recordsOf, textOf, UnusableReply } from './reading.ts';

/** The parts of a pass. */
export interface AccountSyncParts {
  readonly crosswalk: Pick<Crosswalk, 'learn' | 'markComplete'> & {
    /** A kind is known as it was at a moment. Returns whether no program may have added any since. */
    completeAsOf(accountId: string, kind: Kind, asOf: number): Promise<boolean>;
  };
  readonly clock: Clock;
  readonly plan: LearnPlan;
  /** Undefined: nothing but the pairs is kept. */
  readonly keep?: KeepListed | undefined;
}

const MAPS = { call: 'uuid.api/maps', container: 'Maps' } as const;
const TRANSITION = { uuidMode: 'transition' } as const;

/** The keys of one account. */
export interface V1Keys {
  readonly apiKey: Secret;
  readonly accountKey: Secret;
}

/** One pass over everything V1 can say about one account. */
export class AccountSync {
  readonly #parts: AccountSyncParts;
  readonly #v1: V1Reader;
  readonly #accountId: string;
  readonly #keys: V1Keys;
  readonly #complete = new Set<Kind>();
  readonly #reasons = new Map<Kind, string>();
  /** Kinds whose map was exported before this pass, and since when records may be missing from it. */
  readonly #earlier = new Map<Kind, number>();
  #added = 0;
  #known = 0;
  #conflicts = 0;
  readonly #contradictions: Contradiction[] = [];
  readonly #kept = new Map<Kind, number>();
  /** Undefined: nothing but the pairs is kept. */
  readonly #reading: PartReading | undefined;
  readonly #plannedParts: readonly LearnPart[];
  /** What could not be kept, because its list could not be read. */
  readonly #unlisted = new Set<Kind>();
  #hasAskedAll = false;

  constructor(parts: AccountSyncParts, v1: V1Reader, accountId: string, keys: V1Keys) {
    this.#parts = parts;
    const { keep } = parts;
    const plan = parts.plan.parts.filter(({ kind }) => keep?.kinds.has(kind) === true);
    this.#plannedParts = plan;
    const get = (call: string): Promise<UpstreamAnswer> => this.#get(call, {}).catch(asRefused);
    this.#reading = keep && new PartReading({ accountId, plan, keep: stored(keep), get });
    this.#v1 = v1;
    this.#accountId = accountId;
    this.#keys = keys;
  }

  async take(): Promise<Learning> {
    const { plan, crosswalk } = this.#parts;
    try {
      const maps = await this.#maps();
      for (const kind of plan.kinds) await this.#byMap(kind, maps);
      await this.#byLists();
      if (maps !== undefined) this.#withoutNumbers(maps);
    } catch (error) {
      if (error instanceof KeysRefused) return { outcome: 'refused' };
      // The pairs learned so far remain; a kind is marked complete only below.
      if (error instanceof Failure) return { outcome: 'failed' };
      throw error instanceof NotKept ? error.cause : error;
    }
    await crosswalk.markComplete(this.#accountId, [...this.#complete]);
    await this.#completeEarlier();
    await this.#askForParts();
    return this.#result();
  }

  /** Kinds that no list has shown are known as their maps were exported. */
  async #completeEarlier(): Promise<void> {
    for (const [kind, asOf] of this.#earlier) {
      if (this.#complete.has(kind)) continue;
      if (await this.#parts.crosswalk.completeAsOf(this.#accountId, kind, asOf)) this.#complete.add(kind);
      else this.#reasons.set(kind, EARLIER);
    }
  }

  /** Never fails the pass: the identifiers are learned in any case. */
  async #askForParts(): Promise<void> {
    if (this.#reading === undefined) return;
    try {
      this.#hasAskedAll = await this.#reading.ask(this.#unlisted);
    } catch (error) {
      if (error instanceof NotKept) throw error.cause;
    }
  }

  /** Whether everything that can be kept was kept, and nothing is left to the next pass. */
  get isKept(): boolean {
    return this.#hasAskedAll && this.#unlisted.size === 0;
  }

  /** Whether nothing is left to the next pass but lists that V1 could not serve. */
  get isKeptButLists(): boolean {
    return this.#hasAskedAll && this.#unlisted.size > 0;
  }

  #result(): Learning {
    const incomplete = this.#parts.plan.kinds
      .filter(({ kind }) => !this.#complete.has(kind))
      .map(({ kind }) => ({ kind, reason: this.#reasons.get(kind) ?? 'V1 does not show it anywhere' }));
    return {
      outcome: 'learned',
      added: this.#added,
      known: this.#known,
      conflicts: this.#conflicts,
      ...(this.#contradictions.length === 0 ? {} : { contradictions: this.#contradictions }),
      complete: [...this.#complete],
      incomplete,
    };
  }

  /** The exported maps by type; undefined if V1 exports none. */
  async #maps(): Promise<ReadonlyMap<string, ExportedMap> | undefined> {
    const maps = new Map<string, ExportedMap>();
    try {
      const answer = await this.#get(MAPS.call, {});
      const answeredAt = this.#parts.clock.now();
      for await (const records of recordsOf(answer.body, MAPS.container))
        for (const record of records)
          maps.set(textOf(record, 'Type') ?? '', exportedMap(record, answer, answeredAt));
      return maps;
    } catch (error) {
      if (error instanceof NoSuchMethod || error instanceof UnusableReply) return undefined;
      throw asPassing(error);
    }
  }

  async #byMap(plan: LearnKind, maps: ReadonlyMap<string, ExportedMap> | undefined): Promise<void> {
    const { file = '', doubt, asOf } = maps?.get(plan.map ?? '') ?? {};
    if (file === '') return;
    await this.#attempt([plan.kind], async () => {
      const answer = await this.#v1.fetch(new Secret(file), this.#signal());
      for await (const pairs of pairsIn(plan.kind, usableMap(answer).body)) await this.#learn(pairs);
      if (doubt === undefined && asOf !== undefined) this.#earlier.set(plan.kind, asOf);
      if (doubt !== undefined || asOf !== undefined) this.#reasons.set(plan.kind, doubt ?? EARLIER);
    });
  }

  /** How many records had something kept so far, by kind. */
  get kept(): ReadonlyMap<Kind, number> {
    return new Map([...this.#kept, ...(this.#reading?.kept ?? [])]);
  }

  /**
   * Reads kinds that no map completes, or of which more is kept; each list is read once however many kinds it shows, with
   * everything that any of them needs.
   */
  async #byLists(): Promise<void> {
    const kinds = this.#parts.plan.kinds.filter(({ kind }) => !this.#complete.has(kind) || this.#keeps(kind));
    for (const call of listCalls(kinds, this.#plannedParts)) await this.#byList(call);
  }

  async #byList({ list, kinds, parts }: ListCall): Promise<void> {
    const unknown = kinds.filter(({ kind }) => !this.#complete.has(kind));
    const kept = kinds.filter(({ kind }) => this.#keeps(kind));
    const fault = await this.#attempt(
      unknown.map(({ kind }) => kind),
      async () => {
        const answer = await this.#get(list.call, { ...list.query, ...TRANSITION });
        for await (const records of recordsOf(answer.body, list.at[0] ?? '')) {
          for (const plan of unknown) await this.#learn(this.#pairs(plan, records));
          for (const plan of kept) await this.#keep(plan, records);
          for (const part of parts) await this.#reading?.listed(part, elementsOf(part, records));
        }
      },
    );
    if (fault === undefined || fault === NO_METHOD) return;
    for (const { kind } of [...kept, ...parts]) this.#unlisted.add(kind);
  }

  #keeps(kind: Kind): boolean {
    return this.#parts.keep?.kinds.has(kind) === true;
  }

  async #keep(plan: LearnKind, records: readonly XmlElement[]): Promise<void> {
    const { keep } = this.#parts;
    const count = keep && (await stored(keep).keep(this.#accountId, plan, elementsOf(plan, records)));
    this.#kept.set(plan.kind, (this.#kept.get(plan.kind) ?? 0) + (count ?? 0));
  }

  #pairs(plan: LearnKind, records: readonly XmlElement[]): readonly Pair[] {
    const pairs = listedPairs(plan, elementsOf(plan, records));
    if (pairs.includes(undefined)) this.#reasons.set(plan.kind, 'V1 shows a record without a number or UUID');
    return pairs.filter((pair) => pair !== undefined);
  }

  /**
   * V1 exports the maps of everything it numbers. Records that it neither exports nor lists have no numbers that a
   * program could hold, so nothing is left to learn.
   */
  #withoutNumbers(maps: ReadonlyMap<string, ExportedMap>): void {
    for (const { kind, map, list } of this.#parts.plan.kinds) {
      const exported = map !== undefined && maps.has(map);
      const listed = list !== undefined && this.#reasons.get(kind) !== NO_METHOD;
      if (maps.size > 0 && !exported && !listed) this.#complete.add(kind);
    }
  }

  /** Marks the kinds complete if all of the reading went without a fault; returns the fault. */
  async #attempt(kinds: readonly Kind[], reading: () => Promise<void>): Promise<string | undefined> {
    for (const kind of kinds) this.#reasons.delete(kind);
    try {
      await reading();
      for (const kind of kinds) if (!this.#reasons.has(kind)) this.#complete.add(kind);
      return undefined;
    } catch (error) {
      const reason = reasonOf(error);
      for (const kind of kinds) this.#reasons.set(kind, reason);
      return reason;
    }
  }

  async #learn(pairs: readonly Pair[]): Promise<void> {
    if (pairs.length === 0) return;
    const report = await this.#parts.crosswalk.learn(this.#accountId, pairs).catch((error: unknown) => {
      throw new NotKept(error);
    });
    this.#added += report.added;
    this.#known += report.known;
    this.#conflicts += report.conflicts.length;
    const { contradictions = [] } = report;
    this.#contradictions.push(
      ...contradictions.filter(({ known }) => known.every(({ origin }) => origin !== 'allotted')),
    );
  }

  /** Throws `KeysRefused`, `NoSuchMethod`, `Failure`. */
  async #get(call: string, query: Readonly<Record<string, string>>): Promise<UpstreamAnswer> {
    const parameters = new URLSearchParams({
      ...query,
      apiKey: this.#keys.apiKey.reveal(),
      accountKey: this.#keys.accountKey.reveal(),
    });
    return usable(await this.#v1.get(new Secret(`/${call}?${parameters.toString()}`), this.#signal()));
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout(LONGEST_READING);
  }
}

/** The records of a kind inside the records of the list. */
const elementsOf = (
  { list }: Pick<LearnKind, 'list'>,
  records: readonly XmlElement[],
): readonly XmlElement[] => reached(records, (list?.at ?? []).slice(1));

/** For one list or map, in milliseconds: a list of many thousand detailed records takes its time. */
const LONGEST_READING = 10 * MINUTE;
