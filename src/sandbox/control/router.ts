/**
 * The control plane below `/_sandbox`: reset, seeds, clock, faults, settings, organisations and users, the
 * request log, and everything known about each token. For tests and demos; the real service has nothing like
 * it.
 */
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { SECOND } from '../../lib/time/clock.ts';
import type { SandboxClock } from './clock.ts';
import { settingsChangeSchema, type Configuration, type StateStore } from './configuration.ts';
import { faultSchema, type FaultPlan } from '../faults/fault.ts';
import type { ListedOrganisation, OrganisationStore } from '../identity/organisations.ts';
import { FOR_ADMINISTRATORS, standing, type PeopleStore } from '../identity/people.ts';
import { switchesChangeSchema } from '../identity/switches.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { RateLimits } from '../http/limits.ts';
import { disconnect } from '../oauth/tokens/family.ts';
import { oracle } from '../oauth/tokens/oracle.ts';
import type { RequestLog } from '../http/request-log.ts';
import { check, ControlRefusal, readJson, sendRefusal } from './json.ts';
import { emptyTables } from './reset.ts';
import type { SeededOrganisation } from '../identity/seed.ts';

export interface ControlParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: SandboxClock;
  readonly state: StateStore;
  readonly configuration: Configuration;
  readonly faults: FaultPlan;
  readonly log: RequestLog;
  readonly limits: RateLimits;
  readonly organisations: OrganisationStore;
  readonly people: PeopleStore;
  readonly seed: (body: unknown) => Promise<readonly SeededOrganisation[]>;
}

/**
 * Bounds of the clock: times outside them are mistakes, and a JSON date has only four digits for the year.
 */
const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

const clockSchema = z.union([
  z.strictObject({ set: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advanceSeconds: z.number().min(-4e9).max(4e9) }),
]);

const membershipSchema = z.strictObject({
  organisationId: z.string().min(1),
  administrator: z.boolean().optional(),
  privilege: z.boolean().optional(),
});

/**
 * The control plane below `/_sandbox/`: accepts JSON with any Content-Type, answers `{"data": …}`, and
 * refuses with `{"error": {"code", "message", "details": [{"field", "message"}]}}` and nothing changed.
 */
export function controlPlane(parts: ControlParts): Router {
  const router = express.Router();
  router.post('/reset', async (_request, response) => {
    await resetAll(parts);
    response.json({ data: { reset: true } });
  });

  router.post('/seed', async (request, response) => {
    response.status(201).json({ data: await parts.seed(readJson(request)) });
  });

  router.get('/clock', (_request, response) => {
    response.json({ data: clockView(parts.clock) });
  });
  router.post('/clock', async (request, response) => {
    await moveClock(parts, readJson(request));
    response.json({ data: clockView(parts.clock) });
  });

  router.get('/faults', (_request, response) => {
    response.json({ data: parts.faults.list() });
  });
  router.post('/faults', (request, response) => {
    response.status(201).json({ data: parts.faults.add(check(faultSchema, readJson(request))) });
  });
  router.delete('/faults', (_request, response) => {
    parts.faults.clear();
    response.json({ data: [] });
  });
  router.delete('/faults/:id', (request, response) => {
    if (!parts.faults.remove(request.params.id)) throw new ControlRefusal(404, 'There is no such fault.');
    response.json({ data: parts.faults.list() });
  });

  router.get('/oracle', async (_request, response) => {
    response.json({ data: await oracle(parts.db, parts.configuration.protocol(), parts.clock.now()) });
  });
  router.get('/requests', (request, response) => {
    response.json({ data: parts.log.list(limitOf(request)) });
  });

  router.get('/settings', (_request, response) => {
    response.json({ data: settingsView(parts.configuration) });
  });
  router.post('/settings', async (request, response) => {
    await parts.configuration.change(check(settingsChangeSchema, readJson(request)));
    response.json({ data: settingsView(parts.configuration) });
  });

  router.get('/organisations', async (_request, response) => {
    response.json({ data: (await parts.organisations.list()).map(organisationView) });
  });
  router.get('/organisations/:id', async (request, response) => {
    response.json({ data: organisationView(await found(parts, request.params.id)) });
  });
  router.post('/organisations/:id', async (request, response) => {
    const { id } = await found(parts, request.params.id);
    const change = check(switchesChangeSchema, readJson(request));
    const changed = await parts.organisations.changeSwitches(id, change);
    response.json({ data: organisationView(changed ?? (await found(parts, id))) });
  });

  router.get('/users', async (_request, response) => {
    const people = await parts.people.list();
    const data = await Promise.all(
      people.map(async (person) => ({ ...person, memberships: await parts.people.memberships(person.id) })),
    );
    response.json({ data });
  });
  router.post('/users/:id', async (request, response) => {
    const change = check(membershipSchema, readJson(request));
    await changeMembership(parts, request.params.id, change);
    response.json({ data: await parts.people.memberships(request.params.id) });
  });

  router.use(() => {
    throw new ControlRefusal(404, 'The control plane has no such address.');
  });
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof ControlRefusal) sendRefusal(response, error);
    else next(error);
  });
  return router;
}

