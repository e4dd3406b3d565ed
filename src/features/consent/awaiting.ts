import {
  authorOf,
  confirmProposal,
  IllegalTransition,
  NoLongerProposed,
  refuseProposal,
} from '../accounts/account.ts';
import { OrganisationTaken, type AccountRepository } from '../accounts/model.ts';
import type { Entry, CampaignFacts } from '../campaign/model.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { findingOf } from './findings.ts';
import { weighed } from './judging/elsewhere.ts';
import {
  consentEvents,
  type AwaitingRepository,
  type AwaitingConsent,
  type ConsentRepository,
  type WeighedConsent,
} from './model.ts';
import { personOf, type Consenter } from '../../upstream/organisation.ts';
import type { Columns } from '../../lib/text/columns.ts';
import { iso } from '../../lib/time/iso.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { TokenRevocations } from './token-revocations.ts';

export interface AwaitingConsentsParts {
  readonly awaiting: AwaitingRepository;
  readonly consents: Pick<ConsentRepository, 'bind'>;
  readonly repository: Pick<AccountRepository, 'list' | 'allDetails'>;
  /** Undefined if V3 is not configured. */
  readonly revocations: Pick<TokenRevocations, 'run' | 'isShared'> | undefined;
  /** The notice to an account's contact when it is connected, or the timeline entry that says why no notice is sent. */
  readonly notice: (facts: CampaignFacts, by: Consenter) => Entry | undefined;
  /** The e-mail to the contact when a consent is refused, or the timeline entry that says why none is sent. */
  readonly refusal: (facts: CampaignFacts, now: number) => Entry;
  readonly clock: Clock;
  readonly log: Log;
}

/** Why a consent is left unchanged. */
export type Unjudged = 'notAwaiting' | 'otherConsent' | 'organisationTaken';

const SHARED =
  'its tokens are deleted here, not revoked, because other connections rest on the same person’s approval';

/** Consents without proof, and the operator's decision on them. */
export class AwaitingConsents {
  readonly #parts: AwaitingConsentsParts;

  constructor(parts: AwaitingConsentsParts) {
    this.#parts = parts;
  }

  /** Oldest first. */
  async list(): Promise<readonly WeighedConsent[]> {
    const { awaiting, repository } = this.#parts;
    return weighed(repository, await awaiting.list());
  }

  /**
   * The consent of an account, to be judged. `seen`: ids of those that the operator has viewed, so that one that
   * replaced them since is not judged. Undefined: any.
   */
  async find(accountId: string, seen?: readonly string[]): Promise<AwaitingConsent | Unjudged> {
    const found = await this.#parts.awaiting.ofAccount(accountId);
    if (found === undefined) return 'notAwaiting';
    return seen === undefined || seen.includes(found.id) ? found : 'otherConsent';
  }

  /** Connects the account and notifies its contact. Returns undefined on success. */
  async confirm(
    { id, accountId, organisation, by }: AwaitingConsent,
    who: string,
  ): Promise<Unjudged | undefined> {
    const { consents, notice, clock, log } = this.#parts;
    const [at, words] = [clock.now(), `${organisation.name} approved by ${personOf(by)}`];
    try {
      await consents.bind({
        accountId,
        transition: (life) => confirmProposal(life, id),
        confirmed: { at, kind: consentEvents.confirmed, actor: who, detail: words },
        event: {
          at,
          kind: consentEvents.connected,
          actor: who,
          detail: `${words}, confirmed by the operator`,
        },
        notice: (facts) => notice(facts, by),
      });
    } catch (error) {
      return unjudged(error);
    }
    log.info('consent.confirmed', { account: accountId, grant: id, who: authorOf(who) });
    return undefined;
  }

  /**
   * Returns the account to its previous stage and revokes the tokens: now if the server answers, or else later. Returns
   * whether an e-mail tells the customer.
   */
  async refuse(
    { id, accountId, organisation, by }: AwaitingConsent,
    who: string,
  ): Promise<Unjudged | 'told' | 'untold'> {
    const { awaiting, revocations, refusal, clock, log } = this.#parts;
    const at = clock.now();
    let entry: Entry | undefined;
    const tokens = (await revocations?.isShared(id, accountId)) === true ? SHARED : 'its tokens are revoked';
    const detail = `${organisation.name} approved by ${personOf(by)}: refused; ${tokens}`;
    try {
      await awaiting.refuse({
        accountId,
        transition: (life) => refuseProposal(life, id),
        event: { at, kind: consentEvents.refusedByOperator, actor: who, detail },
        refusal: (facts) => (entry = refusal(facts, at)),
      });
    } catch (error) {
      return unjudged(error);
    }
    log.info('consent.refused-by-operator', { account: accountId, grant: id, who: authorOf(who) });
    return entry?.message === undefined ? 'untold' : 'told';
  }

  /** Revokes the tokens that are due; the periodic job retries failures. */
  async revoke(): Promise<void> {
    const { revocations, log } = this.#parts;
    await revocations?.run().catch((error: unknown) => {
      log.error('consent.revocation-failed', { error: wordsOf(error) });
    });
  }
}

/** Rethrows errors that are not a reason to leave a consent unchanged. */
function unjudged(error: unknown): Unjudged {
  if (error instanceof NoLongerProposed || error instanceof IllegalTransition) return 'otherConsent';
  if (error instanceof OrganisationTaken) return 'organisationTaken';
  throw error;
}

/** All reasons for and against it, as texts. */
export function reasonsOf(consent: WeighedConsent): {
  readonly for: readonly string[];
  readonly against: readonly string[];
} {
  const said = (speaks: 'for' | 'against'): readonly string[] =>
    consent.findings
      .map(findingOf)
      .filter((one) => one.speaks === speaks)
      .map(({ words }) => words);
  return {
    for: said('for'),
    against: [
      ...consent.elsewhere,
      ...(consent.takenBy === undefined ? [] : [`it is already connected to ${consent.takenBy}`]),
      ...(consent.rivals.length === 0 ? [] : [`it has also been approved for ${consent.rivals.join(', ')}`]),
      ...said('against'),
    ],
  };
}

/** The columns of the list of waiting consents. */
export const consentColumns: Columns<WeighedConsent> = {
  account: ({ account }) => account,
  organisation: ({ organisation }) => organisation.name,
  person: ({ by }) => by.name ?? by.userId,
  email: ({ by }) => by.email,
  for: (consent) => reasonsOf(consent).for.join('; '),
  against: (consent) => reasonsOf(consent).against.join('; '),
  since: ({ since }) => iso(since),
  organisationId: ({ organisation }) => organisation.id,
  id: ({ accountId }) => accountId,
};
