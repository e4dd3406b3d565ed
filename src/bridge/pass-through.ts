import type { LegacyCall, Reply, Route, Trace } from '../domain/call.ts';
import { Failure } from '../domain/failure.ts';
import type { UpstreamAnswer, V1Lane } from '../domain/upstream.ts';
import { LEGACY_CONTENT_TYPE } from './dialect.ts';
import { isUpload } from './generic.ts';
import type { BodyReader } from './request.ts';

/** What happens around a call that V1 serves with the caller's own keys. */
export interface PassThroughEvents {
  /** V1 knows the key pair, whatever it thinks of the call. */
  accepted?(): Promise<void>;
  /** V1 does not (or no longer) accept the key pair: what the caller gets instead. */
  refused(): Promise<Reply>;
}

const REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** V1 with the caller's own keys, bytes untouched both ways: nothing is interpreted but whether V1 took the keys. */
export class PassThrough {
  readonly #lane: V1Lane;
  readonly #body: BodyReader;

  constructor(lane: V1Lane, body: BodyReader) {
    this.#lane = lane;
    this.#body = body;
  }

  route(events: PassThroughEvents): Route {
    return { serve: (call, trace) => this.#serve(call, trace, events) };
  }

  async #serve(call: LegacyCall, trace: Trace, events: PassThroughEvents): Promise<Reply> {
    const bytes = await this.#body.bytes(call, isUpload(call.segments));
    const answer = await this.#lane.pass({
      verb: call.verb,
      target: call.target,
      contentType: call.contentType,
      accept: call.accept,
      body: bytes.length > 0 || call.body.length !== undefined ? bytes : undefined,
      signal: call.signal,
    });
    trace.took(answer.millis);
    if (REFUSED.has(answer.status)) {
      await discard(answer);
      return events.refused();
    }
    await events.accepted?.();
    return asReceived(answer, call.verb !== 'GET');
  }
}

async function discard(answer: UpstreamAnswer): Promise<void> {
  try {
    await answer.body[Symbol.asyncIterator]().return?.();
  } catch {
    // It was refused; what else it had to say does not matter.
  }
}

/** A gateway in front of V1 speaks HTML or JSON; a legacy program gets XML or nothing. */
async function asReceived(answer: UpstreamAnswer, write: boolean): Promise<Reply> {
  const chunks = answer.body[Symbol.asyncIterator]();
  let first: IteratorResult<Buffer>;
  try {
    first = await chunks.next();
  } catch (error) {
    throw error instanceof Failure && !write ? error : unusable(write, error);
  }
  if (first.done || !looksLikeXml(first.value)) {
    await chunks.return?.();
    throw answer.status === 429
      ? new Failure('budgetExhausted')
      : unusable(write && answer.status >= 500, undefined);
  }
  const head = first.value;
  async function* body(): AsyncGenerator<Buffer> {
    try {
      yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  return {
    status: answer.status,
    source: 'v1',
    contentType: answer.contentType || LEGACY_CONTENT_TYPE,
    body: body(),
  };
}

function unusable(write: boolean, cause: unknown): Failure {
  return new Failure(write ? 'outcomeUnknown' : 'upstreamAnswer', { cause });
}

function looksLikeXml(chunk: Buffer): boolean {
  const start = chunk
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  return start.startsWith('<') && !/^<(!doctype\s+html|html)/i.test(start);
}
