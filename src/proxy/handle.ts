import type { LegacyCall, Reply, Route, Trace } from './call.ts';
import { Failure } from '../lib/failure.ts';
import { isAway } from '../lib/store-fault.ts';
import type { AccountDirectory } from '../features/accounts/account-directory.ts';
import type { RouteChoices } from '../mapping/routes/route-choice.ts';
import type { Routes } from './routing.ts';

export interface BridgeParts {
  /** For calls that read: accounts as they were lately, while the database is away. */
  readonly accounts: AccountDirectory;
  /** For calls that write: accounts as they are. */
  readonly present: AccountDirectory;
  readonly routes: Routes;
  readonly choices: RouteChoices;
  readonly called: (accountId: string) => Promise<void>;
}

/** Seconds: a database that restarts is back by then. */
const RETRY_AFTER = 5;

/** The whole service is one sentence: who calls, where it goes, what comes back. */
export class Bridge {
  readonly #parts: BridgeParts;

  constructor(parts: BridgeParts) {
    this.#parts = parts;
  }

  /** Throws `Failure`; `trace` tells how far the call came, and what its log line needs. */
  async serve(call: LegacyCall, trace: Trace): Promise<Reply> {
    const route = await this.#route(call, trace).catch(notSent);
    // What a write throws before it has left; afterwards it is told what is known of its outcome.
    return isRead(call) ? route.serve(call, trace) : route.serve(call, trace).catch(notSent);
  }

  async #route(call: LegacyCall, trace: Trace): Promise<Route> {
    const { accounts, present, routes, choices } = this.#parts;
    const reads = isRead(call);
    const caller = await (reads ? accounts : present).resolve(call.keys);
    trace.accountId = caller.known ? caller.account.id : undefined;
    const choice = await (reads ? choices.lately() : choices.current());
    const { method, route } = routes.find(call, caller, choice);
    trace.method = method;
    if (caller.known) void this.#parts.called(caller.account.id).catch(() => undefined);
    return route;
  }
}

const isRead = ({ verb }: LegacyCall): boolean => verb === 'GET';

function notSent(error: unknown): never {
  throw isAway(error) ? new Failure('databaseAway', { retryAfter: RETRY_AFTER, cause: error }) : error;
}
