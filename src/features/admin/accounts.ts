/**
 * Lets operators read and change single accounts, for console, API and command line alike.
 *
 * Every change is written to the audit log with the operator's name. Errors of the features become `AdminRefusal`,
 * whose code decides the HTTP status. The data returned never contains keys, tokens or links; a new link or key pair is
 * returned once, by the call that created it.
 */
import type { ApplicationNames } from '../../upstream/application.ts';
import type { Account } from '../accounts/account.ts';
import {
  AmbiguousName,
  DuplicateAccount,
  UnknownAccount,
  type AccountRepository,
} from '../accounts/model.ts';
import type { AuditRepository } from './audit.ts';
import type { Keys } from '../accounts/keys.ts';
import type { CampaignRepository } from '../campaign/model.ts';
import type { Crosswalk, Kind, KindReport, Pair } from '../../mapping/crosswalk/identifier.ts';
import type { GivenChange } from '../accounts/account-change.ts';
import type { Accounts, AddedAccount } from '../accounts/accounts.ts';
import { detailWarnings, type GivenDetails } from '../accounts/details-check.ts';
import type { CallsWanted, RefusedRecently } from '../usage/call-log.ts';
import { AccountPages, type AccountPage, type AccountPagesParts, type RecentCalls } from './account-page.ts';
import { AdminRefusal, NameTaken, unknownAccount } from './refusal.ts';
import { exportAccounts, type ExportedAccount } from '../accounts/import/export.ts';
import { faultyLines } from '../accounts/import/faulty.ts';
import type { AccountImport, ImportLine, LineVerdict } from '../accounts/import/import.ts';
import { UnusableAccount } from '../accounts/unusable-account.ts';
import { isUuid } from '../../lib/text/uuid.ts';

/** Allows a name that another account has: two customers may share one. */
export interface SameName {
  readonly sameName?: boolean | undefined;
}

/** A link for the customer: shown once and not stored. */
export interface IssuedLink {
  readonly link: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The parts of the service. */
export interface AdminAccountsParts extends Omit<AccountPagesParts, 'repository' | 'campaign' | 'crosswalk'> {
  readonly repository: AccountRepository;
  readonly accounts: Pick<Accounts, 'add' | 'issue' | 'set' | 'invite'>;
  readonly importer: Pick<AccountImport, 'run' | 'languageWarnings'>;
  readonly seal: Parameters<typeof exportAccounts>[0]['seal'];
  readonly campaign: Pick<CampaignRepository, 'facts' | 'relent'>;
  readonly crosswalk: Pick<Crosswalk, 'report' | 'export' | 'learn'>;
  /** Kinds of records that have numbers and UUIDs. */
  readonly kinds: () => readonly Kind[];
  readonly audit: Pick<AuditRepository, 'write'>;
  /** See `Engine.pauses`. */
  readonly pauses: () => () => Promise<void>;
  /** The bridge's address for browsers, without a trailing slash. */
  readonly publicUrl: string;
  /** Whether accounts can move at all. */
  readonly moves: boolean;
  readonly applicationNames: ApplicationNames;
}

/** The admin service for single accounts. */
export class AdminAccounts {
  /** Names of the OAuth applications that an account can belong to, the default one first. */
  readonly applications: readonly string[];
  readonly #parts: AdminAccountsParts;
  readonly #pages: AccountPages;

  constructor(parts: AdminAccountsParts) {
    this.#parts = parts;
    this.#pages = new AccountPages(parts);
    this.applications = parts.applicationNames.all;
  }

  /**
   * By id or exact name. `wanted`: selects calls, given the customer's time zone. Throws `AdminRefusal` unknown or
   * conflict (several have the name).
   */
  async page(idOrName: string, wanted?: (zone: string | undefined) => CallsWanted): Promise<AccountPage> {
    return this.#pages.of(await this.find(idOrName), wanted);
  }

  /** Single calls, newest first, and the counts of the last day by hour and source. */
  calls(accountId: string, wanted?: CallsWanted): Promise<RecentCalls> {
    return this.#pages.calls(accountId, wanted);
  }

