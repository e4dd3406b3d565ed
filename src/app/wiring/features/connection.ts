import { Disconnecting } from '../../../features/consent/disconnecting.ts';
import { CustomerConnection } from '../../../features/connection/connection.ts';
import { Embedding, type StatusToken } from '../../../features/connection/embedding.ts';
import { SignIn } from '../../../features/connection/sign-in.ts';
import { ConnectionPages } from '../../../http/customer/connection.ts';
import { formTargetsOf, type Pages } from '../../../http/customer/pages.ts';
import type { CallerAddresses } from '../../../http/server/caller-address.ts';
import { Cookies } from '../../../http/server/cookie.ts';
import { Throttle } from '../../../http/server/throttle.ts';
import { publicUrl } from '../addresses.ts';
import { campaignOf } from './campaign.ts';
import type { OAuthSide, Services } from '../services.ts';

/** Clicks and dead links from one address within ten minutes. */
const MOST_TRIES = 60;

const embeddingOf = ({ settings, ring, clock }: Services): Embedding =>
  new Embedding(ring, clock, publicUrl(settings));

/** Undefined: no page may show the status of a connection in a frame. */
export function embedOf(services: Services): ((accountId: string) => StatusToken) | undefined {
  if (services.settings.embedOrigins.length === 0) return undefined;
  const embedding = embeddingOf(services);
  return (accountId) => embedding.issue(accountId);
}

/** The page of a connection for its customer; undefined if no account can move. */
export function connectionPagesOf(
  services: Services,
  pages: Pages,
  callers: CallerAddresses,
): ConnectionPages | undefined {
  const { settings, store, ring, clock, random, accounts, oauth } = services;
  if (oauth === undefined) return undefined;
  const here = publicUrl(settings);
  return new ConnectionPages({
    connection: new CustomerConnection({
      links: store.statusLinks,
      repository: store.accounts,
      accounts,
      grants: store.grants,
      disconnecting: disconnectingOf(services, oauth),
      seal: ring,
      clock,
      v1End: settings.v1 === undefined ? undefined : settings.v1End,
    }),
    signIn: new SignIn({
      applications: oauth.applications,
      random,
      pkce: settings.profile.pkce,
    }),
    embedding: embeddingOf(services),
    embedOrigins: settings.embedOrigins,
    pages,
    formTargets: formTargetsOf(oauth.settings.authUrl),
    callers,
    searching: new Throttle({ clock, perAddress: MOST_TRIES, overall: Infinity }),
    cookies: new Cookies(here),
    seal: ring,
    clock,
  });
}

/** Ends connections, for customers and operators. */
export function disconnectingOf(services: Services, { vault, applications }: OAuthSide): Disconnecting {
  const { store, ring, clock, log } = services;
  const campaign = campaignOf(services);
  return new Disconnecting({
    notice: (facts) => campaign.disconnection(facts),
    repository: store.accounts,
    campaign: store.campaign,
    grants: store.grants,
    ...{ vault, applications, clock, log },
    seal: ring,
  });
}
