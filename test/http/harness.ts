import { afterEach } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { CallerAddresses } from '../../src/http/server/caller-address.ts';
import { createApp, type Endpoints } from '../../src/http/server/app.ts';
import { Dialect } from '../../src/http/legacy/dialect.ts';
import type { CallFigures } from '../../src/http/legacy/call-figures.ts';
import { LegacyEndpoint, type LegacyParts } from '../../src/http/legacy/legacy.ts';
import { Pages } from '../../src/http/customer/pages.ts';
import { HttpServer, type ServerLimits, type ServerParts } from '../../src/http/server/server.ts';
import type { CallRecord } from '../../src/features/usage/call-log.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { LegacyCall, Reply, Trace } from '../../src/proxy/call/call.ts';
import type { Log, LogFields } from '../../src/lib/log/log.ts';
import type { Network } from '../../src/lib/net/network.ts';
import { errorDocument } from '../../src/lib/xml/document.ts';

export const KEYS = 'apiKey=API-SECRET&accountKey=ACCOUNT-SECRET';

export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export class KeptLog implements Log {
  readonly lines: Line[] = [];

  info(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', event, fields });
  }

  warn(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', event, fields });
  }

  error(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', event, fields });
  }
}

export type Serve = (call: LegacyCall, trace: Trace) => Promise<Partial<Reply>> | Partial<Reply>;

export interface TestServer {
  readonly port: number;
  readonly log: KeptLog;
  readonly figures: CallFigures[];
  /** Calls of known accounts that have ended. */
  readonly ended: CallRecord[];
  /** Calls that were refused although their account is known. */
  readonly refused: CallRecord[];
  readonly server: HttpServer;
}

export interface TestServerOptions
  extends Partial<Pick<Endpoints, 'connect' | 'documents' | 'health'>>, Pick<ServerParts, 'wait'> {
  readonly serve?: Serve;
  readonly limits?: Partial<ServerLimits>;
  readonly pace?: LegacyParts['pace'];
  readonly stall?: number;
  readonly fastPath?: LegacyParts['fastPath'];
  readonly malformedStatus?: number;
  readonly trusted?: readonly Network[];
  readonly make?: (parts: { dialect: Dialect; log: KeptLog; pages: Pages }) => Partial<Endpoints>;
}

const houses: HttpServer[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(houses.splice(0).map((server) => server.stop()));
});

export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const log = new KeptLog();
  const figures: CallFigures[] = [];
  const [ended, refused]: [CallRecord[], CallRecord[]] = [[], []];
  const dialect = new Dialect(errorDocument, options.malformedStatus ?? 500);
  const serve: Serve = options.serve ?? (() => ({ body: '<Response />' }));
  const legacy = new LegacyEndpoint({
    bridge: {
      async serve(call) {
        const reply = await serve(call, call.trace);
        return { status: 200, source: 'v3', contentType: 'text/xml; charset=utf-8', body: '', ...reply };
      },
    },
    dialect,
    log,
    measure: (call) => figures.push(call),
    clock: systemClock,
    usage: [{ record: (call) => ended.push(call) }],
    refused: (call) => void refused.push(call),
    callers: new CallerAddresses([]),
    pace: options.pace,
    stall: options.stall,
    fastPath: options.fastPath,
  });
  const pages = new Pages();
  const app = createApp({
    legacy,
    pages,
    log,
    health: { view: () => ({ serves: true, degraded: {} }), stopping: () => server.stopping },
    connect: undefined,
    documents: undefined,
    ...options.make?.({ dialect, log, pages }),
  });
  const server: HttpServer = new HttpServer({
    app,
    dialect,
    callers: new CallerAddresses(options.trusted ?? []),
    fast: legacy.takeFast,
    log,
    unplaced: (request, response) => void legacy.handle(request, response),
    giveUp: (step) => {
      if (step === 'end') legacy.giveUp();
      else legacy.answerRest();
    },
    wait: options.wait,
    limits: { grace: 500, halfClosed: 0, ...options.limits },
  });
  houses.push(server);
  return { port: await server.listen(0, '127.0.0.1'), log, figures, ended, refused, server };
}

export function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  return socket;
}

export interface Raw {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Everything the server says on one connection until it closes it, or (`until`) has said enough. */
export async function converse(
  port: number,
  request: string | Buffer,
  until: (text: string) => boolean = wholeReply,
): Promise<string> {
  const socket = open(port);
  let text = '';
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const deadline = setTimeout(() => {
    reject(new Error(`no whole reply: ${JSON.stringify(text.slice(0, 300))}`));
  }, 60_000);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (until(text)) resolve(undefined);
  });
  socket.on('close', () => {
    resolve(undefined);
  });
  socket.write(request);
  try {
    await promise;
  } finally {
    clearTimeout(deadline);
    socket.destroy();
  }
  return text;
}

export function wholeReply(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

export async function raw(port: number, request: string | Buffer): Promise<Raw> {
  const text = await converse(port, request);
  const end = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
    head: text.slice(0, end),
    body: text.slice(end + 4),
  };
}

/** The one form every failure has. */
export const failureForm =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\r\n<Response(?: api-method="[A-Z][a-z]*")?><Status>ERROR<\/Status><ErrorDescription>[^<]+<\/ErrorDescription><\/Response>$/;
