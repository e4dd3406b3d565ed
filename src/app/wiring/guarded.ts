import { ACKNOWLEDGE } from '../../tokens/deployment/deployment.ts';
import { AuthorityRefused, type Revoker } from '../../upstream/model.ts';
import type { DeploymentGuard } from '../../tokens/deployment/deployment-guard.ts';

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
