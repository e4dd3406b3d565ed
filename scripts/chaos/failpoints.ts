import type { GrantBook } from '../../src/tokens/grant.ts';
import type { Authority } from '../../src/upstream/model.ts';

/** Where a process may die while it refreshes a token, in the order of things. */
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

/** Told where the process stands; it may end it there. */
export type Standing = (at: Failpoint) => void;

const around =
  <Given extends readonly unknown[], Answer>(
    door: (...given: Given) => Promise<Answer>,
    before: () => void,
    after: () => void,
  ) =>
  async (...given: Given): Promise<Answer> => {
    before();
    const answer = await door(...given);
    after();
    return answer;
  };

/** The book, with somebody standing at its doors. */
export function watchedBook(book: GrantBook, at: Standing): GrantBook {
  const told = (point: Failpoint) => (): void => {
    at(point);
  };
  const silent = (): void => undefined;
  const doors: Partial<GrantBook> = {
    begin: around(book.begin.bind(book), told('before the intent'), told('intent written')),
    renewed: around(book.renewed.bind(book), told('before the pair is stored'), told('pair stored')),
    unanswered: around(
      book.unanswered.bind(book),
      told('before the lease goes back'),
      told('lease given back'),
    ),
    fellBack: around(book.fellBack.bind(book), told('before falling back'), told('fallen back')),
    confirmDue: around(book.confirmDue.bind(book), silent, told('proof looked for')),
  };
  return new Proxy(book, {
    get: (target, name) => {
      const door = (Reflect.get(doors, name) ?? Reflect.get(target, name)) as (...given: never[]) => unknown;
      return door.bind(target);
    },
  });
}

/** The authority, likewise. `request is out`: a moment after it left, whatever the server makes of it. */
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
