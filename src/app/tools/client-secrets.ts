/** For `causeway doctor`: whether the service accepts each application's client id and secrets. */
import type { ApplicationSettings, OAuthSettings, Settings } from '../settings/model.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { HttpAuthority } from '../../upstream/authorisation-server/client.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { redirectAddress } from '../wiring/addresses.ts';
import { PATIENCE, type Probe, type Task } from './probe.ts';

/** A code that no server has issued: a client that is known gets `invalid_grant` for it, and nothing is consumed. */
const NO_CODE = new Secret('causeway-doctor-presents-no-code');

/**
 * `forbidden`: the client is known, but may not use the authorisation code grant. `untold`: the answer has nothing that
 * tells a client from a code. `silent`: there was no answer, for which the row of the address has the reason.
 */
type Answer = 'accepted' | 'refused' | 'forbidden' | 'untold' | 'silent';

const answers: Readonly<Record<string, Answer>> = {
  invalid_grant: 'accepted',
  invalid_client: 'refused',
  unauthorized_client: 'forbidden',
};

type Judgement = Omit<Probe, 'what'>;

/** One probe for each application. */
export function clientSecretProbes(settings: Settings): readonly Task[] {
  const { oauth } = settings;
  if (oauth === undefined) return [];
  return oauth.applications.map((application, index) => {
    const what = index === 0 ? 'CAUSEWAY_CLIENT_SECRET' : `application ${application.name}: client.secret`;
    return { what, run: async () => ({ what, ...(await presentAll(settings, oauth, application)) }) };
  });
}

async function presentAll(
  settings: Settings,
  oauth: OAuthSettings,
  application: ApplicationSettings,
): Promise<Judgement> {
  const { clientId, clientSecrets } = application;
  const presented = clientSecrets.map((secret) => present(settings, oauth, application, secret));
  return judged(clientId, await Promise.all(presented));
}

async function present(
  settings: Settings,
  { authUrl, connectionsUrl }: OAuthSettings,
  { name, clientId }: ApplicationSettings,
  secret: Secret,
): Promise<Answer> {
  const authority = new HttpAuthority({
    ...{ authUrl, connectionsUrl, clientId, clientSecrets: [secret] },
    ...{ profile: settings.profile, clock: systemClock, patience: PATIENCE },
  });
  try {
    await authority.exchange(NO_CODE, redirectAddress(settings, name), undefined);
  } catch (error) {
    if (!(error instanceof AuthorityRefused)) return 'untold';
    return error.cause === undefined ? (answers[error.error] ?? 'untold') : 'silent';
  }
  return 'untold';
}

/** While secrets are being changed, one that is not valid yet, or no longer, is no fault: the other one is used. */
function judged(clientId: string, found: readonly Answer[]): Judgement {
  const refused = found.flatMap((answer, index) => (answer === 'refused' ? [index + 1] : []));
  // The bridge goes on to the next secret only after `invalid_client`.
  if (found.includes('forbidden')) {
    const detail = `the client ${clientId} may not use the authorisation code grant (unauthorized_client)`;
    return { good: false, detail };
  }
  if (found.includes('accepted')) {
    const detail = `the service accepts client ${clientId}`;
    if (refused.length === 0) return { good: true, detail: `${detail} with it` };
    const which = `secret ${refused.join(', ')} of ${found.length}`;
    return {
      good: true,
      detail: `${detail}, but not with ${which}: remove it unless it becomes valid later`,
    };
  }
  if (refused.length > 0) {
    const todo = "compare both with the application in the service's developer account";
    return {
      good: false,
      detail: `the service refuses client ${clientId} with it (invalid_client): ${todo}`,
    };
  }
  if (found.every((answer) => answer === 'silent'))
    return {
      ...{ good: true, detail: 'not checked: the token endpoint does not answer' },
      instead: 'run it again once the token endpoint answers',
    };
  return {
    ...{ good: true, detail: 'not checked: the token endpoint does not say whether it knows the client' },
    instead: "compare client id and secret with the application in the service's developer account",
  };
}
