import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Brand } from '../../features/campaign/brand.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Chance } from '../../lib/random.ts';
import { DeskRefusal, type DeskFault } from '../../features/admin/refusal.ts';
import type { Desk } from '../../features/admin/admin.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import type { Cookies } from '../server/cookie.ts';
import type { Throttle } from '../server/throttle.ts';
import { AccountScreen } from './account.ts';
import { accounts } from './accounts.ts';
import { Act, LONGEST_SELECTION } from './act.ts';
import { audit } from './audit.ts';
import { consents } from './consents.ts';
import { EventsScreen } from './events.ts';
import { Gate } from './gate.ts';
import { ImportScreen, LONGEST_DRAFT, LONGEST_FILE } from './import.ts';
import { Letters } from './letters.ts';
import { Live } from './live.ts';
import { overview } from './overview.ts';
import { ConsolePages } from './pages.ts';
import { RoutesScreen } from './routes.ts';
import { SignIn } from './sign-in.ts';
import { TokensScreen } from './tokens.ts';
import { LONGEST_SAMPLE, TrialScreen } from './trial.ts';

export interface ConsoleParts {
  readonly desk: Desk;
  readonly cookies: Cookies;
  readonly brand: Brand;
  readonly chance: Chance;
  /** Shared with the API: who guesses at one door has guessed at both. */
  readonly throttle: Throttle;
  readonly callers: Pick<CallerAddresses, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly stopping: () => boolean;
  /** Milliseconds between two looks at the feed for pages that are open, and between two signs of life. */
  readonly live?: { readonly every?: number; readonly beat?: number };
}

