/**
 * Takes over refresh tokens of an integrator's own script.
 *
 * The steps for each: store the token, sealed, with its import (`ImportRepository.begin`); present it like every
 * refresh token, with intent, lease, fence and the rules for missing answers (`GrantVault.prove`); ask the service
 * which organisations the new pair is for, as after a consent; connect the account if one of them is proved to be its
 * own. In all other cases the new pair is left to the operator, who chooses an organisation or gives the pair up.
 *
 * A process that dies leaves an import that is `importing`; `resume`, a periodic job of the bridge, continues it. A
 * token that was not presented yet is presented then; one without an answer is left to the sweeper until its grace is
 * over; a new pair that was not checked yet is checked. Two processes at one import do no harm: the lease lets one
 * present, and the account is connected once.
 */
import { wordsOf } from '../../../lib/log/log.ts';
import { Failure } from '../../../lib/failure.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import type { RandomSource } from '../../../lib/secret/random.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import type { Grant, GrantRepository } from '../../../tokens/grant.ts';
import { sealPair } from '../../../tokens/grant-row.ts';
import { fingerprints } from '../../../tokens/refresh/keeping.ts';
import type { GrantVault } from '../../../tokens/vault.ts';
import type { Organisation } from '../../../upstream/organisation.ts';
import { authorOf, consent, grantOf, type Account } from '../../accounts/account.ts';
import { nameOf } from '../connecting.ts';
import { GrantGone, hindranceOf, unchanged, Unproved } from '../hindrance.ts';
import { judgedStill } from '../judging/judged-again.ts';
import {
  consentEvents,
  isChoosable,
  type ConsentRefusal,
  type ConsentRepository,
  type JudgedOrganisation,
} from '../model.ts';
import { bindingOf } from '../parts.ts';
import { Examining, type ExaminingParts, type Examination } from './examining.ts';
import {
  isImportReason,
  isOpen,
  type GrantImport,
  type ImportHindrance,
  type ImportReason,
  type ImportRepository,
} from './model.ts';

/** The parts of an import. */
export interface ImportingParts extends ExaminingParts {
  readonly imports: ImportRepository;
  readonly consents: Pick<ConsentRepository, 'bind'>;
  readonly grants: Pick<GrantRepository, 'find' | 'forget'>;
  readonly vault: Pick<GrantVault, 'prove' | 'accessToken'>;
  /** Whether this deployment may present refresh tokens at all. */
  readonly guard: { mayPresent(): Promise<boolean> };
  readonly seal: Seal;
  readonly random: RandomSource;
}

/** A refresh token for an account, from outside the bridge. */
export interface BroughtToken {
  readonly account: Account;
  readonly token: Secret;
  /** Id or name of the organisation that it is for. */
  readonly given: string | undefined;
  readonly replace: boolean;
}

/** The progress of an import: its state, and why it waits or was refused. */
export type ImportProgress =
  /** Nothing was stored or presented. */
  | { readonly outcome: 'left'; readonly hindrance: ImportHindrance }
  | { readonly outcome: 'granted'; readonly organisation: Organisation }
  | { readonly outcome: 'waiting' | 'refused'; readonly reason: ImportReason }
  /** It continues by itself. `why`: the reason for the wait. */
  | { readonly outcome: 'importing'; readonly why: string };

/** Why an operator's choice was not carried out. */
export type Unchosen = 'gone' | 'notOffered' | ConsentRefusal;

/** How long an import is left to the process that began it, in milliseconds. */
const UNDISTURBED = MINUTE;

/** Imports tokens one by one, and continues unfinished imports. */
export class Importing {
  readonly #parts: ImportingParts;
  readonly #examining: Examining;

  constructor(parts: ImportingParts) {
    this.#parts = parts;
    this.#examining = new Examining(parts);
  }

  /** Whether tokens may be presented; in a copy of the database they may not. */
  mayPresent(): Promise<boolean> {
    return this.#parts.guard.mayPresent();
  }

