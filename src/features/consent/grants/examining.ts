import { Failure } from '../../../lib/failure.ts';
import type { Secret } from '../../../lib/secret/secret.ts';
import type { LivingGrant } from '../../../tokens/grant.ts';
import type { GrantVault } from '../../../tokens/vault.ts';
import { missingScopes } from '../../../upstream/application.ts';
import { claimsIn } from '../../../upstream/authorisation-server/token-answer.ts';
import type { Organisation } from '../../../upstream/organisation.ts';
import type { Account } from '../../accounts/account.ts';
import { organisationsOf } from '../../organisation/organisations.ts';
import { connectionsOf, type ConnectionParts } from '../judging/connections.ts';
import { OrganisationJudge } from '../judging/judge.ts';
import { alike } from '../judging/match.ts';
import { theOne } from '../judging/the-one.ts';
import type { JudgedOrganisation } from '../model.ts';
import type { ConsentParts } from '../parts.ts';
import type { GrantImport, ImportReason, ImportRepository } from './model.ts';

/** The parts of an examination. */
export interface ExaminingParts
  extends
    Pick<ConnectionParts, 'profile' | 'log'>,
    Pick<ConsentParts, 'repository' | 'choices' | 'proof' | 'proofMode' | 'applications' | 'clock'> {
  readonly imports: Pick<ImportRepository, 'learned'>;
  readonly vault: Pick<GrantVault, 'accessToken'>;
}

/** `later`: the service could not be asked; has the reason as text. */
export type Examination =
  | { readonly organisation: JudgedOrganisation }
  | { readonly reason: ImportReason; readonly organisations: readonly JudgedOrganisation[] }
  | { readonly later: string };

/** Finds out which organisation an imported token is for, and whether it is the account's. */
export class Examining {
  readonly #parts: ExaminingParts;
  readonly #judge: OrganisationJudge;

  constructor(parts: ExaminingParts) {
    this.#parts = parts;
    this.#judge = new OrganisationJudge(parts);
  }

  /** Judges the organisations of the new pair, as after a consent. Throws the store's errors. */
  async examine(one: GrantImport, account: Account, grant: LivingGrant): Promise<Examination> {
    const { imports, vault, applications, profile } = this.#parts;
    let accessToken: Secret;
    try {
      accessToken = (await vault.accessToken(grant.id)).token;
    } catch (error) {
      if (error instanceof Failure) return { later: 'there is no access token to ask the service with' };
      throw error;
    }
    const { claims, scope } = claimsIn(accessToken);
    await imports.learned(one.id, claims.consenter, scope);
    const { scopes } = applications.of(grant.application);
    if (missingScopes(scopes[account.product], scope).length > 0)
      return { reason: 'scopeMissing', organisations: [] };
    const answer = { accessToken, claims };
    const connections = await connectionsOf(this.#parts, grant.application, answer);
    if (connections === undefined) return { later: 'the authorisation server did not list the connections' };
    const organisations = organisationsOf(answer, connections, profile.organisationSources);
    if (organisations.length === 0) return { reason: 'noOrganisation', organisations: [] };
    const approver = { email: claims.consenter.email, emailVerified: claims.emailVerified };
    const judgement = await this.#judge.judge(account, organisations, grant.id, approver);
    if ('judged' in judgement) return verdictOn(one, account, judgement.judged);
    if (judgement.fault === 'noPrivilege') return { reason: judgement.fault, organisations: [] };
    return { later: 'the service could not be asked which organisation this is' };
  }
}

const isGiven = (given: string, { id, name }: Organisation): boolean => given === id || alike(given, name);

/** The organisation given with the token only chooses among the token's organisations: it proves nothing. */
function verdictOn(
  { given }: GrantImport,
  account: Account,
  organisations: readonly JudgedOrganisation[],
): Examination {
  const wanted = organisations.filter((one) => given === undefined || isGiven(given, one));
  if (wanted.length === 0) return { reason: 'otherThanGiven', organisations };
  const certain = theOne(account, wanted);
  if (certain?.proved === true) return { organisation: certain };
  if (wanted.length > 1) return { reason: 'severalOrganisations', organisations };
  return {
    reason: standingReasons[wanted[0]?.standing ?? 'open'] ?? 'organisationUnconfirmed',
    organisations,
  };
}

/** Organisations that cannot be chosen. */
const standingReasons: Partial<Record<JudgedOrganisation['standing'], ImportReason>> = {
  taken: 'organisationTaken',
  other: 'otherOrganisation',
  foreign: 'foreignOrganisation',
};
