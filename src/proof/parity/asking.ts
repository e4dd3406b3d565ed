/**
 * The calls of a comparison. V1 is called as the account's programs do, V3 (and V2, if a method is routed
 * there) as if the account had moved. Only reads are made, with the lowest priority, and only while at least
 * half of the service's limit is free, so that a customer's call goes through at once.
 *
 * Nothing is learned from the answers: a record that no program has seen gets no number here.
 */
import type { Account } from '../../features/accounts/account.ts';
import type { LegacyReads, ReadAnswer } from '../../features/writes/settling/reads.ts';
import type { SampledRequest } from '../../features/samples/sample.ts';
import { MINUTE, SECOND } from '../../lib/time/clock.ts';
import type { Crosswalk } from '../../mapping/crosswalk/identifier.ts';
import type { Received } from './v3-replies.ts';

/** Dependencies of the calls. */
export interface AskingParts {
  /** Serve the account's programs as before the move, and as after it. */
  readonly v1: LegacyReads | undefined;
  readonly moved: LegacyReads;
  /** The organisation's calls within the last minute. */
  readonly inUse: (account: Account) => number;
  readonly perMinute: number;
  readonly pause: (millis: number) => Promise<unknown>;
  /** The replies of V3 to the account since the last call, as V3 sent them. */
  readonly received?: (accountId: string) => Received;
}

/** An answer after the move, with the replies of V3 that it was made from; none if V2 gave it. */
export type MovedAnswer = ReadAnswer & { readonly received?: Received };

const LONGEST_READ = 2 * MINUTE;

/** The period of a list that is to have every record: the earliest and the latest day of V1. */
export const ALL_TIME = [
  ['from', '19000101'],
  ['to', '20991231'],
] as const;

/** Calls the service for a comparison. */
export class Asking {
  readonly #parts: AskingParts;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  get hasV1(): boolean {
    return this.#parts.v1 !== undefined;
  }

  v1(account: Account, request: SampledRequest): Promise<ReadAnswer> {
    const { v1 } = this.#parts;
    return v1 === undefined
      ? Promise.resolve({ answer: 'failed', words: 'there is no V1' })
      : v1.read(readOf(account, request));
  }

  /** Waits until customers' calls leave room. */
  async moved(account: Account, request: SampledRequest): Promise<MovedAnswer> {
    const { inUse, perMinute, pause, moved, received } = this.#parts;
    while (inUse(account) >= perMinute / 2) await pause(SECOND);
    const answer = await moved.read(readOf(account, request));
    return received === undefined ? answer : { ...answer, received: received(account.id) };
  }
}

const readOf = (
  { id }: Account,
  { segments, query }: SampledRequest,
): Parameters<LegacyReads['read']>[0] => ({
  ...{ accountId: id, segments, query },
  ...{ isUrgent: false, signal: AbortSignal.timeout(LONGEST_READ) },
});

/** Returns the same crosswalk without allotting numbers: an unknown record gets none. */
export function withoutAllotting(crosswalk: Crosswalk): Crosswalk {
  return new Proxy(crosswalk, {
    get(target, name) {
      if (name !== 'numbers') {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value;
      }
      return async (accountId: string, wanted: Parameters<Crosswalk['numbers']>[1]) => {
        const known: (typeof wanted)[number][] = [];
        for (const [kind, some] of Map.groupBy(wanted, (one) => one.kind)) {
          const uuids = some.map(({ uuid }) => uuid);
          const unmet = await target.unmet(accountId, kind, uuids, true);
          known.push(...some.filter(({ uuid }) => !unmet.has(uuid.toLowerCase())));
        }
        return known.length === 0 ? new Map<string, number>() : target.numbers(accountId, known);
      };
    },
  });
}
