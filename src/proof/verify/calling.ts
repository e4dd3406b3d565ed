/**
 * Calls a method of the mapping on one API version as a legacy program would: V1 directly, V3 and V2 through
 * the bridge's own translation, so that the code verified is the code that serves customers.
 */
import { buffer } from 'node:stream/consumers';
import type { Keys } from '../../features/accounts/keys.ts';
import { xmlOf } from './judging/answers.ts';
import type { Exchange, Reading, Surface } from './model.ts';
import { Failure } from '../../lib/failure.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { legacyTarget, openReply } from '../../mapping/dialect.ts';
import { dropLosses } from '../../mapping/lossy-writes.ts';
import type { Mapping, Method } from '../../mapping/compile/model.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { BodyReader } from '../../proxy/call/body-reader.ts';
import { SlashedNumbers } from '../../proxy/call/slashes.ts';
import { Trace, type LegacyCall, type Reply, type Service } from '../../proxy/call/call.ts';
import { ForwardMethod } from '../../proxy/forward/forward.ts';
import { sameIdentifiers, type Translation } from '../../proxy/identifiers.ts';
import { LookupCache } from '../../proxy/translate/lookups/lookup-cache.ts';
import { TranslateMethod } from '../../proxy/translate/translate.ts';
import type { Destination, V1Endpoint } from '../../upstream/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import { retryAfterMs } from '../../upstream/transport/outcome.ts';
import type { Pacer } from './pacer.ts';
import { callSignal, exchangeOf, MOST_WAITS, textOf, type Recorder } from './recorder.ts';

/** The services to call. */
export interface CallingParts {
  readonly to: Destination;
  readonly clock: Clock;
  /** Undefined if V1 no longer exists or the account's keys are not known. */
  readonly v1: { readonly endpoint: V1Endpoint; readonly keys: Keys; readonly pacer: Pacer } | undefined;
  readonly v3: Recorder;
  /** Undefined if V2 is not configured. */
  readonly v2: Recorder | undefined;
}

/** The mapping and the profile under test. */
export interface Tried {
  readonly mapping: Mapping;
  readonly profile: Profile;
}

/** The values of one call. */
export interface Wanted {
  readonly values: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** A legacy document, for a write. */
  readonly body?: string | undefined;
}

/** The limit is counted per minute. */
const LONGEST_WAIT = MINUTE;

/**
 * Calls the methods of one version of the mapping. Keeps its invented identifiers when the mapping changes.
 */
export class Calling {
  readonly parts: CallingParts;
  readonly tried: Tried;
  readonly #ids: Readonly<Record<'v3' | 'v2', Translation>>;
  readonly #services: Readonly<Record<'v3' | 'v2', (method: Method) => Service | undefined>>;
  v1Calls: number;

