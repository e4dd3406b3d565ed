import type { Account } from '../features/accounts/account.ts';
import type { LegacyCall, Reply, Route } from './call.ts';
import type { Keys } from '../features/accounts/keys.ts';
import type { Clock } from '../lib/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { Crosswalk } from '../mapping/crosswalk/identifier.ts';
import type { Profile } from '../upstream/profile.ts';
import { destinationOf, type Destination, type V2Lane } from '../upstream/model.ts';
import type { Caller } from '../features/accounts/account-directory.ts';
import { ForwardMethod, type ForwardParts } from './forward/forward.ts';
import { checkGenericPath, GenericForward } from './forward/generic.ts';
import { IdMaps } from './id-maps.ts';
import { Identifiers, sameIdentifiers, type Translation } from './identifiers.ts';
import type { CallPattern, Mapping, Method } from '../mapping/compile/model.ts';
import type { PassThrough } from './pass-through.ts';
import { noChoice, type Choice } from '../mapping/routes/route-choice.ts';
import { SlashedNumbers } from './slashes.ts';
import type { Probe, Strangers } from './unknown-key-limiter.ts';
import { LookupShelf, shelfOf } from './translate/lookup-cache.ts';
import { TranslateMethod } from './translate/translate.ts';

/** What the bridge notices about accounts while it serves them. */
export interface Observer {
  /** V1 accepted a key pair that no account has: an account the operator had forgotten. */
  discovered(keys: Keys): Promise<void>;
  /** V1 accepted this API key for the account. */
  accepted(accountId: string, keys: Keys): Promise<void>;
}

export interface RouteParts extends ForwardParts {
  readonly mapping: Mapping;
  readonly crosswalk: Crosswalk;
  readonly profile: Profile;
  readonly clock: Clock;
  /** undefined: no V2 root is configured. */
  readonly v2: V2Lane | undefined;
  /** undefined: no V1 root is configured. */
  readonly passThrough: PassThrough | undefined;
  readonly discovery: boolean;
  readonly strangers: Strangers;
  readonly observer: Observer;
  /** Rejects while nothing can be stored, or the disk has no room for what a write may bring. */
  readonly writable: () => Promise<void>;
  /** `lane`: which of them named the address. */
  readonly documentLink: (accountId: string, url: string, lane: 'v2' | 'v3') => string;
}

const NOT_KEPT =
  'The bridge cannot keep what comes of this request at the moment, so nothing was sent; try again later';

interface Found {
  readonly method: string;
  readonly forward: (account: Account, to: Destination, choice: Choice) => Route;
}

interface Entry {
  readonly pattern: CallPattern;
  /** `client.list` */
  readonly method: string;
  /** After the move; `values`: what the placeholders held. */
  readonly forward: (account: Account, to: Destination, values: readonly string[], choice: Choice) => Route;
}

function matches(pattern: CallPattern, segments: readonly string[]): string[] | undefined {
  if (pattern.segments.length !== segments.length) return undefined;
  const values: string[] = [];
  for (const [index, segment] of pattern.segments.entries()) {
    const given = segments[index] ?? '';
    if ('literal' in segment) {
      if (segment.literal !== given.toLowerCase()) return undefined;
    } else {
      values.push(given);
    }
  }
  return values;
}

/** Where a call goes: pass-through, forward or translate. Compiled once from the mapping. */
export class Routes {
  readonly #parts: RouteParts;
  readonly #entries = new Map<string, Entry[]>();
  readonly #generic: GenericForward;
  readonly #numbers: SlashedNumbers;
  readonly #shelf: LookupShelf;

  constructor(parts: RouteParts) {
    this.#parts = parts;
    this.#numbers = new SlashedNumbers(parts.mapping.methods);
    this.#generic = new GenericForward({ lane: parts.lane, table: parts.mapping.generic, body: parts.body });
    this.#shelf = new LookupShelf(parts.mapping.v2, parts.clock);
    for (const method of parts.mapping.methods) {
      const forward = this.#served(method);
      for (const pattern of method.legacy) this.#enter({ pattern, method: method.id, forward });
    }
    this.#enterLocal();
  }

