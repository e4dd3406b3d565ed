/**
 * A write as the ledger sees it: the call before anything of it has left, what accompanies it on its way, and
 * what is recorded of it: keyed hashes by which a repeat is recognised, and the values by which its record
 * can be found.
 */
import { createHash } from 'node:crypto';
import { MINUTE } from '../../lib/time/clock.ts';
import type { Source } from '../../lib/failure.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { sealJson } from '../../lib/secret/sealed-json.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import { decodeBody } from '../../lib/xml/bytes/decode.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { readDocument } from '../../lib/xml/read.ts';
import type { NumberedId } from '../../mapping/crosswalk/identifier.ts';
import type { DocumentBody } from './documents/document-body.ts';
import type { NewWrite, WriteAnswer, WriteFacts } from './model.ts';
import { sealSteps } from './rows/sealed-steps.ts';
import type { KeptSteps, WriteStep } from './steps.ts';

/** A call that creates, changes or deletes, before anything of it has left. */
export interface WriteCall {
  readonly id: string;
  readonly accountId: string;
  /** `client.add`, or `generic`. */
  readonly method: string;
  readonly route: string;
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** The whole body; for a document, its beginning. */
  readonly bytes: Buffer;
  /** A body that is not held in memory. */
  readonly document?: DocumentBody | undefined;
  /** From its `Content-Type`. */
  readonly charset?: string | undefined;
  /** The caller's `Idempotency-Key`. */
  readonly key: string | undefined;
  /** The kind of record it creates, if any. */
  readonly makes: { readonly kind: string } | undefined;
  /** The kind whose number tells when the record was first seen, if it is a different one. */
  readonly numbered?: string | undefined;
  /** The kind of number the bridge assigns to the record. */
  readonly numbers?: string | undefined;
  /** The kinds of records that it may add on V1, which numbers them itself. */
  readonly adds?: readonly string[] | undefined;
  /** Aborted when the caller disconnects, or when the bridge stops. */
  readonly signal: AbortSignal;
  readonly leaving: Leaving;
}

/**
 * In milliseconds. Less than the time after which a write whose process is dead counts as not done
 * (`latestHandling` of the profile plus half a minute).
 */
const LONGEST_UNSENT = 5 * MINUTE;

/** What accompanies a write on its way to the service. */
export class Leaving {
  /** The moment before its row was stored, as `performance.now` tells it; undefined: not yet, or it has none. */
  storedAt: number | undefined;
  /** For a write that takes several calls; set when it is about to leave. */
  steps: KeptSteps | undefined;
  /** The number for the created record. */
  allotted: NumberedId | undefined;
  /** Call it before V3 or V2 is asked: a write meant for V1 has no number yet. */
  allotting: () => Promise<void> = () => Promise.resolve();
  readonly #controller = new AbortController();
  readonly #begun = performance.now();

  hasLeft = false;
  /** Once something has left, a caller who disconnects does not abort it: the outcome is for its repeat. */
  readonly signal = this.#controller.signal;

