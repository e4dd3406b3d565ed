/**
 * Importing refresh tokens and exporting grants, for console, API and command line alike.
 *
 * Every request is recorded before anything is done, with names and never with a token; the outcome for each account is
 * recorded afterwards. Lines of a file are independent of each other.
 */
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import type { Account } from '../../accounts/account.ts';
import { AmbiguousName, type AccountRepository } from '../../accounts/model.ts';
import type { Exporting, ExportedLine, ExportResult } from '../../consent/grants/exporting.ts';
import { readTokenFile, UnusableTokenFile, type TokenLine } from '../../consent/grants/import-file.ts';
import type { BroughtToken, Importing, ImportProgress } from '../../consent/grants/importing.ts';
import { importHindrances, type GrantImport, type ImportRepository } from '../../consent/grants/model.ts';
import { recipientOf, UnusableKey, type Recipient } from '../../../lib/secret/recipient.ts';
import { UNEXPECTED } from '../actions/outcomes.ts';
import { auditAccount, type AuditParts } from '../audit.ts';
import { AdminRefusal, unknownAccount } from '../refusal.ts';
import { SealedDraft, type DraftParts } from './draft.ts';
import { progressWords, unchosenWords } from './grant-words.ts';

/** The parts of the service; undefined: V3 is not configured, so there are no grants. */
export interface AdminGrantsParts extends AuditParts, DraftParts {
  readonly repository: Pick<AccountRepository, 'byId' | 'find'>;
  readonly importing: Pick<Importing, 'hindrance' | 'take' | 'resume' | 'choose' | 'mayPresent'> | undefined;
  readonly imports: Pick<ImportRepository, 'list' | 'ofAccount' | 'discard'>;
  readonly exporting: Pick<Exporting, 'preview' | 'perform'> | undefined;
  readonly awaiting: { revoke(): Promise<void> };
  readonly log: Log;
}

/** The outcome for a line of an import; `will`: it would be presented. */
export interface ImportedLine {
  readonly line: number;
  readonly account: string;
  readonly outcome: 'will' | ImportProgress['outcome'] | 'faulty' | 'failed';
  readonly words: string;
}

/** Tokens presented at once; the authorisation server's limit applies to all of them together. */
const AT_ONCE = 4;

/** Imports and exports of grants. */
export class AdminGrants {
  readonly #parts: AdminGrantsParts;
  readonly #drafts: SealedDraft;

  constructor(parts: AdminGrantsParts) {
    this.#parts = parts;
    this.#drafts = new SealedDraft(parts, 'token-draft');
  }

  /** What an import would do with each line; sends and writes nothing. Throws `AdminRefusal` unavailable. */
  preview(lines: readonly TokenLine[], replace: boolean): Promise<readonly ImportedLine[]> {
    const importing = this.#importing();
    return inTurn(lines, async (one) => {
      const brought = await this.#brought(one, replace);
      if ('outcome' in brought) return brought;
      const hindrance = await importing.hindrance(brought);
      const { line } = one;
      const account = brought.account.name;
      if (hindrance !== undefined)
        return { line, account, outcome: 'left', words: importHindrances[hindrance] };
      return { line, account, outcome: 'will', words: 'its token is presented, which ends the script’s own' };
    });
  }

