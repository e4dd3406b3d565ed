/** For `causeway doctor`: whether the service accepts each application's client id and secrets. */
import type { ApplicationSettings, OAuthSettings, Settings } from '../settings/model.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { HttpAuthority } from '../../upstream/authorisation-server/client.ts';
import { AuthorityRefused } from '../../upstream/model.ts';
import { redirectAddress } from '../wiring/addresses.ts';
import type { Probe, Task } from './model.ts';

/** A code that no server has issued: a client that is known gets `invalid_grant` for it, and nothing is consumed. */
const NO_CODE = new Secret('causeway-doctor-presents-no-code');

const refusalsOfClient: readonly string[] = ['invalid_client', 'unauthorized_client'];

/** `silent`: nothing to judge by. `unclear`: an answer that says nothing about the client. */
type Answer = 'accepted' | 'refused' | 'silent' | 'unclear';

/** One probe for each application. */
export const clientSecretProbes = (settings: Settings): readonly Task[] =>
  (settings.oauth?.applications ?? []).map((application, index) => {
    const what = index === 0 ? 'CAUSEWAY_CLIENT_SECRET' : `application ${application.name}: client.secret`;
    return { what, run: () => probe(what, settings, application) };
  });

async function probe(what: string, settings: Settings, application: ApplicationSettings): Promise<Probe> {
  const { oauth } = settings;
  if (oauth === undefined) throw new Error('there are applications without an authorisation server');
  const answers: Answer[] = [];
  for (const secret of application.clientSecrets)
    answers.push(await present(settings, oauth, application, secret));
  return { what, ...judged(application.clientId, answers) };
}

async function present(
  settings: Settings,
  { authUrl, connectionsUrl }: OAuthSettings,
  { name, clientId }: ApplicationSettings,
  secret: Secret,
): Promise<Answer> {
  const authority = new HttpAuthority({
    ...{ authUrl, connectionsUrl, clientId, clientSecrets: [secret] },
    ...{ profile: settings.profile, clock: systemClock },
  });
  try {
    await authority.exchange(NO_CODE, redirectAddress(settings, name), undefined);
    return 'unclear';
  } catch (error) {
    if (!(error instanceof AuthorityRefused)) throw error;
    if (error.error === 'unavailable') return 'silent';
    if (error.error === 'invalid_grant') return 'accepted';
    return refusalsOfClient.includes(error.error) ? 'refused' : 'unclear';
  }
}

/** While secrets are being changed, one that is not valid yet, or no longer, is no fault: the other one is used. */
function judged(clientId: string, answers: readonly Answer[]): Pick<Probe, 'good' | 'detail'> {
  const refused = answers.flatMap((answer, index) => (answer === 'refused' ? [index + 1] : []));
  if (answers.includes('accepted')) {
    const detail = `the service accepts client ${clientId}`;
    if (refused.length === 0) return { good: true, detail: `${detail} with it` };
    const which = `secret ${refused.join(', ')} of ${answers.length}`;
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
  return answers.includes('unclear')
    ? { good: true, detail: 'cannot be tried: the token endpoint does not say whether it knows the client' }
    : { good: false, detail: 'could not be tried: the token endpoint does not answer as one' };
}
