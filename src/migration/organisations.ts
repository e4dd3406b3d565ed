import type { Account, Organisation } from '../domain/account.ts';
import type { Profile } from '../domain/profile.ts';
import type { Connection, TokenAnswer } from '../domain/upstream.ts';

/** Which organisation a consent is for; never the first of several, which would connect the wrong company. */
export type Choice =
  | { readonly choice: 'one'; readonly organisation: Organisation }
  | { readonly choice: 'none' }
  | { readonly choice: 'several' };

type Sources = Profile['organisationSources'];

/**
 * The organisations of this consent, from the first source that names any. Claims carry no names; those of the
 * connections are used where there are any.
 */
export function organisationsOf(
  answer: TokenAnswer,
  connections: readonly Connection[],
  sources: Sources,
): readonly Organisation[] {
  const ofThisConsent = connections.filter(
    ({ authenticationEventId }) =>
      answer.claims.authenticationEventId === undefined ||
      authenticationEventId === answer.claims.authenticationEventId,
  );
  for (const source of sources) {
    const found =
      source === 'claims'
        ? answer.claims.organisationIds.map((id) => ({ id, name: nameIn(connections, id) ?? id }))
        : ofThisConsent.map(({ id, name }) => ({ id, name: name === '' ? id : name }));
    if (found.length > 0) return distinct(found);
  }
  return [];
}

const nameIn = (connections: readonly Connection[], id: string): string | undefined =>
  connections.find((connection) => connection.id === id && connection.name !== '')?.name;

const distinct = (organisations: readonly Organisation[]): readonly Organisation[] => [
  ...new Map(organisations.map((organisation) => [organisation.id, organisation])).values(),
];

/** One alone; of several the one the account is bound to already, or the only one with exactly its name. */
export function choose(account: Account, organisations: readonly Organisation[]): Choice {
  const [first, ...others] = organisations;
  if (first === undefined) return { choice: 'none' };
  if (others.length === 0) return { choice: 'one', organisation: first };
  const { life } = account;
  const bound =
    'binding' in life ? organisations.find(({ id }) => id === life.binding.organisation.id) : undefined;
  if (bound !== undefined) return { choice: 'one', organisation: bound };
  const [named, ...more] = organisations.filter(({ name }) => name === account.name);
  return named !== undefined && more.length === 0
    ? { choice: 'one', organisation: named }
    : { choice: 'several' };
}
