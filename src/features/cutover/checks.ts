/**
 * The checks before an account moves to V3, in the order of `checkNames`. Nothing here changes the account.
 *
 * The token is refreshed once, because an access token alone lasts 30 minutes (V2 specification, "Tokens"). Then come
 * scopes, organisation and a small read on V3, which no operator can override. Only if those pass come the read on V2,
 * the API key, the identifiers and the samples that show whether it is the right organisation, each of which an operator
 * can override by name (`override.ts`). After the first failure on V3 the service gets no more calls, because each counts
 * towards the account's limit.
 */
import type { Account, Stage } from '../accounts/account.ts';
import { missingScopes, type Applications } from '../../upstream/application.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { Trx } from '../../db/tables.ts';
import { Failure } from '../../lib/failure.ts';
import type { GrantRepository } from '../../tokens/grant.ts';
import type { Crosswalk } from '../../mapping/crosswalk/identifier.ts';
import type { Profile } from '../../upstream/profile.ts';
import {
  AuthorityRefused,
  destinationOf,
  type Destination,
  type Upstream,
  type UpstreamAnswer,
  type Vault,
} from '../../upstream/model.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';
import type { OrganisationProof } from '../organisation/proof.ts';
import type { ParityMoment } from './parity/model.ts';
import { statusOf } from '../identifiers/reading.ts';

/** A small read that proves that token, organisation and V3 fit together. */
export interface Probe {
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
}

export const checkNames = [
  'token',
  'scopes',
  'organisation',
  'v3',
  'readers',
  'v2',
  'api-key',
  'identifiers',
  'samples',
  'parity',
] as const;
/** A check before the cut-over. */
export type CheckName = (typeof checkNames)[number];

/** One check and its result. */
export interface Check {
  readonly name: CheckName;
  /** `skipped`: there is nothing to compare, or the installation does not use the feature. */
  readonly result: 'passed' | 'failed' | 'skipped';
  /** A text for the operator. */
  readonly detail: string;
  /** Of the comparison where it is required: no operator can override it. */
  readonly isFinal?: boolean;
}

/** The outcome of the comparison before the move. */
export type ParityResult = Required<Omit<Check, 'name'>>;

export type Consented = Account & { readonly life: Extract<Stage, { readonly stage: 'consented' }> };

export interface ChecksParts {
  readonly grants: GrantRepository;
  readonly crosswalk: Crosswalk;
  readonly accounts: Pick<Accounts, 'knowsApiKey'>;
  readonly identifierSync: IdentifierSync;
  readonly vault: Vault;
  readonly applications: Pick<Applications, 'of'>;
  readonly v3: Upstream;
  /** Reads a few records through V2. Returns the reason if that fails. Undefined: V2 is not configured. */
  readonly v2: ((to: Destination) => Promise<string | undefined>) | undefined;
  readonly probe: Probe;
  /** The place where two independent readers disagree on a reply, without its values; undefined if they agree. */
  readonly disagreement: (reply: Buffer) => string | undefined;
  readonly proof: Pick<OrganisationProof, 'compared'>;
  /** Compares the answers of V3 with those of V1; undefined: they are not compared. */
  readonly parity?: ((account: Consented, moment: ParityMoment) => Promise<ParityResult>) | undefined;
  readonly sources: Profile['organisationSources'];
  /**
   * Why the account's organisation is not the one that an operator has named since it was bound; undefined: nothing says
   * so. `trx`: the transaction of the move.
   */
  readonly unexpected: (account: Consented, trx?: Trx) => Promise<string | undefined>;
}

const PROBE_TIME = 2 * MINUTE;

/** The first check that failed; undefined if none did. */
export const firstFailure = (checks: readonly Check[]): Check | undefined =>
  checks.find(({ result }) => result === 'failed');

