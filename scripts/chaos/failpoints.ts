import type { GrantRepository } from '../../src/tokens/grant.ts';
import type { Authority } from '../../src/upstream/model.ts';

/** The points at which a process may die while it refreshes a token, in chronological order. */
export const failpoints = [
  'before the intent',
  'intent written',
  'request leaves',
  'request is out',
  'answer read',
  'before the pair is stored',
  'pair stored',
  'before the lease goes back',
  'lease given back',
  'before falling back',
  'fallen back',
  'proof looked for',
] as const;
export type Failpoint = (typeof failpoints)[number];

/** Called at each point; may end the process there. */
export type Standing = (at: Failpoint) => void;

const around =
  <Given extends readonly unknown[], Answer>(
    method: (...given: Given) => Promise<Answer>,
    before: () => void,
    after: () => void,
  ) =>
  async (...given: Given): Promise<Answer> => {
    before();
    const answer = await method(...given);
    after();
    return answer;
  };

/** The repository, with a callback before and after each write of the refresh protocol. */
export function watchedRepository(repository: GrantRepository, at: Standing): GrantRepository {
  const told = (point: Failpoint) => (): void => {
    at(point);
  };
  const silent = (): void => undefined;
  const overrides: Partial<GrantRepository> = {
    begin: around(repository.begin.bind(repository), told('before the intent'), told('intent written')),
    renewed: around(
      repository.renewed.bind(repository),
      told('before the pair is stored'),
      told('pair stored'),
    ),
    unanswered: around(
      repository.unanswered.bind(repository),
      told('before the lease goes back'),
      told('lease given back'),
    ),
    fellBack: around(repository.fellBack.bind(repository), told('before falling back'), told('fallen back')),
    confirmDue: around(repository.confirmDue.bind(repository), silent, told('proof looked for')),
  };
  return new Proxy(repository, {
    get: (target, name) => {
      const method = (Reflect.get(overrides, name) ?? Reflect.get(target, name)) as (
        ...given: never[]
      ) => unknown;
      return method.bind(target);
    },
  });
}

/** The same for the authority. `request is out`: a moment after the request left, whatever the server does with it. */
export const watchedAuthority = (authority: Authority, at: Standing, outMillis: () => number): Authority => ({
  authorizeUrl: (request) => authority.authorizeUrl(request),
  exchange: (code, redirectUri, verifier) => authority.exchange(code, redirectUri, verifier),
  connections: (token, event) => authority.connections(token, event),
  async refresh(token, within) {
    at('request leaves');
    const out = setTimeout(() => {
      at('request is out');
    }, outMillis());
    try {
      return await authority.refresh(token, within);
    } finally {
      clearTimeout(out);
      at('answer read');
    }
  },
});
