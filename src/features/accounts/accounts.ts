/**
 * Operations on accounts by operators and by the bridge itself: add, issue keys, discover, change, close, show and
 * invite.
 *
 * Keys are checked, indexed by keyed hash and sealed before anything is stored; a view never contains one. Every change
 * is one transaction together with its entry in the account's timeline, so a process that dies leaves both or neither.
 * An account starts as `legacy`, with keys that were given (`added`), that V1 has just accepted (`discovered`), or that
 * were generated here for a customer that never had any (`issued`). Closing is final: the stage is checked wherever a
 * key, a link or a message is used.
 */
import {
  close,
  grantOf,
  isKnownStage,
  LaterStage,
  type Account,
  type AccountEvent,
  type AccountOrigin,
} from './account.ts';
import { ApplicationNames } from '../../upstream/application.ts';
import { type Product } from '../../upstream/organisation.ts';
import { ApplicationInUse, DuplicateAccount, OrganisationTaken, type AccountRepository } from './model.ts';
import type { Keys } from './keys.ts';
import { DAY, type Clock } from '../../lib/time/clock.ts';
import type { Grant, GrantRepository } from '../../tokens/grant.ts';
import type { Crosswalk, KindReport } from '../../mapping/crosswalk/identifier.ts';
import type { Invitation, InvitationRepository } from './invitation.ts';
import { storedIndex, type Seal } from '../../lib/secret/seal.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { AccountKeys, checkKey, keyPlaces } from './account-keys.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import {
  checkedApplication,
  checkedName,
  comparedChange,
  usable,
  type ComparedChange,
  type GivenChange,
} from './account-change.ts';
import { checkDetails, detailsFrom, type GivenDetails } from './details-check.ts';
import { newKeys } from './new-keys.ts';
import { UnusableAccount } from './unusable-account.ts';

/** The parts that store accounts. */
export interface AccountsParts {
  readonly repository: AccountRepository;
  /** The OAuth applications that an account can belong to. */
  readonly applications?: ApplicationNames | undefined;
  readonly invitations: InvitationRepository;
  readonly grants: GrantRepository;
  readonly crosswalk: Crosswalk;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly random: RandomSource;
  /** Writes deferred behind the calls, among them the keys that V1 has just accepted. */
  readonly deferred?: { settled(): Promise<void> } | undefined;
  /** How long a link works, in milliseconds. */
  readonly invitationLife?: number | undefined;
}

/** A new account as an operator enters it. */
export interface AddedAccount {
  readonly name: string;
  readonly accountKey: Secret;
  /** If set, calls must carry exactly this API key. */
  readonly apiKey?: Secret | undefined;
  readonly product?: Product | undefined;
  /** Default: the application for the product. */
  readonly application?: string | undefined;
  readonly details?: GivenDetails | undefined;
  /** Of a customer who had left when the list was made: calls with its key are refused from the start. */
  readonly isClosed?: boolean | undefined;
}

/** The data of an account that an operator may see; never a key. */
export interface AccountView {
  readonly account: Account;
  readonly timeline: readonly AccountEvent[];
  readonly crosswalk: readonly KindReport[];
  readonly invitations: readonly Invitation[];
  /** Undefined until somebody has consented. */
  readonly grant: Pick<Grant, 'id' | 'state' | 'consenter' | 'scope' | 'renewedAt'> | undefined;
}

/** A link for the customer: shown once and not stored. */
export interface Invited {
  readonly invitation: Invitation;
  /** Path below the public URL. */
  readonly path: string;
}

const INVITATION_LIFE = 30 * DAY;
/** Path of invitation links below the public URL, which the contract fixes. */
export const CONNECT_PATH = '/_causeway/connect/';

/** The operations on accounts. */
export class Accounts {
  readonly #parts: AccountsParts;
  readonly #keys: AccountKeys;

  constructor(parts: AccountsParts) {
    this.#parts = parts;
    this.#keys = new AccountKeys(parts);
  }

  /** Throws `DuplicateAccount`, `UnusableAccount`. */
  add(account: AddedAccount, actor = 'operator'): Promise<Account> {
    return this.#add(account, 'added', actor);
  }

