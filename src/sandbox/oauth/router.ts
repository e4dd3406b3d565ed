import express, { type Router } from 'express';
import type { Kysely } from 'kysely';
import type { Authenticator } from '../http/authenticate.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Configuration } from '../control/configuration.ts';
import type { OrganisationStore } from '../identity/organisations.ts';
import type { PeopleStore } from '../identity/people.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { RequestLog } from '../http/request-log.ts';
import { TokenAnswers } from './answers.ts';
import { authorize, consent, signIn } from './endpoints/authorize.ts';
import { Codes } from './tokens/codes.ts';
import { deleteConnection, listConnections } from './endpoints/connections.ts';
import { discovery } from './endpoints/discovery.ts';
import { revocation } from './endpoints/revocation.ts';
import type { SigningKey } from './tokens/signing.ts';
import { tokenEndpoint } from './endpoints/token-endpoint.ts';
import { TokenTree } from './tokens/token-tree.ts';

export interface OAuthParts {
  readonly db: Kysely<IdentityTables>;
  readonly clock: Clock;
  readonly key: SigningKey;
  readonly log: RequestLog;
  readonly organisations: OrganisationStore;
  readonly people: PeopleStore;
  readonly authenticator: Authenticator;
  readonly configuration: Configuration;
  readonly publicUrl: string;
}

export interface OAuth {
  /** Reads the forms; runs before the faults, which inspect them. */
  readonly bodies: Router;
  readonly router: Router;
  readonly tree: TokenTree;
}

/** The endpoints of the authorisation server. Express ignores case and a trailing slash in paths. */
export function openOAuth(given: OAuthParts): OAuth {
  const { protocol, applications } = given.configuration;
  const answers = new TokenAnswers({ ...given, protocol });
  const tree = new TokenTree({ ...given, answers, protocol });
  const codes = new Codes({ ...given, tree, protocol });
  const parts = { ...given, tree, codes, protocol, applications };

  const router = express.Router();
  router.get(['/identity/connect/authorize', '/oauth/authorize'], authorize(parts));
  router.post('/identity/connect/signin', signIn(parts));
  router.post('/identity/connect/consent', consent(parts));
  router.post(['/connect/token', '/oauth/token'], tokenEndpoint(parts));
  router.post('/connect/revocation', revocation(parts));
  router.get('/connections', listConnections(parts));
  router.delete('/connections/:id', deleteConnection(parts));
  router.get('/.well-known/openid-configuration', discovery(given.publicUrl, protocol));
  router.get('/.well-known/openid-configuration/jwks', (_request, response) => {
    response.json({ keys: [given.key.publicJwk] });
  });
  return { bodies: forms(), router, tree };
}

/** Reads the body whatever its Content-Type, which the token and revocation endpoints check. */
function forms(): Router {
  const router = express.Router();
  router.post(/^\/(?:connect|oauth|identity)\//i, express.raw({ type: () => true, limit: '256kb' }));
  return router;
}
