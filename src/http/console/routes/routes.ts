/**
 * The page of routes: which API version serves each method, for all accounts and for single ones. A change is previewed
 * with its losses and assumptions; `AdminService` sets it, as for API and command line.
 */
import {
  EVERY_ACCOUNT,
  apiVersions,
  isAssumedWrite,
  type ApiVersion,
  type RoutedMethod,
  type RouteOverride,
} from '../../../mapping/routes/routes.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import type { Canary } from '../../../features/canary/canary.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { missedLines } from '../../../features/admin/usage/usage-words.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';

export interface RoutesScreenParts {
  readonly admin: Pick<AdminService, 'routes' | 'accounts' | 'statusReport' | 'usage' | 'drift'>;
  readonly pages: ConsolePages;
}

/** How well V2 supports a method. */
const qualityWords: Readonly<Record<RoutedMethod['v2'], string>> = {
  A: 'full',
  B: 'small losses',
  C: 'losses',
  none: 'none',
};

const LONGEST_SEARCH = 100;
const methodPath = (method: string): string => `${CONSOLE_PATH}/routes/${encodeURIComponent(method)}`;

/** Shows which API version serves each method, for all accounts and for single ones. */
export class RoutesScreen {
  readonly #parts: RoutesScreenParts;

  constructor(parts: RoutesScreenParts) {
    this.#parts = parts;
  }

  async list({ response, session, query }: Visit): Promise<void> {
    const { admin, pages } = this.#parts;
    const search = (query.get('search') ?? '').trim().slice(0, LONGEST_SEARCH);
    const only = query.get('only') === 'set' || query.get('only') === 'v2' ? query.get('only') : undefined;
    const set = await admin.routes.list();
    const rows = admin.routes.methods().map((method) => ({ method, ...decidedOn(method, set) }));
    pages.send(response, 200, 'routes', {
      title: 'Routes',
      session,
      search,
      only,
      all: rows.length,
      rows: rows.filter(
        ({ method, ofAll, own }) =>
          method.id.toLowerCase().includes(search.toLowerCase()) &&
          (only !== 'set' || ofAll !== undefined || own.length > 0) &&
          (only !== 'v2' || method.v2 !== 'none'),
      ),
      qualityWords,
      trials: await this.#trials(() => true),
      drift: (await admin.drift.list()).filter(({ state }) => state === 'open').length,
      hasV2: admin.routes.hasV2,
    });
  }

  async show(visit: Visit): Promise<void> {
    const done = visit.query.get('done') === 'set';
    await this.#method(visit, String(visit.request.params.method), 200, {
      said: done ? 'Route set. Every process uses it within a second.' : undefined,
    });
  }

  /** Changes nothing. */
  async preview(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { form, response, session } = deed;
    const method = form.get('method') ?? '';
    const account = (form.get('account') ?? '').trim();
    try {
      const accountId = account === EVERY_ACCOUNT ? undefined : (await admin.accounts.find(account)).id;
      const forecast = await admin.routes.preview(method, accountId, routeIn(form));
      pages.send(response, 200, 'route-preview', {
        title: `Route of ${method}: preview`,
        under: '/routes',
        session,
        forecast,
        isAssumedWrite: isAssumedWrite(forecast.method, forecast.to),
        missed: missedLines(
          await admin.usage.missed([method], forecast.to, forecast.following),
          forecast.following.length,
        ),
        route: form.get('route') ?? '',
        account: accountId ?? EVERY_ACCOUNT,
        hasV2: admin.routes.hasV2,
        back: methodPath(method),
      });
    } catch (error) {
      if (!(error instanceof AdminRefusal) || !admin.routes.methods().some(({ id }) => id === method))
        throw error;
      await this.#method(deed, method, 400, { problem: sentenceOf(error.message), given: account });
    }
  }

  async set({ form, response, who }: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const account = form.get('account') ?? '';
    const method = form.get('method') ?? '';
    if (account === '') throw new AdminRefusal('unusable', 'name the account');
    const acceptsAssumed = form.get('accepted') === 'yes';
    await admin.routes.set(
      [method],
      account === EVERY_ACCOUNT ? undefined : account,
      routeIn(form),
      who,
      acceptsAssumed,
    );
    pages.redirect(response, `${methodPath(method)}?done=set`);
  }

  async #method(
    { response, session }: Visit,
    id: string,
    status: number,
    values: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { admin, pages } = this.#parts;
    const method = admin.routes.methods().find((one) => one.id === id);
    if (method === undefined) throw new AdminRefusal('unknown', 'there is no such method');
    const { ofAll, own } = decidedOn(method, await admin.routes.list());
    const names = await this.#names();
    pages.send(response, status, 'route', {
      title: method.id,
      under: '/routes',
      session,
      method,
      ofAll,
      own: own.map((one) => ({ ...one, name: names.get(one.account) ?? one.account })),
      trials: await this.#trials(({ methods }) => methods.includes(id)),
      quality: qualityWords[method.v2],
      hasV2: admin.routes.hasV2,
      ...values,
    });
  }

  /** The latest trial of each account, newest first, with the account's name. */
  async #trials(
    wanted: (trial: Canary) => boolean,
  ): Promise<readonly (Canary & { readonly account: string })[]> {
    const trials = (await this.#parts.admin.routes.trials()).filter(wanted);
    if (trials.length === 0) return [];
    const names = await this.#names();
    return trials
      .map((trial) => ({ ...trial, account: names.get(trial.accountId) ?? trial.accountId }))
      .toReversed();
  }

  async #names(): Promise<ReadonlyMap<string, string>> {
    return new Map((await this.#parts.admin.statusReport()).accounts.map(({ id, name }) => [id, name]));
  }
}

interface Decided {
  readonly ofAll: RouteOverride | undefined;
  readonly own: readonly RouteOverride[];
}

function decidedOn({ id }: RoutedMethod, set: readonly RouteOverride[]): Decided {
  const about = set.filter(({ method }) => method === id);
  return {
    ofAll: about.find(({ account }) => account === EVERY_ACCOUNT),
    own: about.filter(({ account }) => account !== EVERY_ACCOUNT),
  };
}

/** Undefined means the default. Throws `AdminRefusal` unusable. */
function routeIn(form: URLSearchParams): ApiVersion | undefined {
  const given = form.get('route');
  const apiVersion = apiVersions.find((one) => one === given);
  if (apiVersion === undefined && given !== '')
    throw new AdminRefusal('unusable', 'the route must be V2, V3 or the default');
  return apiVersion;
}
