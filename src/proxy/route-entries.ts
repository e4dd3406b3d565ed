/**
 * The methods of the mapping and their services on V3 and V2, made once at start; `routing.ts` looks a call's method up
 * among them.
 */
import { inTransition } from '../mapping/compile/generic/transition.ts';
import type { CallPattern, Method } from '../mapping/compile/model.ts';
import { openReply } from '../mapping/dialect.ts';
import type { Service } from './call/call.ts';
import type { SlashedNumbers } from './call/slashes.ts';
import { ForwardMethod } from './forward/forward.ts';
import { IdMaps } from './id-maps.ts';
import type { Entry, RouteParts } from './route-parts.ts';
import type { LookupCache } from './translate/lookups/lookup-cache.ts';
import { TranslateMethod } from './translate/translate.ts';
import { KeptChange, KeptWrites } from './writes/kept-writes.ts';

type Serving = Pick<Entry, 'v3' | 'v2'>;

/** The literal segments of a pattern; empty for placeholders. */
export const wordsOf = ({ segments }: CallPattern): readonly string[] =>
  segments.map((segment) => ('literal' in segment ? segment.literal : ''));

/** Makes the entries of all methods. */
export class RouteEntries {
  readonly #parts: RouteParts;
  readonly #numbers: SlashedNumbers;
  readonly #lookupCache: LookupCache;

  constructor(parts: RouteParts, numbers: SlashedNumbers, lookupCache: LookupCache) {
    this.#parts = parts;
    this.#numbers = numbers;
    this.#lookupCache = lookupCache;
  }

  /** One for each pattern, in the order of the mapping. */
  all(): readonly Entry[] {
    const { mapping, clock, profile } = this.#parts;
    const idMaps = new IdMaps({ kinds: mapping.kinds, clock, lifetime: profile.durations.documentLink });
    return [
      ...mapping.methods.flatMap((method) => this.#of(method)),
      ...mapping.local.map(({ id, legacy: pattern }): Entry => {
        const open = openReply(wordsOf(pattern));
        return { pattern, method: id, v3: idMaps, endpoint: 'v3', open };
      }),
    ];
  }

  #of(method: Method): readonly Entry[] {
    const v3 = this.#forwarding(method);
    const v2 = this.#translating(method);
    let other: Serving | undefined;
    const variant = (): Serving => (other ??= this.#inTransition(method, v3));
    const common = { method: method.id, v3, v2, endpoint: method.route, inTransition: variant };
    return method.legacy.map((pattern) => ({ ...common, pattern, open: openReply(wordsOf(pattern)) }));
  }

  #forwarding(method: Method): Service {
    const { snapshot, v2, body } = this.#parts;
    const forward = new ForwardMethod(this.#parts, method);
    const change = snapshot && v2 && KeptChange.of(method, snapshot);
    return change === undefined ? forward : new KeptWrites(forward, method, change, body);
  }

  /** Where V3 has V1's numbers, it shows no UUIDs. */
  #inTransition(method: Method, v3: Service): Serving {
    const variant = inTransition(method);
    const hasUuids = this.#parts.profile.v3.identifiers === 'uuid';
    return { v3: hasUuids ? this.#forwarding(variant) : v3, v2: this.#translating(variant) };
  }

  #translating(method: Method): TranslateMethod | undefined {
    const { v2: endpoint, profile, body, mapping, clock, zoneOf, lossyWrites, snapshot } = this.#parts;
    if (endpoint === undefined || method.v2?.way !== 'steps') return undefined;
    const parts = {
      ...{ endpoint, profile, body, clock, lossyWrites, snapshot },
      ...{ lookupCache: this.#lookupCache, kinds: mapping.kinds, numbers: this.#numbers },
      standIn: profile.v3.standsInForV2,
      zoneOf: method.v2.isDated ? zoneOf : undefined,
    };
    return new TranslateMethod(parts, method, method.v2);
  }
}
