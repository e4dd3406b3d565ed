import { randomUUID } from 'node:crypto';
import { propose } from '../../src/features/accounts/account.ts';
import type { ConsentFinding } from '../../src/features/consent/findings.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import type { Seal } from '../../src/lib/secret/seal.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Store } from '../../src/app/store.ts';

export interface Approval {
  readonly organisation: { readonly id: string; readonly name: string };
  readonly name?: string;
  readonly email?: string;
  readonly findings?: readonly ConsentFinding[];
  readonly at?: number;
}

/** Somebody has approved, and nothing proves it: what a consent leaves behind that waits for the operator. Its id. */
export async function approve(
  { store, ring }: { readonly store: Store; readonly ring: Seal },
  accountId: string,
  { organisation, name = 'Ana Whitcombe', email, findings = ['name'], at = Date.now() }: Approval,
): Promise<string> {
  const id = randomUUID();
  const tokens = sealPair(ring, id, {
    generation: 1,
    accessToken: new Secret('ACCESS'),
    accessExpiresAt: at,
    refreshToken: new Secret('REFRESH'),
  });
  const consenter = { userId: randomUUID(), name, email };
  await store.grants.create({ id, consenter, scope: 'service', tokens, now: at });
  await store.awaiting.propose({
    accountId,
    transition: (life) => ({ life: propose(life, { grantId: id, organisation }), findings }),
    event: { at, kind: 'consent.awaiting', actor: 'customer', detail: `${organisation.name} approved` },
  });
  return id;
}
