import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Brand } from '../../features/campaign/brand.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { RandomSource } from '../../lib/random.ts';
import { AdminRefusal, type AdminFault } from '../../features/admin/refusal.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import type { Cookies } from '../server/cookie.ts';
import type { Throttle } from '../server/throttle.ts';
import type { EventStreams } from '../server/event-streams.ts';
import { AccountScreen } from './account.ts';
import { accounts } from './accounts.ts';
import { Act, LONGEST_SELECTION } from './act.ts';
import { audit } from './audit.ts';
import { consents } from './consents.ts';
import { EventsScreen } from './events.ts';
import { SessionGuard } from './session-guard.ts';
import { ImportScreen, LONGEST_DRAFT, LONGEST_FILE } from './import.ts';
import { Messages } from './messages.ts';
import { listen } from './live.ts';
import { overview } from './overview.ts';
import { ConsolePages } from './pages.ts';
import { RoutesScreen } from './routes.ts';
import { SignIn } from './sign-in.ts';
import { TokensScreen } from './tokens.ts';
import { LONGEST_SAMPLE, TrialScreen } from './trial.ts';

export interface ConsoleParts {
  readonly admin: AdminService;
  readonly cookies: Cookies;
  readonly brand: Brand;
  readonly random: RandomSource;
  /** Shared with the API: a wrong guess at one counts for both. */
  readonly throttle: Throttle;
  /** Shared with the API. */
  readonly streams: EventStreams;
  readonly callers: Pick<CallerAddresses, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The integrator's console; everything below `/_causeway/console`. */
export function consoleRouter(parts: ConsoleParts): Router {
  const { admin, cookies, random, throttle, callers, clock, log } = parts;
  const pages = new ConsolePages(parts.brand);
  const guard = new SessionGuard({ tokens: admin.tokens, cookies, pages });
  const signIn = new SignIn({ admin, guard, throttle, callers, cookies, pages, random, clock, log });
  const account = new AccountScreen({ admin, pages, clock });
  const act = new Act({ admin, pages });
  const messages = new Messages({ admin, pages });
  const events = new EventsScreen({ admin, pages, clock });
  const routes = new RoutesScreen({ admin, pages });
  const imports = new ImportScreen({ admin, pages });
  const trial = new TrialScreen({ admin, pages });
  const tokens = new TokensScreen({ admin, pages, clock });

  const router = express.Router({ caseSensitive: true });
  router.get('/assets/:name', (request, response, next) => {
    if (!pages.asset(response, request.params.name)) next();
  });
  router.get('/sign-in', (request, response) => signIn.show(request, response));
  router.post('/sign-in', (request, response) => signIn.enter(request, response));
  router.post(
    '/sign-out',
    guard.acts((deed) => signIn.leave(deed), { scope: 'read' }),
  );
  router.get(
    '/',
    guard.looks((visit) => overview({ admin, pages }, visit)),
  );
  router.get(
    '/live',
    guard.listens((visit) => {
      listen(parts.streams, visit, async () => (await guard.session(visit.request, true)) !== undefined);
    }),
  );
  router.get(
    '/accounts',
    guard.looks((visit) => accounts({ admin, pages }, visit)),
  );
  router.get(
    '/consents',
    guard.looks((visit) => consents({ admin, pages }, visit)),
  );
  router.get(
    '/accounts/import',
    guard.looks((visit) => {
      imports.show(visit);
    }),
  );
  router.post(
    '/accounts/import',
    guard.acts((deed) => imports.preview(deed), { upload: true, longest: LONGEST_FILE }),
  );
  router.post(
    '/accounts/import/take',
    guard.acts((deed) => imports.take(deed), { longest: LONGEST_DRAFT }),
  );
  router.get(
    '/accounts/:id',
    guard.looks((visit) => account.show(visit)),
  );
  router.post(
    '/accounts/:id/details',
    guard.acts((deed) => account.edit(deed)),
  );
  router.post(
    '/accounts/:id/learn',
    guard.acts((deed) => account.learn(deed)),
  );
  router.post(
    '/accounts/:id/renew',
    guard.acts((deed) => account.renew(deed)),
  );
  router.post(
    '/accounts/:id/link',
    guard.acts((deed) => account.link(deed)),
  );
  router.post(
    '/preview',
    guard.acts((deed) => act.preview(deed), { longest: LONGEST_SELECTION }),
  );
  router.post(
    '/perform',
    guard.acts((deed) => act.perform(deed), { longest: LONGEST_SELECTION }),
  );
  router.get(
    '/events',
    guard.looks((visit) => events.list(visit)),
  );
  router.post(
    '/events/again',
    guard.acts((deed) => events.allAgain(deed)),
  );
  router.get(
    '/events/:id',
    guard.looks((visit) => events.show(visit)),
  );
  router.post(
    '/events/:id/again',
    guard.acts((deed) => events.again(deed)),
  );
  router.get(
    '/routes',
    guard.looks((visit) => routes.list(visit)),
  );
  router.post(
    '/routes/preview',
    guard.acts((deed) => routes.preview(deed)),
  );
  router.post(
    '/routes/set',
    guard.acts((deed) => routes.set(deed)),
  );
  router.get(
    '/routes/:method',
    guard.looks((visit) => routes.show(visit)),
  );
  router.get(
    '/texts',
    guard.looks((visit) => messages.show(visit)),
  );
  router.get(
    '/texts/letter',
    guard.looks((visit) => messages.message(visit)),
  );
  router.get(
    '/trial',
    guard.looks((visit) => {
      trial.show(visit);
    }),
  );
  router.post(
    '/trial',
    guard.acts((deed) => trial.run(deed), { scope: 'read', longest: LONGEST_SAMPLE }),
  );
  router.get(
    '/tokens',
    guard.looks((visit) => tokens.show(visit)),
  );
  router.post(
    '/tokens',
    guard.acts((deed) => tokens.create(deed), { scope: 'administer' }),
  );
  router.post(
    '/tokens/revoke',
    guard.acts((deed) => tokens.revoke(deed), { scope: 'administer' }),
  );
  router.get(
    '/audit',
    guard.looks((visit) => audit({ admin, pages }, visit)),
  );
  router.use(
    guard.looks(({ response, session }) => {
      const lines = ['There is no such page in the console.'];
      pages.send(response, 404, 'message', { title: 'Not found', lines, session });
    }),
  );
  router.use(refused(guard, pages, log));
  return router;
}

/** Of an address that cannot be decoded: express's own errors, a matter of HTTP. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);

const statuses: Readonly<Record<AdminFault, number>> = {
  unknown: 404,
  unusable: 400,
  conflict: 409,
  'too-many': 400,
  unavailable: 409,
};

/** A refused action gets a page that says why; any other error is logged, and the page says where to look. */
function refused(guard: SessionGuard, pages: ConsolePages, log: Log) {
  return async (error: unknown, request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (response.headersSent || isUnreadable(error)) {
      next(error);
      return;
    }
    const session = await guard.session(request).catch(() => undefined);
    if (session === undefined) next(error);
    else if (!(error instanceof AdminRefusal)) {
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
