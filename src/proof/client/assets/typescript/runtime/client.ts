import { Call, type Surroundings } from './call.ts';
import { NotOnV2 } from './errors.ts';
import type { Api, Input, Method, Shared } from '../../../../../proof/client/client-tables.ts';
import { AccessTokens, type TokenStore } from './tokens.ts';
import { Transport } from './transport.ts';
import { LookupCache } from './v2-cache.ts';
import { callV2 } from './v2.ts';
import { callV3 } from './v3.ts';

/** Options of a single call. */
export interface How {
  readonly api?: Api;
  readonly signal?: AbortSignal;
}

/** Configuration of a connection to one organisation. */
export interface Connection<Name extends string = string> {
  /** The base address of V3, below which `client.api/list` is. */
  readonly v3Url: string;
  /** The base address of V2, below which `clients` is. */
  readonly v2Url: string;
  /** The authorisation server. */
  readonly authUrl: string;
  /** The customer's organisation, by its id in the connections of the token. */
  readonly organisation: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokens: TokenStore;
  /** The interface that answers each method. */
  readonly routes?: Readonly<Partial<Record<Name | 'default', Api>>>;
  /** A 429 that asks for a longer wait is an error at once. Default: 60. */
  readonly maxWaitSeconds?: number;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
  /** Such as `Pacific/Auckland`, for dates that V2 demands and a call does not give. Default: UTC. */
  readonly timeZone?: string;
}

/** Makes a call of a method. */
export type Make = (method: Method, input: Input, how: How | undefined) => Promise<unknown>;

/** Makes calls on one connection. `route`: for methods that `routes` does not name. */
export function connect(connection: Connection, shared: Shared, route: Api): Make {
  const { v3Url, v2Url, organisation, timeZone, routes = {} } = connection;
  const { fetch: given = fetch, now = Date.now, maxWaitSeconds = 60 } = connection;
  const tokens = new AccessTokens({ ...connection, shared, fetch: given, now });
  const transport = new Transport({
    ...{ urls: { v3: v3Url, v2: v2Url }, organisation, tokens, fetch: given, now, maxWaitSeconds },
    ...{ organisationHeader: shared.organisationHeader, timeoutSeconds: shared.timeoutSeconds },
  });
  const around: Surroundings = { transport, shared, now, timeZone };
  const cache = new LookupCache();
  return async (method, input, how) => {
    const wanted = how?.api ?? routes[method.id];
    const general = method.v2 === undefined ? 'v3' : (routes.default ?? route);
    const api = wanted ?? general;
    if (api === 'v2' && method.v2 === undefined)
      throw new NotOnV2(method.notOnV2 ?? 'V2 does not offer it', { method: method.id, api });
    const call = new Call(method, input, api, around, how?.signal);
    return api === 'v3' ? callV3(call) : callV2(call, cache);
  };
}
