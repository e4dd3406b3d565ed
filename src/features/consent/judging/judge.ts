/**
 * Judges whether the organisations of a consent are the account's, by asking the service with the new tokens.
 *
 * An organisation is `taken` if another account has it. The account's binding or expected id settles the question.
 * Without either, clients that V1 showed with the account's keys are looked up in V3 (`OrganisationProof`). The rules
 * are in docs/decisions/tokens/0006-organisation-of-a-consent.md. `companions` does the same for other invited accounts
 * of the same customer, where only proof counts. At most four requests run at once, and at most forty are spent on
 * companions.
 */
import { hasMoved, type Account } from '../../accounts/account.ts';
import type { Organisation } from '../../../upstream/organisation.ts';
import type { Companion, JudgedOrganisation } from '../model.ts';
import { destinationOf } from '../../../upstream/model.ts';
import { bindingOf, type ConsentParts } from '../parts.ts';
import { alike, isExpectedId, judged, standingBefore, type Approver, type Knowledge } from './match.ts';
import type { Proof } from '../../organisation/proof.ts';

/** The service's answer to the new tokens. `noPrivilege`: it does not open the organisation at all. */
export type ConsentJudgement =
  { readonly judged: readonly JudgedOrganisation[] } | { readonly fault: 'serviceSilent' | 'noPrivilege' };

type Verdict = JudgedOrganisation | 'closed' | 'silent';
type JudgeParts = Pick<ConsentParts, 'repository' | 'choices' | 'proof' | 'proofMode' | 'clock'>;

/** Organisations queried at once. */
const AT_ONCE = 4;
/** Proofs that may be tried for companions. */
const MOST_GUESSES = 40;

/** Compares the organisations of a consent with the accounts they may belong to. */
export class OrganisationJudge {
  readonly #parts: JudgeParts;

  constructor(parts: JudgeParts) {
    this.#parts = parts;
  }

