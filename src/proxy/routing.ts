/**
 * Decides where a legacy call goes, before anything of it is sent: pass-through to V1, forward to V3, or translate to
 * V2.
 *
 * The method is found by verb and path in the table compiled from the mapping; a path without a row is served by the
 * generic rule. Then the stage of the account decides: `legacy` goes to V1; `consented` to V1, and to V3 if V1 refuses
 * the keys; `migrated` to V3, or to V2 if the operator or the mapping says so and the product has it; `lost` and
 * `closed` nowhere, and neither does a stage of a later version. V3 replaces V2 if V2 would not serve a call completely
 * (`translate/elsewhere.ts`). An unknown key pair may be tried on V1 (`discovery`), within the limits for unknown keys.
 *
 * No write is sent while the database cannot store its outcome, and none is ever sent on a second route after the first
 * one had it.
 */
import type { LegacyCall, MovedCall, Reply } from './call/call.ts';
import { firstFault } from './translate/json/first-fault.ts';
import { Failure } from '../lib/failure.ts';
import type { Destination } from '../upstream/model.ts';
import type { Caller, KnownCaller } from '../features/accounts/account-directory.ts';
import { LaterStage, lostFailure } from '../features/accounts/account.ts';
import { checkGenericPath, GenericForward } from './forward/generic.ts';
import { Identifiers, sameIdentifiers, type Translation } from './identifiers.ts';
import type { CallPattern } from '../mapping/compile/model.ts';
import { openReply } from '../mapping/dialect.ts';
import type { ApiVersion } from '../mapping/routes/routes.ts';
import { isTransition } from './call/read-call.ts';
import { SlashedNumbers } from './call/slashes.ts';
import { NotWhole, REPLY } from './translate/elsewhere.ts';
import { LookupCache } from './translate/lookups/lookup-cache.ts';
import type { Entry, FoundMethod, RouteParts, Send } from './route-parts.ts';
import { RouteEntries, wordsOf } from './route-entries.ts';
import { V1Route } from './v1-route.ts';

const NOT_KEPT =
  'The bridge cannot keep what comes of this request at the moment, so nothing was sent; try again later';

/** A write that was not sent because its outcome cannot be stored. */
export const notKept = (cause: unknown): Failure =>
  new Failure('storeUnavailable', { text: NOT_KEPT, cause });

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

/** Where a call goes: pass-through, forward or translate. Compiled once from the mapping. */
export class Routes {
  readonly parts: RouteParts;
  readonly #entries = new Map<string, Entry[]>();
  readonly #generic: GenericForward;
  readonly #v1: V1Route;
  readonly #numbers: SlashedNumbers;
  readonly #lookupCache: LookupCache;

  constructor(parts: RouteParts) {
    const { mapping, endpoint, body, clock } = parts;
    this.parts = parts;
    this.#v1 = new V1Route(parts);
    this.#numbers = new SlashedNumbers(mapping.methods);
    this.#generic = new GenericForward({ endpoint, table: mapping.generic, body });
    this.#lookupCache = new LookupCache(mapping.v2, clock);
    const entries = new RouteEntries(parts, this.#numbers, this.#lookupCache);
    for (const entry of entries.all()) this.#enter(entry);
  }

  #enter(entry: Entry): void {
    const place = placeOf(wordsOf(entry.pattern));
    const known = this.#entries.get(place);
    if (known) known.push(entry);
    else this.#entries.set(place, [entry]);
  }

