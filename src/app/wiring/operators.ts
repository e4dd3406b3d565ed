/**
 * The operators' parts: the console, the API and the documentation, with the actions behind them. They are a sixth of
 * all modules, and no legacy call needs them: `endpoints.ts` loads them with the first request.
 */
import { ApiEndpoint } from '../../http/api/api.ts';
import { Credentials } from '../../http/api/credentials.ts';
import { consoleRouter } from '../../http/console/console.ts';
import { SESSION_COOKIE } from '../../http/console/session/session-guard.ts';
import type { CallerAddresses } from '../../http/server/caller-address.ts';
import { Cookies } from '../../http/server/cookie.ts';
import { EventStreams } from '../../http/server/event-streams.ts';
import { Throttle } from '../../http/server/throttle.ts';
import { publicUrl } from './addresses.ts';
import { docsOf } from './docs.ts';
import { adminOf, type AdminNeeds } from './features/admin.ts';
import { openIdOf } from './features/openid.ts';
import type { Services } from './services.ts';

/** Each has an address of its own. */
export type Operators = {
  readonly console: ReturnType<typeof consoleRouter>;
  readonly docs: ReturnType<typeof docsOf>;
  readonly api: ReturnType<ApiEndpoint['router']>;
};

/** What they need from the server besides the admin service. */
export interface OperatorNeeds {
  readonly admin: AdminNeeds;
  readonly callers: CallerAddresses;
  readonly stopping: () => boolean;
}

/** Makes all three; console and API share their streams, and the count of wrong guesses. */
export function operatorsOf(services: Services, needs: OperatorNeeds): Operators {
  const { callers, stopping } = needs;
  const { settings, clock, random, log } = services;
  const admin = adminOf(services, needs.admin);
  const throttle = new Throttle({ clock });
  const streams = new EventStreams({ feed: admin, tokens: admin.tokens, stopping, log });
  const here = publicUrl(settings);
  const cookies = new Cookies(here);
  const credentials = new Credentials({
    ...{ tokens: admin.tokens, cookies, callers },
    sessionCookie: SESSION_COOKIE,
    guessing: throttle,
  });
  return {
    console: consoleRouter({
      ...{ admin, cookies, random, throttle, streams, callers, clock, log },
      brand: settings.brand,
      zone: settings.zone,
      openId: openIdOf(services, admin.tokens),
    }),
    docs: docsOf(services, admin),
    api: new ApiEndpoint({ admin, credentials, streams, publicUrl: here, log }).router(),
  };
}