  /** V1 has refused its keys since the consent, so V3 already serves it. */
  isServedEarly(account: Account, hours: Parameters<AccountPages['isServedEarly']>[1]): boolean {
    return this.#pages.isServedEarly(account, hours);
  }

  /** Calls with its account key that were refused within a day; undefined if there are none. */
  refused(accountId: string): Promise<RefusedRecently | undefined> {
    return this.#pages.refused(accountId);
  }

  /** Throws `AdminRefusal` unknown or conflict. */
  async find(idOrName: string): Promise<Account> {
    const account = await this.#found(idOrName);
    if (account === undefined) throw unknownAccount(idOrName);
    return account;
  }

  async #found(idOrName: string): Promise<Account | undefined> {
    try {
      return await this.#parts.repository.find(idOrName);
    } catch (error) {
      throw error instanceof AmbiguousName ? new AdminRefusal('conflict', error.message) : error;
    }
  }

  /** Of ids and exact names; what is neither stays as it is. Throws `AdminRefusal` conflict for an ambiguous name. */
  async idsOf(idsOrNames: readonly string[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const given of idsOrNames)
      ids.push(isUuid(given) ? given : ((await this.#found(given))?.id ?? given));
    return ids;
  }

  /** Throws `AdminRefusal` unusable or conflict (another account has its key); `NameTaken` unless `sameName`. */
  async add({ sameName, ...account }: AddedAccount & SameName, who: string): Promise<Account> {
    await this.#checkName(account.name, sameName);
    const added = await said(() => this.#parts.accounts.add(account, who));
    await this.#wrote(who, 'accounts.add', added.id, added.name);
    return added;
  }

  /** For a customer that never had V1 keys; the pair is shown once. Throws `AdminRefusal` unusable or unavailable. */
  async issue(
    { sameName, ...account }: Omit<AddedAccount, 'accountKey' | 'apiKey'> & SameName,
    who: string,
  ): Promise<{ readonly account: Account; readonly keys: Keys }> {
    if (!this.#parts.moves) throw noV3();
    await this.#checkName(account.name, sameName);
    const issued = await said(() => this.#parts.accounts.issue(account, who));
    await this.#wrote(who, 'accounts.issue', issued.account.id, `${issued.account.name}, keys were made`);
    return issued;
  }

  /**
   * Returns the names of the changed fields. An e-mail address that is entered again, even unchanged, is tried again:
   * its refusal may have been our own fault. Throws `AdminRefusal` unknown or unusable; `NameTaken` unless `sameName`.
   */
  async set(
    accountId: string,
    { sameName, ...change }: GivenChange & SameName,
    who: string,
  ): Promise<readonly string[]> {
    const { accounts, campaign, repository } = this.#parts;
    const before = await repository.byId(accountId);
    if (change.name !== undefined && change.name.trim() !== before?.name)
      await this.#checkName(change.name, sameName, accountId);
    const fields = await said(() => accounts.set(accountId, change, who));
    const email = change.email?.trim() ?? '';
    const relented = email !== '' && (await campaign.relent(email));
    const all = relented && !fields.includes('e-mail') ? [...fields, 'e-mail (tried again)'] : fields;
    if (all.length > 0) await this.#wrote(who, 'accounts.set', accountId, all.join(', '));
    return all;
  }

  /** What should be checked of details that were accepted. */
  warnings(given: GivenDetails): readonly string[] {
    return [...detailWarnings(given), ...this.#parts.importer.languageWarnings(given.language)];
  }

  /**
   * A link to pass on by other means than the bridge's e-mail. Throws `AdminRefusal` unknown, unusable or unavailable.
   */
  async link(accountId: string, who: string): Promise<IssuedLink> {
    if (!this.#parts.moves) throw noV3();
    await this.find(accountId);
    const { path, invitation } = await said(() => this.#parts.accounts.invite(accountId, who));
    await this.#wrote(who, 'accounts.link', accountId, 'a link was made and shown');
    return { link: `${this.#parts.publicUrl}${path}`, expiresAt: invitation.expiresAt };
  }

  /** One result per line; `dry` writes nothing. The audit log gets one entry before and one after. */
  async import(lines: readonly ImportLine[], dry: boolean, who: string): Promise<readonly LineVerdict[]> {
    if (!dry) await this.#wrote(who, 'accounts.import', undefined, `${lines.length} lines were sent`);
    const verdicts: LineVerdict[] = [];
    const pause = dry ? undefined : this.#parts.pauses();
    for await (const verdict of this.#parts.importer.run(lines, { dry, actor: who })) {
      verdicts.push(verdict);
      await pause?.();
    }
    if (!dry) await this.#wrote(who, 'accounts.import', undefined, importWords(verdicts));
    return verdicts;
  }

  /** Every account, without keys. */
  export(): AsyncIterable<ExportedAccount> {
    return exportAccounts(this.#parts, { withKeys: false });
  }

  /** All of an account's pairs of numbers and UUIDs, or those of one kind. Throws `AdminRefusal` unknown. */
  async pairs(accountId: string, kind?: Kind): Promise<AsyncIterable<Pair>> {
    await this.find(accountId);
    if (kind !== undefined && !this.#parts.kinds().includes(kind))
      throw new AdminRefusal('unusable', `the kind must be one of ${this.#parts.kinds().join(', ')}`);
    return this.#parts.crosswalk.export(accountId, kind);
  }

  async crosswalk(accountId: string): Promise<readonly KindReport[]> {
    await this.find(accountId);
    return this.#parts.crosswalk.report(accountId);
  }

  /** Stores pairs; known ones are not overwritten. Throws `AdminRefusal` unknown or unusable. */
  async learn(accountId: string, pairs: readonly Pair[], who: string): ReturnType<Crosswalk['learn']> {
    await this.find(accountId);
    const kinds = this.#parts.kinds();
    const strange = pairs.find(({ kind }) => !kinds.includes(kind));
    if (strange !== undefined)
      throw new AdminRefusal('unusable', `the kind must be one of ${kinds.join(', ')}`);
    const report = await this.#parts.crosswalk.learn(accountId, pairs, { origin: 'imported' });
    const { added, known, conflicts } = report;
    const words = `${added} added, ${known} known, ${conflicts.length} contradicting`;
    await this.#wrote(who, 'crosswalk.import', accountId, words);
    return report;
  }

  /** `own`: the account that gets the name, unless it is new. */
  async #checkName(given: string, sameName = false, own?: string): Promise<void> {
    if (sameName) return;
    const name = given.trim();
    const wanted = name.toLowerCase();
    const all = await this.#parts.repository.list();
    const other = all.find(({ id, name: known }) => known.toLowerCase() === wanted && id !== own);
    if (other !== undefined) throw new NameTaken(name, other.id);
  }

  async #wrote(who: string, action: string, accountId: string | undefined, detail: string): Promise<void> {
    const { audit, clock } = this.#parts;
    const accountIds = accountId === undefined ? [] : [accountId];
    await audit.write({ at: clock.now(), who, action, accountIds, detail });
  }
}

const noV3 = (): AdminRefusal =>
  new AdminRefusal('unavailable', 'V3 is not configured: this bridge only passes calls through to V1');

/** Turns errors of the features into refusals of the admin service. */
async function said<Value>(deed: () => Promise<Value>): Promise<Value> {
  try {
    return await deed();
  } catch (error) {
    if (error instanceof UnusableAccount) throw new AdminRefusal('unusable', error.message, error.faults);
    if (error instanceof DuplicateAccount) throw new AdminRefusal('conflict', error.message);
    if (error instanceof UnknownAccount) throw unknownAccount(error.id);
    throw error;
  }
}

function importWords(verdicts: readonly LineVerdict[]): string {
  const count = (wanted: LineVerdict['verdict']): number =>
    verdicts.filter(({ verdict }) => verdict === wanted).length;
  return `${count('new')} new, ${count('changed')} changed, ${count('same')} unchanged, ${faultyLines(verdicts)} faulty`;
}