  async #knowledgeOf(account: Account, approver: Approver): Promise<Knowledge> {
    const { expected, email } = await this.#parts.repository.details(account.id);
    return { account, expected, contactEmail: email, approver };
  }

  /**
   * If there are several, those that do not answer or stay closed are left out; if there is one, that is the
   * answer.
   */
  async judge(
    account: Account,
    organisations: readonly Organisation[],
    grantId: string,
    approver: Approver,
  ): Promise<ConsentJudgement> {
    const known = await this.#knowledgeOf(account, approver);
    const all: JudgedOrganisation[] = [];
    let silent = false;
    for (let at = 0; at < organisations.length; at += AT_ONCE) {
      const some = organisations.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((one) => this.#standing(known, one, grantId)));
      silent ||= found.includes('silent');
      all.push(...found.filter((verdict) => verdict !== 'closed' && verdict !== 'silent'));
    }
    if (all.length > 0) return { judged: all };
    return { fault: silent ? 'serviceSilent' : 'noPrivilege' };
  }

  /**
   * Other accounts covered by the same consent, each with its own organisation, by identifier or by the clients that
   * their keys show: a name does not suffice to connect an account that was not asked for. Candidates are the accounts
   * with the same e-mail address and those that used the same grant.
   */
  async companions(
    account: Account,
    organisations: readonly Organisation[],
    grantId: string,
    approver: Approver,
  ): Promise<readonly Companion[]> {
    const free = new Map(organisations.map((organisation) => [organisation.id, organisation]));
    const found: Companion[] = [];
    const guesses = { left: MOST_GUESSES };
    for (const other of await this.#others(account)) {
      const known = await this.#knowledgeOf(other, approver);
      for (const organisation of likelyFirst(known, [...free.values()])) {
        const proved = await this.#provedFor(known, organisation, grantId, guesses);
        if (proved === undefined) continue;
        found.push({ accountId: other.id, organisation: proved });
        free.delete(organisation.id);
        break;
      }
    }
    return found;
  }

  /** The organisation, if it is proved and no other account has it. */
  async #provedFor(
    known: Knowledge,
    organisation: Organisation,
    grantId: string,
    guesses: { left: number },
  ): Promise<JudgedOrganisation | undefined> {
    const { account } = known;
    if ((await this.#holder(organisation, account)) !== undefined) return undefined;
    const verdict = (proof: Proof): JudgedOrganisation => ({
      ...organisation,
      ...judged(known, organisation, proof, 'required'),
    });
    if (this.#certain(known, organisation)) return verdict('unknown');
    if (bindingOf(account) !== undefined || guesses.left === 0) return undefined;
    guesses.left -= 1;
    const proof = await this.#parts.proof.ofGuess(destinationOf(account, { grantId, organisation }));
    const found = verdict(proof);
    return proof === 'same' && found.standing === 'same' ? found : undefined;
  }

  /** Another account that the organisation belongs to. */
  async #holder(organisation: Organisation, account: Account): Promise<Account | undefined> {
    const holder = await this.#parts.repository.byOrganisation(organisation.id, account.application);
    return holder === undefined || holder.id === account.id ? undefined : holder;
  }

  async #standing(known: Knowledge, organisation: Organisation, grantId: string): Promise<Verdict> {
    const { account } = known;
    if ((await this.#holder(organisation, account)) !== undefined)
      return { ...organisation, standing: 'taken', proved: false, findings: [] };
    const to = destinationOf(account, { grantId, organisation });
    const before = standingBefore(known, organisation);
    const verdict = (proof: Proof): JudgedOrganisation => ({
      ...organisation,
      ...judged(known, organisation, proof, this.#parts.proofMode),
    });
    if (before === 'same') return this.#readable(to, verdict('unknown'));
    if (before !== undefined) return verdict('unknown');
    const proof = await this.#parts.proof.of(to);
    if (proof === 'later') return 'silent';
    const found = verdict(proof);
    // Missing records mean little if the organisation shows nothing at all.
    return found.standing === 'foreign' ? this.#readable(to, found) : found;
  }

  async #readable(
    to: Parameters<ConsentParts['proof']['readable']>[0],
    verdict: JudgedOrganisation,
  ): Promise<Verdict> {
    const readable = await this.#parts.proof.readable(to);
    if (readable === 'yes') return verdict;
    return readable === 'later' ? 'silent' : 'closed';
  }

  #certain({ account, expected }: Knowledge, organisation: Organisation): boolean {
    const binding = bindingOf(account);
    return binding === undefined
      ? isExpectedId(expected, organisation.id)
      : binding.organisation.id === organisation.id;
  }

  async #others(account: Account): Promise<readonly Account[]> {
    const { repository, choices, clock } = this.#parts;
    const former = bindingOf(account)?.grantId;
    const ids = new Set(await choices.beside(account.id, clock.now()));
    if (former !== undefined) for (const { id } of await repository.byGrant(former)) ids.add(id);
    ids.delete(account.id);
    const others = await Promise.all([...ids].map((id) => repository.byId(id)));
    return others
      .filter((other) => other !== undefined)
      .filter((other) => isAlike(other, account) && wants(other));
  }
}

/** The tokens belong to one application, with the scopes of one product. */
const isAlike = (one: Account, other: Account): boolean =>
  one.product === other.product && one.application === other.application;

/** A moved account with a living grant needs nothing. */
const wants = (account: Account): boolean =>
  account.life.stage !== 'closed' && (!hasMoved(account) || account.life.stage === 'lost');

function likelyFirst(
  { account, expected }: Knowledge,
  organisations: readonly Organisation[],
): readonly Organisation[] {
  const likely = ({ name }: Organisation): boolean =>
    alike(name, account.name) || (expected.name !== undefined && alike(name, expected.name));
  return [...organisations.filter(likely), ...organisations.filter((organisation) => !likely(organisation))];
}
