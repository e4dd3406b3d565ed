/**
 * Composes the sandbox: one SQLite database, one clock, and the surfaces (V1, V3, V2, OAuth, control plane,
 * screens) on one Express application.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sql } from 'kysely';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { JWK } from 'jose';
import { systemClock, type Clock } from '../lib/time/clock.ts';
import { silentLog, type Log } from '../lib/log/log.ts';
import { openSqlite } from '../db/sqlite/sqlite.ts';
import { Authenticator } from './http/authenticate.ts';
import { SandboxClock } from './control/clock.ts';
import { Configuration, StateStore } from './control/configuration.ts';
import { ControlRefusal, sendRefusal } from './control/json.ts';
import { controlPlane, refuseForeignPages, type ControlParts } from './control/router.ts';
import { Seeding } from './control/seeding.ts';
import { FaultPlan } from './faults/fault.ts';
import { FaultPlayer } from './faults/player.ts';
import { guard } from './http/guard.ts';
import type { Application } from './identity/application.ts';
import { OrganisationStore } from './identity/organisations.ts';
import { PeopleStore } from './identity/people.ts';
import { createIdentityTables, type IdentityTables } from './identity/tables.ts';
import { RateLimits } from './http/limits.ts';
import { openOAuth } from './oauth/router.ts';
import { makeSigningJwk, openSigningKey, type SigningKey } from './oauth/tokens/signing.ts';
import { configuredScreens } from './json/settings/configured.ts';
import { jsonDocs } from './json/http/docs.ts';
import { recurrence } from './json/jobs/recurrence.ts';
import { Matcher } from './json/http/match.ts';
import { operations as jsonOperations } from './json/operations.ts';
import { jsonSurface } from './json/http/surface.ts';
import { createJsonIndexes } from './json/tables.ts';
import type { ProtocolChange } from './protocol.ts';
import { recordSeeding, recordsIn } from './control/record-seeding.ts';
import { createRecordTables } from './records/tables.ts';
import { refuse } from './http/refusal.ts';
import { RequestLog } from './http/request-log.ts';
import { screens } from './screens/router.ts';
import { fileLinks } from './xml/http/files.ts';
import { operationOf } from './xml/operation.ts';
import { xmlSurface } from './xml/http/surface.ts';

export interface SandboxSettings {
  /** `:memory:` (the default) or the path of a file. */
  readonly database?: string;
  /** Public address: the issuer of the tokens and the base of all links. Without a trailing slash. */
  readonly publicUrl: string;
  readonly applications?: readonly Application[];
  readonly protocol?: ProtocolChange;
  /** Base of the sandbox's own clock. */
  readonly clock?: Clock;
  /** RS256 private key; by default the sandbox generates one and keeps it in the database. */
  readonly signingKey?: JWK;
  /** Returns a number in [0, 1); decides whether a fault with a probability strikes. */
  readonly random?: () => number;
  readonly log?: Log;
}

export interface Sandbox {
  /** Pass it to an HTTP server. */
  readonly app: Express;
  readonly clock: SandboxClock;
  /** `POST /_sandbox/seed` without HTTP. Throws `ControlRefusal`. */
  readonly seed: ControlParts['seed'];
  readonly isEmpty: () => Promise<boolean>;
  close(): Promise<void>;
}

