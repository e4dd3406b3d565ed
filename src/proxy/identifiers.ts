import { Failure } from '../lib/failure.ts';
import {
  idKey,
  type Crosswalk,
  type Kind,
  type NumberedId,
  type UuidId,
} from '../mapping/crosswalk/identifier.ts';
import type { KindTable } from '../mapping/compile/model.ts';

const LARGEST = 2_147_483_647; // legacy programs read 32-bit integers
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** A record identifier as a legacy program writes it: digits only, and within 32 bits. */
export function legacyNumber(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined;
  const number = Number(text);
  return number > 0 && number <= LARGEST ? number : undefined;
}

/** Gives the V3 form of a legacy identifier, or refuses: in the words given, or those of its kind. */
export type ToV3 = (kind: Kind, text: string, words?: string) => string;
/** Gives the legacy form of a V3 identifier; undefined where no number is known. */
export type ToLegacy = (kind: Kind, uuid: string) => string | undefined;

/** Both directions for one account: walk once to collect, ask once, walk again to translate. */
export interface Translation {
  toV3<T>(walk: (toV3: ToV3) => T): Promise<T>;
  /** `created`: UUIDs the service has just made for this very call. */
  toLegacy<T>(walk: (toLegacy: ToLegacy) => T, created?: ReadonlySet<string>): Promise<T>;
}

/** For a profile whose V3 knows the numbers of V1. */
export const sameIdentifiers: Translation = {
  toV3: async (walk) => walk((_kind, text) => text),
  toLegacy: async (walk) => walk((_kind, text) => text),
};

/** The crosswalk of one account, asked in batches. */
export class Identifiers implements Translation {
  readonly #crosswalk: Crosswalk;
  readonly #kinds: ReadonlyMap<Kind, KindTable>;
  readonly #accountId: string;

  constructor(crosswalk: Crosswalk, kinds: ReadonlyMap<Kind, KindTable>, accountId: string) {
    this.#crosswalk = crosswalk;
    this.#kinds = kinds;
    this.#accountId = accountId;
  }

  async toV3<T>(walk: (toV3: ToV3) => T): Promise<T> {
    const wanted: NumberedId[] = [];
    walk((kind, text) => {
      const number = legacyNumber(text);
      if (number !== undefined) wanted.push({ kind, number });
      return '';
    });
    const known =
      wanted.length === 0 ? new Map<string, string>() : await this.#crosswalk.uuids(this.#accountId, wanted);
    return walk((kind, text, words) => {
      if (text === '' || isUuid(text)) return text; // requests of the transition mode carry UUIDs
      const number = legacyNumber(text);
      const uuid = number === undefined ? undefined : known.get(idKey(kind, number));
      if (uuid === undefined) throw this.#unknown(kind, words);
      return uuid;
    });
  }

  async toLegacy<T>(walk: (toLegacy: ToLegacy) => T, created?: ReadonlySet<string>): Promise<T> {
    const wanted: UuidId[] = [];
    walk((kind, uuid) => {
      if (isUuid(uuid)) wanted.push({ kind, uuid: uuid.toLowerCase() });
      return undefined;
    });
    const known =
      wanted.length === 0
        ? new Map<string, number>()
        : await this.#crosswalk.numbers(this.#accountId, wanted, created);
    return walk((kind, uuid) => known.get(idKey(kind, uuid.toLowerCase()))?.toString());
  }

  #unknown(kind: Kind, words?: string): Failure {
    return new Failure('refused', { text: words ?? this.#kinds.get(kind)?.error ?? 'Invalid identifier' });
  }
}
