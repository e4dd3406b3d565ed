import type { Keys } from '../features/accounts/keys.ts';
import type { DocumentBody } from '../features/writes/documents/document-body.ts';
import type { Leaving } from '../features/writes/write-call.ts';
import type { Source } from '../lib/failure.ts';
import type { Secret } from '../lib/secret/secret.ts';
import type { Unmet } from '../mapping/crosswalk/identifier.ts';
import type { Destination, Priority } from '../upstream/model.ts';
import type { Translation } from './identifiers.ts';

/** Request bodies are read at most once, as bytes, whatever their Content-Type. */
export interface Body {
  /** As announced; undefined when chunked. */
  readonly length: number | undefined;
  /** The whole body; throws `Failure` bodyTooLarge beyond `limit` bytes. */
  read(limit: number): Promise<Buffer>;
  /** Instead, as it comes and no faster than it is taken; throws the same beyond `limit` bytes. */
  pieces?(limit: number): AsyncIterable<Buffer>;
}

/** A legacy call as the HTTP endpoint hands it on: keys apart, path decoded once, nothing else interpreted. */
export interface LegacyCall {
  readonly requestId: string;
  readonly verb: string;
  /** Decoded, lower-case family first: `['client.api', 'get', '1000000']`; a trailing slash is gone. */
  readonly segments: readonly string[];
  /** Parameters but the two keys, in order, decoded. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly keys: Keys;
  /** Address of the caller, for whatever counts attempts; undefined where nobody looked. */
  readonly from?: (() => string) | undefined;
  /** Path and query exactly as received, for pass-through only. Holds the keys. */
  readonly target: Secret;
  readonly contentType: string | undefined;
  /** Of the content type. */
  readonly charset?: string | undefined;
  readonly accept: string | undefined;
  readonly body: Body;
  /** What is not said follows from what is asked for. */
  readonly priority?: Priority | undefined;
  /** Of a write whose sender wants to be sure. */
  readonly idempotencyKey?: string | undefined;
  /** Aborted when the caller went away; of a write not once something has left. */
  readonly signal: AbortSignal;
  /** Asked when the first byte of a request that changes something would leave; where it says no, nothing does. */
  readonly leaves?: (() => boolean) | undefined;
  /** A long document, which is not held. Where it leaves while it is read, `body` is not to be read. */
  readonly document?: DocumentBody | undefined;
  /** Of a write that is in the ledger. */
  readonly leaving?: Leaving | undefined;
  /** Of a read of the bridge's own. */
  readonly unmet?: Unmet | undefined;
  /** What becomes known of the call on its way. */
  readonly trace: Trace;
}

/** Makes the address of a document one that a legacy program can fetch. */
export type DocumentLink = (url: string) => string;

/** A call of an account that has moved, with what serves it on V3 or V2. */
export interface MovedCall {
  readonly call: LegacyCall;
  readonly to: Destination;
  readonly ids: Translation;
  readonly link: DocumentLink;
  /** Everything before the record or list of a successful reply. */
  readonly open: string;
  /** What the placeholders of the legacy pattern held in the caller's path. */
  readonly values: readonly string[];
}

/** Why a call under way is given up that its caller still waits for. */
export const STOPPED = new Error('the bridge is being stopped');

/**
 * A reply on its way to the caller. Once `body` has yielded its first chunk the status stands; if it throws
 * afterwards the connection is cut, so that half a list is never taken for whole.
 */
export interface Reply {
  readonly status: number;
  readonly source: Source;
  readonly contentType: string;
  /** Further headers for the caller, already chosen; for pass-through what V1 sent and may travel on. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  /** Bytes of a body that comes in pieces, where they are known beforehand. */
  readonly length?: number | undefined;
  /** Told once whether the caller got it. */
  readonly delivered?: ((told: boolean) => void) | undefined;
}

/** What a call leaves behind for the log. Names and counts only, never values. */
export class Trace {
  accountId: string | undefined;
  /** `client.list`, or `generic`. */
  method: string | undefined;
  /** Where it goes first. */
  route: 'v1' | 'v2' | 'v3' | undefined;
  /** Served by V3 in the place of V2: the element that would have been lost there, or `reply`. */
  rerouted: string | undefined;
  /** Milliseconds the service took, all its answers together; 0: it was not asked. */
  upstreamMillis = 0;
  /** Elements of the request that went no further. */
  readonly dropped = new Set<string>();
  /** Places in what was sent that the request said nothing of, and that got a default. */
  readonly defaulted = new Set<string>();
  /** Elements of the reply that the service's form of it has no place for. */
  absent: ReadonlySet<string> = new Set();
  /** Elements of the reply whose text says less than the service's value did. */
  readonly rounded = new Set<string>();
  /** Characters of the reply that XML 1.0 forbids: they went out as U+FFFD. */
  replaced = 0;
}

/** What serves calls of accounts that have moved: forward, translate, the generic rule, or the bridge itself. */
export interface Service {
  /** Throws `Failure`. */
  serve(moved: MovedCall): Promise<Reply>;
}
