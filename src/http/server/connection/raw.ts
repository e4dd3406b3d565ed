import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { http } from '../../../lib/net/http.ts';
import type { Log } from '../../../lib/log/log.ts';
import { Failure, type FailureCode } from '../../../lib/failure.ts';
import type { Dialect } from '../../legacy/dialect.ts';

/** Node's codes for a request it could not parse, as failures of the table. */
const codes: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'tooSlow',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
};

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Replies on a bare connection: the HTTP parser has failed, so there is neither request nor response. */
export class RawReplies {
  readonly #dialect: Dialect;
  readonly #log: Log;
  /** Connections being closed: further parser errors must not stop their reply. */
  readonly #closing = new WeakSet<Duplex>();

  constructor(dialect: Dialect, log: Log) {
    this.#dialect = dialect;
    this.#log = log;
  }

  /**
   * `before`: the state of the connection before the fault: the reply in progress to a whole request, or only finished
   * ones. A program that sends a byte too many (C programs send the NUL after the text) still gets its answer.
   */
  parserFailed(error: ParserError, socket: Duplex, before: ServerResponse | 'answered' | undefined): void {
    if (this.#closing.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    if (before === undefined || (before === 'answered' && error.code !== BEGINS_NO_REQUEST))
      this.refuse(socket, codes[error.code ?? ''] ?? 'badRequest', addressIn(error.rawPacket), error.code);
    else if (before === 'answered') this.#close(socket);
    else this.#closeAfter(before, socket);
  }

  /** Refuses a call too many on its connection, which ends with this refusal after the replies still in progress. */
  refuseLast(response: ServerResponse): void {
    this.#refuseLast(response, 'busy', PIPELINED);
  }

  /** Refuses calls that wait for others on their connection when the process stops: their connection ends with the first. */
  refuseHeld([first, ...others]: readonly ServerResponse[]): void {
    if (first !== undefined) this.#refuseLast(first, 'stopping');
    this.notBegun(others, 'STOPPED');
  }

  /** Logs calls that waited for others on their connection and get no reply. */
  notBegun(
    replies: readonly ServerResponse[],
    reason: 'CONNECTION_LOST' | 'CONNECTION_ENDED' | 'STOPPED',
  ): void {
    for (const { req } of replies) this.#log.info('call.not-begun', { verb: req.method, reason });
  }

  #refuseLast(response: ServerResponse, code: 'busy' | 'stopping', reason?: string): void {
    const { socket, method: verb, url = '' } = response.req;
    const requestId = randomUUID();
    const { status, headers, body } = this.#dialect.reply(new Failure(code), url);
    this.#log.info('call', { request: requestId, verb, status, source: 'bridge', failure: code, reason });
    socket.pause();
    this.#closeAfter(response, socket);
    response.writeHead(status, { 'Retry-After': '1', ...headers, 'X-Request-Id': requestId });
    response.end(body);
  }

  refuse(socket: Duplex, code: FailureCode, address: string, reason: string | undefined): void {
    this.#closing.add(socket);
    const requestId = randomUUID();
    const { status, headers, body } = this.#dialect.reply(new Failure(code), address);
    const lines = [
      `HTTP/1.1 ${status} ${http.STATUS_CODES[status] ?? ''}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      '',
    ];
    this.#log.info('call', { request: requestId, status, source: 'bridge', failure: code, reason });
    socket.write(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
    this.#close(socket);
  }

  #closeAfter(reply: ServerResponse, socket: Duplex): void {
    this.#closing.add(socket);
    if (!reply.headersSent) reply.setHeader('Connection', 'close');
    // Node calls this, and at once, to end the connection after a last reply.
    const close = (): void => {
      this.#close(socket);
    };
    Object.assign(socket, { destroySoon: close });
    reply.once('finish', close);
  }

  #close(socket: Duplex): void {
    this.#closing.add(socket);
    if (socket.writableEnded) return;
    socket.on('error', () => socket.destroy());
    socket.end();
    // Discards for a moment the data that the other side still sends; closing at once could lose the reply.
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER).unref();
  }
}

/** Llhttp's code for a byte where a request would begin. */
const BEGINS_NO_REQUEST = 'HPE_INVALID_METHOD';

const LINGER = 2_000;

/** The reason in the log, in the style of llhttp's codes. */
const PIPELINED = 'PIPELINED';

/** The address of the request line, if the parser got that far. */
function addressIn(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 4_096).toString('latin1') ?? '';
  return /^[A-Z]+ (\/[^\s?]*)/.exec(line)?.[1] ?? '';
}
