/**
 * Translates the identifiers of one call between V1's numbers and the UUIDs of V3 and V2.
 *
 * Texts in a request go through `toV3`, which refuses identifiers of no record. A reply collects its UUIDs as `Pending`
 * values, and `settle` replaces them by numbers in one batch. Identifiers in memory need no database; unknown ones stay
 * empty in a reply (docs/decisions/calls/0003-unlearned-identifiers.md).
 */
import { Failure } from '../lib/failure.ts';
import { UUID } from '../lib/text/uuid.ts';
import {
  idKey,
  type Crosswalk,
  type Kind,
  type NumberedId,
  type Unmet,
  type UuidId,
} from '../mapping/crosswalk/identifier.ts';
import type { FieldValue } from '../lib/xml/shape.ts';
import { TEXT_NUMBER, type KindTable, type Segment } from '../mapping/compile/model.ts';
import type { Profile } from '../upstream/profile.ts';

const LARGEST = 2_147_483_647; // legacy programs read 32-bit integers
/** If the profile's V3 has numbers, its replies contain them. */
const NUMBER = /^\d{1,10}$/;

/** A record identifier as a legacy program writes it: only digits, within 32 bits. */
export function legacyNumber(text: string, zeroPadded: ZeroPadded): number | undefined {
  if (!NUMBER.test(text) || (zeroPadded === 'refuse' && text.startsWith('0'))) return undefined;
  const number = Number(text);
  return number > 0 && number <= LARGEST ? number : undefined;
}

type ZeroPadded = Profile['legacyIdentifiers']['zeroPadded'];

/** Returns the V3 form of a legacy identifier, or refuses with the given message or that of its kind. */
export type ToV3 = (kind: Kind, text: string, words?: string) => string;
/** Returns the legacy form of a V3 identifier; undefined if no number is known. */
export type ToLegacy = (kind: Kind, uuid: string) => string | undefined;

/** Path segments of the V3 call, from the values in the legacy path. */
export function v3Segments(pattern: readonly Segment[], values: readonly string[], toV3: ToV3): string[] {
  const segments: string[] = [];
  let at = 0;
  for (const segment of pattern) {
    if ('literal' in segment) {
      segments.push(segment.literal);
      continue;
    }
    const value = values[at++] ?? '';
    segments.push(segment.kind === TEXT_NUMBER ? value : toV3(segment.kind, value));
  }
  return segments;
}

/** A value in V3's form whose number has yet to be looked up. */
export interface Pending {
  readonly kind: Kind;
  readonly text: string;
  /** The record that contains the value. */
  readonly record: FieldValue[];
  readonly row: number;
}

/** Both directions for one account; returns a promise only if the database has to be asked. */
export interface Translation {
  toV3<T>(walk: (toV3: ToV3) => T): T | Promise<T>;
  /** The V3 form of one identifier in a request; undefined: only `toV3` can find it, or refuse it. */
  present(kind: Kind, text: string): string | undefined;
  /**
   * The legacy form of an identifier in a reply, empty if it has none; undefined: the database has to be
   * asked.
   */
  remembered(kind: Kind, text: string): string | undefined;
  /** `created`: UUIDs the service has just created for this call. */
  toLegacy<T>(walk: (toLegacy: ToLegacy) => T, created?: ReadonlySet<string>): T | Promise<T>;
}

/** For a profile whose V3 uses V1's numbers. */
export const sameIdentifiers: Translation = {
  toV3: (walk) => walk((_kind, text) => text),
  present: (_kind, text) => text,
  remembered: (_kind, text) => text,
  toLegacy: (walk) => walk((_kind, text) => text),
};

/** The parts of a call that affect its numbers. */
interface CallNumbers {
  readonly leaving?: { readonly allotted: NumberedId | undefined } | undefined;
  readonly unmet?: Unmet | undefined;
}

/** Identifiers looked up in one step; with more, the crosswalk gives other calls a turn in between. */
const MOST_AT_ONCE = 1_000;

/**
 * Replaces each pending value by its legacy form. Those not in memory are requested together; with many, the crosswalk
 * gives other calls a turn. An unknown number is left empty, never guessed; the store has counted it as unlearned.
 */
export function settle(
  pending: readonly Pending[],
  ids: Translation,
  created?: ReadonlySet<string>,
): undefined | Promise<void> {
  let at = 0;
  for (const { kind, text, record, row } of pending) {
    const number = at < MOST_AT_ONCE ? ids.remembered(kind, text) : undefined;
    if (number === undefined) return settleRest(at === 0 ? pending : pending.slice(at), ids, created);
    record[row] = number;
    at += 1;
  }
  return undefined;
}

async function settleRest(
  pending: readonly Pending[],
  ids: Translation,
  created: ReadonlySet<string> | undefined,
): Promise<void> {
  const numbers = await ids.toLegacy(
    (toLegacy) => pending.map(({ kind, text }) => toLegacy(kind, text)),
    created,
  );
  for (const [at, { text, record, row }] of pending.entries())
    record[row] = numbers[at] ?? (NUMBER.test(text) ? text : '');
}

/**
 * The crosswalk of one account. If everything is in memory, one pass is enough; otherwise one pass collects the
 * identifiers to request, in one batch, and another translates.
 */