  /**
   * `known`: the method, if it has been found already. Throws `Failure` unknownMethod, wrongVerb, keysRefused,
   * consentNeeded, and `LaterStage`.
   */
  async choose(call: LegacyCall, caller: Caller, known?: FoundMethod): Promise<Send> {
    const found = known ?? this.#match(call);
    call.trace.method = found.method;
    if (!caller.known) return this.#v1.serveUnknown(call);
    const { account } = caller;
    const { life } = account;
    switch (life.stage) {
      case 'legacy':
      case 'awaiting-operator':
        // V1 never knew a pair that the bridge generated.
        if (account.origin === 'issued') throw new Failure('consentNeeded');
        return this.#v1.serve(call, caller, () => Promise.reject(new Failure('consentNeeded')));
      case 'consented':
        return this.#consented(call, caller, found);
      case 'migrated':
        return this.#moved(call, caller, found);
      case 'lost':
        throw lostFailure(life.reason);
      case 'closed':
        throw new Failure('keysRefused');
      default:
        throw new LaterStage(account);
    }
  }

  /** Undefined: no method at this address takes the verb, or only `choose` can decide. */
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

  /** `joined`: with the segments of one number joined, if its slashes were not encoded. */
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
   * V3 or V2, as the operator or the mapping says; V3 for calls that V2 would not serve completely. `later`: V1 has
   * refused the call first.
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
    const present = hasV2 ? choices.present(method, account.id) : 'v3';
    const chosen = present === 'unknown' ? await choices.asked(method, account.id, isRead) : present;
    let endpoint = chosen ?? usual;
    if (endpoint === 'v2' && v2?.elsewhere !== undefined) {
      if (later) return async () => (await this.#moved(call, caller, found))();
      // A failure from here on counts for this route.
      call.trace.route = 'v2';
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

  /** Throws the fault that V1 would have reported. */
  async #refused(error: unknown, moved: MovedCall, caller: KnownCaller, id: string): Promise<never> {
    const { mapping, body } = this.parts;
    const read = async (call: LegacyCall): Promise<Reply> =>
      (await this.#moved(call, caller, this.#match(call)))();
    throw await firstFault(error, { ...moved, id, mapping, body, read });
  }

  /** Repeats on V3 a read that V2 did not answer completely. */
  #instead(
    error: unknown,
    call: LegacyCall,
    { account, to }: KnownCaller,
    found: FoundMethod,
  ): Promise<Reply> {
    if (!(error instanceof NotWhole) || to === undefined) throw error;
    call.trace.rerouted = REPLY;
    call.trace.route = 'v3';
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
    return new Identifiers(crosswalk, mapping.kinds, accountId, call, profile);
  }

  /** Sends a write only while its outcome, and a number for the record it creates, can be stored. */
  async #write({ leaving }: LegacyCall, send: Send): Promise<Reply> {
    await this.parts.writable(leaving?.storedAt).catch((error: unknown) => {
      throw notKept(error);
    });
    await leaving?.allotting();
    return send();
  }

  /** Forgets cached records of a family once one is written, whichever route the write takes. */
  async #forgetting({ segments }: LegacyCall, to: Destination, send: Send): Promise<Reply> {
    const [family = ''] = segments;
    this.#lookupCache.forgetFamily(to, family);
    try {
      return await send();
    } finally {
      this.#lookupCache.forgetFamily(to, family);
    }
  }

  /** V1 still serves; V3 if V1 refuses. */
  async #consented(received: LegacyCall, caller: KnownCaller, found: FoundMethod): Promise<Send> {
    const { account, to } = caller;
    const call = rereadable(received);
    const isV1s = this.parts.passThrough !== undefined && account.origin !== 'issued';
    const moved = await this.#moved(call, caller, found, isV1s);
    if (!isV1s) return moved;
    const { route } = call.trace;
    const send = this.#v1.serve(call, caller, () => {
      call.trace.route = route;
      return moved();
    });
    return call.verb === 'GET' || to === undefined ? send : () => this.#forgetting(call, to, send);
  }
}

/** A body is read only once: first for the ledger; if V1 has read it and refuses the keys, V3 gets the same bytes. */
export function rereadable(call: LegacyCall): LegacyCall {
  let bytes: Promise<Buffer> | undefined;
  const read = (limit: number): Promise<Buffer> => (bytes ??= call.body.read(limit));
  return { ...call, body: { length: call.body.length, read } };
}
