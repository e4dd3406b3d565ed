import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { detach, unheard } from '../../../src/sandbox/faults/detached.ts';
import { createJsonIndexes } from '../../../src/sandbox/json/tables.ts';
import { seedSettings } from '../../../src/sandbox/json/settings/seed-settings.ts';
import { jsonSurface } from '../../../src/sandbox/json/http/surface.ts';
import { defaultSwitches } from '../../../src/sandbox/identity/switches.ts';
import type { SandboxCaller, SandboxOrganisation } from '../../../src/sandbox/identity/organisation.ts';
import { profiles } from '../../../src/sandbox/protocol.ts';
import { createRecordTables, type RecordTables } from '../../../src/sandbox/records/tables.ts';
import { seedOrganisationSchema, seedRecords } from '../../../src/sandbox/seed/organisation.ts';
import { xmlSurface } from '../../../src/sandbox/xml/http/surface.ts';
import type { Route } from './options.ts';

type Database = ReturnType<typeof openSqlite<RecordTables>>;

export interface ServiceRequest {
  readonly route: Route;
  readonly organisation: string;
  readonly verb: string;
  /** Path below the root and query. */
  readonly target: string;
  readonly contentType?: string | undefined;
  readonly body: Buffer;
  /** The originator: the id of a write, or a person at a screen; undefined: it only reads. */
  readonly by?: string | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** An effect of a request. */
export interface Effect {
  readonly by: string;
  readonly organisation: string;
  /** For an add; undefined: something was changed or deleted. */
  readonly made: { readonly kind: string; readonly uuid: string; readonly number: number } | undefined;
  /** In milliseconds since the epoch, by the simulation's clock. */
  readonly at: number;
}

/** The records of an organisation before anything is added. */
export interface Seeded {
  readonly job: string;
  readonly task: SeededRecord;
  readonly staff: SeededRecord;
}

interface SeededRecord {
  readonly number: number;
  readonly uuid: string;
}

/** Patterns for the path of an add, and the kind of record it creates. */
const ADDS: readonly (readonly [RegExp, 'client' | 'time'])[] = [
  [/^\/(client\.api\/add|clients)(\?|$)/, 'client'],
  [/^\/(time\.api\/add|timesheets)(\?|$)/, 'time'],
];

const JOB = 'J000101';

/** The error of its clock as seen by the bridge, in milliseconds. */
const SKEW = 3_000;

/**
 * The service that the bridge writes to: the sandbox's own methods of V1, V3 and V2 on its own tables, without network,
 * limits and tokens. It records the effects of every request, with which the answers of the bridge and to its callers
 * are compared.
 */
export class PlayedService {
  /** The effects, by originator and in order. */
  readonly effects = new Map<string, Effect[]>();
  /** Errors inside the service; normally empty. */
  readonly complaints: unknown[] = [];
  readonly #db: Database;
  readonly #time: Clock;
  readonly #app: Express;
  readonly #callers = new WeakMap<IncomingMessage, SandboxCaller>();
  /** Antedates a record, so that lists show it later than they should. */
  #lag = 0;

  private constructor(db: Database, time: Clock) {
    this.#db = db;
    this.#time = time;
    this.#app = this.#surfaces();
  }

  static async open(time: Clock): Promise<PlayedService> {
    const db = openSqlite<RecordTables>(':memory:');
    await createRecordTables(db);
    await createJsonIndexes(db);
    return new PlayedService(db, time);
  }

  close(): Promise<void> {
    return this.#db.destroy();
  }

  /** Creates an organisation with a job, its task and a member of staff. */
  async seed(organisation: string): Promise<Seeded> {
    const clock = { now: () => this.#now() };
    const records = seedOrganisationSchema.parse({
      staff: [{ name: 'Ada Example' }],
      tasks: [{ name: 'Design' }],
      clients: [{ name: 'Harbour Lane' }],
      jobs: [
        { name: 'House', number: JOB, client: 'Harbour Lane', tasks: [{ task: 'Design', name: 'Design' }] },
      ],
    });
    await seedRecords(this.#db, organisation, records, clock);
    await seedSettings(this.#db, organisation, clock);
    return {
      job: JOB,
      task: await this.#newest(organisation, 'jobTask'),
      staff: await this.#newest(organisation, 'staff'),
    };
  }

  /** Carries out a request. `lag`: the age of its record as shown in lists. */
  async handle(request: ServiceRequest, lag = 0): Promise<ServiceAnswer> {
    this.#lag = lag;
    const answer = await this.#answer(request);
    this.#lag = 0;
    const { by, organisation, verb, target } = request;
    if (by === undefined || verb === 'GET' || !isDone(answer)) return answer;
    const kind = verb === 'POST' ? ADDS.find(([path]) => path.test(target))?.[1] : undefined;
    const made = kind && { kind, ...(await this.#newest(organisation, kind)) };
    const before = this.effects.get(by) ?? [];
    this.effects.set(by, [...before, { by, organisation, made, at: this.#time.now() }]);
    return answer;
  }

  async #newest(organisation: string, kind: string): Promise<SeededRecord> {
    return this.#db
      .selectFrom('records')
      .select(['number', 'uuid'])
      .where('organisation_id', '=', organisation)
      .where('kind', '=', kind)
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  }

  async #answer({
    route,
    organisation,
    verb,
    target,
    contentType,
    body,
  }: ServiceRequest): Promise<ServiceAnswer> {
    const request = detach(
      {
        ...{ method: verb, url: `/${route}${target}`, rawHeaders: [] },
        // HTTP/1.0, so that the answer is not chunked and the rest of it is the body.
        ...{ httpVersion: '1.0', httpVersionMajor: 1, httpVersionMinor: 0 },
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          'content-length': String(body.length),
        },
      } as unknown as IncomingMessage,
      body,
    );
    this.#callers.set(request, {
      surface: route,
      organisation: organisationOf(organisation),
      clientId: undefined,
    });
    const { response, done } = unheard(request, true);
    (this.#app as (request: IncomingMessage, response: ServerResponse) => void)(request, response);
    const bytes = await done;
    return {
      status: response.statusCode,
      contentType: String(response.getHeader('content-type') ?? ''),
      body: bytes.subarray(bytes.indexOf(END_OF_HEAD) + END_OF_HEAD.length),
    };
  }

  #surfaces(): Express {
    const parts = {
      db: this.#db,
      clock: { now: () => this.#now() },
      publicUrl: 'https://service.example',
      onError: (error: unknown) => {
        this.complaints.push(error);
      },
    };
    const { envelope, pageDefault, pageMax, aliases } = profiles.spec.v2;
    const xml = xmlSurface(parts);
    const app = express();
    app.disable('etag');
    app.use((request, response, next) => {
      response.locals.caller = this.#callers.get(request);
      next();
    });
    app.use('/v1', xml);
    app.use('/v3', xml);
    const settings = { envelope, pages: { default: pageDefault, max: pageMax }, aliases: aliases === 'on' };
    app.use('/v2', jsonSurface({ ...parts, settings: () => settings, personOf: async () => undefined }));
    return app;
  }

  #now(): number {
    return Math.floor(this.#time.now() + SKEW - this.#lag);
  }
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

const isDone = ({ status, body }: ServiceAnswer): boolean =>
  status >= 200 && status < 300 && !body.includes('<Status>ERROR');

const organisationOf = (id: string): SandboxOrganisation => ({
  id,
  name: id,
  accountKey: id,
  apiKeys: [],
  switches: defaultSwitches,
});
