/**
 * Hands the grants of accounts over to another program, sealed for that program's key.
 *
 * First each grant is ended here and copied (`ExportRepository.take`), one transaction for each, and only then is the
 * document made from the copies. So nobody can hold a grant that is refreshed here, and a process that dies in between,
 * or a file that was never written, loses nothing: exporting the same accounts again makes the document from the same
 * copies.
 */
import { DAY, SECOND, type Clock } from '../../../lib/time/clock.ts';
import { iso } from '../../../lib/time/iso.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Log } from '../../../lib/log/log.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import type { Grant, GrantRepository } from '../../../tokens/grant.ts';
import { openPair, sealPair } from '../../../tokens/grant-row.ts';
import type { GrantVault } from '../../../tokens/vault.ts';
import type { Profile } from '../../../upstream/profile.ts';
import { authorOf, grantOf, holders, type Account } from '../../accounts/account.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import type { ExportCopy, ExportRepository } from './model.ts';
import { sealFor, type Recipient } from '../../../lib/secret/recipient.ts';

/** The parts of an export. */
export interface ExportingParts {
  readonly exports: ExportRepository;
  readonly repository: Pick<AccountRepository, 'byId' | 'byGrant'>;
  readonly grants: Pick<GrantRepository, 'find'>;
  readonly vault: Pick<GrantVault, 'confirm'>;
  /** Whether this deployment may present refresh tokens at all; one that may not does not export any. */
  readonly guard: { mayPresent(): Promise<boolean> };
  readonly seal: Seal;
  readonly profile: Profile;
  /** Where the recipient refreshes the tokens, and as which client, by OAuth application. */
  readonly client: { readonly authUrl: string; readonly clientIds: ReadonlyMap<string, string> };
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly log: Log;
}

/** The outcome for an account, or its forecast. */
export interface ExportedLine {
  readonly accountId: string;
  readonly account: string;
  /** `again`: it was exported before, and is in this document, too. */
  readonly outcome: 'exported' | 'again' | 'left';
  readonly words: string;
}

/** The sealed document, undefined if it would be empty, and the outcome for each account. */
export interface ExportResult {
  readonly document: string | undefined;
  readonly accounts: readonly ExportedLine[];
}

type Held = Extract<Grant, { state: 'held' }>;
type BoundAccount = Account & { readonly life: Extract<Account['life'], { readonly binding: object }> };

/** How often a grant that changes meanwhile is read again. */
const LOOKS = 3;

/** Exports grants. */
export class Exporting {
  readonly #parts: ExportingParts;

  constructor(parts: ExportingParts) {
    this.#parts = parts;
  }

  /** What `perform` would do; changes nothing. */
  async preview(accounts: readonly Account[]): Promise<readonly ExportedLine[]> {
    const copies = await this.#parts.exports.of(accounts.map(({ id }) => id));
    const lines: ExportedLine[] = [];
    for (const account of accounts) {
      const found = await this.#exportable(account, accounts, 'look');
      if (typeof found !== 'string') lines.push(line(account, 'exported', 'its grant ends here'));
      else if (copyFor(account, copies) !== undefined) lines.push(line(account, 'again', AGAIN));
      else lines.push(line(account, 'left', found));
    }
    return lines;
  }

