import type { Kysely } from 'kysely';
import type { Request, Response } from 'express';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Application } from '../../identity/application.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';
import type { RequestLog } from '../../http/request-log.ts';
import { revokeFamily } from '../tokens/family.ts';
import { readParameters } from '../parameters.ts';
import { authenticated, bodyText, fail, isNoForm, NO_FORM } from './token-endpoint.ts';
import type { TokenTree } from '../tokens/token-tree.ts';

export interface RevocationParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly tree: TokenTree;
  readonly applications: () => ReadonlyMap<string, Application>;
  readonly protocol: () => Protocol;
}

/**
 * `POST /connect/revocation`: ends the family of a refresh token; access tokens already issued remain valid
 * until they expire. 200 without a body, also for unknown tokens (RFC 7009, section 2.2).
 */
export function revocation(parts: RevocationParts) {
  return async (request: Request, response: Response): Promise<void> => {
    response.set('Cache-Control', 'no-store');
    if (isNoForm(request)) {
      fail(response, 'invalid_request', NO_FORM);
      return;
    }
    const { values } = readParameters(bodyText(request));
    const application = authenticated(parts, values, request, response);
    if (application === undefined) return;
    const token = values.get('token');
    if (token === undefined) {
      fail(response, 'invalid_request', 'token is missing');
      return;
    }
    const family = await parts.tree.familyOf(token);
    if (family?.clientId === application.id) {
      await revokeFamily(parts.db, family.id, 'user', parts.clock.now(), 'lives on');
    }
    response.status(200).end();
  };
}
