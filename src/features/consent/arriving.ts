/**
 * The callback of a consent: from the authorisation server's redirect to a connected account, a question, or
 * a refusal.
 *
 * The steps, in order: take out the attempt that the state names, so that a state can be used only once;
 * exchange the code (RFC 6749, section 4.1.3; RFC 7636 with a verifier); hold the tokens in the database with
 * a deadline; check the scopes; find the organisations; judge whether they are the account's; then connect,
 * ask the customer, or revoke the tokens. The account is known from our own row only, never from what the
 * browser sends. A process that dies leaves either no trace or tokens that `Choosing.sweep` revokes.
 */
import type { Account } from '../accounts/account.ts';
import type { Organisation } from '../../upstream/organisation.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import { isChoosable, type Companion, type ConsentRefusal, type JudgedOrganisation } from './model.ts';
import type { ConsentAttempt } from '../accounts/invitation.ts';
import { sealPair } from '../../tokens/grant-row.ts';
import { storedIndex } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { missingScopes } from '../../upstream/application.ts';
import { AuthorityRefused, type TokenAnswer } from '../../upstream/model.ts';
import { isOurs } from '../../lib/secret/random.ts';
import { plainOrganisation, type Connecting, type HeldTokens } from './connecting.ts';
import { expectedName, VERIFIER, type Arrival, type ConsentParts, type Outcome } from './parts.ts';
import { connectionsOf } from './judging/connections.ts';
import { noteElsewhere, noteUnproved } from './judging/elsewhere.ts';
import { OrganisationJudge } from './judging/judge.ts';
import { asReplacement, theOne } from './judging/the-one.ts';
import { organisationsOf } from '../organisation/organisations.ts';

/** How long a customer may take to answer, in milliseconds; shorter than an access token lives. */
export const QUESTION_LIFE = 15 * MINUTE;

/** The returned state, taken out: nobody else can use it. */
interface Step {
  readonly attempt: ConsentAttempt;
  readonly account: Account;
  readonly browser: Secret;
}

type Tokens = TokenAnswer & { readonly refreshToken: Secret };

/** Codes with which servers say that this person lacks the privilege. */
const NO_PRIVILEGE = new Set([
  'insufficient_privileges',
  'insufficient_scope',
  'unauthorized_user',
  'no_access',
]);

/** Completes consents that return from the authorisation server. */
export class Arriving {
  readonly #parts: ConsentParts;
  readonly #connecting: Connecting;
  readonly #judge: OrganisationJudge;

  constructor(parts: ConsentParts, connecting: Connecting) {
    this.#parts = parts;
    this.#connecting = connecting;
    this.#judge = new OrganisationJudge(parts);
  }

