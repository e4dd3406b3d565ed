import type { Account } from '../../accounts/account.ts';
import type { AccountRepository } from '../../accounts/model.ts';
import { NO_DETAILS } from '../../accounts/details.ts';
import { personOf, type Consenter, type Organisation } from '../../../upstream/organisation.ts';
import {
  consentEvents,
  type AwaitingConsent,
  type JudgedOrganisation,
  type WeighedConsent,
} from '../model.ts';
import type { ConsentParts } from '../parts.ts';
import { keyOf, keysOf, namedFor } from './match.ts';

/** Stages in which V1 serves an account, so that it can lose V1. */
const ON_V1 = ['legacy', 'awaiting-operator'] as const;

/**
 * Notes organisations that the customer of one account approved and that belong to others by id or name. V1 may refuse
 * an organisation's keys as soon as it is approved, whoever's link was used, and nothing else tells the account why.
 * Noted once, however often the customer tries.
 * Each entry names the other account by name and id: `forgetAccount` finds it by the id.
 */
export async function noteElsewhere(
  { repository, clock, log }: Pick<ConsentParts, 'repository' | 'clock' | 'log'>,
  account: Account,
  organisations: readonly Organisation[],
): Promise<void> {
  const { expected } = await repository.details(account.id);
  const foreign = organisations.filter((one) => namedFor([one])({ account, expected }) === undefined);
  if (foreign.length === 0) return;
  const organisationOf = namedFor(foreign);
  const details = await repository.allDetails();
  for (const other of await repository.list(ON_V1)) {
    if (other.id === account.id || other.origin === 'issued') continue;
    const approved = organisationOf({ account: other, ...(details.get(other.id) ?? NO_DETAILS) });
    if (approved === undefined) continue;
    const told = await repository.timeline(other.id);
    if (told.some(({ kind, detail }) => kind === consentEvents.elsewhere && detail.includes(account.id)))
      continue;
    log.warn('consent.elsewhere', { account: account.id, other: other.id });
    const entry = { at: clock.now(), actor: 'customer' };
    await repository.note(other.id, {
      ...{ ...entry, kind: consentEvents.elsewhere },
      detail: `${approved.name} was approved with the link of ${named(account)}: if V1 refuses the keys of this account now, invite its customer`,
    });
    await repository.note(account.id, {
      ...{ ...entry, kind: consentEvents.foreign },
      detail: `${approved.name} was approved, by its name the organisation of ${named(other)}: V1 may refuse that account's keys now`,
    });
  }
}

/**
 * Notes on a connected account that another organisation was approved, by whom, and how the operator can still connect
 * it. An account that has moved never changes its organisation.
 */
export async function noteUnproved(
  { repository, clock }: Pick<ConsentParts, 'repository' | 'clock'>,
  { id: accountId, life }: Account,
  judged: readonly JudgedOrganisation[],
  by: Consenter,
): Promise<void> {
  const others = judged.filter(({ standing }) => standing === 'other');
  if (life.stage !== 'consented' || others.length === 0) return;
  const approved = others.map(({ name, id }) => `${name} (${id})`).join(', ');
  const stays = life.binding.organisation.name;
  const detail = `${approved} approved by ${personOf(by)}: nothing proves that it is the account's, so ${stays} stays connected; if it is right, set its id as the organisation id that you expect, and pass on a new link (causeway invite --link) before the account moves`;
  const event = { at: clock.now(), kind: consentEvents.unproved, actor: 'customer', detail };
  await repository.note(accountId, event);
}

/** Adds to each consent the other accounts to which its organisation belongs by id or name, as far as they tell. */
export async function weighed(
  repository: Pick<AccountRepository, 'list' | 'allDetails'>,
  consents: readonly AwaitingConsent[],
): Promise<readonly WeighedConsent[]> {
  if (consents.length === 0) return [];
  const details = await repository.allDetails();
  const known = (await repository.list(ON_V1))
    .filter(({ origin }) => origin !== 'issued')
    .map((account) => ({ account, ...(details.get(account.id) ?? NO_DETAILS) }));
  const byKey = Map.groupBy(known, keyOf);
  return consents.map((consent) => ({
    ...consent,
    elsewhere: keysOf(consent.organisation)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ account }) => account.id !== consent.accountId)
      .map(
        ({ account, expected }) =>
          `by its ${expected.id === undefined ? 'name' : 'id'} it is the organisation of the account ${named(account)}`,
      ),
  }));
}

const named = ({ name, id }: Account): string => `${name} (${id})`;
