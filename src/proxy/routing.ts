/**
 * Decides where a legacy call goes, before anything of it is sent: pass-through to V1, forward to V3, or translate to
 * V2.
 *
 * The method is found by verb and path in the table compiled from the mapping; a path without a row is served by the
 * generic rule. Then the stage of the account decides: `legacy` goes to V1; `consented` to V1, and to V3 if V1 refuses
 * the keys; `migrated` to V3, or to V2 if the operator or the mapping says so and the product has it; `lost` and
 * `closed` nowhere. If V2 would not serve a call completely, V3 does (`translate/elsewhere.ts`). An unknown key pair
 * may be tried on V1 (`discovery`), within the limits for unknown keys.
 *
 * No write is sent while the database cannot store its outcome, and none is ever sent on a second route after the first
 * one had it.
 */
import type { LegacyCall, MovedCall, Reply, Service } from './call/call.ts';
import { firstFault } from './translate/json/first-fault.ts';
import type { Keys } from '../features/accounts/keys.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Brownouts } from './brownout.ts';
import type { Notices } from './notice.ts';
import { Failure } from '../lib/failure.ts';
import type { Snapshot } from '../features/snapshot/snapshot.ts';
import type { Crosswalk } from '../mapping/crosswalk/identifier.ts';
import type { Profile } from '../upstream/profile.ts';
import type { Destination, Upstream } from '../upstream/model.ts';
import type { Caller, KnownCaller } from '../features/accounts/account-directory.ts';
import { lostFailure } from '../features/accounts/lost-account.ts';
import { ForwardMethod, type ForwardParts } from './forward/forward.ts';
import { checkGenericPath, GenericForward } from './forward/generic.ts';
import { KeptChange, KeptWrites } from './writes/kept-writes.ts';
import { IdMaps } from './id-maps.ts';
import { Identifiers, sameIdentifiers, type Translation } from './identifiers.ts';
import type { CallPattern, Mapping, Method } from '../mapping/compile/model.ts';
import type { PassThrough } from './pass-through.ts';
import { inTransition } from '../mapping/compile/generic/transition.ts';
import { openReply } from '../mapping/dialect.ts';
import type { LossyWrites } from '../mapping/lossy-writes.ts';
import type { RouteChoices } from '../mapping/routes/route-choice.ts';
import type { ApiVersion } from '../mapping/routes/routes.ts';
import { isTransition } from './call/read-call.ts';
import { SlashedNumbers } from './call/slashes.ts';
import { probed, type UnknownKeyLimiter } from './unknown-key-limiter.ts';
import { NotWhole, REPLY } from './translate/elsewhere.ts';
import { LookupCache } from './translate/lookups/lookup-cache.ts';
import { TranslateMethod } from './translate/translate.ts';

/** What the bridge records about accounts while it serves them. */
export interface Observer {
  /** Callers about whom nothing is left to record. */
  readonly noted: WeakSet<KnownCaller>;
  /** V1 accepted a key pair that no account has: an account the operator had not added. */
  discovered(keys: Keys): Promise<void>;
  /** V1 accepted this API key for the account. */
  accepted(caller: KnownCaller, keys: Keys): Promise<void>;
}

/** What routes are built from. */
export interface RouteParts extends ForwardParts {
  readonly mapping: Mapping;
  readonly crosswalk: Crosswalk;
  /** V1's values from before the move; undefined: none are kept. */
  readonly snapshot?: Snapshot | undefined;
  readonly profile: Profile;
  readonly clock: Clock;
  /** Undefined: no V2 root is configured. */
  readonly v2: Upstream | undefined;
  /** Undefined: no V1 root is configured. */
  readonly passThrough: PassThrough | undefined;
  /** What V1's replies tell programs; undefined: nothing. */
  readonly notice?: Notices | undefined;
  /** Undefined: no read is refused on purpose. */
  readonly brownouts?: Brownouts | undefined;
  readonly discovery: boolean;
  readonly unknownKeys: UnknownKeyLimiter;
  /** The database is new and replaced another: an account that it has for one of V1's may have moved. */
  readonly deployment: { readonly hasVanished: boolean };
  readonly observer: Observer;
  /** Rejects while nothing can be stored, or the disk has no space for what a write may return. */
  readonly writable: () => Promise<void>;
  /** The operators' choices. */
  readonly choices: RouteChoices;
  /** For writes that V2 cannot carry completely, if V3 does not replace it. */
  readonly lossyWrites: LossyWrites;
  /** `version`: which of them named the address. */
  readonly documentLink: (accountId: string, url: string, version: 'v2' | 'v3') => string;
}

const NOT_KEPT =
  'The bridge cannot keep what comes of this request at the moment, so nothing was sent; try again later';

const NEW_STORE =
  'The bridge has a new database and cannot tell whether this account has moved: its operator has to acknowledge it first; try again later';