/** Prevents a page of another site from controlling the sandbox of a visitor. */
export function refuseForeignPages(request: Request, response: Response, next: NextFunction): void {
  const site = request.headers['sec-fetch-site'];
  if (request.method === 'GET' || site === undefined || site === 'same-origin' || site === 'none') {
    next();
    return;
  }
  response.status(403).json({ error: { code: 'forbidden', message: 'Not from another site.', details: [] } });
}

/**
 * Resets the sandbox to its first start: no records, identities, tokens, faults or log, and no offset on the
 * clock.
 */
export async function resetAll(parts: ControlParts): Promise<void> {
  await emptyTables(parts.db);
  await parts.configuration.reset();
  parts.faults.clear();
  parts.limits.clear();
  parts.log.clear();
  parts.clock.moveTo(0);
  await parts.state.remove('clock');
}

/** Throws `ControlRefusal`. */
export async function moveClock(parts: ControlParts, body: unknown): Promise<void> {
  const both = typeof body === 'object' && body !== null && 'set' in body;
  const move = check(both ? clockSchema.options[0] : clockSchema.options[1], body);
  const to = 'set' in move ? Date.parse(move.set) : parts.clock.now() + move.advanceSeconds * SECOND;
  if (to < EARLIEST || to > LATEST) {
    const field = 'set' in move ? 'set' : 'advanceSeconds';
    const message = 'must lead to a time between 1990 and 2200';
    throw new ControlRefusal(400, 'The request has field errors.', [{ field, message }]);
  }
  parts.clock.set(to);
  await parts.state.write('clock', String(parts.clock.offset));
}

/**
 * Changes a user's staff settings. A user who leaves, or loses the privilege, loses their consents too: the
 * connection dies although nothing changed on the application's side.
 */
export async function changeMembership(
  parts: ControlParts,
  userId: string,
  change: z.infer<typeof membershipSchema>,
): Promise<void> {
  const { organisationId } = change;
  const present = await parts.people.membership(userId, organisationId);
  if (present === undefined) throw new ControlRefusal(404, 'There is no such user in this organisation.');
  const { administrator = present.administrator, privilege = present.privilege } = change;
  if (change.privilege === true && !administrator)
    throw new ControlRefusal(400, 'The request has field errors.', [
      { field: 'privilege', message: FOR_ADMINISTRATORS },
    ]);
  await parts.people.changeMembership(userId, organisationId, { administrator, privilege });
  if (standing({ ...present, administrator, privilege }) === 'may-connect') return;
  const now = parts.clock.now();
  await parts.db.transaction().execute((tx) => disconnect(tx, { userId, organisationId }, now));
}

async function found(parts: ControlParts, id: string): Promise<ListedOrganisation> {
  const organisation = await parts.organisations.byId(id.toLowerCase());
  if (organisation === undefined) throw new ControlRefusal(404, 'There is no such organisation.');
  return organisation;
}

function clockView(clock: SandboxClock) {
  return { now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offset / SECOND };
}

function organisationView({ consentedAt, ...organisation }: ListedOrganisation) {
  return {
    ...organisation,
    consentedAt: consentedAt === undefined ? null : new Date(consentedAt).toISOString(),
  };
}

function settingsView(configuration: Configuration) {
  return {
    protocol: configuration.protocol(),
    applications: [...configuration.applications().values()],
    /** JSON Schema of a change. */
    schema: z.toJSONSchema(settingsChangeSchema, { io: 'input' }),
  };
}

function limitOf(request: Request): number {
  const { limit } = request.query;
  if (limit === undefined) return Number.MAX_SAFE_INTEGER;
  if (typeof limit === 'string' && /^\d{1,9}$/.test(limit)) return Number(limit);
  throw new ControlRefusal(400, 'The request has field errors.', [
    { field: 'limit', message: 'must be a number' },
  ]);
}
