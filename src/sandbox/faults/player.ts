/**
 * Plays the planned faults: delays a call, answers it in place of the service, breaks its connection before
 * or after the service has done its work, or revokes its tokens.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import type { Kysely } from 'kysely';
import type { SandboxClock } from '../control/clock.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { revokeFamily } from '../oauth/tokens/family.ts';
import type { RequestLog } from '../http/request-log.ts';
import { altered, alteredHead, answerIn, understood } from './alter.ts';
import { detach, unheard } from './detached.ts';
import { rulesOf, type FaultPlan, type PlannedFault } from './fault.ts';
import { sendStatus } from './status-answer.ts';
import { surfaceOf, targetOf, type Target, type TargetParts } from './target.ts';

export interface PlayerParts extends TargetParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: SandboxClock;
  readonly plan: FaultPlan;
  readonly log: RequestLog;
  /** Handles a request with the whole sandbox, detached from its connection. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Aborted when the sandbox closes; no request is handled after that. */
  readonly closing: AbortSignal;
}

/** Larger bodies are refused by the surfaces themselves. */
const BODY_LIMIT = 64 * 1024 * 1024;

/** Plays the planned faults before any surface sees the request. */
export class FaultPlayer {
  readonly #parts: PlayerParts;
  /** Requests whose fault has already been played. */
  readonly #played = new WeakSet<IncomingMessage>();

  constructor(parts: PlayerParts) {
    this.#parts = parts;
  }

  /** Whether a fault has already been played for this request; it then has a log line. */
  isPlayed(request: IncomingMessage): boolean {
    return this.#played.has(request);
  }

  readonly middleware = async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (this.#played.has(request)) {
      next();
      return;
    }
    const surface = surfaceOf(request.path);
    if (surface !== undefined) {
      const rules = this.#parts.plan.requestRules(surface);
      request.originalUrl = request.url = rules.reduce(
        (url, rule) => understood(url, rule),
        request.originalUrl,
      );
    }
    const target = await targetOf(this.#parts, request);
    if (target === undefined) {
      next();
      return;
    }
    this.#note(request, target);
    const faults = this.#parts.plan.strike(target);
    const [fault] = faults;
    if (fault === undefined) {
      next();
      return;
    }
    const line = this.#parts.log.line(request);
    if (line !== undefined) line.fault = fault.do;
    if (fault.do === 'alter')
      sendAltered(response, faults, await this.#unheard(request, await bodyOf(request), true));
    else await this.#play(fault, target, request, response, next);
  };

  #note(request: Request, target: Target): void {
    const line = this.#parts.log.line(request);
    if (line === undefined) return;
    line.surface = target.surface;
    line.operation = target.operation ?? null;
    line.accountId = target.accountIds[0] ?? null;
  }

  async #play(
    fault: PlannedFault,
    target: Target,
    request: Request,
    response: Response,
    next: NextFunction,
  ): Promise<void> {
    switch (fault.do) {
      case 'reset-before':
        reset(request);
        return;
      case 'revoke': {
        const now = this.#parts.clock.now();
        for (const id of target.families) await revokeFamily(this.#parts.db, id, 'fault', now, 'too');
        next();
        return;
      }
      case 'latency':
        await this.#slowly(fault, request, response);
        return;
      case 'status':
        if (fault.when === 'after') await this.#unheard(request, await bodyOf(request), false);
        sendStatus(response, target.surface, fault);
        return;
      case 'reset-after':
        await this.#unheard(request, await bodyOf(request), false);
        reset(request);
        return;
      case 'cut':
        cut(request, await this.#unheard(request, await bodyOf(request), true));
        return;
      case 'alter':
        return;
      case 'late': {
        const body = await bodyOf(request);
        reset(request);
        await this.#parts.clock.wait(fault.ms ?? 0, this.#parts.closing);
        if (!this.#parts.closing.aborted) await this.#unheard(request, body, false);
      }
    }
  }

  /** Handles the request after the wait even if the client has gone. */
  async #slowly(fault: PlannedFault, request: Request, response: Response): Promise<void> {
    const body = await bodyOf(request);
    await this.#parts.clock.wait(fault.ms ?? 0, this.#parts.closing);
    if (this.#parts.closing.aborted) {
      reset(request);
      return;
    }
    if (response.closed) {
      await this.#unheard(request, body, false);
      return;
    }
    this.#parts.handle(this.#copyOf(request, body), response);
  }

  async #unheard(request: Request, body: Buffer, keep: boolean): Promise<Buffer> {
    const copy = this.#copyOf(request, body);
    const { response, done } = unheard(copy, keep);
    this.#parts.handle(copy, response);
    return done;
  }

  #copyOf(request: Request, body: Buffer): IncomingMessage {
    const copy = detach(request, body);
    this.#played.add(copy);
    this.#parts.log.carryOver(request, copy);
    return copy;
  }
}

/** Returns the body, which the token endpoint has read already or which is still arriving. */
async function bodyOf(request: Request): Promise<Buffer> {
  const read: unknown = request.body;
  if (Buffer.isBuffer(read)) return read;
  if (request.readableEnded) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT) {
      reset(request);
      break;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Resets the connection without an answer. */
function reset(request: IncomingMessage): void {
  request.socket.resetAndDestroy();
}

/**
 * Sends the answer, altered, without its old length. The body is treated as one text, whatever its format.
 */
function sendAltered(response: Response, faults: readonly PlannedFault[], message: Buffer): void {
  const { status, headers, body } = answerIn(message);
  const rules = faults.flatMap((fault) => rulesOf(fault).map((rule) => ({ rule, call: fault.struck - 1 })));
  const head = rules.reduce((changed, { rule }) => alteredHead(changed, rule), { status, headers });
  response.status(head.status);
  for (const [name, value] of head.headers)
    if (!OF_CONNECTION.has(name.toLowerCase())) response.append(name, value);
  response.end(
    rules.reduce((changed, { rule, call }) => altered(changed, rule, call), body.toString('utf8')),
  );
}

const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'date', 'etag'],
]);

/** Sends the head and the first half of the body, then closes the connection. */
function cut(request: IncomingMessage, message: Buffer): void {
  const head = message.indexOf('\r\n\r\n') + 4;
  const half = message.subarray(0, head + Math.floor((message.length - head) / 2));
  const { socket } = request;
  socket.write(half, () => {
    socket.destroy();
  });
}
