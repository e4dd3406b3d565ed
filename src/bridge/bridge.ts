import type { LegacyCall, Reply, Trace } from '../domain/call.ts';
import type { AccountDirectory } from './accounts.ts';
import type { Routes } from './routes.ts';

/** The whole service is one sentence: who calls, where it goes, what comes back. */
export class Bridge {
  readonly #accounts: AccountDirectory;
  readonly #routes: Routes;
  readonly #called: (accountId: string) => Promise<void>;

  constructor(accounts: AccountDirectory, routes: Routes, called: (accountId: string) => Promise<void>) {
    this.#accounts = accounts;
    this.#routes = routes;
    this.#called = called;
  }

  /** Throws `Failure`; `trace` tells how far the call came, and what its log line needs. */
  async serve(call: LegacyCall, trace: Trace): Promise<Reply> {
    const caller = await this.#accounts.resolve(call.keys);
    trace.accountId = caller.known ? caller.account.id : undefined;
    const { method, route } = this.#routes.find(call, caller);
    trace.method = method;
    if (caller.known) await this.#called(caller.account.id);
    return route.serve(call, trace);
  }
}