  /**
   * Asked when the first byte of a changing request is about to leave. False: the process was paused for so
   * long that the write may have been settled as not done, and its repeat sent. That is decided from its row, so the
   * time that its message took to arrive before does not count.
   */
  readonly leaves = (): boolean => {
    if (performance.now() - (this.storedAt ?? this.#begun) > LONGEST_UNSENT) return false;
    this.hasLeft = true;
    return true;
  };

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }
}

/** What the caller gets. */
export interface WriteReply {
  readonly status: number;
  readonly source: Source;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
  readonly length?: number | undefined;
  /** Called once with whether the caller got it. */
  readonly delivered?: ((isDelivered: boolean) => void) | undefined;
}

/** Keyed hashes of everything that makes two calls equal, under every key of the seal. */
export function fingerprintsOf(
  seal: Seal,
  call: WriteCall,
  digest = createHash('sha256').update(call.bytes).digest('base64url'),
): readonly string[] {
  const { accountId, verb, segments, query } = call;
  return seal.index(new Secret(JSON.stringify([accountId, verb, segments, query, digest])), 'write');
}

/** The same for what is known of a document before it leaves: its beginning, and its length if announced. */
function beginningsOf(seal: Seal, call: WriteCall): readonly string[] {
  const { accountId, verb, segments, query, bytes, document } = call;
  const digest = createHash('sha256').update(bytes).digest('base64url');
  const known = [accountId, verb, segments, query, digest, document?.length ?? null];
  return seal.index(new Secret(JSON.stringify(known)), 'document');
}

/**
 * In bytes. Of a document only the beginning is read: it contains the names, and the contents of a file
 * identify nothing.
 */
const LONGEST_READ = 64 * 1024;
/** In characters: longer texts identify a record no better than their beginning; a change also needs their digest. */
export const LONGEST_VALUE = 200;
const MOST_VALUES = 100;

/** Of a long text: whether the record has all of it. It needs no key: it is stored within what is sealed. */
export const digestOf = (text: string): string =>
  createHash('sha256').update(withPlainBreaks(text)).digest('base64url');

/** Replies write line breaks in their own way. */
export const withPlainBreaks = (text: string): string => text.trim().replace(/\r\n?/g, '\n');

/** Whether the message may have elements that were not kept of it. */
export const isKeptInPart = ({ length }: Pick<NewWrite, 'length'>, { values }: WriteFacts): boolean =>
  length > LONGEST_READ || Object.keys(values).length >= MOST_VALUES;

/** What a search for its record needs. `malformed`: no service can have carried it out. */
export function factsOf(call: WriteCall): { readonly facts: WriteFacts; readonly isMalformed: boolean } {
  const { verb, segments, query, bytes, charset, document } = call;
  const values: Record<string, string> = {};
  const digests: Record<string, string> = {};
  let isMalformed = false;
  try {
    const isLong = document !== undefined || bytes.length > LONGEST_READ;
    if (isLong) gatherNames(bytes.subarray(0, LONGEST_READ), values);
    const text = bytes.length === 0 || isLong ? '' : decodeBody(bytes, charset);
    if (text.trim() !== '') gather(readDocument(text), '', { values, digests });
  } catch {
    isMalformed = true;
  }
  const facts = { verb, segments, query, values };
  return { facts: Object.keys(digests).length === 0 ? facts : { ...facts, digests }, isMalformed };
}

interface Gathered {
  readonly values: Record<string, string>;
  readonly digests: Record<string, string>;
}

/** A second element of the same name with children is called `Name[2]`. */
function gather(element: XmlElement, path: string, into: Gathered): void {
  const { values, digests } = into;
  const met = new Map<string, number>();
  for (const child of element.children) {
    const place = path === '' ? child.name : `${path}/${child.name}`;
    const nth = (met.get(child.name) ?? 0) + 1;
    met.set(child.name, nth);
    if (child.children.length > 0) gather(child, nth === 1 ? place : `${place}[${nth}]`, into);
    else if (Object.keys(values).length < MOST_VALUES && values[place] === undefined) {
      const text = child.text.trim();
      values[place] = text.slice(0, LONGEST_VALUE);
      if (text.length >= LONGEST_VALUE) digests[place] = digestOf(text);
    }
  }
}

/** Elements with a short text that are complete within the beginning of a document. */
function gatherNames(beginning: Buffer, into: Record<string, string>): void {
  const text = new TextDecoder().decode(beginning);
  for (const [, name = '', value = ''] of text.matchAll(/<([A-Za-z][\w.-]{0,63})>([^<]{1,200})<\/\1>/g))
    if (Object.keys(into).length < MOST_VALUES) into[name] ??= value.trim();
}

/** The write that another one repeats. */
export interface Repeated {
  readonly id: string;
  readonly steps: readonly WriteStep[];
}

interface Describing {
  /** The process that serves the call. */
  readonly owner: string;
  readonly facts: WriteFacts;
  readonly repeats: Repeated | undefined;
}

/**
 * A call as it is recorded, except for the time; a document that has not been read to its end has no
 * fingerprint yet.
 */
export function newWrite(
  seal: Seal,
  call: WriteCall,
  { owner, facts, repeats }: Describing,
): Omit<NewWrite, 'now'> {
  const { id, accountId, method, route, makes, numbered, numbers, adds, bytes, document, key } = call;
  const isRead = document === undefined || document.digest !== undefined;
  return {
    ...{ id, accountId, method, route, owner },
    fingerprints: isRead ? fingerprintsOf(seal, call, document?.digest) : [],
    resembles: document && beginningsOf(seal, call),
    factsSealed: seal.seal(new Secret(JSON.stringify(facts)), id, sealedAs.writeFacts),
    stepsSealed: repeats && sealSteps(seal, id, repeats.steps),
    repeats: repeats?.id,
    idempotency:
      key === undefined ? [] : seal.index(new Secret(JSON.stringify([accountId, key])), 'idempotency-key'),
    length: document === undefined ? bytes.length : (document.length ?? 0),
    kind: numbered ?? makes?.kind,
    // V1 numbers its records itself.
    allots: route === 'v1' ? undefined : numbers,
    adds,
  };
}

/** A record as a claim names it. */
export const claimOf = (kind: string | undefined, made: string | undefined): string | undefined =>
  made === undefined ? undefined : `${kind ?? ''}:${made}`;

/** What a repeat of the write gets; undefined: nothing is kept for it. */
export const sealAnswer = (seal: Seal, id: string, answer: WriteAnswer | undefined): string | undefined =>
  answer && sealJson(seal, answer, id, sealedAs.writeAnswer);