/** A method of the mapping by one of its patterns, with everything known about its calls beforehand. */
interface Entry {
  readonly pattern: CallPattern;
  /** `client.list` */
  readonly method: string;
  readonly v3: Service;
  /** Undefined: V2 does not have it. */
  readonly v2?: TranslateMethod | undefined;
  /** The mapping's version. */
  readonly endpoint: ApiVersion;
  /** See `MovedCall`. */
  readonly open: string;
  /** What serves calls with `uuidMode=transition`. */
  readonly inTransition?: () => Pick<Entry, 'v3' | 'v2'>;
}

/** The method of a call. */
export interface FoundMethod extends Omit<Entry, 'pattern'> {
  /** The values of the placeholders. */
  readonly values: readonly string[];
}

/** The account and the method of a call, as they are in this turn of the event loop. */
export interface KnownCall {
  readonly caller: KnownCaller;
  readonly found: FoundMethod;
}

/** The route is decided before the call and never changes while it is served. */
type Send = () => Promise<Reply>;

/** The values of the pattern's placeholders; undefined if the address does not match. */
function valuesIn(pattern: CallPattern, segments: readonly string[]): readonly string[] | undefined {
  if (pattern.segments.length !== segments.length) return undefined;
  const values: string[] = [];
  for (let index = 0; index < segments.length; index += 1) {
    const segment = pattern.segments[index];
    const given = segments[index] ?? '';
    if (segment === undefined || !('literal' in segment)) values.push(given);
    else if (segment.literal !== given && segment.literal !== given.toLowerCase()) return undefined;
  }
  return values;
}

/** Patterns are looked up by their first two segments, which are literals in all of them. */
const placeOf = ([family = '', method = '']: readonly string[]): string =>
  `${family}/${method.toLowerCase()}`;

const wordsOf = ({ segments }: CallPattern): readonly string[] =>
  segments.map((segment) => ('literal' in segment ? segment.literal : ''));

/** Where a call goes: pass-through, forward or translate. Compiled once from the mapping. */
export class Routes {
  readonly parts: RouteParts;
  readonly #entries = new Map<string, Entry[]>();
  readonly #generic: GenericForward;
  readonly #numbers: SlashedNumbers;
  readonly #lookupCache: LookupCache;