export class Identifiers implements Translation {
  readonly #crosswalk: Crosswalk;
  readonly #kinds: ReadonlyMap<Kind, KindTable>;
  readonly #accountId: string;
  readonly #call: CallNumbers;
  readonly #zeroPadded: ZeroPadded;
  /** V3 has UUIDs like V2, so every route refuses a number without a pair. */
  readonly #isOfCall: boolean;

  constructor(
    crosswalk: Crosswalk,
    kinds: ReadonlyMap<Kind, KindTable>,
    accountId: string,
    call: CallNumbers = {},
    profile?: Pick<Profile, 'v3' | 'legacyIdentifiers'>,
  ) {
    this.#crosswalk = crosswalk;
    this.#kinds = kinds;
    this.#accountId = accountId;
    this.#call = call;
    this.#zeroPadded = profile?.legacyIdentifiers.zeroPadded ?? 'refuse';
    this.#isOfCall = profile?.v3.identifiers !== 'number';
  }

  toV3<T>(walk: (toV3: ToV3) => T): T | Promise<T> {
    const { remembered } = this.#crosswalk;
    let looked = 0;
    let missing = 0;
    try {
      const translated = walk((kind, text) => {
        if (text === '' || UUID.test(text)) return text; // requests of the transition mode carry UUIDs
        const number = legacyNumber(text, this.#zeroPadded);
        looked += 1;
        const isLookedUp = number !== undefined && missing === 0 && looked <= MOST_AT_ONCE;
        const uuid = isLookedUp ? remembered.uuidOf(this.#accountId, kind, number) : undefined;
        if (uuid === undefined) missing += 1;
        return uuid ?? '';
      });
      if (missing === 0) return translated;
    } catch {
      // Faults of a request are reported once all of its identifiers are known.
    }
    return this.#askedToV3(walk);
  }

  present(kind: Kind, text: string): string | undefined {
    const number = legacyNumber(text, this.#zeroPadded);
    if (number === undefined) return UUID.test(text) ? text : undefined;
    return this.#crosswalk.remembered.uuidOf(this.#accountId, kind, number);
  }

  async #askedToV3<T>(walk: (toV3: ToV3) => T): Promise<T> {
    const wanted: NumberedId[] = [];
    walk((kind, text) => {
      const number = legacyNumber(text, this.#zeroPadded);
      if (number !== undefined) wanted.push({ kind, number });
      return '';
    });
    const known = await this.#crosswalk.uuids(this.#accountId, wanted);
    return walk((kind, text, words) => {
      if (text === '' || UUID.test(text)) return text;
      const number = legacyNumber(text, this.#zeroPadded);
      const uuid = number === undefined ? undefined : known.get(idKey(kind, number));
      if (uuid === undefined) throw this.#unknown(kind, words);
      return uuid;
    });
  }

  remembered(kind: Kind, text: string): string | undefined {
    const number = this.#crosswalk.remembered.numberOf(this.#accountId, kind, text);
    if (number !== undefined) return number.toString();
    if (UUID.test(text)) return undefined;
    return NUMBER.test(text) ? text : '';
  }

  toLegacy<T>(walk: (toLegacy: ToLegacy) => T, created?: ReadonlySet<string>): T | Promise<T> {
    const wanted: UuidId[] = [];
    let missing = 0;
    const { remembered } = this.#crosswalk;
    const translated = walk((kind, text) => {
      if (!UUID.test(text)) return undefined;
      const uuid = text.toLowerCase();
      wanted.push({ kind, uuid });
      const isLookedUp = missing === 0 && wanted.length <= MOST_AT_ONCE;
      const number = isLookedUp ? remembered.numberOf(this.#accountId, kind, uuid) : undefined;
      if (number === undefined) missing += 1;
      return number?.toString();
    });
    return missing === 0 ? translated : this.#askedToLegacy(walk, wanted, created);
  }

  async #askedToLegacy<T>(
    walk: (toLegacy: ToLegacy) => T,
    wanted: readonly UuidId[],
    created: ReadonlySet<string> | undefined,
  ): Promise<T> {
    const { leaving, unmet } = this.#call;
    const left = unmet === undefined ? undefined : await this.#leftOut(wanted, unmet);
    const asked = left === undefined ? wanted : wanted.filter(({ uuid }) => !left.has(uuid));
    const known = await this.#crosswalk.numbers(this.#accountId, asked, created, leaving?.allotted);
    return walk((kind, uuid) =>
      left?.has(uuid.toLowerCase()) === true
        ? uuid.toLowerCase()
        : known.get(idKey(kind, uuid.toLowerCase()))?.toString(),
    );
  }

  async #leftOut(wanted: readonly UuidId[], { kind, all, uuids }: Unmet): Promise<ReadonlySet<string>> {
    const some = wanted.flatMap((id) => (id.kind === kind ? [id.uuid] : []));
    const left = await this.#crosswalk.unmet(this.#accountId, kind, some, all);
    for (const uuid of left) uuids.set(uuid, undefined);
    return left;
  }

  #unknown(kind: Kind, words?: string): Failure {
    return new Failure('refused', {
      text: words ?? this.#kinds.get(kind)?.error ?? 'Invalid identifier',
      isOfCall: this.#isOfCall,
    });
  }
}
