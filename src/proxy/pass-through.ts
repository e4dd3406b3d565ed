import type { LegacyCall, Reply, Route, Trace } from './call.ts';
import type { UpstreamAnswer, V1Lane } from '../upstream/model.ts';
import { LEGACY_CONTENT_TYPE } from '../mapping/dialect.ts';
import { isUpload } from './forward/generic.ts';
import { announcedLength, receivedBody } from './received.ts';
import type { BodyReader } from './request.ts';

/** What happens around a call that V1 serves with the caller's own keys. */
export interface PassThroughEvents {
  /** V1 knows the key pair, whatever it thinks of the call. Nobody waits for it, and its failure is swallowed. */
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
      account: trace.accountId,
      verb: call.verb,
      target: call.target,
      contentType: call.contentType,
      accept: call.accept,
      body: bytes.length > 0 || call.body.length !== undefined ? bytes : undefined,
      signal: call.signal,
    });
    trace.took(answer.millis);
    if (REFUSED.has(answer.status)) {
      discard(answer);
      return events.refused();
    }
    const body = await receivedBody(answer, call.verb !== 'GET');
    // V1 answers bad keys with something else than 200; what a failing V1 or its gateway says proves nothing.
    if (answer.status === 200) void noticed(events);
    return {
      status: answer.status,
      source: 'v1',
      contentType: answer.contentType || LEGACY_CONTENT_TYPE,
      headers: travelling(answer),
      body,
      length: announcedLength(answer),
    };
  }
}

/** V1 has served the call: the caller does not wait until that is noticed, and that it failed is not his concern. */
async function noticed(events: PassThroughEvents): Promise<void> {
  await events.accepted?.().catch(() => undefined);
}

/** So much of a refusal is read, so that its connection can be used again. */
const WORTH_READING = 64 * 1_024;

/** In the background. It has to be begun: a body that nobody has begun to read keeps its connection when it is left. */
function discard({ body }: UpstreamAnswer): void {
  const read = async (): Promise<void> => {
    let bytes = 0;
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > WORTH_READING) return;
    }
  };
  // It was refused; what else it had to say does not matter.
  read().catch(() => undefined);
}

/** What of the headers may travel on besides the content type. */
function travelling(answer: UpstreamAnswer): Record<string, string> {
  const wait = answer.headers['retry-after'];
  return wait === undefined ? {} : { 'Retry-After': wait };
}
