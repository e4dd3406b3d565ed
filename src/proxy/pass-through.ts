import type { LegacyCall, Reply } from './call.ts';
import type { UpstreamAnswer, V1Endpoint } from '../upstream/model.ts';
import { LEGACY_CONTENT_TYPE } from '../mapping/dialect.ts';
import { isUpload } from './forward/generic.ts';
import { announcedLength, receivedBody } from './received.ts';
import type { BodyReader } from './request.ts';
import { successfulBody } from './successful-body.ts';

/** What happens around a call that V1 serves with the caller's own keys. */
export interface PassThroughEvents {
  /**
   * V1 has done what was asked under this key pair. Nobody waits for it, and its failure is swallowed. Undefined: V1 has
   * done so before.
   */
  readonly accepted: (() => Promise<void>) | undefined;
  /** V1 does not (or no longer) accept the key pair: what the caller gets instead. */
  readonly refused: () => Promise<Reply>;
}

const EMPTY = Buffer.alloc(0);

/** V1 with the caller's own keys, bytes untouched both ways: nothing is interpreted but whether V1 took the keys. */
export class PassThrough {
  readonly #endpoint: V1Endpoint;
  readonly #body: BodyReader;

  constructor(endpoint: V1Endpoint, body: BodyReader) {
    this.#endpoint = endpoint;
    this.#body = body;
  }

  async serve(call: LegacyCall, { accepted, refused }: PassThroughEvents): Promise<Reply> {
    const { verb, target, contentType, accept, signal, leaves, trace } = call;
    const body = call.body.length === 0 ? EMPTY : await this.#body.bytes(call, isUpload(call.segments));
    const answer = await this.#endpoint.pass({
      account: trace.accountId,
      verb,
      target,
      contentType,
      accept,
      body: body.length > 0 || call.body.length !== undefined ? body : undefined,
      signal,
      leaves,
    });
    trace.took(answer.millis);
    if (answer.status === 401 || answer.status === 403) {
      discard(answer);
      return refused();
    }
    const received = await receivedBody(answer, verb !== 'GET');
    // V1 answers bad keys with something else than 200; what a failing V1 or its gateway says proves nothing, and neither
    // does an error. The caller does not wait until that is noticed, and that it failed is not his concern.
    const isNew = answer.status === 200 && accepted !== undefined;
    const succeeded = (): void => void accepted?.().catch(() => undefined);
    const wait = answer.headers['retry-after'];
    return {
      status: answer.status,
      source: 'v1',
      contentType: answer.contentType || LEGACY_CONTENT_TYPE,
      ...(wait !== undefined && { headers: { 'Retry-After': wait } }),
      body: isNew ? successfulBody(received, succeeded) : received,
      length: announcedLength(answer),
    };
  }
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