/** Opens a local simulation of the service: stateful, on SQLite, with a clock of its own. */
export async function openSandbox(settings: SandboxSettings): Promise<Sandbox> {
  const db = openSqlite<IdentityTables>(settings.database ?? ':memory:');
  // Data survives a killed process; only a power cut could lose the latest writes. Waiting for the disk at
  // each request would make the sandbox slower than the service it simulates.
  await sql`pragma synchronous = normal`.execute(db);
  const recordDb = recordsIn(db);
  await createIdentityTables(db);
  await createRecordTables(recordDb);
  await createJsonIndexes(recordDb);

  const { publicUrl, log: complaints = silentLog } = settings;
  const state = new StateStore(db);
  const { applications = [], protocol: start = {} } = settings;
  const configuration = await Configuration.open(state, { applications, protocol: start });
  const clock = new SandboxClock(settings.clock ?? systemClock, Number((await state.read('clock')) ?? 0));
  const key = await signingKey(state, settings.signingKey);
  const organisations = new OrganisationStore(db);
  const people = new PeopleStore(db);
  const log = new RequestLog();
  const limits = new RateLimits();
  const faults = new FaultPlan(settings.random ?? Math.random);
  const closing = new AbortController();
  const { protocol } = configuration;

  const authenticator = new Authenticator({ db, clock, key, organisations, protocol });
  const oauth = openOAuth({
    db,
    clock,
    key,
    log,
    organisations,
    people,
    authenticator,
    configuration,
    publicUrl,
  });
  const seeding = new Seeding(db, recordSeeding(clock));
  const seed = seeding.seed.bind(seeding);
  const control: ControlParts = {
    db,
    clock,
    state,
    configuration,
    faults,
    log,
    limits,
    organisations,
    people,
    seed,
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    (app as (request: IncomingMessage, response: ServerResponse) => void)(request, response);
  };
  const player = new FaultPlayer({
    db,
    clock,
    log,
    organisations,
    authenticator,
    operationOf,
    jsonOperationOf,
    tree: oauth.tree,
    plan: faults,
    handle,
    closing: closing.signal,
  });
  const behind = (surface: 'v1' | 'v3' | 'v2') =>
    guard(surface, { authenticator, limits, log, clock, protocol });
  const recurring = recurrence({ db: recordDb, clock });
  const json = jsonSurface({
    db: recordDb,
    clock,
    publicUrl,
    settings: () => {
      const { envelope, pageDefault, pageMax, aliases } = protocol().v2;
      return { envelope, pages: { default: pageDefault, max: pageMax }, aliases: aliases === 'on' };
    },
    personOf: (id) => people.byId(id),
    onError: (error) => {
      complain(complaints, error);
    },
  });
  const files = fileLinks({ db: recordDb, clock });
  const surface = xmlSurface({
    db: recordDb,
    clock,
    publicUrl,
    onError: (error) => {
      complain(complaints, error);
    },
  });

  app.use(logged(log, clock, player));
  app.use(['/_sandbox', '/identity'], refuseForeignPages);
  app.use('/_sandbox', express.raw({ type: () => true, limit: '256mb' }));
  app.use(screens(control, recordDb, publicUrl));
  app.use(configuredScreens({ db: recordDb, clock, organisations }));
  app.use('/_sandbox', controlPlane(control));
  app.use(oauth.bodies);
  app.use(player.middleware);
  app.use(oauth.router);
  app.use('/v1/files', files.v1);
  // A map says when it was exported, by the sandbox's clock, which may differ from this machine's.
  app.use('/v1/uuid.api', (_request, response, next) => {
    response.setHeader('Date', new Date(clock.now()).toUTCString());
    next();
  });
  app.use('/v1', behind('v1'), recurring, surface);
  app.use('/3.0/files', behind('v3'), files.v3);
  app.use('/3.0', behind('v3'), recurring, surface);
  app.use('/v2/files', files.v1);
  app.use('/v2', jsonDocs(publicUrl));
  app.use('/v2', behind('v2'), recurring, json);
  app.use((_request, response) => {
    refuse(response, 'v3', 404, 'There is no such address.');
  });
  app.use(failed(complaints));

  return {
    app,
    clock,
    seed,
    isEmpty: async () => (await organisations.list()).length === 0,
    close: async () => {
      closing.abort();
      await db.destroy();
    },
  };
}

const jsonMatcher = new Matcher(jsonOperations);

function jsonOperationOf(verb: string, segments: readonly string[]): string | undefined {
  const match = jsonMatcher.match(verb, segments);
  return match.match === 'operation' ? match.operation.id : undefined;
}

async function signingKey(state: StateStore, given: JWK | undefined): Promise<SigningKey> {
  if (given !== undefined) return openSigningKey(given);
  const stored = await state.read('signing-key');
  if (stored !== undefined) return openSigningKey(JSON.parse(stored) as JWK);
  const made = await makeSigningJwk();
  await state.write('signing-key', JSON.stringify(made));
  return openSigningKey(made);
}

/**
 * Opens the log line of a request, or continues the line of a request that a fault has delayed or detached;
 * the first answer counts.
 */
function logged(log: RequestLog, clock: Clock, player: FaultPlayer) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { path } = request;
    // The service's own time, which callers compare with theirs.
    response.setHeader('Date', new Date(clock.now()).toUTCString());
    if (path === '/' || path.startsWith('/_sandbox')) {
      next();
      return;
    }
    const line = player.isPlayed(request)
      ? log.line(request)
      : log.open(request, shownPath(path), clock.now());
    response.once('finish', () => {
      if (line?.status !== null) return;
      line.status = response.statusCode;
      line.handledAt = new Date(clock.now()).toISOString();
    });
    next();
  };
}

/** Hides the rest of a file's address, because the address grants access to the file. */
function shownPath(path: string): string {
  return path.replace(/^(\/v[12]\/files\/).+/i, '$1…');
}

/** Handles unexpected errors. */
function failed(complaints: Log) {
  return (error: unknown, request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) {
      // Express closes the connection, so that half an answer does not look complete.
      next(error);
      return;
    }
    if (error instanceof ControlRefusal) {
      sendRefusal(response, error);
      return;
    }
    const status = statusOf(error);
    if (status === 500) complain(complaints, error);
    const surface = request.path.startsWith('/v1/') ? 'v1' : request.path.startsWith('/v2/') ? 'v2' : 'v3';
    refuse(
      response,
      surface,
      status,
      status === 500 ? 'An internal error occurred' : 'The request could not be read',
    );
  };
}

/** Express and its parsers mark client errors with a 4xx `status`. */
function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}

function complain(log: Log, error: unknown): void {
  log.error('sandbox.error', {
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
}