  /** Ends the grants here and seals their tokens. Accounts that fail are left, and may be exported again. */
  async perform(accounts: readonly Account[], recipient: Recipient, who: string): Promise<ExportResult> {
    const { exports, clock } = this.#parts;
    const taken = new Set<string>();
    const left = new Map<string, string>();
    for (const account of accounts) {
      if (taken.has(account.id)) continue;
      const outcome = await this.#take(account, accounts, recipient, who);
      if (typeof outcome === 'string') left.set(account.id, outcome);
      else for (const id of outcome) taken.add(id);
    }
    const copies = await exports.of(accounts.map(({ id }) => id));
    const current = await Promise.all(
      accounts.map(async (one) => (await this.#parts.repository.byId(one.id)) ?? one),
    );
    const written = current.map((account) => copyFor(account, copies)).filter((copy) => copy !== undefined);
    const before = written.filter(({ account }) => !taken.has(account.id));
    await exports.again(before, recipient.id, who, clock.now());
    const lines = current.map((account) => {
      if (taken.has(account.id)) return line(account, 'exported', 'its grant has ended here');
      if (copyFor(account, copies) !== undefined) return line(account, 'again', AGAIN);
      return line(account, 'left', left.get(account.id) ?? 'has no grant');
    });
    if (written.length === 0) return { document: undefined, accounts: lines };
    return { document: await sealFor(recipient, this.#documentOf(written)), accounts: lines };
  }

  /** Deletes copies of tokens that have expired unused by now. */
  async expire(): Promise<void> {
    const { exports, clock, profile, log } = this.#parts;
    const life = Math.max(profile.durations.refresh * SECOND, DAY);
    const dropped = await exports.drop(clock.now() - life);
    if (dropped > 0) log.info('grants.export-expired', { copies: dropped });
  }

  /** Ids of the exported accounts, or the reason why there are none, as text. */
  async #take(
    account: Account,
    selected: readonly Account[],
    recipient: Recipient,
    who: string,
  ): Promise<readonly string[] | string> {
    const { exports, random, clock, log } = this.#parts;
    for (let look = 1; look <= LOOKS; look += 1) {
      const found = await this.#exportable(account, selected, 'confirm');
      if (typeof found === 'string') return found;
      const now = clock.now();
      const made = { at: now, who, recipient: recipient.id };
      const copies = found.users.map((user) => this.#copyOf(found.grant, user, random.id(), made));
      const { refreshToken } = found.grant.tokens;
      if (await exports.take({ grantId: found.grant.id, refreshToken, copies })) {
        log.warn('grants.exported', { grant: found.grant.id, accounts: copies.length, who: authorOf(who) });
        return found.users.map(({ id }) => id);
      }
    }
    return 'its tokens are being refreshed; try again in a minute';
  }

  /** A grant that is not being refreshed, with all its accounts; or why it is left, as text. */
  async #exportable(
    given: Account,
    selected: readonly Account[],
    how: 'look' | 'confirm',
  ): Promise<{ readonly grant: Held; readonly users: readonly BoundAccount[] } | string> {
    const { repository, guard } = this.#parts;
    const account = (await repository.byId(given.id)) ?? given;
    const grantId = grantOf(account.life);
    if (account.life.stage === 'awaiting-operator')
      return 'has a consent that waits for you; confirm it first';
    if (grantId === undefined) return `has no grant: it is ${account.life.stage}`;
    if (!(await guard.mayPresent()))
      return 'it is in doubt whether this deployment holds the current grant (causeway deployment)';
    const grant = await this.#settled(grantId, how);
    if (typeof grant === 'string') return grant;
    if (account.life.stage === 'lost') return LOST;
    const users = holders(await repository.byGrant(grantId)).filter(isBound);
    const others = users.filter(({ id }) => !selected.some((one) => one.id === id));
    if (others.length > 0)
      return `shares its grant with ${others.map(({ name }) => name).join(', ')}: export them together`;
    return { grant, users };
  }

  /**
   * Waits for a pending early confirmation: an unconfirmed pair may be dead, and only this bridge has its predecessor.
   */
  async #settled(grantId: string, how: 'look' | 'confirm'): Promise<Held | string> {
    const { grants, vault } = this.#parts;
    const before = await grants.find(grantId);
    if (how === 'confirm' && before?.state === 'held' && before.confirmAt !== undefined)
      await vault.confirm(grantId, Infinity).catch((error: unknown) => {
        if (!(error instanceof Failure)) throw error;
      });
    const grant = await grants.find(grantId);
    if (grant === undefined || grant.state === 'lost')
      return grant?.reason === 'exported' ? 'was exported, and its copy is gone' : LOST;
    if (grant.state === 'unresolved' || grant.confirmAt !== undefined)
      return 'a refresh of its tokens has no answer yet; try again in a minute';
    return grant;
  }

  #copyOf(
    grant: Held,
    { id, name, product, life }: BoundAccount,
    copyId: string,
    made: { readonly at: number; readonly who: string; readonly recipient: string },
  ): ExportCopy {
    const { seal } = this.#parts;
    return {
      id: copyId,
      account: { id, name, product, organisation: life.binding.organisation },
      grantId: grant.id,
      application: grant.application,
      consenter: grant.consenter,
      scope: grant.scope,
      tokens: sealPair(seal, copyId, openPair(seal, grant.id, grant.tokens)),
      exportedAt: made.at,
      who: made.who,
      recipient: made.recipient,
    };
  }

  #documentOf(copies: readonly ExportCopy[]): string {
    const { seal, client, clock } = this.#parts;
    const grants = copies.map(
      ({ id, account, grantId, application, consenter, scope, tokens, exportedAt }) => {
        const { refreshToken, accessToken, accessExpiresAt } = openPair(seal, id, tokens);
        return {
          account: { id: account.id, name: account.name, product: account.product },
          organisation: account.organisation,
          // Accounts with the same grant share one pair of tokens, to be refreshed once for all of them.
          grant: grantId,
          // Only the client that obtained a token can refresh it.
          clientId: client.clientIds.get(application) ?? null,
          approvedBy: consenter,
          scope,
          refreshToken: refreshToken.reveal(),
          accessToken: accessToken.reveal(),
          accessTokenExpires: iso(accessExpiresAt),
          exported: iso(exportedAt),
        };
      },
    );
    const facts = { format: 'causeway-grants', version: 1, made: iso(clock.now()) };
    return JSON.stringify({
      ...facts,
      authorisationServer: client.authUrl,
      grants,
    });
  }
}

const LOST = 'has lost its grant';
const AGAIN = 'was exported before; its copy is in the document again';

const isBound = (account: Account): account is BoundAccount => 'binding' in account.life;

const line = ({ id, name }: Account, outcome: ExportedLine['outcome'], words: string): ExportedLine => ({
  accountId: id,
  account: name,
  outcome,
  words,
});

/** If the account has consented again since, the copy is no longer that of its grant. */
function copyFor({ id, life }: Account, copies: ReadonlyMap<string, ExportCopy>): ExportCopy | undefined {
  const copy = copies.get(id);
  if (copy === undefined || life.stage === 'closed') return undefined;
  const grantId = grantOf(life);
  return grantId === undefined || grantId === copy.grantId ? copy : undefined;
}