  /** The preview of a file as a page shows it, and the file sealed for its operator. Throws `AdminRefusal`. */
  async previewFile(
    text: string,
    replace: boolean,
    who: string,
  ): Promise<{ readonly lines: readonly ImportedLine[]; readonly draft: string }> {
    const lines = await this.preview(await linesIn(text), replace);
    return { lines, draft: await this.#drafts.seal(text, who) };
  }

  /** Imports the file of `previewFile`, as far as the preview still applies. Throws `AdminRefusal`. */
  async importDraft(draft: string, replace: boolean, who: string): Promise<readonly ImportedLine[]> {
    return this.import(await linesIn(await this.#drafts.open(draft, who)), replace, who);
  }

  /** Presents each token and connects its account. Throws `AdminRefusal` unavailable. */
  async import(lines: readonly TokenLine[], replace: boolean, who: string): Promise<readonly ImportedLine[]> {
    const importing = this.#importing();
    if (!(await importing.mayPresent()))
      throw new AdminRefusal(
        'unavailable',
        'it is in doubt whether this deployment may present tokens: nothing was presented (causeway deployment)',
      );
    return inTurn(lines, async (one) => {
      const brought = await this.#brought(one, replace);
      return 'outcome' in brought ? brought : this.#imported(importing, one, brought, who);
    });
  }

  /** Imported tokens with their states, oldest first; never a token. */
  imports(): Promise<readonly GrantImport[]> {
    return this.#parts.imports.list();
  }

  /** Continues every unfinished import. Throws `AdminRefusal` unavailable. */
  async resume(): Promise<
    readonly { readonly account: string; readonly outcome: string; readonly words: string }[]
  > {
    const progress = await this.#importing().resume(true);
    return progress.map((one) => ({ account: one.account, outcome: one.outcome, words: progressWords(one) }));
  }

  /** Connects an account to one of the organisations its imported token is for. Throws `AdminRefusal`. */
  async choose(idOrName: string, organisationId: string, who: string): Promise<GrantImport> {
    const { account, one } = await this.#waiting(idOrName);
    const action = 'grants.choose';
    await auditAccount(this.#parts, account, { who, action, detail: 'requested' });
    const fault = await this.#importing().choose(one, organisationId, who);
    const detail = fault === undefined ? 'done' : `left: ${unchosenWords(fault)}`;
    await auditAccount(this.#parts, account, { who, action, detail });
    if (fault !== undefined) throw new AdminRefusal('conflict', `${account.name}: ${unchosenWords(fault)}`);
    return { ...one, state: 'granted', reason: undefined };
  }

  /** Gives an imported token up and revokes it at the service. Throws `AdminRefusal`. */
  async discard(idOrName: string, who: string): Promise<GrantImport> {
    const { imports, clock, awaiting } = this.#parts;
    const { account, one } = await this.#waiting(idOrName);
    await auditAccount(this.#parts, account, { who, action: 'grants.discard', detail: 'requested' });
    if (!(await imports.discard(one.id, who, clock.now()))) {
      const left = { who, action: 'grants.discard', detail: 'left: nothing is waiting any more' };
      await auditAccount(this.#parts, account, left);
      throw nothingWaits(account);
    }
    await auditAccount(this.#parts, account, { who, action: 'grants.discard', detail: 'done' });
    // Revocations that the server does not confirm now are stored, and the periodic job continues with them.
    await awaiting.revoke();
    return one;
  }

  /** The ids of accounts given by name or id, one per line. Throws `AdminRefusal` for the first that does not exist. */
  async idsOf(text: string): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const name of text.split(/\r?\n/).map((one) => one.trim())) {
      if (name === '') continue;
      const account = await this.#find(name);
      if (typeof account === 'string') throw new AdminRefusal('unusable', account);
      ids.push(account.id);
    }
    if (ids.length === 0) throw new AdminRefusal('unusable', 'no account is named');
    return ids;
  }

  /** What an export to that key would do; changes nothing. Throws `AdminRefusal`, for an unusable key too. */
  async checkExport(accountIds: readonly string[], key: string): Promise<readonly ExportedLine[]> {
    await recipientIn(key);
    return this.previewExport(accountIds);
  }

  /** What an export would do; changes nothing. Throws `AdminRefusal`. */
  async previewExport(accountIds: readonly string[]): Promise<readonly ExportedLine[]> {
    return this.#exporting().preview(await this.#accounts(accountIds));
  }

  /** Ends the grants of the accounts here and seals their tokens for the key, PEM or JWK. Throws `AdminRefusal`. */
  async export(
    accountIds: readonly string[],
    key: string,
    who: string,
  ): Promise<ExportResult & { readonly key: string }> {
    const exporting = this.#exporting();
    const recipient = await recipientIn(key);
    const accounts = await this.#accounts(accountIds);
    await this.#parts.audit.write({
      at: this.#parts.clock.now(),
      who,
      action: 'grants.export',
      accountIds: accounts.map(({ id }) => id),
      detail: `requested: for the key ${recipient.id}`,
    });
    return { ...(await exporting.perform(accounts, recipient, who)), key: recipient.id };
  }

  async #imported(
    importing: Pick<Importing, 'take'>,
    { line }: TokenLine,
    brought: BroughtToken,
    who: string,
  ): Promise<ImportedLine> {
    const { account } = brought;
    const action = 'grants.import';
    try {
      await auditAccount(this.#parts, account, { who, action, detail: 'requested' });
      const progress = await importing.take(brought, who);
      const words = progressWords(progress);
      await auditAccount(this.#parts, account, { who, action, detail: `${progress.outcome}: ${words}` });
      return { line, account: account.name, outcome: progress.outcome, words };
    } catch (error) {
      this.#parts.log.error('admin.failed', { action, account: account.id, error: wordsOf(error) });
      const words = `${UNEXPECTED}, and the list of imported tokens shows how far it got`;
      return { line, account: account.name, outcome: 'failed', words };
    }
  }

  /** The account and the token of a line, or the line's fault. */
  async #brought(one: TokenLine, replace: boolean): Promise<BroughtToken | ImportedLine> {
    const { line, token, organisation: given } = one;
    const faulty = (words: string): ImportedLine => ({
      line,
      account: one.account,
      outcome: 'faulty',
      words,
    });
    if (one.fault !== undefined || token === undefined)
      return faulty(one.fault ?? 'there is no refresh token');
    const account = await this.#find(one.account);
    if (typeof account === 'string') return faulty(account);
    return { account, token, given, replace };
  }

  async #find(idOrName: string): Promise<Account | string> {
    try {
      const account = await this.#parts.repository.find(idOrName);
      return account ?? unknownAccount(idOrName).message;
    } catch (error) {
      if (error instanceof AmbiguousName) return error.message;
      throw error;
    }
  }

  async #waiting(idOrName: string): Promise<{ readonly account: Account; readonly one: GrantImport }> {
    const account = await this.#find(idOrName);
    if (typeof account === 'string') throw new AdminRefusal('unknown', account);
    const one = await this.#parts.imports.ofAccount(account.id);
    if (one === undefined || one.state === 'granted') throw nothingWaits(account);
    return { account, one };
  }

  async #accounts(accountIds: readonly string[]): Promise<readonly Account[]> {
    return Promise.all(
      [...new Set(accountIds)].map(async (id) => {
        const account = await this.#parts.repository.byId(id);
        if (account === undefined) throw unknownAccount(id);
        return account;
      }),
    );
  }

  #importing(): NonNullable<AdminGrantsParts['importing']> {
    return this.#parts.importing ?? unavailable();
  }

