import type { ApplicationClient } from '../../upstream/application.ts';
import type { LivingGrant, LossReason } from '../grant.ts';
import type { FallbackParts } from './fallback.ts';
import type { confirmAtOf, HeldToken } from './timing.ts';

/** The outcome of one attempt. */
export type Attempt =
  | { readonly outcome: 'held'; readonly held: HeldToken }
  /**
   * Nothing usable yet; look again at `at`. `standing` is the current pair, whose token may still be valid.
   */
  | {
      readonly outcome: 'later';
      readonly at: number;
      readonly standing: HeldToken | undefined;
      readonly why: string;
    }
  | { readonly outcome: 'lost'; readonly reason: LossReason }
  /** It is in doubt whether this deployment may present anything: an operator must acknowledge it first. */
  | { readonly outcome: 'withheld' }
  /** The OAuth application that got the grant is not configured; nobody else can present its token. */
  | { readonly outcome: 'no-application' }
  | { readonly outcome: 'unknown' };

/** Dependencies of a refresh attempt. */
export interface RefresherParts extends FallbackParts {
  /** By name. A refusal of one application, or of its secret, is nobody else's: each has its own breaker. */
  readonly applications: Pick<ReadonlyMap<string, ApplicationClient>, 'get'>;
  /** The name of this instance in the lease. */
  readonly holder: string;
  readonly random?: (() => number) | undefined;
  /**
   * Whether this deployment may present any refresh token; without a guard it may. `doubt`: the result of
   * its last look.
   */
  readonly guard?: { mayPresent(): Promise<boolean>; readonly doubt?: object | undefined } | undefined;
  /** When a pair is confirmed. */
  readonly confirmation?: typeof confirmAtOf | undefined;
}

/** Whether the row is good enough as it is. */
export type Good = (held: HeldToken, grant: LivingGrant) => boolean;

/** Who asks: a waiting call, or the sweep, which acts in time so that no call has to wait. */
export type Urgency = 'call' | 'sweep';