/** The integrator's console; everything below `/_causeway/console`. */
export function consoleRouter(parts: ConsoleParts): Router {
  const { desk, cookies, chance, throttle, callers, clock, log, stopping } = parts;
  const pages = new ConsolePages(parts.brand);
  const gate = new Gate({ tokens: desk.tokens, cookies, pages });
  const signIn = new SignIn({ desk, gate, throttle, callers, cookies, pages, chance, clock, log });
  const live = new Live({
    desk,
    session: (request) => gate.session(request, true),
    stopping,
    log,
    ...parts.live,
  });
  const account = new AccountScreen({ desk, pages, clock });
  const act = new Act({ desk, pages });
  const letters = new Letters({ desk, pages });
  const events = new EventsScreen({ desk, pages, clock });
  const routes = new RoutesScreen({ desk, pages });
  const imports = new ImportScreen({ desk, pages });
  const trial = new TrialScreen({ desk, pages });
  const tokens = new TokensScreen({ desk, pages, clock });

  const router = express.Router({ caseSensitive: true });
  router.get('/assets/:name', (request, response, next) => {
    if (!pages.asset(response, request.params.name)) next();
  });
  router.get('/sign-in', (request, response) => signIn.show(request, response));
  router.post('/sign-in', (request, response) => signIn.enter(request, response));
  router.post(
    '/sign-out',
    gate.acts((deed) => signIn.leave(deed), { scope: 'read' }),
  );
  router.get(
    '/',
    gate.looks((visit) => overview({ desk, pages }, visit)),
  );
  router.get(
    '/live',
    gate.listens((visit) => {
      live.listen(visit);
    }),
  );
  router.get(
    '/accounts',
    gate.looks((visit) => accounts({ desk, pages }, visit)),
  );
  router.get(
    '/consents',
    gate.looks((visit) => consents({ desk, pages }, visit)),
  );
  router.get(
    '/accounts/import',
    gate.looks((visit) => {
      imports.show(visit);
    }),
  );
  router.post(
    '/accounts/import',
    gate.acts((deed) => imports.preview(deed), { upload: true, longest: LONGEST_FILE }),
  );
  router.post(
    '/accounts/import/take',
    gate.acts((deed) => imports.take(deed), { longest: LONGEST_DRAFT }),
  );
  router.get(
    '/accounts/:id',
    gate.looks((visit) => account.show(visit)),
  );
  router.post(
    '/accounts/:id/details',
    gate.acts((deed) => account.edit(deed)),
  );
  router.post(
    '/accounts/:id/learn',
    gate.acts((deed) => account.learn(deed)),
  );
  router.post(
    '/accounts/:id/renew',
    gate.acts((deed) => account.renew(deed)),
  );
  router.post(
    '/accounts/:id/link',
    gate.acts((deed) => account.link(deed)),
  );
  router.post(
    '/preview',
    gate.acts((deed) => act.preview(deed), { longest: LONGEST_SELECTION }),
  );
  router.post(
    '/perform',
    gate.acts((deed) => act.perform(deed), { longest: LONGEST_SELECTION }),
  );
  router.get(
    '/events',
    gate.looks((visit) => events.list(visit)),
  );
  router.post(
    '/events/again',
    gate.acts((deed) => events.allAgain(deed)),
  );
  router.get(
    '/events/:id',
    gate.looks((visit) => events.show(visit)),
  );
  router.post(
    '/events/:id/again',
    gate.acts((deed) => events.again(deed)),
  );
  router.get(
    '/routes',
    gate.looks((visit) => routes.list(visit)),
  );
  router.post(
    '/routes/preview',
    gate.acts((deed) => routes.preview(deed)),
  );
  router.post(
    '/routes/set',
    gate.acts((deed) => routes.set(deed)),
  );
  router.get(
    '/routes/:method',
    gate.looks((visit) => routes.show(visit)),
  );
  router.get(
    '/texts',
    gate.looks((visit) => letters.show(visit)),
  );
  router.get(
    '/texts/letter',
    gate.looks((visit) => letters.letter(visit)),
  );
  router.get(
    '/trial',
    gate.looks((visit) => {
      trial.show(visit);
    }),
  );
  router.post(
    '/trial',
    gate.acts((deed) => trial.run(deed), { scope: 'read', longest: LONGEST_SAMPLE }),
  );
  router.get(
    '/tokens',
    gate.looks((visit) => tokens.show(visit)),
  );
  router.post(
    '/tokens',
    gate.acts((deed) => tokens.create(deed), { scope: 'administer' }),
  );
  router.post(
    '/tokens/revoke',
    gate.acts((deed) => tokens.revoke(deed), { scope: 'administer' }),
  );
  router.get(
    '/audit',
    gate.looks((visit) => audit({ desk, pages }, visit)),
  );
  router.use(
    gate.looks(({ response, session }) => {
      const lines = ['There is no such page in the console.'];
      pages.send(response, 404, 'message', { title: 'Not found', lines, session });
    }),
  );
  router.use(refused(gate, pages, log));
  return router;
}

/** Of an address that nobody can read: the door's affair. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);

const statuses: Readonly<Record<DeskFault, number>> = {
  unknown: 404,
  unusable: 400,
  conflict: 409,
  'too-many': 400,
  unavailable: 409,
};

/** What the desk does not do is said on a page of the console; whatever else goes wrong is logged, and where to look is said. */
function refused(gate: Gate, pages: ConsolePages, log: Log) {
  return async (error: unknown, request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (response.headersSent || isUnreadable(error)) {
      next(error);
      return;
    }
    const session = await gate.session(request).catch(() => undefined);
    if (session === undefined) next(error);
    else if (!(error instanceof DeskRefusal)) {
      const id = String(response.getHeader('X-Request-Id') ?? '');
      log.error('console.failed', {
        request: id,
        error: error instanceof Error ? error.message : typeof error,
        stack: error instanceof Error ? error.stack : undefined,
      });
      const lines = [
        'This page could not be made. What was asked for may or may not have been done: the audit and the timeline say.',
        `The bridge’s log says what it was, under console.failed and the request ${id}.`,
      ];
      pages.send(response, 500, 'message', { title: 'Something went wrong inside', lines, session });
    } else {
      const lines = [`${error.message}.`];
      const title = error.fault === 'unknown' ? 'Not found' : 'This cannot be done';
      pages.send(response, statuses[error.fault], 'message', { title, lines, session });
    }
  };
}