  #exporting(): NonNullable<AdminGrantsParts['exporting']> {
    return this.#parts.exporting ?? unavailable();
  }
}

function unavailable(): never {
  throw new AdminRefusal('unavailable', 'V3 is not configured, so there are no grants');
}

const nothingWaits = ({ name }: Account): AdminRefusal =>
  new AdminRefusal('conflict', `${name} has no imported token waiting for a decision`);

/** As many as a browser can wait for. */
export const MOST_ON_A_PAGE = 200;

async function linesIn(text: string): Promise<readonly TokenLine[]> {
  try {
    const lines = await readTokenFile(text);
    if (lines.length <= MOST_ON_A_PAGE) return lines;
  } catch (error) {
    throw error instanceof UnusableTokenFile ? new AdminRefusal('unusable', error.message) : error;
  }
  throw new AdminRefusal(
    'unusable',
    `the console takes ${MOST_ON_A_PAGE} tokens at once; causeway grants import takes more`,
  );
}

async function recipientIn(key: string): Promise<Recipient> {
  try {
    return await recipientOf(key);
  } catch (error) {
    throw error instanceof UnusableKey ? new AdminRefusal('unusable', error.message) : error;
  }
}

/** Applies the work to every item, a few at once, with the results in order. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE)
    results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
  return results;
}
