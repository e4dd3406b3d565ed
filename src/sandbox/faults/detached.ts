import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A socket without a peer. */
class Sink extends Duplex {
  readonly #keep: boolean;
  readonly chunks: Buffer[] = [];

  constructor(keep: boolean) {
    // Never full: without a real server nothing would tell the HTTP classes about a drain.
    super({ writableHighWaterMark: Number.MAX_SAFE_INTEGER });
    this.#keep = keep;
  }

  override _read(): void {
    // The request's body has already been pushed.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (this.#keep) this.chunks.push(chunk);
    done();
  }
}

/** Copies the request into an object that outlives the client's connection. */
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

/** Announces the length, because the whole body is here. */
function framed(headers: IncomingMessage['headers'], body: Buffer): IncomingMessage['headers'] {
  const { 'transfer-encoding': chunked, ...rest } = headers;
  return chunked === undefined ? rest : { ...rest, 'content-length': String(body.length) };
}

/** A response without a client. */
export interface Unheard {
  readonly response: ServerResponse;
  /**
   * Status line, header fields and body as they would have been sent; empty unless kept. Resolves when
   * handling ends.
   */
  readonly done: Promise<Buffer>;
}

/** Creates a response without a client: its output is discarded unless `keep` is set. */
export function unheard(request: IncomingMessage, keep: boolean): Unheard {
  const sink = new Sink(keep);
  const response = new ServerResponse(request);
  response.assignSocket(sink as unknown as Socket);
  // A real server emits this when the connection ends; here nothing else does.
  sink.once('close', () => response.emit('close'));
  response.once('finish', () => sink.destroy());
  const done = new Promise<Buffer>((resolve) => {
    sink.once('close', () => {
      resolve(Buffer.concat(sink.chunks));
    });
  });
  return { response, done };
}
