import type { Kysely } from 'kysely';
import type { Request, Response } from 'express';
import type { Authenticator } from '../../http/authenticate.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { OrganisationSwitches } from '../../identity/organisation.ts';
import type { Protocol } from '../../protocol.ts';
import { refuse } from '../../http/refusal.ts';
import type { RequestLog } from '../../http/request-log.ts';
import { disconnect, type Family } from '../tokens/family.ts';

export interface ConnectionParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly authenticator: Authenticator;
  readonly protocol: () => Protocol;
}

/**
 * `GET /connections`: the organisations of the token's user and application (Tokens, rule 8), as a bare
 * array.
 */
export function listConnections(parts: ConnectionParts) {
  return async (request: Request, response: Response): Promise<void> => {
    const family = await callerOf(parts, request, response);
    if (family === undefined) return;
    const eventId = new URL(request.originalUrl, 'http://any').searchParams.get('authEventId');
    const rows = await parts.db
      .selectFrom('oauth_connections as c')
      .innerJoin('identity_organisations as o', 'o.id', 'c.organisation_id')
      .select(['c.id', 'c.authentication_event_id', 'c.organisation_id', 'c.created_at', 'c.updated_at'])
      .select(['o.name', 'o.switches'])
      .where('c.user_id', '=', family.userId)
      .where('c.client_id', '=', family.clientId)
      .where('c.disconnected_at', 'is', null)
      .orderBy('c.position')
      .execute();
    const granted = parts.protocol().connections === 'granted';
    const shown = rows
      .filter((row) => !granted || family.organisations.includes(row.organisation_id))
      .filter((row) => eventId === null || row.authentication_event_id === eventId);
    response.type('application/json; charset=utf-8').send(
      JSON.stringify(
        shown.map((row) => ({
          id: row.id,
          authEventId: row.authentication_event_id,
          tenantId: row.organisation_id,
          tenantType: tenantType(row.switches),
          tenantName: row.name,
          createdDateUtc: sevenDigits(row.created_at),
          updatedDateUtc: sevenDigits(row.updated_at),
        })),
      ),
    );
  };
}

/** `DELETE /connections/{id}`: disconnects one organisation. 204, or 404 for an unknown one. */
export function deleteConnection(parts: ConnectionParts) {
  return async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const family = await callerOf(parts, request, response);
    if (family === undefined) return;
    const { userId, clientId } = family;
    const connection = await parts.db
      .selectFrom('oauth_connections')
      .select('organisation_id')
      .where('id', '=', request.params.id)
      .where('user_id', '=', userId)
      .where('client_id', '=', clientId)
      .where('disconnected_at', 'is', null)
      .executeTakeFirst();
    if (connection === undefined) {
      refuse(response, 'v3', 404, 'There is no such connection.');
      return;
    }
    const organisationId = connection.organisation_id;
    const now = parts.clock.now();
    await parts.db.transaction().execute((tx) => disconnect(tx, { userId, organisationId, clientId }, now));
    response.status(204).end();
  };
}

async function callerOf(
  parts: ConnectionParts,
  request: Request<never> | Request<{ id: string }> | Request,
  response: Response,
): Promise<Family | undefined> {
  if (parts.protocol().connections === 'off') {
    refuse(response, 'v3', 404, 'There is no such address.');
    return undefined;
  }
  const token = await parts.authenticator.bearer(request);
  if (token.result === 'refused') {
    refuse(response, 'v3', token.status, token.detail);
    return undefined;
  }
  const line = parts.log.line(request);
  if (line !== undefined) line.clientId = token.family.clientId;
  return token.family;
}

/** Two of the values seen in the field; readers treat it as free text. */
function tenantType(switches: string): string {
  return (JSON.parse(switches) as OrganisationSwitches).practice === false ? 'ORGANISATION' : 'PRACTICE';
}

/** `2024-05-01T08:00:00.0000000`: UTC without a `Z`. */
function sevenDigits(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}0000`;
}
