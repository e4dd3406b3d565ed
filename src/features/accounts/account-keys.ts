import { DuplicateAccount, type AccountRepository, type ApiKeyPin } from './model.ts';
import type { AccountChange } from './details.ts';
import { storedIndex, type Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { UnusableAccount } from './unusable-account.ts';

/** Purposes of the lookup indexes and columns of the sealed keys, for all code that reads or writes them. */
export const keyPlaces = {
  account: { purpose: 'account-key', column: sealedAs.accountKey },
  api: { purpose: 'api-key', column: sealedAs.apiKey },
} as const;

type Place = (typeof keyPlaces)[keyof typeof keyPlaces];

export interface AccountKeysParts {
  readonly repository: Pick<AccountRepository, 'byKeyIndex' | 'sealedKeys'>;
  readonly seal: Seal;
}

/** The keys of accounts as stored: hashes to look them up by, and sealed forms. */
export class AccountKeys {
  readonly #parts: AccountKeysParts;

  constructor(parts: AccountKeysParts) {
    this.#parts = parts;
  }

  /** The account with this account key, under any key of the seal. */
  holder(accountKey: Secret): ReturnType<AccountRepository['byKeyIndex']> {
    const { repository, seal } = this.#parts;
    return repository.byKeyIndex(seal.index(accountKey, keyPlaces.account.purpose));
  }

  /**
   * The index under the sealing key, for an account of this application; the account key must not be known under an older
   * one either. Throws `DuplicateAccount`.
   */
  async freeIndex(accountKey: Secret, application: string): Promise<string> {
    const account = (await this.holder(accountKey))?.account;
    if (account !== undefined) {
      // Calls are assigned by the account key alone, so two applications cannot share one.
      const other = `${account.name}, of the application ${account.application}. The account for ${application} needs issued keys (--new)`;
      throw new DuplicateAccount('account key', account.application === application ? account.name : other);
    }
    return this.index(accountKey, keyPlaces.account);
  }

  index(key: Secret, { purpose }: Place): string {
    return storedIndex(this.#parts.seal, key, purpose);
  }

  sealed(key: Secret, owner: string, { column }: Place): string {
    return this.#parts.seal.seal(key, owner, column);
  }

  /** For an API key that calls must carry. */
  demanded(apiKey: Secret, owner: string): { readonly apiKeyIndex: string; readonly apiKeySealed: string } {
    return {
      apiKeyIndex: this.index(apiKey, keyPlaces.api),
      apiKeySealed: this.sealed(apiKey, owner, keyPlaces.api),
    };
  }

  /** For an API key that V1 has accepted. */
  pin(apiKey: Secret, id: string, at: number): ApiKeyPin {
    const indexes = this.#parts.seal.index(apiKey, keyPlaces.api.purpose);
    return { id, indexes, sealed: this.sealed(apiKey, id, keyPlaces.api), at };
  }

  /** Undefined if the account already has this one. Throws `UnusableAccount`. */
  async otherApiKey(accountId: string, key: Secret): Promise<AccountChange['apiKey']> {
    checkKey(key, 'API key');
    const { seal, repository } = this.#parts;
    const keys = await repository.sealedKeys(accountId);
    if (keys?.apiKeyDemanded === true && keys.apiKey !== undefined) {
      const present = seal.open(keys.apiKey.sealed, keys.apiKey.owner, keyPlaces.api.column);
      if (present.reveal() === key.reveal()) return undefined;
    }
    const { apiKeyIndex: index, apiKeySealed: sealed } = this.demanded(key, accountId);
    return { index, sealed };
  }
}

/**
 * The service decides the shape of a key; only what could never be part of a query is refused. Throws
 * `UnusableAccount`.
 */
export function checkKey(key: Secret, what: string): void {
  if (!/^[^\p{C}\p{Z}]{1,128}$/u.test(key.reveal()))
    throw new UnusableAccount(`an ${what} must be 1 to 128 printable characters, without spaces`);
}

/** Every key seen so far has this form. It is not guaranteed, so a key of another form is accepted with a warning. */
const USUAL = /^[0-9A-F]{32}$/;

/** `what`: which key it is, such as `API key`. */
export const unusualWords = (what: string): string =>
  `the ${what} does not have the usual form, 32 characters from 0 to 9 and A to F: compare it with the one the program sends`;

/** Warnings about entered keys: a mistyped one would only be noticed when the first call is refused. */
export const keyWarnings = ({
  accountKey,
  apiKey,
}: {
  readonly accountKey?: Secret | undefined;
  readonly apiKey?: Secret | undefined;
}): readonly string[] =>
  (
    [
      ['account key', accountKey],
      ['API key', apiKey],
    ] as const
  ).flatMap(([what, key]) => (key === undefined || USUAL.test(key.reveal()) ? [] : [unusualWords(what)]));
