import type { AccountDirectory } from '../features/accounts/account-directory.ts';
import { Failure } from '../lib/failure.ts';
import { isAway } from '../lib/store-fault.ts';
import { callSpans } from '../lib/tracing/call-spans.ts';
import type { LegacyCall, Reply } from './call/call.ts';
import type { KnownCall } from './route-parts.ts';
import type { Routes } from './routing.ts';
import type { WrittenDown } from './writes/written-down.ts';

/** Serves a call: finds the account, chooses the route, sends. */
export class Bridge {
  readonly #accounts: AccountDirectory;
  readonly #routes: Routes;
  readonly #writes: WrittenDown | undefined;

  /** `writes`: undefined if no ledger is kept. */
  constructor(accounts: AccountDirectory, routes: Routes, writes?: WrittenDown) {
    this.#accounts = accounts;
    this.#routes = routes;
    this.#writes = writes;
  }

  /**
   * `known`: what the fast path has found out about the call. Throws `Failure`; the call's trace shows how far it got
   * and holds the details for its log line.
   */
  async serve(call: LegacyCall, known?: KnownCall): Promise<Reply> {
    const isRead = call.verb === 'GET';
    let hasRoute = false;
    try {
      const caller = known?.caller ?? (await this.#accounts.resolve(call.keys, isRead)); // from memory when warm
      if (caller.known) call.trace.accountId = caller.account.id;
      if (!isRead && this.#writes) return await this.#writes.serve(call, caller); // in the ledger first
      const send = await this.#routes.choose(call, caller, known?.found); // pass-through, forward or translate
      hasRoute = true;
      const spans = callSpans.getStore();
      return await (spans === undefined ? send() : spans.serving(call.trace.route, send));
    } catch (error) {
      // Nothing was sent: a write that has left has a failure of its own, which says what is known of its outcome.
      if (isAway(error) && !(isRead && hasRoute)) throw new Failure('databaseAway', { cause: error });
      throw error;
    }
  }
}