const passed = (name: CheckName, detail: string): Check => ({ name, result: 'passed', detail });
const failed = (name: CheckName, detail: string): Check => ({ name, result: 'failed', detail });
const skipped = (name: CheckName, detail: string): Check => ({ name, result: 'skipped', detail });

/** The checks before the irreversible step. Nothing here changes the account. */
export class CutoverChecks {
  readonly #parts: ChecksParts;

  constructor(parts: ChecksParts) {
    this.#parts = parts;
  }

  /**
   * All checks in the order of `checkNames`; after a failure of V3 the service gets no more calls. `moment`: whether
   * the account moves if they pass. Those that an operator overrides are not run: where V1 no longer answers, they would
   * only take time.
   */
  async all(
    account: Consented,
    moment: ParityMoment = 'moving',
    overridden: ReadonlySet<CheckName> = new Set(),
  ): Promise<readonly Check[]> {
    const ofV3 = await this.#ofV3(account);
    if (firstFailure(ofV3) !== undefined) return ofV3;
    const checks = [...ofV3];
    for (const [name, check] of this.#others)
      if (!overridden.has(name)) checks.push(await check.call(this, account));
    const moves = firstFailure(checks) === undefined;
    if (!overridden.has('parity'))
      return [...checks, ...(await this.#parity(account, moves ? moment : 'waiting'))];
    return moves ? [...checks, ...(await this.#parity(account, 'forced'))] : checks;
  }

  /** Read again by the transaction of the move. */
  unexpected(account: Consented, trx?: Trx): Promise<string | undefined> {
    return this.#parts.unexpected(account, trx);
  }

  /** Those that an operator can override, but for the comparison. */
  get #others(): readonly (readonly [CheckName, (account: Consented) => Promise<Check>])[] {
    // `call` binds them.
    // oxlint-disable typescript/unbound-method
    return [
      ['readers', this.#readers],
      ['v2', this.#v2],
      ['api-key', this.#apiKey],
      ['identifiers', this.#identifiers],
      ['samples', this.#samples],
    ];
    // oxlint-enable typescript/unbound-method
  }

  /** The checks that no operator can override. */
  async #ofV3(account: Consented): Promise<readonly Check[]> {
    const checks: Check[] = [];
    // `call` binds them.
    // oxlint-disable-next-line typescript/unbound-method
    for (const check of [this.#token, this.#scopes, this.#organisation, this.#v3]) {
      const result = await check.call(this, account);
      checks.push(result);
      if (result.result === 'failed') break;
    }
    return checks;
  }

  /** Left out of a forced move if an operator can override it. */
  async #parity(account: Consented, moment: ParityMoment): Promise<readonly Check[]> {
    const outcome = await this.#parts.parity?.(account, moment);
    if (outcome === undefined || (moment === 'forced' && !outcome.isFinal)) return [];
    return [{ name: 'parity', ...outcome }];
  }

  /** The token pair from the code exchange is refreshed once; a later generation already has been. */
  async #token({ life }: Consented): Promise<Check> {
    const { grants, vault } = this.#parts;
    const grant = await grants.find(life.binding.grantId);
    if (grant === undefined || grant.state === 'lost')
      return failed('token', 'the grant is lost: the account must be authorised again');
    try {
      if (grant.tokens.generation === 1) await vault.renewAfter(grant.id, 1);
      else await vault.accessToken(grant.id);
      return passed('token', 'the token can be refreshed');
    } catch (error) {
      if (error instanceof Failure) return failed('token', `the token cannot be refreshed: ${error.text}`);
      throw error;
    }
  }

  async #scopes({ product, application, life }: Consented): Promise<Check> {
    const { grants, applications } = this.#parts;
    const { scopes } = applications.of(application);
    const missing = missingScopes(scopes[product], (await grants.find(life.binding.grantId))?.scope ?? '');
    return missing.length === 0
      ? passed('scopes', 'everything that was requested was granted')
      : failed('scopes', `not granted: ${missing.join(', ')}`);
  }

  async #organisation(account: Consented): Promise<Check> {
    const { applications, vault, sources } = this.#parts;
    const { life, application } = account;
    const { organisation, grantId } = life.binding;
    const contradiction = await this.unexpected(account);
    if (contradiction !== undefined) return failed('organisation', contradiction);
    if (!sources.includes('connections'))
      return skipped('organisation', 'this provider names organisations only in the token');
    try {
      const { token } = await vault.accessToken(grantId);
      const listed = await applications.of(application).authority.connections(token, undefined);
      return listed.some(({ id }) => id === organisation.id)
        ? passed('organisation', `${organisation.name} is connected`)
        : failed('organisation', `${organisation.name} is no longer among the person’s connections`);
    } catch (error) {
      if (error instanceof AuthorityRefused)
        return failed('organisation', `the connections cannot be read: ${error.error}`);
      if (error instanceof Failure) return failed('organisation', error.text);
      throw error;
    }
  }

  async #v3(account: Consented): Promise<Check> {
    try {
      const answer = await this.#probe(account);
      const status = await statusOf(answer);
      if (status === 'ok') return passed('v3', 'V3 shows the organisation');
      if (answer.status !== 200) return failed('v3', `V3 answers with status ${answer.status}`);
      return status === 'refused'
        ? failed('v3', 'V3 refuses to show the organisation')
        : failed('v3', 'V3 answers, but its reply cannot be read');
    } catch (error) {
      if (error instanceof Failure) return failed('v3', `V3 does not answer: ${error.text}`);
      throw error;
    }
  }

  async #readers(account: Consented): Promise<Check> {
    const { checkReaders } = await import('./check-readers.ts'); // not needed at the start
    const { disagreement } = this.#parts;
    return { name: 'readers', ...(await checkReaders(() => this.#probe(account), disagreement)) };
  }

  #probe(account: Consented): Promise<UpstreamAnswer> {
    const { v3, probe } = this.#parts;
    const signal = AbortSignal.timeout(PROBE_TIME);
    return v3.send(addressOf(account), { verb: 'GET', ...probe, signal });
  }

  async #v2(account: Consented): Promise<Check> {
    const { v2 } = this.#parts;
    if (v2 === undefined) return skipped('v2', 'V2 is not configured');
    if (account.product === 'practice') return skipped('v2', 'the practice product has no V2');
    const fault = await v2(addressOf(account));
    return fault === undefined ? passed('v2', 'V2 shows the organisation') : failed('v2', fault);
  }

  /** After the move V1 no longer confirms API keys, and a caller's own claim proves nothing. */
  async #apiKey({ id }: Consented): Promise<Check> {
    return (await this.#parts.accounts.knowsApiKey(id))
      ? passed('api-key', 'an API key of its programs is known')
      : failed(
          'api-key',
          'none of its API keys is known: V1 did not answer under any before the consent. Give it one: Edit on its page, or accounts set --api-key',
        );
  }

  async #identifiers(account: Consented): Promise<Check> {
    const { checkIdentifiers } = await import('./check-identifiers.ts'); // not needed at the start
    return { name: 'identifiers', ...(await checkIdentifiers(this.#parts, account)) };
  }

  async #samples(account: Consented): Promise<Check> {
    const { proof, found, of } = await this.#parts.proof.compared(addressOf(account));
    if (proof === 'same') return passed('samples', 'V3 shows what V1 showed');
    if (proof === 'later') return failed('samples', 'V3 does not answer');
    if (found === of) return skipped('samples', 'V1 has too few clients to compare');
    const shown = found === 0 ? 'none' : `only ${found}`;
    return failed('samples', `V3 shows ${shown} of the ${of} clients of V1 that were looked up`);
  }
}

const addressOf = (account: Consented): Destination => destinationOf(account, account.life.binding);

/** The timeline entry for passed checks, word for word. */
export const CHECKS_PASSED = 'all checks passed: the operator decides';
