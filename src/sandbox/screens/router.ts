import express, { type Request, type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import { moveClock, type ControlParts } from '../control/router.ts';
import { check } from '../control/json.ts';
import { switchesChangeSchema } from '../identity/switches.ts';
import { addConfigured, configuredLists } from '../json/settings/configured.ts';
import { disconnect } from '../oauth/tokens/family.ts';
import type { RecordTables } from '../records/tables.ts';
import { newApplication, registeredPage } from './application.ts';
import { configuredBody } from './configured.ts';
import { organisationPage, settings } from './organisation.ts';
import { overviewPage } from './overview.ts';
import { sendPage } from './page.ts';
import { icon, stylesheet } from './style.ts';

/** The service's own screens for people: `/`, `/_sandbox/` and below `/_sandbox/screens/`. */
export function screens(parts: ControlParts, records: Kysely<RecordTables>, publicUrl: string): Router {
  const router = express.Router();
  const configured = { ...parts, db: records };

  const overview = async (_request: Request, response: Response): Promise<void> => {
    const people = await Promise.all(
      (await parts.people.list()).map(async (person) => ({
        person,
        memberships: await parts.people.memberships(person.id),
      })),
    );
    const { clock, configuration } = parts;
    const organisations = await parts.organisations.list();
    const faults = parts.faults.list();
    sendPage(response, 200, overviewPage({ organisations, people, clock, configuration, faults, publicUrl }));
  };
  router.get('/', overview);
  router.get('/_sandbox', overview);
  router.get('/_sandbox/style.css', (_request, response) => {
    response.type('text/css; charset=utf-8').set('Cache-Control', 'max-age=300').send(stylesheet);
  });
  router.get('/_sandbox/icon.svg', (_request, response) => {
    response.type('image/svg+xml').set('Cache-Control', 'max-age=300').send(icon);
  });

  router.get('/_sandbox/screens/organisations/:id', async (request, response, next) => {
    const organisation = await parts.organisations.byId(request.params.id);
    if (organisation === undefined) {
      next();
      return;
    }
    const connections = await connectionsOf(parts, organisation.id);
    const saved = request.query.saved !== undefined;
    const lists = await configuredLists(configured, organisation.id);
    sendPage(response, 200, organisationPage({ organisation, connections, configured: lists, saved }));
  });
  router.post('/_sandbox/screens/organisations/:id', async (request, response) => {
    const { id } = request.params;
    const fields = formOf(request);
    const change = Object.fromEntries(
      settings.flatMap(({ name }) => {
        const value = fields.get(name);
        return value === null ? [] : [[name, value === 'true' ? true : value === 'false' ? false : value]];
      }),
    );
    await parts.organisations.changeSwitches(id, check(switchesChangeSchema, change));
    response.redirect(303, `/_sandbox/screens/organisations/${encodeURIComponent(id)}?saved`);
  });
  router.post('/_sandbox/screens/organisations/:id/disconnect', async (request, response) => {
    await disconnectByHand(parts, request.params.id, formOf(request).get('connection') ?? '');
    response.redirect(303, `/_sandbox/screens/organisations/${encodeURIComponent(request.params.id)}?saved`);
  });
  router.post('/_sandbox/screens/organisations/:id/:list', async (request, response) => {
    const { id, list } = request.params;
    await addConfigured(configured, id, list, configuredBody(list, formOf(request)));
    response.redirect(303, `/_sandbox/screens/organisations/${encodeURIComponent(id)}?saved`);
  });
  router.post('/_sandbox/screens/applications', async (request, response) => {
    const application = newApplication(formOf(request));
    await parts.configuration.change({ applications: [application] });
    sendPage(response, 201, registeredPage(application));
  });
  router.post('/_sandbox/screens/clock', async (request, response) => {
    await moveClock(parts, { advanceSeconds: Number(formOf(request).get('advanceSeconds') ?? 'none') });
    response.redirect(303, '/_sandbox/');
  });
  return router;
}

async function connectionsOf(parts: ControlParts, organisationId: string) {
  const rows = await parts.db
    .selectFrom('oauth_connections as c')
    .innerJoin('identity_users as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.client_id', 'c.created_at', 'u.name'])
    .where('c.organisation_id', '=', organisationId)
    .where('c.disconnected_at', 'is', null)
    .orderBy('c.position')
    .execute();
  const applications = parts.configuration.applications();
  return rows.map((row) => ({
    id: row.id,
    application: applications.get(row.client_id)?.name ?? row.client_id,
    user: row.name,
    since: row.created_at,
  }));
}

async function disconnectByHand(parts: ControlParts, organisationId: string, id: string): Promise<void> {
  const connection = await parts.db
    .selectFrom('oauth_connections')
    .select(['user_id', 'client_id'])
    .where('id', '=', id)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst();
  if (connection === undefined) return;
  const what = { userId: connection.user_id, clientId: connection.client_id, organisationId };
  const now = parts.clock.now();
  await parts.db.transaction().execute((tx) => disconnect(tx, what, now));
}

function formOf(request: Request): URLSearchParams {
  const body: unknown = request.body;
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
}
