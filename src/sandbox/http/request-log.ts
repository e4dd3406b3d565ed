import type { IncomingMessage } from 'node:http';

/** One line of `GET /_sandbox/requests`. Holds no query string, key, token or body. */
export interface LoggedRequest {
  /** When it arrived, in the sandbox's time. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** The handler's answer, even if a fault kept it from the client; null while open or never handled. */
  status: number | null;
  clientId: string | null;
  accountId: string | null;
  surface: string | null;
  operation: string | null;
  /** The fault that was played. */
  fault: string | null;
  /** Token calls: family and number of the presented refresh token. */
  family: string | null;
  generation: number | null;
  /** When the handler finished, in the sandbox's time. */
  handledAt: string | null;
}

/** Older lines are dropped beyond this number. */
const KEPT = 200_000;

/** The requests to the sandbox, in order of arrival. */
export class RequestLog {
  readonly #notes = new WeakMap<IncomingMessage, LoggedRequest>();
  #lines: LoggedRequest[] = [];

  open(request: IncomingMessage, path: string, now: number): LoggedRequest {
    const line: LoggedRequest = {
      time: new Date(now).toISOString(),
      method: request.method ?? '',
      path,
      status: null,
      clientId: null,
      accountId: null,
      surface: null,
      operation: null,
      fault: null,
      family: null,
      generation: null,
      handledAt: null,
    };
    this.#lines.push(line);
    if (this.#lines.length > KEPT * 1.1) this.#lines = this.#lines.slice(-KEPT);
    this.#notes.set(request, line);
    return line;
  }

  /** Keeps the log line of a request that continues as another object. */
  carryOver(from: IncomingMessage, to: IncomingMessage): void {
    const line = this.#notes.get(from);
    if (line !== undefined) this.#notes.set(to, line);
  }

  line(request: IncomingMessage): LoggedRequest | undefined {
    return this.#notes.get(request);
  }

  list(limit: number): readonly LoggedRequest[] {
    return this.#lines.slice(Math.max(0, this.#lines.length - limit));
  }

  clear(): void {
    this.#lines = [];
  }
}