  constructor(
    parts: CallingParts,
    tried: Tried,
    ids: Readonly<Record<'v3' | 'v2', Translation>>,
    v1Calls = 0,
  ) {
    this.parts = parts;
    this.tried = tried;
    this.v1Calls = v1Calls;
    this.#ids = tried.profile.v3.identifiers === 'number' ? { ...ids, v3: sameIdentifiers } : ids;
    const { mapping, profile } = tried;
    const { v3, v2, clock } = parts;
    const body = new BodyReader(profile.legacyIdentifiers.doubled);
    const lookupCache = new LookupCache(mapping.v2, clock);
    const common = { profile, body, lookupCache, kinds: mapping.kinds, clock };
    const translating = {
      ...common,
      numbers: new SlashedNumbers(mapping.methods),
      standIn: false,
      lossyWrites: dropLosses,
    };
    this.#services = {
      v3: (method) => new ForwardMethod({ endpoint: v3, profile, body }, method),
      v2: (method) =>
        v2 === undefined || method.v2?.way !== 'steps'
          ? undefined
          : new TranslateMethod({ endpoint: v2, ...translating }, method, method.v2),
    };
  }

  /** Why nothing can be called on a surface; undefined if it can. */
  lacks(surface: Surface): string | undefined {
    if (surface === 'v1')
      return this.parts.v1 === undefined
        ? 'V1 is not configured, the account has moved, or its keys are not known'
        : undefined;
    if (surface === 'v2')
      return this.parts.v2 === undefined ? 'V2 is not configured, or the product has none' : undefined;
    return undefined;
  }

  /** The service's own identifier of a record that V3 or V2 has shown. */
  async uuidOf(surface: 'v3' | 'v2', kind: Kind, id: string): Promise<string> {
    return this.#ids[surface].toV3((toV3) => toV3(kind, id));
  }

  async call(method: Method, surface: Surface, wanted: Wanted): Promise<Reading> {
    const call = callOf(method, wanted);
    return surface === 'v1' ? this.#onV1(method, call) : this.#moved(method, surface, call, wanted);
  }

  /** Calls as a program would, with the account’s own keys; nothing is translated. */
  async #onV1(method: Method, call: LegacyCall): Promise<Reading> {
    const { v1 } = this.parts;
    const base = { method: method.id, surface: 'v1' } as const;
    if (v1 === undefined)
      return { ...base, exchanges: [], outcome: { outcome: 'failed', words: 'V1 is not there' } };
    try {
      const exchange = await this.askV1(call, v1);
      return { ...base, exchanges: [exchange], outcome: outcomeOf(xmlOf(exchange), exchange.status) };
    } catch (error) {
      return { ...base, exchanges: [], outcome: failedOutcome(error) };
    }
  }

  /** One read of V1, repeated while V1 asks to wait, as reads of V3 and V2 are. Throws `Failure`. */
  async askV1(call: LegacyCall, v1: NonNullable<CallingParts['v1']>): Promise<Exchange> {
    for (let waits = 0; ; waits += 1) {
      const exchange = await this.#askV1Once(call, v1);
      const millis = waitAfter(exchange, waits, this.parts.clock.now());
      if (millis === undefined) return exchange;
      await v1.pacer.wait(millis);
    }
  }

  async #askV1Once(
    { verb, segments, query, body, signal }: LegacyCall,
    { endpoint, keys }: NonNullable<CallingParts['v1']>,
  ): Promise<Exchange> {
    const inClear = { apiKey: keys.apiKey.reveal(), accountKey: keys.accountKey.reveal() };
    const sent = body.length === 0 ? undefined : await body.read(Infinity);
    this.v1Calls += 1;
    const answer = await endpoint.pass({
      ...{ account: this.parts.to.accountId, verb, body: sent, signal },
      target: new Secret(legacyTarget(segments, query, inClear)),
      contentType: sent === undefined ? undefined : 'text/xml; charset=utf-8',
      accept: 'application/xml, text/xml',
    });
    const answered = { ...answer, text: await textOf(answer), inMinute: 0 };
    return exchangeOf('v1', { verb, segments, query, ...(sent && { body: sent }) }, answered);
  }

  /**
   * Calls as if the account had moved. The bridge’s own failures describe what it could not use of an answer.
   */
  async #moved(method: Method, surface: 'v3' | 'v2', call: LegacyCall, { values }: Wanted): Promise<Reading> {
    const recorder = surface === 'v3' ? this.parts.v3 : this.parts.v2;
    const service = this.#services[surface](method);
    const base = { method: method.id, surface };
    if (recorder === undefined || service === undefined)
      return {
        ...base,
        exchanges: [],
        outcome: { outcome: 'failed', words: this.lacks(surface) ?? 'no steps' },
      };
    recorder.take();
    const moved = {
      ...{ call, to: this.parts.to, ids: this.#ids[surface], link: (url: string) => url, values },
      open: openReply(call.segments),
    };
    try {
      const reply = await service.serve(moved);
      const root = xmlOf({ body: await replyText(reply) });
      const { absent, rounded } = call.trace;
      const outcome = outcomeOf(root, 200, new Set([...absent, ...rounded]));
      return { ...base, exchanges: recorder.take(), outcome };
    } catch (error) {
      return { ...base, exchanges: recorder.take(), outcome: failedOutcome(error) };
    }
  }
}

/** Milliseconds after which a request is repeated; undefined if its answer is final. */
function waitAfter(answer: Exchange, waits: number, now: number): number | undefined {
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const asked = retryAfterMs(answer, now);
  // A 503 without a time may last: ten waits at each read would take half an hour.
  const most = answer.status === 503 && asked === undefined ? 1 : MOST_WAITS;
  return waits >= most || (asked ?? 0) > LONGEST_WAIT ? undefined : (asked ?? SECOND);
}

const NO_LOSSES: ReadonlySet<string> = new Set();

function outcomeOf(root: XmlElement | undefined, status: number, absent = NO_LOSSES): Reading['outcome'] {
  if (root === undefined) return { outcome: 'failed', words: `it answered ${status}, and no XML` };
  const child = (name: string): string => root.children.find((one) => one.name === name)?.text.trim() ?? '';
  if (child('Status') === 'OK') return { outcome: 'answered', reply: root, absent };
  const words = child('ErrorDescription');
  return { outcome: 'refused', words: words === '' ? `it answered ${status}` : words };
}

function failedOutcome(error: unknown): Reading['outcome'] {
  if (!(error instanceof Failure)) throw error;
  if (error.code === 'refused') return { outcome: 'refused', words: error.text };
  return { outcome: 'failed', words: error.text, isOwn: isOwn(error) };
}

/** Whether all words are the bridge's: its sentence about a half-done write quotes the failure that ended it. */
const isOwn = ({ source, cause }: Failure): boolean =>
  source === 'bridge' && !(cause instanceof Failure && !isOwn(cause));

/** A program's call, without keys. */
export function callOf(method: Method, { values, query, body }: Wanted): LegacyCall {
  const [pattern] = method.legacy;
  const left = [...values];
  const segments = (pattern?.segments ?? []).map((one) =>
    'literal' in one ? one.literal : (left.shift() ?? ''),
  );
  const bytes = Buffer.from(body ?? '');
  return {
    ...{ requestId: 'verify', segments, query, accept: undefined, isOwn: true },
    verb: pattern?.verbs[0] ?? 'GET',
    keys: { apiKey: new Secret(''), accountKey: new Secret('') },
    target: new Secret(''),
    contentType: body === undefined ? undefined : 'text/xml; charset=utf-8',
    body: { length: bytes.length, read: async () => bytes },
    signal: callSignal(),
    priority: 'background',
    trace: new Trace(),
  };
}

async function replyText({ body }: Reply): Promise<string> {
  if (typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString('utf8');
  return (await buffer(body)).toString('utf8');
}
