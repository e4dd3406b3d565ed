/**
 * The integrator's console: builds its screens and lists every address below `/_causeway/console`, one per line.
 *
 * A page that only shows something is a `view`; one that changes something is a `form`. Both pass the session guard,
 * which checks session, origin, CSRF token, size and scope before the screen sees the request. The console does nothing
 * by itself: like the API, each screen calls `AdminService`. A refused action becomes a page with the reason. Any other
 * error is logged with its request, and its page says that the outcome is unknown.
 */
import type { NextFunction, Request, Response, Router } from 'express';
import { sentenceOf } from '../../lib/text/sentence.ts';
import type { Brand } from '../../features/campaign/brand.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import type { RandomSource } from '../../lib/secret/random.ts';
import { UnknownPosition } from '../../lib/text/list-order.ts';
import { AdminRefusal, type AdminFault } from '../../features/admin/refusal.ts';
import type { ConsoleAction } from '../../features/admin/actions/everywhere.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import type { OpenIdSignIn } from '../../features/admin/tokens/openid/openid-sign-in.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import type { Cookies } from '../server/cookie.ts';
import type { Throttle } from '../server/throttle.ts';
import type { EventStreams } from '../server/event-streams.ts';
import { AccountScreen } from './accounts/account.ts';
import { accounts, removeGroup, saveGroup } from './accounts/accounts.ts';
import { call, find, nothingFound } from './accounts/find.ts';
import { addAccount, addForm } from './accounts/add.ts';
import { Act, LONGEST_SELECTION } from './accounts/act.ts';
import { RehearsalScreen } from './accounts/rehearsal.ts';
import { ParityScreen } from './accounts/parity.ts';
import { audit } from './lists/audit.ts';
import { BrownoutsScreen } from './brownouts.ts';
import { CampaignScreen } from './campaign.ts';
import { consents } from './accounts/consents.ts';
import { GrantsScreen, LONGEST_TOKEN_DRAFT, LONGEST_TOKENS } from './accounts/grants.ts';
import { EventsScreen } from './lists/events.ts';
import { keptLabels } from './session/kept-form.ts';
import { SessionGuard, type Deed, type DeedOptions, type Visit } from './session/session-guard.ts';
import { mount, newRouter, route, type Route } from '../server/routes.ts';
import { ImportScreen, LONGEST_DRAFT, LONGEST_FILE } from './accounts/import.ts';
import { Messages } from './texts/messages.ts';
import { LONGEST_TEXTS, TextEditor } from './texts/editor.ts';
import { listen } from './live.ts';
import { overview } from './overview.ts';
import { ConsolePages } from './pages.ts';
import { faultyLines, result } from './results.ts';
import { DriftScreen } from './routes/drift.ts';
import { RoutesScreen } from './routes/routes.ts';
import { OpenIdPages } from './session/openid.ts';
import { SignIn } from './session/sign-in.ts';
import { TokensScreen } from './tokens.ts';
import { LONGEST_SAMPLE, TrialScreen } from './routes/trial.ts';
import { WritesScreen } from './lists/writes.ts';