  /**
   * Only a completed consent uses up the link: after anything else the customer presses the button again.
   *
   * The attempt is taken out first, so that a state can be used only once. Nothing is written until the code
   * is proved, so a process that dies here leaves no trace. Then the tokens are held with a deadline, after
   * which the sweep handles them. Then they are bound.
   */
  async complete(arrival: Arrival, browser: Secret | undefined): Promise<Outcome> {
    if (arrival.issuer !== undefined && !this.#isOurIssuer(arrival.issuer))
      return this.#connecting.refused('foreignIssuer');
    const step = await this.#take(arrival.state, browser);
    if (step === undefined) return this.#connecting.refused('stateUnknown');
    if (!this.#isOfApplication(step.account, arrival)) return this.#refused(step, 'stateUnknown');
    if (arrival.error !== undefined) return this.#declined(arrival.error, step);
    const answer = arrival.code && (await this.#exchange(arrival.code, step));
    if (answer === undefined) return this.#refused(step, 'exchangeFailed');
    const { refreshToken } = answer;
    // Without a refresh token the connection would end after half an hour (V2 specification, "Scopes": offline_access).
    if (refreshToken === undefined) return this.#refused(step, 'noOfflineAccess');
    return this.#granted(step, { ...answer, refreshToken });
  }

  async #granted(step: Step, answer: Tokens): Promise<Outcome> {
    const { held, key } = await this.#hold(step, answer);
    const refuse = async (reason: ConsentRefusal, found: readonly string[] = []): Promise<Outcome> => {
      await this.#connecting.discard(held);
      return this.#refused(step, reason, found);
    };
    const { application, product } = step.account;
    const { scopes } = this.#parts.applications.of(application);
    if (missingScopes(scopes[product], answer.scope).length > 0) return refuse('scopeMissing');
    const connections = await connectionsOf(this.#parts, application, answer);
    if (connections === undefined) return refuse('exchangeFailed');
    const organisations = organisationsOf(answer, connections, this.#parts.profile.organisationSources);
    if (organisations.length === 0) return refuse('noOrganisation');
    const names = organisations.map(({ name }) => name);
    const approver = { email: held.consenter.email, emailVerified: answer.claims.emailVerified };
    const judgement = await this.#judge.judge(step.account, organisations, held.grantId, approver);
    if ('fault' in judgement) {
      await noteElsewhere(this.#parts, step.account, organisations);
      return refuse(judgement.fault, names);
    }
    const judged = judgement.judged.map((one) => asReplacement(step.account, one));
    const others = notTheAccounts(judged);
    const companions = await this.#judge.companions(step.account, others, held.grantId, approver);
    await noteElsewhere(this.#parts, step.account, notProved(organisations, judged, companions));
    // The requests took seconds: a link sent to the wrong person may have been withdrawn meanwhile.
    if (await this.#isWithdrawn(step.attempt)) return refuse('stateUnknown', names);
    const certain = theOne(step.account, judged);
    if (certain !== undefined && companions.length === 0)
      return this.#connecting.connect(held, [{ account: step.account, organisation: certain }]);
    if (companions.length === 0 && !judged.some(isChoosable)) {
      await noteUnproved(this.#parts, step.account, judged, held.consenter);
      return refuse(reasonOf(judged), names);
    }
    await this.#parts.choices.offer(held.choiceId, { organisations: judged, companions });
    const why = judged.length > 1 ? 'severalOrganisations' : 'organisationUnconfirmed';
    await this.#connecting.tell('asked', why, step.account);
    return { outcome: 'asked', key };
  }

  /** The account's old grant, if any, stays in use until this one is proved. */
  async #hold(step: Step, answer: Tokens): Promise<{ readonly held: HeldTokens; readonly key: Secret }> {
    const { choices, random, clock, seal, applications } = this.#parts;
    const { consenter } = answer.claims;
    const { name: application, scopes } = applications.of(step.account.application);
    const held = { choiceId: random.id(), grantId: random.id(), application, consenter };
    const key = random.secret();
    const now = clock.now();
    const scope = answer.scope ?? scopes[step.account.product];
    const tokens = sealPair(seal, held.grantId, { ...answer, generation: 1 });
    await choices.hold(
      { id: held.grantId, application, consenter, scope, tokens, now },
      {
        id: held.choiceId,
        grantId: held.grantId,
        invitationId: step.attempt.invitationId,
        accountId: step.account.id,
        organisations: [],
        companions: [],
        startedAt: now,
        expiresAt: now + QUESTION_LIFE,
        keyIndex: storedIndex(seal, key, 'choice'),
        browserIndex: storedIndex(seal, step.browser, 'browser'),
      },
    );
    return { held, key };
  }

  /**
   * `access_denied` means that a person was unwilling or not allowed: it does not end the campaign. The next page asks
   * which.
   */
  async #declined(error: string, step: Step): Promise<Outcome> {
    if (error === 'access_denied') return this.#refused(step, 'denied');
    return this.#refused(step, NO_PRIVILEGE.has(error) ? 'noPrivilege' : 'exchangeFailed');
  }

  async #refused({ account }: Step, reason: ConsentRefusal, found: readonly string[] = []): Promise<Outcome> {
    const expected = await expectedName(this.#parts.repository, account);
    return this.#connecting.refused(reason, account, found, expected);
  }

  async #exchange(code: Secret, { attempt, account }: Step): Promise<TokenAnswer | undefined> {
    const { applications, seal, log } = this.#parts;
    const { authority, redirectUri } = applications.of(account.application);
    const { verifierSealed } = attempt;
    const verifier =
      verifierSealed === undefined ? undefined : seal.open(verifierSealed, attempt.id, VERIFIER);
    try {
      return await authority.exchange(code, redirectUri, verifier);
    } catch (error) {
      if (!(error instanceof AuthorityRefused)) throw error;
      log.warn('consent.exchange', { account: attempt.accountId, error: error.error });
      return undefined;
    }
  }

  async #take(state: string | undefined, browser: Secret | undefined): Promise<Step | undefined> {
    const { invitations, repository, seal, clock } = this.#parts;
    if (state === undefined || !isOurs(state) || browser === undefined) return undefined;
    const attempt = await invitations.takeAttempt(
      seal.index(new Secret(state), 'state'),
      seal.index(browser, 'browser'),
      clock.now(),
    );
    const account = attempt && (await repository.byId(attempt.accountId));
    if (attempt === undefined || account === undefined || account.life.stage === 'closed') return undefined;
    return { attempt, account, browser };
  }

  async #isWithdrawn({ accountId, invitationId }: ConsentAttempt): Promise<boolean> {
    const invitations = await this.#parts.invitations.ofAccount(accountId);
    return invitations.some(({ id, state }) => id === invitationId && state === 'withdrawn');
  }

  /**
   * Each application has a redirect address of its own, so that a code issued to one cannot be injected with the state
   * of another (RFC 9700, section 4.4). An account that was given to another application since its customer left does
   * not match either.
   */
  #isOfApplication({ id, application }: Account, arrival: Arrival): boolean {
    if (arrival.application === application && this.#parts.applications.find(application) !== undefined)
      return true;
    this.#parts.log.warn('consent.other-application', { account: id, application: arrival.application });
    return false;
  }

  #isOurIssuer(issuer: string): boolean {
    return URL.parse(issuer)?.origin === this.#parts.issuerOrigin;
  }
}

const notTheAccounts = (judged: readonly JudgedOrganisation[]): readonly Organisation[] =>
  judged.filter(({ standing }) => standing !== 'same').map(plainOrganisation);

/** Without the organisations of other accounts that the same customer connects with this consent. */
const notProved = (
  organisations: readonly Organisation[],
  judged: readonly JudgedOrganisation[],
  companions: readonly Companion[],
): readonly Organisation[] => {
  const own = judged.filter(({ standing }) => standing === 'same');
  const proved = new Set([...own, ...companions.map(({ organisation }) => organisation)].map(({ id }) => id));
  return organisations.filter(({ id }) => !proved.has(id));
};

/** Why nothing can be chosen; if there are several reasons, the one that a customer can do most about. */
function reasonOf(judged: readonly JudgedOrganisation[]): ConsentRefusal {
  const standings = new Set(judged.map(({ standing }) => standing));
  if (standings.has('other')) return 'otherOrganisation';
  return standings.has('foreign') ? 'foreignOrganisation' : 'organisationTaken';
}
