/**
 * Decides whether a read can be served on the fast path: everything it needs is in memory, and it may leave at once.
 *
 * Such a read is a GET with a plain address, of an account that is in memory and whose method is served by V1 or V3,
 * with a fresh token, a free permit and a free connection. `begin` takes all of these or nothing. Every other call
 * takes the general path (`handle.ts`); only that one waits, asks the database, refuses and sends again.
 */
import type { AccountDirectory, KnownCaller } from '../features/accounts/account-directory.ts';
import type { FastRead, PlainCall, PlainRequest } from './call/call.ts';
import { ForwardMethod } from './forward/forward.ts';
import { unchanged } from './pass-through.ts';
import { readQuery, isTransition } from './call/read-call.ts';
import type { FoundMethod, KnownCall } from './route-parts.ts';
import type { Routes } from './routing.ts';

/**
 * Family, method and identifiers that need no decoding; then a query without escapes, `+` and characters that no
 * address may contain.
 */
const PLAIN =
  /^\/([a-z]+\.api\/[A-Za-z]+(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*)\?([\x21\x22\x24\x26-\x2a\x2c-\x5b\x5d-\x7e]{1,2048})$/;

/** A plain read left to the general path, which need not find its account and method again. */
export interface KnownRead extends PlainCall, KnownCall {
  readonly apiKey: string;
  readonly accountKey: string;
}

/** The fast path of reads. */
export class FastPath {
  readonly #accounts: AccountDirectory;
  readonly #routes: Routes;

  /** Calls `then` as soon as `begin` can tell whether the account is in memory; undefined: it always can. */
  readonly ask: ((request: PlainRequest, then: () => void) => boolean) | undefined;

  constructor(accounts: AccountDirectory, routes: Routes) {
    const { ask } = accounts;
    this.ask =
      ask &&
      (({ target }, then) => {
        if (!PLAIN.test(target)) return false;
        ask(then);
        return true;
      });
    this.#accounts = accounts;
    this.#routes = routes;
  }

  /**
   * Takes permit, token and connection and returns the read. Otherwise it takes nothing and returns what it found out
   * for the general path, or undefined.
   */
  begin(request: PlainRequest): FastRead | KnownRead | undefined {
    const match = PLAIN.exec(request.target);
    if (match === null) return undefined;
    const [, path = '', parameters = ''] = match;
    const { query, apiKeys, accountKeys } = readQuery(parameters);
    const [apiKey, secondApi] = apiKeys;
    const [accountKey, secondAccount] = accountKeys;
    if (!apiKey || !accountKey || (secondApi ?? secondAccount) !== undefined) return undefined;
    const caller = this.#accounts.present(apiKey, accountKey);
    if (caller === undefined) return undefined;
    const segments = path.split('/');
    const found = this.#routes.find('GET', segments);
    if (found === undefined) return undefined;
    const call = { segments, query };
    return this.#ready(request, call, caller, found) ?? { ...call, apiKey, accountKey, caller, found };
  }

  #ready(
    request: PlainRequest,
    call: PlainCall,
    caller: KnownCaller,
    found: FoundMethod,
  ): FastRead | undefined {
    switch (caller.account.life.stage) {
      case 'legacy':
      case 'awaiting-operator':
        return this.#passThrough(request, caller, found);
      case 'migrated':
        return call.query.length > 0 && isTransition(call) ? undefined : this.#forward(call, caller, found);
      case 'consented':
      case 'lost':
      case 'closed':
        return undefined;
    }
  }

  /** A caller with something left to record takes the general path. */
  #passThrough(request: PlainRequest, caller: KnownCaller, { method }: FoundMethod): FastRead | undefined {
    const { passThrough, deployment, observer, clock } = this.#routes.parts;
    const { id, origin } = caller.account;
    // A notice adds headers to its replies; a brown-out refuses its reads.
    const { notices, brownout } = caller.account;
    if (notices === true || (brownout !== undefined && brownout.to > clock.now())) return undefined;
    if (origin === 'issued' || deployment.hasVanished || !observer.noted.has(caller)) return undefined;
    const ready = passThrough?.ready(id, request);
    return ready && { ready, reply: unchanged, accountId: id, method, source: 'v1' };
  }

  #forward(call: PlainCall, { account, to }: KnownCaller, found: FoundMethod): FastRead | undefined {
    const { method, v2, endpoint, values, open } = found;
    if (to === undefined || !(found.v3 instanceof ForwardMethod)) return undefined;
    if (v2 !== undefined && account.product !== 'practice') {
      const chosen = this.#routes.parts.choices.present(method, account.id);
      if (chosen === 'unknown' || (chosen ?? endpoint) !== 'v3') return undefined;
    }
    const ids = this.#routes.identifiers(account.id, 'v3');
    const ready = found.v3.ready(call, { to, ids, values, open });
    return ready && { ...ready, accountId: account.id, method, source: 'v3' };
  }
}

/** The headers of a request that affect it; `general` ones need the general path. */
const MEANINGS: ReadonlyMap<string, 'host' | 'accept' | 'contentType' | 'general'> = new Map([
  ['host', 'host'],
  ['accept', 'accept'],
  ['content-type', 'contentType'],
  ['content-encoding', 'general'],
  ['content-length', 'general'],
  ['expect', 'general'],
  ['transfer-encoding', 'general'],
]);

/** The head of a request, as it arrived. */
export interface RequestHead {
  readonly method?: string | undefined;
  readonly httpVersion: string;
  readonly url?: string | undefined;
  readonly rawHeaders: readonly string[];
}

/**
 * Returns undefined unless it is a GET of HTTP/1.1 without a body, with each header given once and none with a special
 * meaning.
 */
export function plainRequest({
  method,
  httpVersion,
  url,
  rawHeaders,
}: RequestHead): PlainRequest | undefined {
  if (method !== 'GET' || httpVersion !== '1.1' || url === undefined) return undefined;
  const given: { host?: string; accept?: string; contentType?: string } = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const meaning = MEANINGS.get(String(rawHeaders[at]).toLowerCase());
    if (meaning === undefined) continue;
    if (meaning === 'general' || given[meaning] !== undefined) return undefined;
    given[meaning] = rawHeaders[at + 1] ?? '';
  }
  if (given.host === undefined) return undefined;
  return { target: url, accept: given.accept, contentType: given.contentType };
}
