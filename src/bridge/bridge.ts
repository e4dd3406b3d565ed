import type { LegacyCall, Reply } from '../domain/call.ts';
import { Trace } from '../domain/call.ts';
import type { AccountDirectory } from './accounts.ts';
import type { Routes } from './routes.ts';

/** A served call, with what its log line needs. */
export interface Served {
  readonly reply: Reply;
  readonly accountId: string | undefined;
  /** `client.list`, or `generic`. */
  readonly method: string;
  /** Milliseconds the service took so far; grows while a long list is written. */
  upstreamMillis(): number | undefined;
  /** Elements of the request that went no further. */
  dropped(): readonly string[];
}

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

  /** Throws `Failure`; `trace` then tells how far the call came. */
  async serve(call: LegacyCall, trace = new Trace()): Promise<Served> {
    const caller = await this.#accounts.resolve(call.keys);
    trace.accountId = caller.known ? caller.account.id : undefined;
    const { method, route } = this.#routes.find(call, caller);
    trace.method = method;
    if (caller.known) await this.#called(caller.account.id);
    const reply = await route.serve(call, trace);
    return {
      reply,
      accountId: trace.accountId,
      method,
      upstreamMillis: () => trace.upstreamMillis,
      dropped: () => [...trace.dropped],
    };
  }
}
