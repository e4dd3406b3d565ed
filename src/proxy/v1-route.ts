/** Calls that V1 serves: those of accounts that have not moved, and of unknown key pairs. */
import type { KnownCaller } from '../features/accounts/account-directory.ts';
import { Failure } from '../lib/failure.ts';
import type { LegacyCall, Reply } from './call/call.ts';
import type { RouteParts, Send } from './route-parts.ts';
import { probed } from './unknown-key-limiter.ts';

const NEW_STORE =
  'The bridge has a new database and cannot tell whether this account has moved: its operator has to acknowledge it first; try again later';

/** The pass-through and the checks before it. */
export class V1Route {
  readonly #parts: RouteParts;

  constructor(parts: RouteParts) {
    this.#parts = parts;
  }

  /** `refused`: called if V1 refuses the keys. Throws `Failure` consentNeeded, heldBack. */
  serve(call: LegacyCall, caller: KnownCaller, refused: () => Promise<Reply>): Send {
    const { passThrough, observer, deployment, notice, brownouts } = this.#parts;
    if (!passThrough) throw new Failure('consentNeeded');
    if (deployment.hasVanished) throw new Failure('heldBack', { text: NEW_STORE });
    brownouts?.check(caller.account, call);
    call.trace.route = 'v1';
    const accepted = observer.noted.has(caller)
      ? undefined
      : () => {
          observer.accepted(caller, call.keys);
        };
    const send = (): Promise<Reply> => passThrough.serve(call, { accepted, refused });
    const noted = notice?.(caller.account);
    return noted === undefined ? send : async () => noted(await send());
  }

  /** Serves a key pair of no account. Throws `Failure` keysRefused. */
  serveUnknown(call: LegacyCall): Send {
    const { passThrough, discovery, unknownKeys, observer } = this.#parts;
    unknownKeys.check();
    if (!passThrough || !discovery) throw new Failure('keysRefused');
    const probe = unknownKeys.admit(call.keys, call.from?.());
    const events = {
      accepted: () => {
        observer.discovered(call.keys);
      },
      refused: () => Promise.reject<Reply>(probe.refused()),
    };
    return () => probed(probe, call, () => passThrough.serve(call, events));
  }
}
