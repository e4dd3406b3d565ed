/**
 * Decides whether the organisation that a customer has connected is the one the account's legacy keys belong to
 * (docs/decisions/tokens/0006-organisation-of-a-consent.md).
 *
 * An account that has moved cannot move back, so this is checked before anything is bound. Records that V1 has shown
 * under the keys are looked up on V3 with the new token: by their UUIDs, which no two organisations share, or, if
 * none were learned, clients by number and name. Pairs that an operator has imported are no evidence before V1 itself has
 * shown them: a file may be another account's. V1 lists deleted clients, too, and V3 opens none of them. So an
 * organisation is a different one only if it lacks clients that V1 lists as living or, if V1 does not answer, clients of
 * every age. Too few to compare prove nothing either way (`unknown`), and then a person decides.
 */
import { MINUTE } from '../../lib/time/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { Crosswalk, Kind, Pair } from '../../mapping/crosswalk/identifier.ts';
import type { Upstream } from '../../upstream/model.ts';
import type { LegacyClients, Print } from './fingerprint.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { recordIn, refuserOf, recordsOf, statusOf, textOf, UnusableReply } from '../identifiers/reading.ts';

type Address = Parameters<Upstream['send']>[0];
type Ask = Readonly<{ segments: readonly string[]; query: readonly (readonly [string, string])[] }>;

/** The data to compare, and the reads for it. */
export interface ProofParts {
  readonly crosswalk: Crosswalk;
  /** The clients that V1 shows with the legacy keys while it answers. */
  readonly legacy: LegacyClients;
  readonly v3: Upstream;
  /** Records of this kind are requested by `segments` followed by their UUID. */
  readonly kind: Kind;
  readonly segments: readonly string[];
  /** The name of such a record in the answer. */
  readonly element: string;
  /** Searches the list with this name for records by a text. */
  readonly search: {
    readonly segments: readonly string[];
    readonly parameter: string;
    readonly container: string;
  };
  /** The smallest read that every organisation answers. */
  readonly probe: Ask;
  /** Whether V3 accepts V1's numbers. */
  readonly numbered: boolean;
}

/**
 * `same`: V3 shows a record of the account in this organisation. `different`: it has none of them. `unknown`: nothing
 * was learned that could be compared. `later`: V3 could not be asked.
 */
export type Proof = 'same' | 'different' | 'unknown' | 'later';

/** `found` of `of` records that were looked up last; `unknown` with some found: too few to prove anything. */
export interface Comparison {
  readonly proof: Proof;
  readonly found: number;
  readonly of: number;
}

/** What a refusal of the probe says of the organisation, by who refuses. */
const byRefuser = { service: 'no', anybody: 'denied', nobody: 'later' } as const;

const SAMPLE = 5;
/** An import that was undone leaves many deleted clients beside each other. */
const WIDE_SAMPLE = 15;
/**
 * If an account has a single client, its name alone ("Cash", "Internal") would be a majority; together with its
 * number it may count.
 */
const FEWEST_NAMES = 2;
const TIME = MINUTE;

/**
 * Compares the connected organisation with the one the account's keys belong to. An account moved to V3 cannot move
 * back, so records that V1 has shown under the keys are looked up on V3 with the new token before anything is bound.
 */
export class OrganisationProof {
  readonly #parts: ProofParts;

  constructor(parts: ProofParts) {
    this.#parts = parts;
  }

  async of(to: Address): Promise<Proof> {
    return (await this.compared(to)).proof;
  }

  /** The same for one of many guesses: without the newest clients nothing more is looked up, which takes long. */
  async ofGuess(to: Address): Promise<Proof> {
    return (await this.#compared(to, true)).proof;
  }

  compared(to: Address): Promise<Comparison> {
    return this.#compared(to, false);
  }

  /**
   * By identifiers, which no two organisations share; if none were learned, by number and name of clients.
   */
  async #compared(to: Address, isGuess: boolean): Promise<Comparison> {
    const pairs = await this.#learned(to.accountId);
    const uuids = pairs.map(({ uuid }) => uuid);
    const newest = await this.#byUuids(to, uuids.slice(0, SAMPLE));
    if (newest.proof === 'same' || newest.proof === 'later') return newest;
    if (isGuess && uuids.length > 0) return newest;
    const living = await this.#parts.legacy.living(to.accountId, SAMPLE);
    return living === undefined
      ? this.#byUuids(to, spread(uuids, WIDE_SAMPLE))
      : this.#byLiving(to, living, pairs);
  }

