import type { Kysely } from 'kysely';
import type { OrganisationStore } from '../../identity/organisations.ts';
import { type PeopleStore, type Person, standing } from '../../identity/people.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';
import type { Authorisation } from './authorisation.ts';
import type { Choice, RefusalReason } from './consent-pages.ts';

interface ChoiceParts {
  readonly db: Kysely<IdentityTables>;
  readonly people: PeopleStore;
  readonly organisations: OrganisationStore;
  readonly protocol: () => Protocol;
}

/** Returns the user's organisations, each with the reason why it cannot be connected, if any. */
export async function choicesOf(
  parts: ChoiceParts,
  asked: Authorisation,
  person: Person,
): Promise<readonly Choice[]> {
  const { service } = parts.protocol().scopes;
  const practice = parts.protocol().scopes.practice;
  const practiceOnly =
    !asked.scopes.includes(service) &&
    asked.scopes.some((scope) => scope === practice || scope.startsWith(`${practice}.`));
  const lacking = practiceOnly ? await withoutPractice(parts.organisations) : new Set();
  return (await parts.people.memberships(person.id)).map((membership) => {
    const stands = standing(membership);
    if (stands !== 'may-connect') return { membership, because: stands };
    return { membership, because: lacking.has(membership.organisationId) ? 'no-practice' : undefined };
  });
}

/** The ids of the organisations that have no practice management. */
async function withoutPractice(organisations: OrganisationStore): Promise<ReadonlySet<string>> {
  const all = await organisations.list();
  return new Set(all.filter(({ switches }) => !switches.practice).map(({ id }) => id));
}

/**
 * Preselects the only organisation, or those the user has not connected to the application yet. If all are
 * connected, preselects all, so that approving again also takes one click.
 */
export async function offered(
  parts: ChoiceParts,
  asked: Authorisation,
  person: Person,
  allowed: readonly Choice[],
): Promise<readonly string[]> {
  const ids = allowed.map((choice) => choice.membership.organisationId);
  if (ids.length === 1) return ids;
  const rows = await parts.db
    .selectFrom('oauth_connections')
    .select('organisation_id')
    .where('user_id', '=', person.id)
    .where('client_id', '=', asked.application.id)
    .where('disconnected_at', 'is', null)
    .execute();
  const connected = new Set(rows.map((row) => row.organisation_id));
  const open = ids.filter((id) => !connected.has(id));
  return open.length > 0 ? open : ids;
}

/** Returns the reason closest to success: the one that tells the user what to change. */
export function reasonFor(choices: readonly Choice[], ticked: readonly string[]): RefusalReason {
  const considered = choices.filter((choice) => ticked.includes(choice.membership.organisationId));
  const reasons = (considered.length > 0 ? considered : choices).map((choice) => choice.because);
  for (const reason of ['no-practice', 'no-privilege', 'no-administrator'] as const) {
    if (reasons.includes(reason)) return reason;
  }
  return 'no-organisation';
}

/**
 * Returns what the user connected before, if everything requested was granted then: a returning user is not
 * asked again.
 */
export async function earlierChoice(
  parts: ChoiceParts,
  asked: Authorisation,
  person: Person,
): Promise<readonly string[] | undefined> {
  const last = await parts.db
    .selectFrom('oauth_families')
    .select(['authentication_event_id', 'scope'])
    .where('user_id', '=', person.id)
    .where('client_id', '=', asked.application.id)
    .orderBy('position', 'desc')
    .executeTakeFirst();
  if (last === undefined) return undefined;
  const granted = last.scope.split(' ');
  if (!asked.scopes.every((scope) => granted.includes(scope))) return undefined;
  const rows = await parts.db
    .selectFrom('oauth_connections')
    .select('organisation_id')
    .where('authentication_event_id', '=', last.authentication_event_id)
    .where('disconnected_at', 'is', null)
    .execute();
  const connected = rows.map((row) => row.organisation_id);
  const may = (await choicesOf(parts, asked, person)).filter((choice) => choice.because === undefined);
  const organisations = may
    .map((choice) => choice.membership.organisationId)
    .filter((id) => connected.includes(id));
  return organisations.length === 0 ? undefined : organisations;
}
