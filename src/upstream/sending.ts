import type { Clock } from '../lib/time/clock.ts';
import type { Log } from '../lib/log/log.ts';
import type { Profile } from './profile.ts';
import type { Destination, Priority, SentRequest, Vault } from './model.ts';
import type { ReadFlight } from './read-flight.ts';
import type { RateLimiter } from './limiter/rate-limiter.ts';
import type { Bulkhead } from './transport/bulkhead.ts';
import type { Shipment } from './transport/exchange.ts';

/** Shared by all calls under a consent; the rate limit applies to all of them together. */
export interface OAuthClient {
  /** Client ids of the OAuth applications, by name. */
  readonly clientIds: ReadonlyMap<string, string>;
  readonly profile: Profile;
  readonly vault: Vault;
  readonly rateLimiter: RateLimiter;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the destination of each request that the service forbade. */
  readonly onForbidden?: ((to: Destination) => void) | undefined;
}

/** A page after the first byte may wait longer for the limit and for a connection. */
export type Patience = 'first-byte' | 'continued';

/** An access token and its generation. */
export type Credential = Awaited<ReturnType<Vault['accessToken']>>;

/** The headers that name the organisation and its token. */
export type Identity = Readonly<Record<string, string>>;

/** The consent a call uses. */
export interface Consented {
  readonly client: OAuthClient;
  readonly identified: (to: Destination, credential: Credential) => { readonly identity: Identity };
  readonly to: Destination;
  readonly patience: Patience;
  readonly priority: Priority;
  /** The limit applies to a pair of client id and account id, V2 and V3 together. */
  readonly limitKey: string;
  /** When the patience for the limit ends, in milliseconds since the epoch. */
  readonly deadline: number;
}

/** One call on its way, however often it has to be sent. */
export interface Sending extends Shipment {
  /** The account whose share of the connections it uses. */
  readonly account: string;
  /** 503 with `Retry-After` means that a write was not carried out. */
  readonly retryAfterMeansNotDone?: boolean | undefined;
  /** The bulkhead of the root it goes to. */
  readonly bulkhead: Bulkhead;
  /** Undefined for V1: such a call carries its own keys and is not counted. */
  readonly consented?: Consented | undefined;
  /** Its first attempt, if that has left already. */
  readonly sent?: SentRequest | undefined;
  /** Set if others may wait for its answer. */
  readonly flight?: ReadFlight | undefined;
  /** Pause before a request of which nothing left, or a read that was cut, is sent again, in milliseconds. */
  readonly resendMs?: number | undefined;
}