  /**
   * For a customer that never had V1 keys: generates a pair in the legacy format. It is shown once; only its
   * hashes and sealed forms are stored. Throws `UnusableAccount`.
   */
  async issue(
    account: Omit<AddedAccount, 'accountKey' | 'apiKey'>,
    actor = 'operator',
  ): Promise<{ readonly account: Account; readonly keys: Keys }> {
    const keys = newKeys(this.#parts.random);
    return { account: await this.#add({ ...account, ...keys }, 'issued', actor), keys };
  }

  async #add(account: AddedAccount, origin: AccountOrigin, actor: string): Promise<Account> {
    const { repository, random, clock } = this.#parts;
    const details = detailsFrom(usable(checkDetails(account.details ?? {})));
    const name = checkedName(account.name);
    const product = account.product ?? 'standard';
    const application = checkedApplication(this.#names, account.application) ?? this.#names.usualFor(product);
    checkKey(account.accountKey, 'account key');
    if (account.apiKey !== undefined) checkKey(account.apiKey, 'API key');
    const index = await this.#keys.freeIndex(account.accountKey);
    const id = random.id();
    return repository.add({
      id,
      name,
      product,
      application,
      origin,
      isClosed: account.isClosed,
      details,
      accountKeyIndex: index,
      accountKeySealed: this.#keys.sealed(account.accountKey, id, keyPlaces.account),
      ...(account.apiKey === undefined ? {} : this.#keys.demanded(account.apiKey, id)),
      now: clock.now(),
      actor,
    });
  }

  /**
   * Adds an account for a key pair that V1 accepted and nobody added. While V1 serves it, only V1 decides
   * about API keys (one may be shared by many accounts); those it accepted are stored. Returns the account
   * with the key, whether new or not.
   */
  async discover(keys: Keys): Promise<Account> {
    const { repository, random, clock } = this.#parts;
    const known = await this.#keys.holder(keys.accountKey);
    if (known !== undefined) return known.account;
    const id = random.id();
    try {
      const account = await repository.add({
        id,
        name: placeholderName(id),
        product: 'standard',
        application: this.#names.usualFor('standard'),
        origin: 'discovered',
        accountKeyIndex: this.#keys.index(keys.accountKey, keyPlaces.account),
        accountKeySealed: this.#keys.sealed(keys.accountKey, id, keyPlaces.account),
        now: clock.now(),
        actor: 'bridge',
      });
      await this.observed(id, keys);
      return account;
    } catch (error) {
      if (!(error instanceof DuplicateAccount)) throw error;
      return this.discover(keys); // another call of the same program was faster
    }
  }

  /**
   * V1 accepted this API key for the account: it is stored for the bridge's own calls, and for the time after consent.
   */
  async observed(accountId: string, keys: Keys): Promise<void> {
    const { repository, random, clock } = this.#parts;
    await repository.pinApiKey(accountId, this.#keys.pin(keys.apiKey, random.id(), clock.now()));
  }

  /** Whether any API key of the account is known, once those that V1 has just accepted are written. */
  async knowsApiKey(accountId: string): Promise<boolean> {
    await this.#parts.deferred?.settled();
    return (await this.#parts.repository.sealedKeys(accountId))?.apiKey !== undefined;
  }

  /** Returns the names of the changed fields; empty if nothing differed. Throws `UnknownAccount`, `UnusableAccount`. */
  async set(id: string, given: GivenChange, actor = 'operator'): Promise<readonly string[]> {
    const { change, fields } = await this.#compared(id, given);
    if (fields.length === 0) return fields;
    const event = { at: this.#parts.clock.now(), kind: 'changed', actor, detail: fields.join(', ') };
    try {
      await this.#parts.repository.set(id, change, event);
    } catch (error) {
      throw isOfApplication(error) ? new UnusableAccount(error.message) : error;
    }
    return fields;
  }

  /** Returns the same without writing. */
  async differing(id: string, given: GivenChange): Promise<readonly string[]> {
    return (await this.#compared(id, given)).fields;
  }

  /**
   * Final. Its links stop working, because its stage is checked with them. Throws `UnknownAccount`,
   * `IllegalTransition`.
   */
  close(id: string, actor = 'operator'): Promise<Account> {
    const at = this.#parts.clock.now();
    return this.#parts.repository.change(id, close, {
      at,
      kind: 'closed',
      actor,
      detail: 'closed by the operator',
    });
  }

  #compared(id: string, given: GivenChange): Promise<ComparedChange> {
    const { repository } = this.#parts;
    return comparedChange({ repository, keys: this.#keys, applications: this.#names }, id, given);
  }

  get #names(): ApplicationNames {
    return this.#parts.applications ?? onlyDefault;
  }

  async list(): Promise<readonly Account[]> {
    return this.#parts.repository.list();
  }

  /** Undefined for an unknown account. Throws `AmbiguousName`. */
  async show(idOrName: string): Promise<AccountView | undefined> {
    const { repository, crosswalk, grants, invitations } = this.#parts;
    const account = await repository.find(idOrName);
    if (account === undefined) return undefined;
    const grantId = grantOf(account.life);
    const grant = grantId === undefined ? undefined : await grants.find(grantId);
    return {
      account,
      timeline: await repository.timeline(account.id),
      crosswalk: await crosswalk.report(account.id),
      invitations: await invitations.ofAccount(account.id),
      grant: grant && {
        id: grant.id,
        state: grant.state,
        consenter: grant.consenter,
        scope: grant.scope,
        renewedAt: grant.renewedAt,
      },
    };
  }

  /**
   * A link that is shown, not e-mailed. Throws `AmbiguousName`, or `UnusableAccount` for an account that is closed,
   * unknown, or at a later version's stage.
   */
  async invite(idOrName: string, actor = 'operator'): Promise<Invited> {
    const { repository, random, clock, invitations, seal } = this.#parts;
    const account = await repository.find(idOrName);
    if (account === undefined) throw new UnusableAccount(`there is no account ${idOrName}`);
    if (account.life.stage === 'closed') throw new UnusableAccount(`the account ${account.name} is closed`);
    if (!isKnownStage(account.life)) throw new UnusableAccount(new LaterStage(account).message);
    const now = clock.now();
    const expiresAt = now + (this.#parts.invitationLife ?? INVITATION_LIFE);
    const link = random.secret();
    const invitation = await invitations.issue({
      id: random.id(),
      accountId: account.id,
      linkIndex: storedIndex(seal, link, 'invitation'),
      now,
      expiresAt,
      event: { at: now, kind: 'invited', actor, detail: 'a link was made' },
    });
    return { invitation, path: `${CONNECT_PATH}${link.reveal()}` };
  }
}

/** The name of a discovered account until it gets another. */
export const placeholderName = (id: string): string => `Discovered ${id.slice(0, 8)}`;

const onlyDefault = new ApplicationNames();

/** Somebody else connected the account, or one of the same organisation, at the same moment. */
const isOfApplication = (error: unknown): error is Error =>
  error instanceof ApplicationInUse || error instanceof OrganisationTaken;