  constructor(parts: RouteParts) {
    const { mapping, endpoint, body, clock, profile } = parts;
    this.parts = parts;
    this.#numbers = new SlashedNumbers(mapping.methods);
    this.#generic = new GenericForward({ endpoint, table: mapping.generic, body });
    this.#lookupCache = new LookupCache(mapping.v2, clock);
    for (const method of mapping.methods) {
      const v3 = this.#forwarding(method);
      const v2 = this.#translating(method);
      let other: Pick<Entry, 'v3' | 'v2'> | undefined;
      const variant = (): Pick<Entry, 'v3' | 'v2'> => (other ??= this.#inTransition(method, v3));
      for (const pattern of method.legacy) {
        const open = openReply(wordsOf(pattern));
        this.#enter({
          pattern,
          method: method.id,
          v3,
          v2,
          endpoint: method.route,
          open,
          inTransition: variant,
        });
      }
    }
    const idMaps = new IdMaps({ kinds: mapping.kinds, clock, lifetime: profile.durations.documentLink });
    for (const { id, legacy: pattern } of mapping.local)
      this.#enter({ pattern, method: id, v3: idMaps, endpoint: 'v3', open: openReply(wordsOf(pattern)) });
  }

  #forwarding(method: Method): Service {
    const { snapshot, v2, body } = this.parts;
    const forward = new ForwardMethod(this.parts, method);
    const change = snapshot && v2 && KeptChange.of(method, snapshot);
    return change === undefined ? forward : new KeptWrites(forward, method, change, body);
  }

  /** Where V3 has V1's numbers, it shows no UUIDs. */
  #inTransition(method: Method, v3: Service): Pick<Entry, 'v3' | 'v2'> {
    const variant = inTransition(method);
    const hasUuids = this.parts.profile.v3.identifiers === 'uuid';
    return { v3: hasUuids ? this.#forwarding(variant) : v3, v2: this.#translating(variant) };
  }

  #translating(method: Method): TranslateMethod | undefined {
    const { v2: endpoint, profile, body, mapping, clock, lossyWrites, snapshot } = this.parts;
    if (endpoint === undefined || method.v2?.way !== 'steps') return undefined;
    return new TranslateMethod(
      {
        endpoint,
        profile,
        body,
        lookupCache: this.#lookupCache,
        kinds: mapping.kinds,
        clock,
        numbers: this.#numbers,
        standIn: profile.v3.standsInForV2,
        lossyWrites,
        snapshot,
      },
      method,
      method.v2,
    );
  }

  #enter(entry: Entry): void {
    const place = placeOf(wordsOf(entry.pattern));
    const known = this.#entries.get(place);
    if (known) known.push(entry);
    else this.#entries.set(place, [entry]);
  }

  /**
   * `known`: the method, if it has been found already. Throws `Failure` unknownMethod, wrongVerb, keysRefused,
   * consentNeeded.
   */
  async choose(call: LegacyCall, caller: Caller, known?: FoundMethod): Promise<Send> {
    const found = known ?? this.#match(call);
    call.trace.method = found.method;
    if (!caller.known) return this.#unknownKey(call);
    const { account } = caller;
    const { life } = account;
    switch (life.stage) {
      case 'legacy':
      case 'awaiting-operator':
        // V1 never knew a pair that the bridge generated.
        if (account.origin === 'issued') throw new Failure('consentNeeded');
        return this.#passThrough(call, caller, () => Promise.reject(new Failure('consentNeeded')));
      case 'consented':
        return this.#consented(call, caller, found);
      case 'migrated':
        return this.#moved(call, caller, found);
      case 'lost':
        throw lostFailure(life.reason);
      case 'closed':
        throw new Failure('keysRefused');
    }
  }

  /** Undefined: no method of this address takes the verb, or `choose` has to look closer. */
  find(verb: string, segments: readonly string[]): FoundMethod | undefined {
    for (const entry of this.#entries.get(placeOf(segments)) ?? []) {
      const values = valuesIn(entry.pattern, segments);
      if (values !== undefined && entry.pattern.verbs.includes(verb)) return { ...entry, values };
    }
    return undefined;
  }

  #match(call: LegacyCall): FoundMethod {
    const plain = this.find(call.verb, call.segments);
    if (plain?.values.join('').includes('/') === false) return plain;
    const found = this.#matchAs(call, false) ?? this.#matchAs(call, true);
    if (found !== undefined) return found;
    checkGenericPath(call.segments);
    this.#numbers.check(undefined, call.segments);
    return {
      method: 'generic',
      v3: this.#generic,
      endpoint: 'v3',
      values: [],
      open: openReply(call.segments),
    };
  }

  /** `joined`: with the segments together that make up one number, if its slashes were not encoded. */
  #matchAs({ verb, segments: given }: LegacyCall, joined: boolean): FoundMethod | undefined {
    const allow: string[] = [];
    for (const entry of this.#entries.get(placeOf(given)) ?? []) {
      const { pattern } = entry;
      const segments = joined ? this.#numbers.joined(pattern, given) : given;
      const values = segments && valuesIn(pattern, segments);
      if (!segments || !values) continue;
      if (!pattern.verbs.includes(verb)) {
        allow.push(...pattern.verbs);
        continue;
      }
      if (values.join('').includes('/')) this.#numbers.check(pattern, segments);
      return { ...entry, values };
    }
    if (allow.length > 0) throw new Failure('wrongVerb', { allow: [...new Set(allow)] });
    return undefined;
  }

  /**
   * V3 or V2, as the operator or the mapping says; V3 for what V2 would not serve completely. `later`: asked
   * once V1 has refused the call.
   */
  async #moved(call: LegacyCall, caller: KnownCaller, given: FoundMethod, later = false): Promise<Send> {
    const isAsItIs = call.query.length === 0 || !isTransition(call);
    const found = isAsItIs ? given : { ...given, ...given.inTransition?.() };
    const { account, to } = caller;
    if (to === undefined) throw new Failure('consentNeeded');
    const { choices } = this.parts;
    const { method, v3, v2, endpoint: usual } = found;
    const isRead = call.verb === 'GET';
    // The practice variant has no V2 at all.
    const hasV2 = v2 !== undefined && account.product !== 'practice';
    let endpoint = hasV2 ? ((await choices.of(method, account.id, isRead)) ?? usual) : 'v3';
    if (endpoint === 'v2' && v2?.elsewhere !== undefined) {
      if (later) return async () => (await this.#moved(call, caller, found))();
      const whole = this.#movedCall(call, { account, to }, found, 'v2');
      call.trace.rerouted = await Promise.resolve(v2.elsewhere(whole)).catch((error: unknown) =>
        this.#refused(error, whole, caller, method),
      );
      if (call.trace.rerouted !== undefined) endpoint = 'v3';
    }
    call.trace.route = endpoint;
    const moved = this.#movedCall(call, { account, to }, found, endpoint);
    const service = endpoint === 'v2' && v2 !== undefined ? v2 : v3;
    if (isRead && service === v2 && v2.mayLeave)
      return () => v2.serve(moved).catch((error: unknown) => this.#instead(error, call, caller, found));
    if (isRead) return () => service.serve(moved);
    const send = (): Promise<Reply> =>
      service.serve(moved).catch((error: unknown) => this.#refused(error, moved, caller, method));
    return () => this.#forgetting(call, to, () => this.#write(call, send));
  }

  /** Throws the fault that V1 told. */
  async #refused(error: unknown, moved: MovedCall, caller: KnownCaller, id: string): Promise<never> {
    const { mapping, body } = this.parts;
    const read = async (call: LegacyCall): Promise<Reply> =>
      (await this.#moved(call, caller, this.#match(call)))();
    throw await firstFault(error, { ...moved, id, mapping, body, read });
  }

  /** A read that V2 did not answer completely. */
  #instead(
    error: unknown,
    call: LegacyCall,
    { account, to }: KnownCaller,
    found: FoundMethod,
  ): Promise<Reply> {
    if (!(error instanceof NotWhole) || to === undefined) throw error;
    call.trace.rerouted = REPLY;
    return found.v3.serve(this.#movedCall(call, { account, to }, found, 'v3'));
  }

  #movedCall(
    call: LegacyCall,
    { account, to }: { readonly account: KnownCaller['account']; readonly to: Destination },
    { values, open }: FoundMethod,
    endpoint: ApiVersion,
  ): MovedCall {
    const ids = this.identifiers(account.id, endpoint, call);
    const link = (url: string): string => this.parts.documentLink(account.id, url, endpoint);
    return { call, to, ids, link, values, open };
  }

  /** The identifiers of one call. */
  identifiers(accountId: string, endpoint: ApiVersion, call?: LegacyCall): Translation {
    const { crosswalk, mapping, profile } = this.parts;
    // V2 uses UUIDs, whatever V3 uses.
    if (endpoint === 'v3' && profile.v3.identifiers === 'number') return sameIdentifiers;
    const { zeroPadded } = profile.legacyIdentifiers;
    return new Identifiers(crosswalk, mapping.kinds, accountId, call, zeroPadded);
  }

  /**
   * The outcome of a write, and a number for what it created, must be stored: no write is sent while nothing
   * can be stored.
   */
  async #write({ leaving }: LegacyCall, send: Send): Promise<Reply> {
    await this.parts.writable().catch((error: unknown) => {
      throw new Failure('storeUnavailable', { text: NOT_KEPT, retryAfter: 10, cause: error });
    });
    await leaving?.allotting();
    return send();
  }

  /** Cached records of a family are outdated once one is written, whichever route the write takes. */
  async #forgetting({ segments }: LegacyCall, to: Destination, send: Send): Promise<Reply> {
    const [family = ''] = segments;
    this.#lookupCache.forgetFamily(to, family);
    try {
      return await send();
    } finally {
      this.#lookupCache.forgetFamily(to, family);
    }
  }

  /** V1 still serves, or V3 if V1 refuses. */
  async #consented(received: LegacyCall, caller: KnownCaller, found: FoundMethod): Promise<Send> {
    const { account, to } = caller;
    const call = rereadable(received);
    const isV1s = this.parts.passThrough !== undefined && account.origin !== 'issued';
    const moved = await this.#moved(call, caller, found, isV1s);
    if (!isV1s) return moved;
    const send = this.#passThrough(call, caller, moved);
    return call.verb === 'GET' || to === undefined ? send : () => this.#forgetting(call, to, send);
  }

  #passThrough(call: LegacyCall, caller: KnownCaller, refused: () => Promise<Reply>): Send {
    const { passThrough, observer, deployment, notice, brownouts } = this.parts;
    if (!passThrough) throw new Failure('consentNeeded');
    if (deployment.hasVanished) throw new Failure('heldBack', { retryAfter: 60, text: NEW_STORE });
    brownouts?.check(caller.account, call.trace.method);
    call.trace.route = 'v1';
    const accepted = observer.noted.has(caller) ? undefined : () => observer.accepted(caller, call.keys);
    const send = (): Promise<Reply> => passThrough.serve(call, { accepted, refused });
    const noted = notice?.(caller.account);
    return noted === undefined ? send : async () => noted(await send());
  }

  #unknownKey(call: LegacyCall): Send {
    const { passThrough, discovery, unknownKeys, observer } = this.parts;
    unknownKeys.check();
    if (!passThrough || !discovery) throw new Failure('keysRefused');
    const probe = unknownKeys.admit(call.keys, call.from?.());
    const events = {
      accepted: () => observer.discovered(call.keys),
      refused: () => Promise.reject<Reply>(probe.refused()),
    };
    return () => probed(probe, call, () => passThrough.serve(call, events));
  }
}

/** A body is read only once: first for the ledger; if V1 has read it and refuses the keys, V3 gets the same bytes. */
export function rereadable(call: LegacyCall): LegacyCall {
  let bytes: Promise<Buffer> | undefined;
  const read = (limit: number): Promise<Buffer> => (bytes ??= call.body.read(limit));
  return { ...call, body: { length: call.body.length, read } };
}
