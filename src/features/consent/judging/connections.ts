import type { Log } from '../../../lib/log/log.ts';
import type { Profile } from '../../../upstream/profile.ts';
import {
  AuthorityRefused,
  type Authority,
  type Connection,
  type TokenAnswer,
} from '../../../upstream/model.ts';

/** The servers to ask, and the profile, which says whether to ask them. */
export interface ConnectionParts {
  readonly applications: {
    of(name: string): { readonly authority: Pick<Authority, 'connections'> };
  };
  readonly profile: Profile;
  readonly log: Log;
}

/**
 * All connections that the user ever made to this OAuth application; they are filtered by the consent afterwards,
 * because not every server can. Undefined: the server did not say, and the token names no organisation either.
 */
export async function connectionsOf(
  { applications, profile, log }: ConnectionParts,
  application: string,
  { accessToken, claims }: Pick<TokenAnswer, 'accessToken' | 'claims'>,
): Promise<readonly Connection[] | undefined> {
  const { authority } = applications.of(application);
  if (!profile.organisationSources.includes('connections')) return [];
  try {
    const { authenticationEventId, organisationIds } = claims;
    const listed = await authority.connections(accessToken, authenticationEventId);
    if (organisationIds.every((id) => listed.some((one) => one.id === id && one.name !== ''))) return listed;
    // A simultaneous consent may have claimed the connection; its name is still available.
    return [...listed, ...(await authority.connections(accessToken, undefined))];
  } catch (error) {
    if (!(error instanceof AuthorityRefused)) throw error;
    log.warn('consent.connections', { error: error.error });
    // Only the names are missing if the token itself names the organisation.
    return claims.organisationIds.length > 0 ? [] : undefined;
  }
}
