import { ACKNOWLEDGE } from '../../../tokens/deployment/deployment.ts';
import { Failure } from '../../../lib/failure.ts';
import { AuthorityRefused, type Revoker, type V1Reader } from '../../../upstream/model.ts';
import type { DeploymentGuard } from '../../../tokens/deployment/deployment-guard.ts';

/** For the health report. */
export const withheldOf = ({ withheld }: DeploymentGuard): { readonly consents: string } | undefined =>
  withheld === 0
    ? undefined
    : {
        consents: `the tokens of ${withheld} are not renewed, because the database lacks what was seen of them: ${ACKNOWLEDGE}`,
      };

/** A token in a copy may be the one in use elsewhere. */
export const guardedRevoker = (revoker: Revoker, guard: DeploymentGuard): Revoker => ({
  async revoke(token) {
    if (!(await guard.mayPresent())) throw new AuthorityRefused('deployment in doubt');
    await revoker.revoke(token);
  },
});

/**
 * V1 for the bridge's own reads. If the database has vanished, an account that has moved looks like one that has not,
 * so no keys are tried on V1 before an operator has acknowledged the new database.
 */
export function guardedReader(v1: V1Reader, guard: DeploymentGuard): V1Reader {
  const check = async (): Promise<void> => {
    await guard.look();
    if (guard.hasVanished) throw new Failure('heldBack');
  };
  return {
    async get(target, signal) {
      await check();
      return v1.get(target, signal);
    },
    async fetch(address, signal) {
      await check();
      return v1.fetch(address, signal);
    },
  };
}
