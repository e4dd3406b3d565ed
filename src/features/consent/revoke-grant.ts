import type { Grant, GrantRepository } from '../../tokens/grant.ts';
import { openPair } from '../../tokens/grant-row.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import type { ApplicationClient, Applications } from '../../upstream/application.ts';
import type { Revoker } from '../../upstream/model.ts';

/** The client that revokes the tokens of an application. */
type ApplicationRevoker = ApplicationClient & { readonly revoker: Revoker };

export interface RevokeParts {
  readonly grants: Pick<GrantRepository, 'hasAnotherOf'>;
  readonly seal: Seal;
  readonly applications: Pick<Applications<ApplicationRevoker>, 'find'>;
}

/**
 * Asks the server to revoke the tokens of a grant that will not be used. Tokens are per user (V2 specification,
 * "Tokens", rule 7), and a server may read "the grant" in RFC 7009 as everything the user ever granted this
 * application: a revocation would then end the connections of the same person's other accounts. So it revokes only if
 * no other grant of that person is held. Otherwise it returns false, and the tokens are deleted here and expire unused,
 * as they do if their application is no longer configured. Throws `AuthorityRefused`.
 */
export async function revokeGrant(parts: RevokeParts, grant: Grant): Promise<boolean> {
  if (grant.state === 'lost') return false;
  const revoker = await revokerOf(parts, grant);
  await revoker?.revoke(openPair(parts.seal, grant.id, grant.tokens).refreshToken);
  return revoker !== undefined;
}

/** Where the tokens of a grant are revoked; undefined if they are only deleted here. */
async function revokerOf({ grants, applications }: RevokeParts, grant: Grant): Promise<Revoker | undefined> {
  const client = applications.find(grant.application);
  return client === undefined || (await grants.hasAnotherOf(grant)) ? undefined : client.revoker;
}
