import type { Account } from '../account.ts';
import type { AccountRepository } from '../model.ts';
import { NO_DETAILS } from '../details.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import type { Secret } from '../../../lib/secret/secret.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import { keyPlaces } from '../account-keys.ts';

/** One account as exported; the names are those of `accountColumns`. */
export interface ExportedAccount {
  readonly name: string;
  readonly accountKey: Secret | undefined;
  readonly apiKey: Secret | undefined;
  readonly product: string;
  readonly application: string;
  readonly organisationName: string | undefined;
  readonly organisationId: string | undefined;
  readonly contactName: string | undefined;
  readonly email: string | undefined;
  readonly language: string | undefined;
  readonly zone: string | undefined;
  readonly phone: string | undefined;
  readonly tags: string | undefined;
  readonly notes: string | undefined;
  readonly id: string;
  readonly stage: string;
  readonly origin: string;
}

interface ExportParts {
  readonly repository: AccountRepository;
  readonly seal: Pick<Seal, 'open'>;
}

/** Every account, oldest first; keys only on request, and an API key only if calls must carry it. */
export async function* exportAccounts(
  { repository, seal }: ExportParts,
  { withKeys }: { readonly withKeys: boolean },
): AsyncGenerator<ExportedAccount> {
  const details = await repository.allDetails();
  await nextTurn();
  for (const account of await repository.list()) {
    const known = details.get(account.id) ?? NO_DETAILS;
    yield {
      name: account.name,
      ...(withKeys
        ? await keysOf(account, { repository, seal })
        : { accountKey: undefined, apiKey: undefined }),
      product: account.product,
      application: account.application,
      organisationName: known.expected.name,
      organisationId: known.expected.id,
      contactName: known.contactName,
      email: known.email,
      language: known.language,
      zone: known.zone,
      phone: known.phone,
      tags: known.tags,
      notes: known.notes,
      id: account.id,
      stage: account.life.stage,
      origin: account.origin,
    };
  }
}

async function keysOf(
  { id }: Account,
  { repository, seal }: ExportParts,
): Promise<Pick<ExportedAccount, 'accountKey' | 'apiKey'>> {
  const sealed = await repository.sealedKeys(id);
  return {
    accountKey: sealed && seal.open(sealed.accountKey, id, keyPlaces.account.column),
    apiKey:
      sealed?.apiKeyDemanded === true && sealed.apiKey !== undefined
        ? seal.open(sealed.apiKey.sealed, sealed.apiKey.owner, keyPlaces.api.column)
        : undefined,
  };
}
