import type { Clock } from '../../lib/time/clock.ts';
import { SealBroken } from '../../lib/secret/seal.ts';
import type {
  IndexedBefore,
  KeyStatus,
  NeededKey,
  StillWorking,
  PlaceResealed,
  Resealed,
  SealedRepository,
  SealedPlace,
  SealedValue,
} from './sealed.ts';
import { KeyRing } from './keyring.ts';

/** Dependencies of `KeyKeeper`. */
export interface KeyKeeperParts {
  readonly repository: SealedRepository;
  readonly ring: KeyRing;
  readonly clock: Clock;
  /** See `Engine.pauses`. */
  readonly pauses: () => () => Promise<void>;
  /** Since when the sealing key has been the first one, in milliseconds since the epoch. */
  readonly since: number;
  /** How many acceptances of differences may be void without the keys from before `since`. */
  readonly parity: { readonly underEarlierKeys: (since: number) => Promise<number> };
  /** How long settled writes are kept, in milliseconds. */
  readonly writesKept: number;
}

/** Values per transaction: every other writer of SQLite waits for it. */
const BATCH = 100;

const none = { count: 0, last: undefined };
const noWrites = { writes: 0, until: undefined };
const nothingIndexed: IndexedBefore = {
  ...{ invitations: none, pages: none, samples: none, tokens: [], imports: 0, erased: 0 },
  ...{ keyed: noWrites, unfinished: { ...noWrites, unsettled: 0 } },
};

/** Looks after the sealed values in the store: which key they need, and sealing them with another one. */
export class KeyKeeper {
  readonly #parts: KeyKeeperParts;

  constructor(parts: KeyKeeperParts) {
    this.#parts = parts;
  }

  async status(): Promise<KeyStatus> {
    const { repository, ring, clock, since, writesKept, parity } = this.#parts;
    const hasOlder = ring.ids.length > 1;
    const sums = ring.ids.map(() => 0);
    let foreign = 0;
    for (const place of repository.places) {
      const counted = await repository.counts(place, ring.ids);
      ring.ids.forEach((_, at) => (sums[at] = (sums[at] ?? 0) + (counted[at] ?? 0)));
      foreign += counted[ring.ids.length] ?? 0;
    }
    return {
      keys: ring.ids.map((id, at) => ({ id, role: at === 0 ? 'seals' : 'opens', values: sums[at] ?? 0 })),
      since,
      foreign,
      indexed: hasOlder
        ? await repository.indexedBefore(since, { now: clock.now(), writesKept })
        : nothingIndexed,
      acceptances: hasOlder ? await parity.underEarlierKeys(since) : 0,
    };
  }

  /** Since when the sealing key has been the first one. */
  get since(): number {
    return this.#parts.since;
  }

  /** What still needs a key that was the first one from `from` to `until` and is no longer in the ring. */
  async needing(
    keyId: string,
    { from, until }: Readonly<Record<'from' | 'until', number>>,
  ): Promise<NeededKey> {
    const { repository, clock, writesKept, parity } = this.#parts;
    const terms = { now: clock.now(), writesKept };
    let values = 0;
    for (const place of repository.places) values += (await repository.counts(place, [keyId]))[0] ?? 0;
    return {
      values,
      indexed: without(
        await repository.indexedBefore(until, terms),
        await repository.indexedBefore(from, { ...terms, overlap: 0 }),
      ),
      acceptances: (await parity.underEarlierKeys(until)) - (await parity.underEarlierKeys(from)),
    };
  }

  /**
   * Seals every value again that another key than the first has sealed, and rewrites the indexes beside them.
   * A bridge may work meanwhile: a value it has changed is skipped. If this is interrupted, what was done is
   * done, and the next run continues.
   */
  async rotate(): Promise<readonly PlaceResealed[]> {
    const { repository, pauses } = this.#parts;
    const pause = pauses();
    const results: PlaceResealed[] = [];
    for (const place of repository.places) results.push(await this.#place(place, pause));
    return results;
  }

  async #place(place: SealedPlace, pause: () => Promise<void>): Promise<PlaceResealed> {
    const { repository, ring } = this.#parts;
    const unreadable: string[] = [];
    let [resealed, overtaken, after] = [0, 0, ''];
    for (;;) {
      const values = await repository.others(place, ring.ids.slice(0, 1), { after, limit: BATCH });
      const last = values.at(-1);
      if (last === undefined) break;
      const fresh = values.map((value) => this.#anew(place, value) ?? value.owner);
      unreadable.push(...fresh.filter((one) => typeof one === 'string'));
      const readable = fresh.filter((one) => typeof one !== 'string');
      const replaced = await repository.replace(place, readable);
      resealed += replaced;
      overtaken += readable.length - replaced;
      after = last.owner;
      await pause();
    }
    return { place: place.name, resealed, overtaken, unreadable };
  }

  #anew(place: SealedPlace, value: SealedValue): Resealed | undefined {
    const { ring } = this.#parts;
    try {
      const secret = ring.open(value.sealed, value.owner, place.column);
      return {
        value,
        sealed: ring.seal(secret, value.owner, place.column),
        index: place.purpose === undefined ? undefined : ring.index(secret, place.purpose)[0],
      };
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }
}

/**
 * The ids of keys that permanent values of the store were sealed with and that are not in the ring. If there
 * are many, only some are named.
 */
export async function missingKeys(repository: SealedRepository, ring: KeyRing): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const place of repository.places.filter(({ passing }) => !passing)) {
    const values = await repository.others(place, ring.ids, { after: '', limit: BATCH });
    for (const { sealed } of values) missing.add(KeyRing.keyIdOf(sealed));
  }
  // A value without a key id is damaged; that concerns only its owner.
  missing.delete('');
  return [...missing].sort();
}

/** What was stored after the time of the earlier counts. Nothing says when an account was erased. */
function without(indexed: IndexedBefore, earlier: IndexedBefore): IndexedBefore {
  const working = (name: 'invitations' | 'pages' | 'samples'): StillWorking => {
    const count = indexed[name].count - earlier[name].count;
    return { count, last: count > 0 ? indexed[name].last : undefined };
  };
  const writes = indexed.keyed.writes - earlier.keyed.writes;
  const unfinished = indexed.unfinished.writes - earlier.unfinished.writes;
  return {
    invitations: working('invitations'),
    pages: working('pages'),
    samples: working('samples'),
    tokens: indexed.tokens.filter((name) => !earlier.tokens.includes(name)),
    keyed: { writes, until: writes > 0 ? indexed.keyed.until : undefined },
    unfinished: {
      writes: unfinished,
      until: unfinished > 0 ? indexed.unfinished.until : undefined,
      unsettled: indexed.unfinished.unsettled - earlier.unfinished.unsettled,
    },
    imports: indexed.imports - earlier.imports,
    erased: indexed.erased,
  };
}
