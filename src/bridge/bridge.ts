import type { LegacyCall, Reply, Trace } from '../domain/call.ts';
import type { AccountDirectory } from './accounts.ts';
import type { RouteChoices } from './route-choice.ts';
import type { Routes } from './routes.ts';

/** The whole service is one sentence: who calls, where it goes, what comes back. */
export class Bridge {
  readonly #accounts: AccountDirectory;
  readonly #routes: Routes;
  readonly #choices: RouteChoices;
  readonly #called: (accountId: string) => Promise<void>;

  constructor(parts: {
    readonly accounts: AccountDirectory;
    readonly routes: Routes;
    readonly choices: RouteChoices;
    readonly called: (accountId: string) => Promise<void>;
  }) {
    const { accounts, routes, choices, called } = parts;
    this.#accounts = accounts;
    this.#routes = routes;
    this.#choices = choices;
    this.#called = called;
  }

  /** Throws `Failure`; `trace` tells how far the call came, and what its log line needs. */
  async serve(call: LegacyCall, trace: Trace): Promise<Reply> {
    const caller = await this.#accounts.resolve(call.keys);
    trace.accountId = caller.known ? caller.account.id : undefined;
    const { method, route } = this.#routes.find(call, caller, await this.#choices.current());
    trace.method = method;
    if (caller.known) await this.#called(caller.account.id);
    return route.serve(call, trace);
  }
}
