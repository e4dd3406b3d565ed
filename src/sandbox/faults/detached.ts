import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A socket that nobody is at the other end of. */
class Sink extends Duplex {
  readonly #keep: boolean;
  readonly chunks: Buffer[] = [];

  constructor(keep: boolean) {
    // Never full: the HTTP parts only learn of a drain from a real server.
    super({ writableHighWaterMark: Number.MAX_SAFE_INTEGER });
    this.#keep = keep;
  }

  override _read(): void {
    // The request's body was pushed already.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#keep) this.chunks.push(chunk);
    done();
  }
}

/** The same request under an object of its own, which lives on when the client's connection is gone. */
export function detach(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(new Sink(false) as unknown as Socket);
  copy.method = request.method ?? 'GET';
  copy.url = request.url ?? '/';
  copy.httpVersion = request.httpVersion;
  copy.httpVersionMajor = request.httpVersionMajor;
  copy.httpVersionMinor = request.httpVersionMinor;
  copy.rawHeaders = request.rawHeaders;
  copy.headers = framed(request.headers, body);
  copy.complete = true;
  if (body.length > 0) copy.push(body);
  copy.push(null);
  return copy;
}

/** The body is here whole, so it is announced by its length. */
function framed(headers: IncomingMessage['headers'], body: Buffer): IncomingMessage['headers'] {
  const { 'transfer-encoding': chunked, ...rest } = headers;
  return chunked === undefined ? rest : { ...rest, 'content-length': String(body.length) };
}

/** A response without a client. */
export interface Unheard {
  readonly response: ServerResponse;
  /** Status line, header fields and body as they would have gone out; empty unless kept. Ends with the handling. */
  readonly done: Promise<Buffer>;
}

/** A response whose caller is gone: what is written to it goes nowhere, and is kept only where `keep` says so. */
export function unheard(request: IncomingMessage, keep: boolean): Unheard {
  const sink = new Sink(keep);
  const response = new ServerResponse(request);
  response.assignSocket(sink as unknown as Socket);
  // A real server tells a response of the end of its connection; here nobody else does.
  sink.once('close', () => response.emit('close'));
  response.once('finish', () => sink.destroy());
  const done = new Promise<Buffer>((resolve) => {
    sink.once('close', () => {
      resolve(Buffer.concat(sink.chunks));
    });
  });
  return { response, done };
}