/** What the console needs. */
export interface ConsoleParts {
  readonly admin: AdminService;
  readonly cookies: Cookies;
  readonly brand: Brand;
  /** The time zone of the pages. Default: UTC. */
  readonly zone?: string;
  readonly random: RandomSource;
  /** Undefined: sign-in by tokens only. `seal`: for data that a browser keeps meanwhile. */
  readonly openId?: { readonly signIn: OpenIdSignIn; readonly seal: Seal } | undefined;
  /** Shared with the API: a wrong guess in one counts for both. */
  readonly throttle: Throttle;
  /** Shared with the API. */
  readonly streams: EventStreams;
  readonly callers: Pick<CallerAddresses, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The integrator's console: everything below `/_causeway/console`. */
export function consoleRouter(parts: ConsoleParts): Router {
  const { admin, cookies, random, throttle, callers, clock, log } = parts;
  const pages = new ConsolePages(parts.brand, parts.zone, admin.results);
  const guard = new SessionGuard({ tokens: admin.tokens, cookies, pages });
  const { openId } = parts;
  const signIn = new SignIn({
    ...{ admin, guard, throttle, callers, cookies, pages, random, clock, log },
    openId: openId?.signIn,
  });
  const provided =
    openId &&
    new OpenIdPages({ openId: openId.signIn, seal: openId.seal, admin, guard, cookies, pages, clock, log });
  const account = new AccountScreen({ admin, pages, clock });
  const parity = new ParityScreen({ admin, pages });
  const rehearsal = new RehearsalScreen({ admin, pages });
  const support = { admin, pages, clock };
  const act = new Act({ admin, pages });
  const messages = new Messages({ admin, pages });
  const campaign = new CampaignScreen({ admin, pages, clock });
  const brownouts = new BrownoutsScreen({ admin, pages, clock });
  const editor = new TextEditor({ admin, pages, clock });
  const events = new EventsScreen({ admin, pages, clock });
  const writes = new WritesScreen({ admin, pages, clock });
  const routes = new RoutesScreen({ admin, pages });
  const drift = new DriftScreen({ admin, pages });
  const imports = new ImportScreen({ admin, pages });
  const trial = new TrialScreen({ admin, pages });
  const grants = new GrantsScreen({ admin, pages });
  const tokens = new TokensScreen({ admin, pages, clock });

  const view = (path: string, show: (visit: Visit) => Promise<void> | void): Route =>
    route('GET', path, guard.looks(show));
  const form = (
    path: ConsoleAction,
    act: (deed: Deed) => Promise<void> | void,
    options?: Omit<DeedOptions, 'keeps'>,
  ): Route => route<string>('POST', path, guard.acts(act, { ...options, keeps: keptLabels(path) }));

  const router = newRouter();
  router.get('/assets/:name', (request, response, next) => {
    if (!pages.asset(response, request.params.name)) next();
  });
  mount(router, [
    route('GET', '/sign-in', (request, response) => signIn.show(request, response)),
    route('POST', '/sign-in', (request, response) => signIn.enter(request, response)),
    ...(provided === undefined
      ? []
      : [
          route('GET', '/sign-in/openid', (request, response) => provided.leave(request, response)),
          route('GET', '/sign-in/callback', (request, response) => provided.arrive(request, response)),
        ]),
    form('/sign-out', (deed) => signIn.leave(deed), { scope: 'read' }),
    view('/', (visit) => overview({ admin, pages }, visit)),
    route(
      'GET',
      '/live',
      guard.listens((visit) => {
        const { session, request } = visit;
        listen(parts.streams, visit, admin.tokens.accessOf(session.token, guard.cookie(request)));
      }),
    ),
    view('/accounts', (visit) => accounts({ admin, pages }, visit)),
    form('/groups', (deed) => saveGroup({ admin, pages }, deed)),
    form('/groups/remove', (deed) => removeGroup({ admin, pages }, deed)),
    form('/find', (deed) => find(support, deed), { scope: 'read' }),
    view('/find', (visit) => {
      nothingFound(support, visit);
    }),
    view('/calls/:request', (visit) => call(support, visit)),
    view('/consents', (visit) => consents({ admin, pages }, visit)),
    view('/grants', (visit) => grants.show(visit)),
    form('/grants/import', (deed) => grants.preview(deed), {
      ...{ scope: 'administer', upload: true, longest: LONGEST_TOKENS },
    }),
    form('/grants/import/take', (deed) => grants.take(deed), {
      ...{ scope: 'administer', longest: LONGEST_TOKEN_DRAFT },
    }),
    form('/grants/choose', (deed) => grants.choose(deed), { scope: 'administer' }),
    form('/grants/discard', (deed) => grants.discard(deed), { scope: 'administer' }),
    form('/grants/export', (deed) => grants.previewExport(deed), {
      ...{ scope: 'administer', longest: LONGEST_SELECTION },
    }),
    form('/grants/export/take', (deed) => grants.export(deed), {
      ...{ scope: 'administer', longest: LONGEST_SELECTION },
    }),
    view('/accounts/import', (visit) => {
      imports.show(visit);
    }),
    form('/accounts/import', (deed) => imports.preview(deed), { upload: true, longest: LONGEST_FILE }),
    form('/accounts/import/take', (deed) => imports.take(deed), { longest: LONGEST_DRAFT }),
    view('/accounts/new', (visit) => {
      addForm({ admin, pages }, visit);
    }),
    form('/accounts/new', (deed) => addAccount({ admin, pages }, deed)),
    view('/results/:id', (visit) => result({ admin, pages }, visit)),
    view('/results/:id/faulty.csv', (visit) => faultyLines({ admin, pages }, visit)),
    view('/accounts/:id', (visit) => account.show(visit)),
    form('/accounts/:id/details', (deed) => account.edit(deed)),
    form('/accounts/:id/learn', (deed) => account.learn(deed)),
    form('/accounts/:id/renew', (deed) => account.renew(deed)),
    form('/accounts/:id/link', (deed) => account.link(deed)),
    form('/accounts/:id/program', (deed) => account.program(deed)),
    form('/accounts/:id/usage', (deed) => account.counted(deed)),
    form('/accounts/:id/watch', (deed) => account.dismiss(deed)),
    form('/accounts/:id/talk', (deed) => account.talk(deed)),
    view('/accounts/:id/parity', (visit) => parity.show(visit)),
    form('/accounts/:id/parity/compare', (deed) => parity.start(deed)),
    form('/accounts/:id/parity/accept', (deed) => parity.accept(deed), { longest: LONGEST_SELECTION }),
    form('/accounts/:id/parity/values', (deed) => parity.values(deed)),
    view('/accounts/:id/rehearsal', (visit) => rehearsal.show(visit)),
    form('/accounts/:id/rehearsal', (deed) => rehearsal.start(deed)),
    form('/preview', (deed) => act.preview(deed), { longest: LONGEST_SELECTION }),
    form('/perform', (deed) => act.perform(deed), { longest: LONGEST_SELECTION }),
    view('/events', (visit) => events.list(visit)),
    form('/events/again', (deed) => events.allAgain(deed)),
    view('/events/:id', (visit) => events.show(visit)),
    form('/events/:id/again', (deed) => events.again(deed)),
    view('/writes', (visit) => writes.list(visit)),
    view('/writes/:id', (visit) => writes.show(visit)),
    form('/writes/:id/preview', (deed) => writes.preview(deed)),
    form('/writes/:id/settle', (deed) => writes.settle(deed)),
    view('/routes', (visit) => routes.list(visit)),
    form('/routes/preview', (deed) => routes.preview(deed)),
    form('/routes/set', (deed) => routes.set(deed)),
    view('/routes/drift', (visit) => drift.show(visit)),
    form('/routes/drift', (deed) => drift.acknowledge(deed)),
    view('/routes/:method', (visit) => routes.show(visit)),
    view('/campaign', (visit) => campaign.show(visit)),
    form('/campaign/waves', (deed) => campaign.plan(deed)),
    form('/campaign/waves/decide', (deed) => campaign.decide(deed)),
    form('/campaign/mailbox/read', (deed) => campaign.readMailbox(deed)),
    form('/campaign/report', (deed) => campaign.sendReport(deed)),
    view('/campaign/phone', (visit) => campaign.phone(visit)),
    form('/campaign/phone', (deed) => campaign.talk(deed)),
    view('/campaign/brownouts', (visit) => brownouts.show(visit)),
    form('/campaign/brownouts/preview', (deed) => brownouts.preview(deed), { scope: 'administer' }),
    form('/campaign/brownouts/plan', (deed) => brownouts.plan(deed), { scope: 'administer' }),
    form('/campaign/brownouts/stop', (deed) => brownouts.stop(deed), { scope: 'administer' }),
    view('/texts', (visit) => messages.show(visit)),
    form('/texts/test', (deed) => messages.test(deed)),
    view('/texts/letter', (visit) => messages.message(visit)),
    view('/texts/edit', (visit) => editor.show(visit)),
    form('/texts/edit', (deed) => editor.edit(deed), { longest: LONGEST_TEXTS }),
    view('/texts/sample', (visit) => editor.sample(visit)),
    view('/texts/history', (visit) => editor.history(visit)),
    form('/texts/restore', (deed) => editor.restore(deed)),
    form('/texts/languages', (deed) => editor.addLanguage(deed)),
    form('/texts/languages/remove', (deed) => editor.removeLanguage(deed)),
    view('/trial', (visit) => {
      trial.show(visit);
    }),
    form('/trial', (deed) => trial.run(deed), { scope: 'read', longest: LONGEST_SAMPLE }),
    view('/tokens', (visit) => tokens.show(visit)),
    form('/tokens', (deed) => tokens.create(deed), { scope: 'administer' }),
    form('/tokens/admit', (deed) => tokens.admit(deed), { scope: 'administer' }),
    form('/tokens/revoke', (deed) => tokens.revoke(deed), { scope: 'administer' }),
    view('/audit', (visit) => audit({ admin, pages }, visit)),
  ]);
  router.use(
    guard.looks(({ response, session }) => {
      const lines = ['The console has no such page.'];
      pages.send(response, 404, 'message', { title: 'Not found', lines, session });
    }),
  );
  router.use(refused(guard, pages, log));
  return router;
}

/** The address cannot be decoded: express's own error. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);

const statuses: Readonly<Record<AdminFault, number>> = {
  unknown: 404,
  unusable: 400,
  conflict: 409,
  'too-many': 400,
  throttled: 429,
  unavailable: 409,
};

/**
 * A refused action gets a page with the reason. Any other error is logged, and the page says where to look.
 */
function refused(guard: SessionGuard, pages: ConsolePages, log: Log) {
  return async (error: unknown, request: Request, response: Response, next: NextFunction): Promise<void> => {
    if (response.headersSent || isUnreadable(error)) {
      next(error);
      return;
    }
    const session = await guard.session(request).catch(() => undefined);
    if (session === undefined) next(error);
    else if (error instanceof UnknownPosition)
      pages.send(response, 404, 'message', {
        title: 'Not found',
        lines: [sentenceOf(error.message)],
        session,
      });
    else if (!(error instanceof AdminRefusal)) {
      const id = String(response.getHeader('X-Request-Id') ?? '');
      log.error('console.failed', {
        request: id,
        error: error instanceof Error ? error.message : typeof error,
        stack: error instanceof Error ? error.stack : undefined,
      });
      const lines = [
        'This page could not be created. Your request may or may not have been carried out: check the audit log and the timeline.',
        `The bridge’s log has the cause, under console.failed and request ${id}.`,
      ];
      pages.send(response, 500, 'message', { title: 'Something went wrong', lines, session });
    } else {
      const lines = [sentenceOf(error.message)];
      const title = error.fault === 'unknown' ? 'Not found' : 'This cannot be done';
      pages.send(response, statuses[error.fault], 'message', { title, lines, session });
    }
  };
}
