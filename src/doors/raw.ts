import { STATUS_CODES } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { Log } from '../domain/log.ts';
import { Failure, type FailureCode } from '../domain/failure.ts';
import type { Dialect } from './dialect.ts';

/** What Node says of a request it could not read, in terms of the failure table. */
const codes: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'tooSlow',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
};

interface ParserError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

/** Replies on a bare connection: the HTTP parser gave up, so there is neither request nor response. */
export class RawReplies {
  readonly #dialect: Dialect;
  readonly #log: Log;
  /** Connections whose reply is on its way: what else the parser says of them must not destroy it. */
  readonly #answered = new WeakSet<Duplex>();

  constructor(dialect: Dialect, log: Log) {
    this.#dialect = dialect;
    this.#log = log;
  }

  /** `busy`: a reply has begun on this connection; words in the middle of it would be taken for its content. */
  parserFailed(error: ParserError, socket: Duplex, busy: boolean): void {
    if (this.#answered.has(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable || busy) {
      socket.destroy();
      return;
    }
    this.refuse(socket, codes[error.code ?? ''] ?? 'badRequest', addressIn(error.rawPacket), error.code);
  }

  refuse(socket: Duplex, code: FailureCode, address: string, reason: string | undefined): void {
    this.#answered.add(socket);
    const requestId = randomUUID();
    const { status, headers, body } = this.#dialect.reply(new Failure(code), address);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `X-Request-Id: ${requestId}`,
      'Connection: close',
      '',
      '',
    ];
    this.#log.info('call', { request: requestId, status, source: 'bridge', failure: code, reason });
    socket.on('error', () => socket.destroy());
    socket.end(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), body]));
    // What the other side still sends is taken in for a moment; closing at once could take the reply with it.
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER).unref();
  }
}

const LINGER = 2_000;

/** The address of the request line, where the parser got that far. */
function addressIn(packet: Buffer | undefined): string {
  const line = packet?.subarray(0, 4_096).toString('latin1') ?? '';
  return /^[A-Z]+ (\/[^\s?]*)/.exec(line)?.[1] ?? '';
}
