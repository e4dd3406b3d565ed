import type { Account, Organisation } from '../domain/account.ts';
import type { Companion, JudgedOrganisation, Standing } from '../domain/consent.ts';
import { destinationOf } from '../domain/upstream.ts';
import { bindingOf, type ConsentParts } from './consent-parts.ts';
import { alike, hasMoved, standingBefore, standingOf, type Knowledge } from './organisation-match.ts';

/** What the service shows through the tokens at hand. `noPrivilege`: it does not open the organisation at all. */
export type Judgement =
  { readonly judged: readonly JudgedOrganisation[] } | { readonly fault: 'serviceSilent' | 'noPrivilege' };

type Verdict = Standing | 'closed' | 'silent';

/** Organisations asked about at once. */
const AT_ONCE = 4;
/** Questions of which other account an organisation is. */
const MOST_GUESSES = 40;

/** Holds the organisations of a consent against the accounts they may be for. */
export class OrganisationJudge {
  readonly #parts: Pick<ConsentParts, 'book' | 'choices' | 'proof' | 'clock'>;

  constructor(parts: Pick<ConsentParts, 'book' | 'choices' | 'proof' | 'clock'>) {
    this.#parts = parts;
  }

  async knowledgeOf(account: Account): Promise<Knowledge> {
    return { account, expected: (await this.#parts.book.details(account.id)).expected };
  }

  /** Of several, those that the service is silent about or keeps closed are left out; of one, that is the answer. */
  async judge(account: Account, organisations: readonly Organisation[], grantId: string): Promise<Judgement> {
    const known = await this.knowledgeOf(account);
    const judged: JudgedOrganisation[] = [];
    const verdicts = new Set<Verdict>();
    for (let at = 0; at < organisations.length; at += AT_ONCE) {
      const some = organisations.slice(at, at + AT_ONCE);
      const found = await Promise.all(some.map((one) => this.#standing(known, one, grantId)));
      for (const [index, verdict] of found.entries()) {
        const organisation = some[index];
        verdicts.add(verdict);
        if (organisation !== undefined && verdict !== 'closed' && verdict !== 'silent')
          judged.push({ ...organisation, standing: verdict });
      }
    }
    if (judged.length > 0) return { judged };
    return { fault: verdicts.has('silent') ? 'serviceSilent' : 'noPrivilege' };
  }

  /**
   * Other accounts that the same consent covers, each with its own organisation, by identifier or by what their keys
   * show: a name is not enough to connect what nobody asked for. Those of the same address, and those that stood on the
   * same grant.
   */
  async companions(
    account: Account,
    organisations: readonly Organisation[],
    grantId: string,
  ): Promise<readonly Companion[]> {
    const free = new Map(organisations.map((organisation) => [organisation.id, organisation]));
    const found: Companion[] = [];
    let guesses = MOST_GUESSES;
    for (const other of await this.#others(account)) {
      const known = await this.knowledgeOf(other);
      for (const organisation of likelyFirst(known, [...free.values()])) {
        if ((await this.#holder(organisation, other)) !== undefined) continue;
        if (!this.#certain(known, organisation)) {
          if (bindingOf(other) !== undefined || guesses === 0) continue;
          guesses -= 1;
          if (!(await this.#proved(known, organisation, grantId))) continue;
        }
        found.push({ accountId: other.id, organisation });
        free.delete(organisation.id);
        break;
      }
    }
    return found;
  }

  /** Another account that the organisation belongs to. */
  async #holder(organisation: Organisation, account: Account): Promise<Account | undefined> {
    const holder = await this.#parts.book.byOrganisation(organisation.id);
    return holder === undefined || holder.id === account.id ? undefined : holder;
  }

  async #standing(known: Knowledge, organisation: Organisation, grantId: string): Promise<Verdict> {
    const { account } = known;
    if ((await this.#holder(organisation, account)) !== undefined) return 'taken';
    const to = destinationOf(account, { grantId, organisation });
    const before = standingBefore(known, organisation);
    if (before === 'same') return this.#readable(to, 'same');
    if (before !== undefined) return before;
    const proof = await this.#parts.proof.of(to);
    if (proof === 'later') return 'silent';
    const standing = standingOf(known, organisation, proof);
    // Records that are not shown say little where nothing is shown at all.
    return standing === 'foreign' ? this.#readable(to, 'foreign') : standing;
  }

  async #readable(
    to: Parameters<ConsentParts['proof']['readable']>[0],
    standing: Standing,
  ): Promise<Verdict> {
    const readable = await this.#parts.proof.readable(to);
    if (readable === 'yes') return standing;
    return readable === 'no' ? 'closed' : 'silent';
  }

  #certain({ account, expected }: Knowledge, organisation: Organisation): boolean {
    const binding = bindingOf(account);
    return binding === undefined
      ? expected.id === organisation.id
      : binding.organisation.id === organisation.id;
  }

  async #proved(known: Knowledge, organisation: Organisation, grantId: string): Promise<boolean> {
    const proof = await this.#parts.proof.of(destinationOf(known.account, { grantId, organisation }));
    return proof === 'same' && standingOf(known, organisation, proof) === 'same';
  }

  async #others(account: Account): Promise<readonly Account[]> {
    const { book, choices, clock } = this.#parts;
    const former = bindingOf(account)?.grantId;
    const ids = new Set(await choices.beside(account.id, clock.now()));
    if (former !== undefined) for (const { id } of await book.byGrant(former)) ids.add(id);
    ids.delete(account.id);
    const others = await Promise.all([...ids].map((id) => book.byId(id)));
    return others
      .filter((other) => other !== undefined)
      .filter((other) => other.product === account.product && wants(other));
  }
}

/** A moved account whose grant lives needs nothing. */
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
