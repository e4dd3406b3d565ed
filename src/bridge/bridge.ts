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

  /** Throws `Failure`. */
  async serve(call: LegacyCall): Promise<Served> {
    const trace = new Trace();
    const caller = await this.#accounts.resolve(call.keys);
    const { method, route } = this.#routes.find(call, caller);
    const accountId = caller.known ? caller.account.id : undefined;
    if (accountId !== undefined) await this.#called(accountId);
    const reply = await route.serve(call, trace);
    return {
      reply,
      accountId,
      method,
      upstreamMillis: () => trace.upstreamMillis,
      dropped: () => [...trace.dropped],
    };
  }
}
