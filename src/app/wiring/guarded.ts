import { ACKNOWLEDGE } from '../../tokens/deployment/deployment.ts';
import { AuthorityRefused, type Authority, type Revoker } from '../../upstream/model.ts';
import type { DeploymentGuard } from '../../tokens/deployment/deployment-guard.ts';

/** The last gate, whoever asks: what the vault asks before it writes an intent is asked here as of its last look. */
export const guardedAuthority = (authority: Authority, guard: DeploymentGuard): Authority => ({
  authorizeUrl: (request) => authority.authorizeUrl(request),
  exchange: (code, redirectUri, verifier) => authority.exchange(code, redirectUri, verifier),
  connections: (token, event) => authority.connections(token, event),
  refresh: async (token, within) =>
    guard.doubt === undefined
      ? authority.refresh(token, within)
      : { verdict: 'unanswered', cause: 'deployment in doubt' },
});

/** For those who ask whether all is well. */
export const withheldOf = ({ withheld }: DeploymentGuard): { readonly consents: string } | undefined =>
  withheld === 0
    ? undefined
    : {
        consents: `the tokens of ${withheld} are not renewed, because the database lacks what was seen of them: ${ACKNOWLEDGE}`,
      };

/** A token of a copy may be the living one of somebody else. */
export const guardedRevoker = (revoker: Revoker, guard: DeploymentGuard): Revoker => ({
  async revoke(token) {
    if (!(await guard.mayPresent())) throw new AuthorityRefused('deployment in doubt');
    await revoker.revoke(token);
  },
});
