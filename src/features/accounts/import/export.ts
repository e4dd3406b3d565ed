import type { Account } from '../account.ts';
import type { AccountBook } from '../model.ts';
import { NO_DETAILS } from '../details.ts';
import type { Seal } from '../../../lib/seal.ts';
import type { Secret } from '../../../lib/secret.ts';
import { keyPlaces } from '../account-keys.ts';

/** One account as it goes into a list; the names are those of `accountColumns`. */
export interface ExportedAccount {
  readonly name: string;
  readonly accountKey: Secret | undefined;
  readonly apiKey: Secret | undefined;
  readonly product: string;
  readonly organisationName: string | undefined;
  readonly organisationId: string | undefined;
  readonly contactName: string | undefined;
  readonly email: string | undefined;
  readonly language: string | undefined;
  readonly notes: string | undefined;
  readonly id: string;
  readonly stage: string;
}

interface ExportParts {
  readonly book: AccountBook;
  readonly seal: Pick<Seal, 'open'>;
}

/** Every account, the oldest first; keys only where they are asked for, and an API key only where calls must carry it. */
export async function* exportAccounts(
  { book, seal }: ExportParts,
  { withKeys }: { readonly withKeys: boolean },
): AsyncGenerator<ExportedAccount> {
  const details = await book.allDetails();
  for (const account of await book.list()) {
    const known = details.get(account.id) ?? NO_DETAILS;
    yield {
      name: account.name,
      ...(withKeys ? await keysOf(account, { book, seal }) : { accountKey: undefined, apiKey: undefined }),
      product: account.product,
      organisationName: known.expected.name,
      organisationId: known.expected.id,
      contactName: known.contactName,
      email: known.email,
      language: known.language,
      notes: known.notes,
      id: account.id,
      stage: account.life.stage,
    };
  }
}

async function keysOf(
  { id }: Account,
  { book, seal }: ExportParts,
): Promise<Pick<ExportedAccount, 'accountKey' | 'apiKey'>> {
  const sealed = await book.sealedKeys(id);
  return {
    accountKey: sealed && seal.open(sealed.accountKey, id, keyPlaces.account.column),
    apiKey:
      sealed?.apiKeyDemanded === true && sealed.apiKey !== undefined
        ? seal.open(sealed.apiKey.sealed, sealed.apiKey.owner, keyPlaces.api.column)
        : undefined,
  };
}
