/**
 * Finds the account from anything a caller can name: a request id, an account key, or any words.
 *
 * A key is looked up by its keyed hash and never stored, logged or returned. A request id leads to its call. Everything
 * else is searched for in names, organisations, contacts, addresses, phone numbers, notes, conversations and tags.
 */
import { Secret } from '../../lib/secret/secret.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { keyPlaces } from '../accounts/account-keys.ts';
import type { Account } from '../accounts/account.ts';
import type { AccountRepository } from '../accounts/model.ts';
import type { ReportedAccount } from '../status/model.ts';
import type { Status } from '../status/status.ts';
import { remedyOf } from '../usage/call-advice.ts';
import type { CallRecord, CallRepository } from '../usage/call-log.ts';
import type { WriteRepository } from '../writes/model.ts';
import { readableSteps } from '../writes/rows/sealed-steps.ts';
import { adviceOf, writeWords } from '../writes/words.ts';
import { AdminRefusal } from './refusal.ts';

export interface AdminSupportParts {
  readonly repository: Pick<AccountRepository, 'byKeyIndex' | 'byId'>;
  readonly seal: Pick<Seal, 'index' | 'open'>;
  readonly calls: Pick<CallRepository, 'byRequest'>;
  readonly writes: Pick<WriteRepository, 'find'>;
  readonly status: Pick<Status, 'view'>;
}

type FoundCall = Extract<Finding, { readonly by: 'request' }>;

/** The outcome of a write, and what to do about it, in words. */
interface FoundWrite {
  readonly words: string;
  readonly advice: string;
}

/** The result of a search, and what matched. */
export type Finding =
  | {
      readonly by: 'request';
      readonly call: CallRecord;
      readonly account: Account;
      /** What the ledger has about a call that creates, changes or deletes. */
      readonly write: FoundWrite | undefined;
    }
  | { readonly by: 'key'; readonly account: Account }
  | { readonly by: 'words'; readonly accounts: readonly ReportedAccount[] };

/** What to do about a call: the ledger knows more of a write than its reply said. */
export const adviceAbout = ({ call, write }: Pick<FoundCall, 'call' | 'write'>): string | undefined =>
  (call.failure === 'outcomeUnknown' ? write?.advice : undefined) ?? remedyOf(call);

/** Advice for a search for a call that belongs to no account, and so is only in the log. */
export const UNKNOWN_KEY_WORDS =
  'If it got 401, its account key is not known here: the log has the call, under its request id';

/** Searches for the people who answer customers' questions. */
export class AdminSupport {
  readonly #parts: AdminSupportParts;

  constructor(parts: AdminSupportParts) {
    this.#parts = parts;
  }

  /** Searches by words only if the text is neither a key nor a request id. */
  async find(text: string): Promise<Finding> {
    const wanted = text.trim();
    if (wanted === '') return { by: 'words', accounts: [] };
    const request = isUuid(wanted) ? await this.#request(wanted.toLowerCase()) : undefined;
    return request ?? (await this.#key(wanted)) ?? (await this.#words(wanted));
  }

  /** One call with its account. Throws `AdminRefusal` unknown. */
  async call(requestId: string): Promise<FoundCall> {
    const found = isUuid(requestId) ? await this.#request(requestId.toLowerCase()) : undefined;
    if (found !== undefined) return found;
    throw new AdminRefusal(
      'unknown',
      `no call of the last seven days has this request id. ${UNKNOWN_KEY_WORDS}`,
    );
  }

  async #request(requestId: string): Promise<FoundCall | undefined> {
    const { calls, repository, writes, seal } = this.#parts;
    const call = await calls.byRequest(requestId);
    const account = call && (await repository.byId(call.accountId));
    if (call === undefined || account === undefined) return undefined;
    const write = call.verb === 'GET' ? undefined : await writes.find(requestId);
    const steps = write === undefined ? [] : readableSteps(seal, write);
    const found = write && { words: writeWords(write, steps), advice: adviceOf(write, steps) };
    return { by: 'request', call, account, write: found };
  }

  async #key(wanted: string): Promise<Finding | undefined> {
    const { repository, seal } = this.#parts;
    const indexes = seal.index(new Secret(wanted), keyPlaces.account.purpose);
    const found = await repository.byKeyIndex(indexes);
    return found && { by: 'key', account: found.account };
  }

  async #words(search: string): Promise<Finding> {
    return { by: 'words', accounts: (await this.#parts.status.view({ search })).accounts };
  }
}
