import type { Organisation } from '../../upstream/organisation.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Connection, TokenAnswer } from '../../upstream/model.ts';

type Sources = Profile['organisationSources'];

/**
 * The organisations of this consent, from the first source that names any. Claims have no names; those of the
 * connections are used where available.
 */
export function organisationsOf(
  answer: Pick<TokenAnswer, 'claims'>,
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