  /** Why it would be refused; changes nothing and asks no server. */
  hindrance({ account, token, replace }: BroughtToken): Promise<ImportHindrance | undefined> {
    const tokenIndexes = fingerprints(this.#parts.seal, token);
    return this.#parts.imports.hindrance({ accountId: account.id, tokenIndexes, replace });
  }

  /** Stores and presents a token, and connects its account. Throws the store's errors. */
  async take({ account, token, given, replace }: BroughtToken, who: string): Promise<ImportProgress> {
    const { imports, seal, random, clock, applications, log } = this.#parts;
    const { application } = account;
    const id = random.id();
    // Without an access token the grant cannot be used before its refresh token was proved.
    const pair = { generation: 0, accessToken: new Secret(''), accessExpiresAt: 0, refreshToken: token };
    const hindrance = await imports.begin({
      accountId: account.id,
      tokenIndexes: fingerprints(seal, token),
      replace,
      given,
      who,
      grant: {
        ...{ id, application },
        consenter: { userId: '', name: undefined, email: undefined },
        scope: applications.of(application).scopes[account.product],
        tokens: sealPair(seal, id, pair),
        now: clock.now(),
      },
    });
    if (hindrance !== undefined) return { outcome: 'left', hindrance };
    log.info('grants.importing', { account: account.id, grant: id });
    const found = await imports.find(id);
    return found === undefined ? { outcome: 'importing', why: whys.discarded } : this.#goOn(found);
  }

  /**
   * Continues the imports that a process has left, and gives up those of closed accounts. `all`: includes the newest.
   */
  async resume(all = false): Promise<readonly (ImportProgress & { readonly account: string })[]> {
    const { imports, clock, log } = this.#parts;
    const progress: (ImportProgress & { readonly account: string })[] = [];
    for (const one of await imports.list()) {
      if (!isOpen(one.state)) continue;
      if (!all && one.since + UNDISTURBED > clock.now()) continue;
      try {
        const made = await this.#resumed(one);
        if (made !== undefined) progress.push({ ...made, account: one.account });
      } catch (error) {
        log.error('grants.import-failed', { account: one.accountId, error: wordsOf(error) });
      }
    }
    return progress;
  }

  /** The operator chooses the organisation; returns undefined if it was connected. One that is ruled out stays so. */
  async choose(
    { id: importId }: GrantImport,
    organisationId: string,
    who: string,
  ): Promise<Unchosen | undefined> {
    const { imports, repository, grants } = this.#parts;
    const one = await imports.find(importId);
    if (one === undefined) return 'gone';
    const organisation = one.organisations.find(({ id }) => id === organisationId);
    const account = await repository.byId(one.accountId);
    const grant = await grants.find(one.id);
    if (one.state !== 'waiting' || account === undefined || grant === undefined || grant.state === 'lost')
      return 'gone';
    if (organisation === undefined || !isChoosable(organisation)) return 'notOffered';
    return this.#bind({ one, account, grant, organisation, who, confirmed: true });
  }

  /** Undefined: nothing changes until somebody decides. */
  async #resumed(one: GrantImport): Promise<ImportProgress | undefined> {
    const { imports, repository, grants, clock } = this.#parts;
    const account = await repository.byId(one.accountId);
    if (account?.life.stage === 'closed') {
      await imports.discard(one.id, 'bridge', clock.now());
      return undefined;
    }
    if (one.state === 'importing') return this.#goOn(one);
    const grant = await grants.find(one.id);
    // The grant was not kept alive: it can no longer be chosen.
    return grant === undefined || grant.state === 'lost' ? this.#refused(one) : undefined;
  }

