/**
 * A legacy call on its way through the bridge: as it arrived, as the mapping recognises it, its account, and the route
 * it took for log and metrics. `http/legacy/received-call.ts` reads a call, `handle.ts` answers it.
 */
import type { Keys } from '../../features/accounts/keys.ts';
import type { DocumentBody } from '../../features/writes/documents/document-body.ts';
import type { Leaving } from '../../features/writes/write-call.ts';
import type { Source } from '../../lib/failure.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Unmet } from '../../mapping/crosswalk/identifier.ts';
import type { CallTimes, Destination, Priority, SentRequest } from '../../upstream/model.ts';
import type { PromptRead } from '../../upstream/ready-read.ts';
import type { Translation } from '../identifiers.ts';

/** Request bodies are read at most once, as bytes, whatever their Content-Type. */
export interface Body {
  /** As announced; undefined if chunked. */
  readonly length: number | undefined;
  /** The whole body. Throws `Failure` bodyTooLarge beyond `limit` bytes. */
  read(limit: number): Promise<Buffer>;
  /** Alternatively, the body as it arrives, no faster than it is consumed; throws like `read`. */
  pieces?(limit: number): AsyncIterable<Buffer>;
  /** The first 64 KiB of what has been read. */
  readonly beginning?: Buffer | undefined;
}

/**
 * A legacy call as the HTTP endpoint passes it on: keys separated, path decoded once, nothing else
 * interpreted.
 */
export interface LegacyCall {
  readonly requestId: string;
  readonly verb: string;
  /** Decoded, lower-case family first: `['client.api', 'get', '1000000']`; a trailing slash is removed. */
  readonly segments: readonly string[];
  /** Parameters without the two keys, in order, decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly keys: Keys;
  /** Address of the caller, for counting attempts; undefined if not determined. */
  readonly from?: (() => string) | undefined;
  /** Path and query exactly as received, only for pass-through. Contains the keys. */
  readonly target: Secret;
  readonly contentType: string | undefined;
  /** From the content type. */
  readonly charset?: string | undefined;
  readonly accept: string | undefined;
  readonly body: Body;
  /** Default: derived from the method. */
  readonly priority?: Priority | undefined;
  /** For a write whose sender wants protection against repeats. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the caller disconnects; for a write only until something has left. */
  readonly signal: AbortSignal;
  /** Called when the first byte of a changing request is about to leave; if it returns false, nothing is sent. */
  readonly leaves?: (() => boolean) | undefined;
  readonly sent?: SentRequest | undefined;
  /** A long document, not held in memory. If it leaves while it is read, `body` must not be read. */
  readonly document?: DocumentBody | undefined;
  /** For a write in the ledger. */
  readonly leaving?: Leaving | undefined;
  /** A call of the bridge's own, which needs the service's current answer. */
  readonly isOwn?: boolean | undefined;
  /** For a read of the bridge's own. */
  readonly unmet?: Unmet | undefined;
  /** Collects what becomes known about the call on its way. */
  readonly trace: Trace;
}

/** The parts of a request that the fast path needs. */
export interface PlainRequest {
  /** Path and query as received. */
  readonly target: string;
  readonly contentType: string | undefined;
  readonly accept: string | undefined;
}

/** The address of a plain request. */
export type PlainCall = Pick<LegacyCall, 'segments' | 'query'>;

/** Makes the reply from a complete answer; undefined: only the general path can. */
export type MakeReply = (answer: Buffer) => string | Buffer | undefined;

/** A read with everything it needs. */
export interface FastRead {
  readonly ready: PromptRead;
  readonly reply: MakeReply;
  readonly accountId: string;
  /** `client.get` */
  readonly method: string;
  readonly source: 'v1' | 'v3';
}

/** Turns the address of a document into an address that a legacy program can fetch. */
export type DocumentLink = (url: string) => string;

/** A call of an account that has moved, with its destination on V3 or V2. */
export interface MovedCall {
  readonly call: LegacyCall;
  readonly to: Destination;
  readonly ids: Translation;
  readonly link: DocumentLink;
  /** Everything before the record or list of a successful reply. */
  readonly open: string;
  /** The caller's values for the placeholders of the legacy pattern. */
  readonly values: readonly string[];
}

/** The reason for giving up a call in progress whose caller is still waiting. */
export const STOPPED = new Error('the bridge is being stopped');

/**
 * A reply on its way to the caller. The status is sent once `body` has yielded its first chunk; if it throws
 * afterwards, the connection is cut, so that half a list is never taken for a whole one.
 */
export interface Reply {
  readonly status: number;
  readonly source: Source;
  readonly contentType: string;
  /** Further headers for the caller, already filtered; for pass-through, those of V1 that may be passed on. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** In bytes, for a body in pieces, if known beforehand. */
  readonly length?: number | undefined;
  /** Called once, with whether the caller received the reply. */
  readonly delivered?: ((told: boolean) => void) | undefined;
}

/** What a call records for the log: names and counts only, never values. */
export class Trace implements CallTimes {
  accountId: string | undefined;
  /** `client.list`, or `generic`. */
  method: string | undefined;
  /** The API version it goes to: V1 or V2 first, then the one that replaces it, if any. */
  route: 'v1' | 'v2' | 'v3' | undefined;
  /** Set if V3 served it instead of V2: the element that would have been lost there, or `reply`. */
  rerouted: string | undefined;
  /** Milliseconds in which at least one request was open; 0: the service was not asked. */
  upstreamMillis = 0;
  /** Milliseconds in which none was open, and at least one waited for the rate limit. */
  waitedMillis = 0;
  #open = 0;
  #waiting = 0;
  #since = 0;
  /** Answers kept from earlier calls, and all others. */
  readonly answers = { kept: 0, fresh: 0 };
  /** For a kept list: seconds since it was read whole. */
  age: number | undefined;
  /** Elements of the request that were not passed on. */
  readonly dropped = new Set<string>();
  /** Places in the request sent that got a default because the caller left them out. */
  readonly defaulted = new Set<string>();
  /** Elements of the reply for which the service's form has no place. */
  absent: ReadonlySet<string> = new Set();
  /** Elements of the reply whose text is less precise than the service's value. */
  readonly rounded = new Set<string>();
  /** Characters of the reply that XML 1.0 forbids, sent as U+FFFD. */
  replaced = 0;

  turn(open: number, waiting: number, now: number): void {
    const passed = now - this.#since;
    if (this.#open > 0) this.upstreamMillis += passed;
    else if (this.#waiting > 0) this.waitedMillis += passed;
    this.#open += open;
    this.#waiting += waiting;
    this.#since = now;
  }

  async during<T>(what: 'open' | 'waiting', promise: Promise<T>): Promise<T> {
    const [open, waiting] = what === 'open' ? [1, 0] : [0, 1];
    this.turn(open, waiting, performance.now());
    try {
      return await promise;
    } finally {
      this.turn(-open, -waiting, performance.now());
    }
  }
}

/** The source of the answers to a call that was served by `version`. */
export const answeredBy = ({ answers }: Trace, version: 'v2' | 'v3'): Source =>
  answers.kept > 0 && answers.fresh === 0 ? 'cache' : version;

/** Serves calls of accounts that have moved: forward, translate, the generic rule, or the bridge itself. */
export interface Service {
  /** Throws `Failure`. */
  serve(moved: MovedCall): Promise<Reply>;
}
