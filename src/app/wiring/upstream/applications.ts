import type { ApplicationSettings, OAuthSettings, Settings } from '../../settings/model.ts';
import type { Breaker, BreakerView } from '../../../lib/circuit-breaker.ts';
import type { Log } from '../../../lib/log/log.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { DeploymentGuard } from '../../../tokens/deployment/deployment-guard.ts';
import { Applications, DEFAULT_APPLICATION, type OAuthApplication } from '../../../upstream/application.ts';
import { HttpAuthority, type AuthorityParts } from '../../../upstream/authorisation-server/client.ts';
import { redirectAddress } from '../addresses.ts';
import { guardedRevoker } from '../jobs/guarded.ts';
import { breakerOf } from './refreshing.ts';

/** An application with its complete breaker, for health and metrics. */
export interface WiredApplication extends OAuthApplication {
  readonly breaker: Breaker;
}

/** What the applications share. */
interface ApplicationNeeds {
  readonly guard: DeploymentGuard;
  readonly clock: Clock;
  readonly log: Log;
  readonly lookup: AuthorityParts['lookup'];
}

/**
 * One client of the authorisation server for each application, with its own connections, secrets and breaker: the
 * server's verdict on one says nothing about the others.
 */
export const applicationsOf = (
  settings: Settings,
  oauth: OAuthSettings,
  needs: ApplicationNeeds,
): Applications<WiredApplication> =>
  new Applications(
    new Map(oauth.applications.map((one) => [one.name, applicationOf(settings, oauth, one, needs)])),
  );

function applicationOf(
  settings: Settings,
  { authUrl, connectionsUrl }: OAuthSettings,
  { name, clientId, clientSecrets, scopes }: ApplicationSettings,
  { guard, clock, log, lookup }: ApplicationNeeds,
): WiredApplication {
  const { profile, connections } = settings;
  const authority = new HttpAuthority({
    ...{ authUrl, connectionsUrl, clientId, clientSecrets, profile, clock, lookup },
    limits: { size: connections.size, waitMs: connections.waitSeconds * SECOND },
  });
  return {
    ...{ name, clientId, scopes, authority },
    redirectUri: redirectAddress(settings, name),
    revoker: guardedRevoker(authority, guard),
    breaker: breakerOf(settings, clock, log, name),
  };
}

/** For the health report: the applications whose tokens are not renewed; undefined: none. */
export function authorityTroubles(
  applications: Applications<WiredApplication> | undefined,
): { readonly authority: string } | undefined {
  const troubles = (applications?.all ?? []).flatMap(({ name, breaker: { view } }) =>
    view.state === 'closed' ? [] : [troubleOf(name, view)],
  );
  return troubles.length === 0 ? undefined : { authority: troubles.join('; ') };
}

const troubleOf = (name: string, view: Exclude<BreakerView, { state: 'closed' }>): string =>
  `no tokens ${name === DEFAULT_APPLICATION ? '' : `of the application ${name} `}are renewed since ${new Date(view.since).toISOString()}: ${view.reason}`;