  async #refused({ id }: GrantImport): Promise<ImportProgress> {
    const { imports, grants, clock } = this.#parts;
    await imports.settle(id, { state: 'refused', reason: 'tokenRefused', now: clock.now() });
    await grants.forget(id);
    return { outcome: 'refused', reason: 'tokenRefused' };
  }

  async #goOn(one: GrantImport): Promise<ImportProgress> {
    const { grants, vault, repository } = this.#parts;
    const outcome = await proved(vault, one.id);
    if (outcome === 'lost' || outcome === 'unknown') return this.#refused(one);
    if (outcome !== 'held') return { outcome: 'importing', why: whys[outcome] };
    const [account, grant] = [await repository.byId(one.accountId), await grants.find(one.id)];
    if (grant === undefined || grant.state === 'lost' || account === undefined)
      return { outcome: 'importing', why: whys.discarded };
    // A process of an earlier release died after it had connected the account.
    if (grantOf(account.life) === one.id) return this.#granted(one, bindingOf(account)?.organisation);
    return this.#examined(one, account, await this.#examining.examine(one, account, grant));
  }

  async #examined(one: GrantImport, account: Account, examined: Examination): Promise<ImportProgress> {
    if ('later' in examined) return { outcome: 'importing', why: examined.later };
    if ('reason' in examined) return this.#wait(one, examined.reason, examined.organisations);
    const { organisation } = examined;
    // Includes what the service has since said about its owner.
    const grant = await this.#parts.grants.find(one.id);
    if (grant === undefined) return { outcome: 'importing', why: whys.discarded };
    const fault = await this.#bind({ one, account, grant, organisation, who: one.who });
    if (fault === undefined) return { outcome: 'granted', organisation };
    if (fault === 'gone') return { outcome: 'importing', why: whys.discarded };
    return this.#wait(one, isImportReason(fault) ? fault : 'overtaken', [organisation]);
  }

  async #wait(
    { id }: GrantImport,
    reason: ImportReason,
    organisations: readonly JudgedOrganisation[],
  ): Promise<ImportProgress> {
    const { imports, clock, log } = this.#parts;
    await imports.settle(id, { state: 'waiting', reason, organisations, now: clock.now() });
    log.warn('grants.import-waiting', { grant: id, reason });
    return { outcome: 'waiting', reason };
  }

  async #granted({ id }: GrantImport, organisation: Organisation | undefined): Promise<ImportProgress> {
    const { imports, clock } = this.#parts;
    await imports.settle(id, { state: 'granted', now: clock.now() });
    return { outcome: 'granted', organisation: organisation ?? { id: '', name: '' } };
  }

  /**
   * The transaction that connects the account decides, judges again by the current rows, and settles the import, which
   * another operator may have discarded. Its former grant is deleted afterwards but not revoked, as after a consent: it
   * belongs to the same person.
   */
  async #bind(binding: Binding): Promise<'gone' | ConsentRefusal | undefined> {
    const { one, account, grant, organisation, who, confirmed } = binding;
    const { consents, grants, clock, log, proofMode } = this.#parts;
    const { consenter } = grant;
    const [at, { id, name }] = [clock.now(), organisation];
    const words = `${name} connected with an imported token of ${nameOf(consenter) || 'somebody unknown'}`;
    try {
      await consents.bind({
        accountId: account.id,
        transition: (_, present) => {
          const still = judgedStill(present, organisation, consenter, proofMode);
          if (!still.proved && confirmed !== true) throw new Unproved();
          return consent(unchanged(present.account, account, grant), {
            grantId: one.id,
            organisation: { id, name },
          });
        },
        imported: true,
        confirmed: confirmed && { at, kind: consentEvents.confirmed, actor: who, detail: words },
        event: { at, kind: consentEvents.connected, actor: who, detail: words },
      });
    } catch (error) {
      return error instanceof GrantGone ? 'gone' : hindranceOf(error);
    }
    const former = bindingOf(account)?.grantId;
    if (former !== undefined && former !== one.id) await grants.forget(former);
    log.info('grants.imported', { account: account.id, grant: one.id, who: authorOf(who) });
    return undefined;
  }
}

interface Binding {
  readonly one: GrantImport;
  readonly account: Account;
  readonly grant: Grant;
  readonly organisation: JudgedOrganisation;
  readonly who: string;
  /** The operator's decision replaces the proof. */
  readonly confirmed?: true;
}

const whys = {
  discarded: 'it was discarded in the meantime',
  later:
    'the authorisation server has not answered: the same token is presented again, which it allows for 30 minutes',
  'no-application':
    'the OAuth application of the account is not in the settings: no other application can present the token',
  withheld: 'it is in doubt whether this deployment may present tokens (causeway deployment)',
} as const;

/** A failure of the store or of the seal says nothing about the token. */
async function proved(vault: Pick<GrantVault, 'prove'>, grantId: string): ReturnType<GrantVault['prove']> {
  try {
    return await vault.prove(grantId);
  } catch (error) {
    if (error instanceof Failure) return 'later';
    throw error;
  }
}
