import type { Readable } from 'node:stream';
import type { StreamedBody } from '../model.ts';

/** The clock of a request. */
export interface UploadClock {
  /** The service has to act from now on. */
  start(): void;
  /** The service has nothing to do. */
  stop(): void;
}

/**
 * A body as it leaves: the clock runs while the service takes a piece and after the last one, not while the
 * caller's next one is awaited. undici accepts any iterable, although its types demand streams.
 */
export const leavingBody = (body: StreamedBody, clock: UploadClock): Readable =>
  pieces(body, clock) as unknown as Readable;

async function* pieces(body: StreamedBody, clock: UploadClock): AsyncGenerator<Buffer> {
  try {
    clock.stop();
    for await (const piece of body.pieces()) {
      clock.start();
      yield piece;
      clock.stop();
    }
  } finally {
    clock.start();
  }
}
