/**
 * Real tokens for the customers who have approved: each signs in at the sandbox and approves, as a plain HTTP
 * client may (`sandbox/oauth/endpoints/authorize.ts`), and the code is exchanged in the same way as by the
 * bridge.
 */
import type { OAuthSide, Services } from '../../app/wiring/services.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { Customer } from './customers.ts';
import type { SeededCustomer } from './organisations.ts';

type Application = OAuthSide['applications']['all'][number];

/** The token endpoint's answer. */
export type TokenAnswer = Awaited<ReturnType<Application['authority']['exchange']>>;

/** Number of customers who sign in at the same time. */
const TOGETHER = 8;

/** The sandbox rejected an approval. */
export class NotApproved extends Error {
  constructor(name: string, status: number) {
    super(`the sandbox did not accept the approval of ${name} (${status})`);
    this.name = 'NotApproved';
  }
}

/**
 * Returns the token endpoint's answers to the approvals, by account key. Throws `NotApproved`,
 * `AuthorityRefused`.
 */
export async function approvedBy(
  services: Services,
  customers: readonly Customer[],
  seeded: ReadonlyMap<string, SeededCustomer>,
): Promise<ReadonlyMap<string, TokenAnswer>> {
  const answers = new Map<string, TokenAnswer>();
  const waiting = [...customers];
  const approveNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const known = seeded.get(next.accountKey);
      if (known !== undefined) answers.set(next.accountKey, await approval(services, next, known));
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, approveNext));
  return answers;
}

async function approval(
  services: Services,
  customer: Customer,
  seeded: SeededCustomer,
): Promise<TokenAnswer> {
  const { oauth } = services;
  const [application] = oauth?.applications.all ?? [];
  if (oauth === undefined || application === undefined) throw new NotApproved(customer.name, 0);
  const { authority, redirectUri, scopes } = application;
  const asked = authority.authorizeUrl({
    ...{ redirectUri, scope: scopes[customer.product], state: 'seed', challenge: undefined },
  });
  const form = new URL(asked).searchParams;
  form.set('user', seeded.userId);
  form.set('organisation', seeded.organisationId);
  form.set('decision', 'approve');
  const answer = await fetch(`${oauth.settings.authUrl}/identity/connect/consent`, {
    ...{ method: 'POST', body: form, redirect: 'manual' },
  });
  await answer.body?.cancel();
  const code = new URL(answer.headers.get('location') ?? asked).searchParams.get('code');
  if (code === null) throw new NotApproved(customer.name, answer.status);
  return authority.exchange(new Secret(code), redirectUri, undefined);
}
