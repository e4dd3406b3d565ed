import { createHash } from 'node:crypto';
import type { Source } from '../../lib/failure.ts';
import type { Seal } from '../../lib/seal.ts';
import { Secret } from '../../lib/secret.ts';
import { decodeBody } from '../../lib/xml/decode.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readDocument } from '../../lib/xml/read.ts';
import type { WriteFacts } from './model.ts';
import type { KeptSteps } from './steps.ts';

/** A creating, changing or deleting call, before anything of it has left. */
export interface WriteCall {
  readonly id: string;
  readonly accountId: string;
  /** `client.add`, or `generic`. */
  readonly method: string;
  readonly route: string;
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly bytes: Buffer;
  /** Of its `Content-Type`. */
  readonly charset?: string | undefined;
  /** The caller's `Idempotency-Key`. */
  readonly key: string | undefined;
  /** The kind of record it makes, where it makes one. */
  readonly makes: { readonly kind: string } | undefined;
  /** The kind of the number that tells when the record was met first, where it is another one. */
  readonly numbered?: string | undefined;
  /** Aborted when the caller goes away, or when the bridge stops. */
  readonly signal: AbortSignal;
  readonly leaving: Leaving;
}

/** What goes with a write on its way to the service. */
export class Leaving {
  /** Of a write that takes several calls; known when it is about to leave. */
  steps: KeptSteps | undefined;
  readonly #controller = new AbortController();
  #hasLeft = false;

  /** Not aborted by a caller who goes once something has left: what comes of it is for his repeat. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** To be called when the first byte of a request that changes something leaves. */
  readonly leaves = (): void => {
    this.#hasLeft = true;
  };

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }
}

/** What goes to the caller. */
export interface WriteReply {
  readonly status: number;
  readonly source: Source;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  readonly length?: number | undefined;
  /** Told once whether the caller got it. */
  readonly delivered?: ((told: boolean) => void) | undefined;
}

/** Keyed hashes of all that makes two calls the same, by every key of the seal. */
export function fingerprintsOf(seal: Seal, call: WriteCall): readonly string[] {
  const body = createHash('sha256').update(call.bytes).digest('base64url');
  const { accountId, verb, segments, query } = call;
  return seal.index(new Secret(JSON.stringify([accountId, verb, segments, query, body])), 'write');
}

/** The same of a key. */
export const keyIndexesOf = (seal: Seal, { key, accountId }: WriteCall): readonly string[] =>
  key === undefined ? [] : seal.index(new Secret(JSON.stringify([accountId, key])), 'idempotency-key');

/** A document is not read for its name: what a file holds identifies nothing. */
const LONGEST_READ = 64 * 1024;
/** In characters: longer texts identify no record better than their beginning. */
export const LONGEST_VALUE = 200;
const MOST_VALUES = 100;

/** What a search for its record needs. `malformed`: no service can have carried it out. */
export function factsOf(call: WriteCall): { readonly facts: WriteFacts; readonly isMalformed: boolean } {
  const { verb, segments, query, bytes, charset } = call;
  const values: Record<string, string> = {};
  let isMalformed = false;
  try {
    const text = bytes.length === 0 || bytes.length > LONGEST_READ ? '' : decodeBody(bytes, charset);
    if (text.trim() !== '') gather(readDocument(text), '', values);
  } catch {
    isMalformed = true;
  }
  return { facts: { verb, segments, query, values }, isMalformed };
}

function gather(element: XmlElement, path: string, into: Record<string, string>): void {
  for (const child of element.children) {
    const place = path === '' ? child.name : `${path}/${child.name}`;
    if (child.children.length > 0) gather(child, place, into);
    else if (Object.keys(into).length < MOST_VALUES)
      into[place] ??= child.text.trim().slice(0, LONGEST_VALUE);
  }
}