  /** The lane is decided before the call and never changed while it is served. */
  #served(method: Method): Entry['forward'] {
    const forward = new ForwardMethod(this.#parts, method);
    const translate = this.#translating(method);
    return (account, to, values, choice) => {
      // The practice variant has no V2 at all.
      const lane = account.product === 'practice' ? 'v3' : (choice(method.id, account.id) ?? method.route);
      return translate !== undefined && lane === 'v2'
        ? translate.route(to, this.#uuids(account.id), this.#links(account.id, 'v2'), values)
        : forward.route(to, this.#ids(account.id), this.#links(account.id, 'v3'), values);
    };
  }

  #translating(method: Method): TranslateMethod | undefined {
    const { v2: lane, profile, body, mapping, clock } = this.#parts;
    if (lane === undefined || method.v2?.way !== 'steps') return undefined;
    return new TranslateMethod(
      { lane, profile, body, shelf: this.#shelf, kinds: mapping.kinds, clock, numbers: this.#numbers },
      method,
      method.v2,
    );
  }

  #enterLocal(): void {
    const { mapping, clock, profile } = this.#parts;
    const lifetime = profile.durations.documentLink;
    const idMaps = new IdMaps({ kinds: mapping.kinds, clock, lifetime });
    for (const { id, legacy } of mapping.local) {
      const forward = (account: Account): Route => idMaps.route(this.#links(account.id, 'v3'));
      this.#enter({ pattern: legacy, method: id, forward });
    }
  }

  #enter(entry: Entry): void {
    const first = entry.pattern.segments[0];
    const family = first && 'literal' in first ? first.literal : '';
    const known = this.#entries.get(family);
    if (known) known.push(entry);
    else this.#entries.set(family, [entry]);
  }

  /** Throws `Failure` unknownMethod, wrongVerb, keysRefused, consentNeeded. */
  find(
    call: LegacyCall,
    caller: Caller,
    choice: Choice = noChoice,
  ): { readonly method: string; readonly route: Route } {
    const found = this.#match(call);
    if (!caller.known) return { method: found.method, route: this.#stranger(call) };
    const route = this.#known(call, caller, found, choice);
    return { method: found.method, route: this.#forgetting(route, call, caller.account) };
  }

  /** What comes of a write, a number for what it made, must be kept: no write is sent while nothing can be kept. */
  #checked(route: Route, { verb }: LegacyCall): Route {
    const { writable } = this.#parts;
    if (verb === 'GET') return route;
    return {
      serve: async (call, trace) => {
        await writable().catch((error: unknown) => {
          throw new Failure('storeUnavailable', { text: NOT_KEPT, retryAfter: 10, cause: error });
        });
        return route.serve(call, trace);
      },
    };
  }

  /** What is kept of a family's records is out of date once one is written, whichever way the write goes. */
  #forgetting(route: Route, { verb, segments }: LegacyCall, account: Account): Route {
    const { life } = account;
    if (verb === 'GET' || !('binding' in life)) return route;
    const whose = shelfOf(destinationOf(account, life.binding));
    const forget = (): void => {
      this.#shelf.forgetFamily(whose, segments[0] ?? '');
    };
    return {
      serve: async (call, trace) => {
        forget();
        try {
          return await route.serve(call, trace);
        } finally {
          forget();
        }
      },
    };
  }

  #match(call: LegacyCall): Found {
    checkGenericPath(call.segments);
    const found =
      this.#matchAs(call, () => call.segments) ??
      this.#matchAs(call, (pattern) => this.#numbers.joined(pattern, call.segments));
    if (found !== undefined) return found;
    this.#numbers.check(undefined, call.segments);
    return { method: 'generic', forward: (account, to) => this.#generic.route(to, this.#ids(account.id)) };
  }

  /** `read`: the segments as the pattern would have them, where it can. */
  #matchAs(
    call: LegacyCall,
    read: (pattern: CallPattern) => readonly string[] | undefined,
  ): Found | undefined {
    let pathIsKnown = false;
    for (const { pattern, method, forward } of this.#entries.get(call.segments[0] ?? '') ?? []) {
      const segments = read(pattern);
      const values = segments && matches(pattern, segments);
      if (!segments || !values) continue;
      pathIsKnown = true;
      if (!pattern.verbs.includes(call.verb)) continue;
      this.#numbers.check(pattern, segments);
      return {
        method,
        forward: (account, to, choice) => forward(account, to, values, choice),
      };
    }
    if (pathIsKnown) throw new Failure('wrongVerb');
    return undefined;
  }