  /** Whether V3 opens the organisation at all. `denied`: a refusal that may not be the service's own. */
  async readable(to: Address): Promise<'yes' | 'no' | 'denied' | 'later'> {
    try {
      const signal = AbortSignal.timeout(TIME);
      const answer = await this.#parts.v3.send(to, { verb: 'GET', ...this.#parts.probe, signal });
      if (answer.status !== 200) return byRefuser[await refuserOf(answer)];
      const status = await statusOf(answer);
      if (status === 'ok') return 'yes';
      return status === 'refused' ? 'no' : 'later';
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error.code === 'consentNeeded' ? 'no' : 'later';
    }
  }

  #byUuids(to: Address, uuids: readonly string[]): Promise<Comparison> {
    return this.#counted(uuids, 1, (uuid) => this.#shows(to, uuid));
  }

  async #byLiving(to: Address, living: readonly Print[], pairs: readonly Pair[]): Promise<Comparison> {
    const { numbered } = this.#parts;
    const numbers = new Set(living.map(({ number }) => Number(number)));
    const uuids = pairs.filter(({ number }) => numbers.has(number)).map(({ uuid }) => uuid);
    if (uuids.length > 0) return this.#byUuids(to, uuids);
    const most = Math.ceil((living.length + 1) / 2);
    const fewest = numbered ? 1 : FEWEST_NAMES;
    return this.#counted(living, Math.max(fewest, most), (print) => this.#finds(to, print));
  }

  /** `enough` matches prove it; fewer prove nothing either way. */
  async #counted<T>(
    sample: readonly T[],
    enough: number,
    shown: (one: T) => Promise<boolean>,
  ): Promise<Comparison> {
    const of = sample.length;
    let found = 0;
    try {
      for (const one of sample) {
        if (await shown(one)) found += 1;
        if (found >= enough) return { proof: 'same', found, of };
      }
      return { proof: of > 0 && found === 0 ? 'different' : 'unknown', found, of };
    } catch (error) {
      if (error instanceof Failure) return { proof: 'later', found, of };
      throw error;
    }
  }

  /** The newest first. */
  async #learned(accountId: string): Promise<readonly Pair[]> {
    const pairs: Pair[] = [];
    const { crosswalk, kind } = this.#parts;
    for await (const pair of crosswalk.export(accountId, kind, 'imported')) pairs.push(pair);
    return pairs.reverse();
  }

  async #shows(to: Address, uuid: string): Promise<boolean> {
    const { v3, segments, element } = this.#parts;
    const signal = AbortSignal.timeout(TIME);
    const answer = await v3.send(to, { verb: 'GET', segments: [...segments, uuid], query: [], signal });
    switch (await recordIn(answer, element, uuid)) {
      case 'ok':
        return true;
      case 'refused':
        return false;
      case 'unreadable':
        throw new Failure('upstreamAnswer');
    }
  }

  /** A single name may exist in many organisations, but most of five do not. A number that V3 knows counts, too. */
  async #finds(to: Address, { number, name }: Print): Promise<boolean> {
    const { v3, search, numbered } = this.#parts;
    const signal = AbortSignal.timeout(TIME);
    const { segments, parameter, container } = search;
    const answer = await v3.send(to, { verb: 'GET', segments, query: [[parameter, name]], signal });
    if (answer.status !== 200) {
      discard(answer);
      if (answer.status >= 500 || answer.status === 429) throw new Failure('upstreamAnswer');
      return false;
    }
    try {
      for await (const records of recordsOf(answer.body, container))
        for (const record of records)
          if (textOf(record, 'Name') === name && (!numbered || textOf(record, 'ID') === number)) return true;
      return false;
    } catch (error) {
      if (error instanceof UnusableReply) return false;
      throw new Failure('upstreamAnswer', { cause: error });
    }
  }
}

/** At most `most`, evenly from all of them. */
function spread<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}
