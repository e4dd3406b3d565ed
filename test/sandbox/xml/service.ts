import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../src/lib/time/clock.ts';
import type { OrganisationSwitches, SandboxCaller } from '../../../src/sandbox/identity/organisation.ts';
import { createRecordTables, type RecordTables } from '../../../src/sandbox/records/tables.ts';
import { seedOrganisationSchema, seedRecords } from '../../../src/sandbox/seed/organisation.ts';
import { fileLinks } from '../../../src/sandbox/xml/http/files.ts';
import { xmlSurface } from '../../../src/sandbox/xml/http/surface.ts';
import { openSqlite } from '../../../src/db/sqlite/sqlite.ts';

export const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\r\n';

export const defaultSwitches: OrganisationSwitches = {
  practice: false,
  practiceVersion: '3.0',
  v1: 'open',
  v1AfterConsent: 'answers',
  v3Identifiers: 'uuid',
  transition: false,
  customFieldIds: 'both',
  listDeleted: true,
  webUrl: 'off',
  accountingIntegration: false,
  timeAllocation: false,
  startFinishEntry: true,
};

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** The surfaces on a real server, behind an authentication that believes the header `organisation`. */
export class Service {
  readonly db: Kysely<RecordTables>;
  readonly clock: Clock & { moment: number };
  readonly url: string;
  readonly errors: unknown[] = [];
  switches: OrganisationSwitches = defaultSwitches;
  readonly #server: Server;

  private constructor(db: Kysely<RecordTables>, server: Server, clock: Clock & { moment: number }) {
    this.db = db;
    this.#server = server;
    this.clock = clock;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const links = fileLinks({ db, clock });
    const surface = xmlSurface({
      db,
      clock,
      publicUrl: 'http://service.example',
      onError: (error) => this.errors.push(error),
    });
    const app = express();
    app.use('/v1/files', links.v1);
    app.use('/3.0', this.#authenticate('v3'));
    app.use('/3.0/files', links.v3);
    app.use('/3.0', surface);
    app.use('/v1', this.#authenticate('v1'), surface);
    server.on('request', app);
  }

  static async start(): Promise<Service> {
    const db = openSqlite<RecordTables>(':memory:');
    await createRecordTables(db);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const clock = { moment: Date.UTC(2026, 10, 20, 9, 30, 0), now: () => clock.moment };
    return new Service(db, server, clock);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.db.destroy();
  }

  async seed(organisation: Record<string, unknown>, organisationId = 'one'): Promise<void> {
    const seed = seedOrganisationSchema.parse({ name: 'Seeded', ...organisation });
    await seedRecords(this.db, organisationId, seed, this.clock);
  }

  async call(
    verb: string,
    path: string,
    body?: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const answer = await fetch(`${this.url}/${path}`, {
      method: verb,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  v1 = async (verb: string, path: string, body?: string): Promise<string> =>
    (await this.call(verb, `v1/${path}`, body)).text;
  v3 = async (verb: string, path: string, body?: string): Promise<string> =>
    (await this.call(verb, `3.0/${path}`, body)).text;

  #authenticate(surface: 'v1' | 'v3'): express.RequestHandler {
    return (request, response, next) => {
      const caller: SandboxCaller = {
        surface,
        organisation: {
          id: request.get('organisation') ?? 'one',
          name: 'Seeded',
          accountKey: 'A',
          apiKeys: [],
          switches: this.switches,
        },
        clientId: undefined,
      };
      response.locals.caller = caller;
      next();
    };
  }
}

/** The text of the first element of that name; '' when it is empty. */
export function textOf(xml: string, element: string): string | undefined {
  return new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
}

export const refusal = (apiMethod: string, text: string): string =>
  `${HEAD}<Response api-method="${apiMethod}"><Status>ERROR</Status><ErrorDescription>${text}</ErrorDescription></Response>`;

export const statusOnly = (apiMethod: string): string =>
  `${HEAD}<Response api-method="${apiMethod}"><Status>OK</Status></Response>`;

export const missing = (path: string): string =>
  `Message not in expected format. The following required element was missing - ${path}`;

/** The names of the clients of a list; contacts and others come deeper. */
export const namesIn = (xml: string): string[] =>
  [...xml.matchAll(/<Client><(?:ID|UUID)>[^<]*<\/(?:ID|UUID)><Name>([^<]*)</g)].map(
    (match) => match[1] ?? '',
  );