  #ids(accountId: string): Translation {
    const { profile } = this.#parts;
    return profile.v3.identifiers === 'number' ? sameIdentifiers : this.#uuids(accountId);
  }

  /** V2 knows UUIDs, whatever V3 knows. */
  #uuids(accountId: string): Translation {
    const { crosswalk, mapping } = this.#parts;
    return new Identifiers(crosswalk, mapping.kinds, accountId);
  }

  #links(accountId: string, lane: 'v2' | 'v3'): (url: string) => string {
    return (url) => this.#parts.documentLink(accountId, url, lane);
  }

  #known(
    call: LegacyCall,
    { account, vouched }: Extract<Caller, { known: true }>,
    found: Found,
    choice: Choice,
  ): Route {
    const { life } = account;
    switch (life.stage) {
      case 'legacy':
      case 'awaiting-operator':
        // V1 never knew a pair that the bridge made.
        if (account.origin === 'issued') throw new Failure('consentNeeded');
        return this.#passThrough(account, call.keys, () => Promise.reject(new Failure('consentNeeded')));
      case 'consented': {
        const v3 = this.#checked(found.forward(account, destinationOf(account, life.binding), choice), call);
        if (!this.#parts.passThrough || account.origin === 'issued') {
          if (!vouched) throw new Failure('keysRefused');
          return v3;
        }
        return {
          serve: (served, trace) => {
            const twice = rereadable(served);
            // Nobody vouches for an API key that V1 refuses and has never taken.
            const refused = (): Promise<Reply> =>
              vouched ? v3.serve(twice, trace) : Promise.reject(new Failure('keysRefused'));
            return this.#passThrough(account, call.keys, refused).serve(twice, trace);
          },
        };
      }
      case 'migrated':
        return this.#checked(found.forward(account, destinationOf(account, life.binding), choice), call);
      case 'lost':
        throw new Failure('consentNeeded');
      case 'closed':
        throw new Failure('keysRefused');
    }
  }

  #passThrough(account: Account, keys: Keys, refused: () => Promise<Reply>): Route {
    const { passThrough, observer } = this.#parts;
    if (!passThrough) throw new Failure('consentNeeded');
    return passThrough.route({ accepted: () => observer.accepted(account.id, keys), refused });
  }

  #stranger({ keys, from }: LegacyCall): Route {
    const { passThrough, discovery, strangers, observer } = this.#parts;
    strangers.check();
    if (!passThrough || !discovery) throw new Failure('keysRefused');
    const probe = strangers.admit(keys, from);
    const route = passThrough.route({
      accepted: () => observer.discovered(keys),
      refused: () => Promise.reject(probe.refused()),
    });
    return { serve: (call, trace) => probed(probe, call, () => route.serve(call, trace)) };
  }
}

/** Whatever V1 or the way to it says but that it does not know the pair, unless the caller did not wait for it. */
async function probed(probe: Probe, { signal }: LegacyCall, serve: () => Promise<Reply>): Promise<Reply> {
  try {
    const reply = await serve();
    probe.cleared();
    return reply;
  } catch (error) {
    const isWrong = error instanceof Failure && error.code === 'keysRefused';
    if (!isWrong && !signal.aborted) probe.cleared();
    throw error;
  }
}

/** A body is read once; when V1 has taken it in and refuses the keys, V3 gets the same bytes. */
function rereadable(call: LegacyCall): LegacyCall {
  let bytes: Promise<Buffer> | undefined;
  const read = (limit: number): Promise<Buffer> => (bytes ??= call.body.read(limit));
  return { ...call, body: { length: call.body.length, read } };
}
