import type { CallRecord } from '../../features/usage/call-log.ts';
import type { Message } from '../../features/usage/recent-calls.ts';
import type { Source } from '../../lib/failure.ts';

/** The figures of one call, without the account. */
export interface CallFigures {
  /** Mapped method, `generic`, or `none` if the request never became a call. */
  readonly method: string;
  readonly source: Source;
  readonly status: number;
  readonly millis: number;
  readonly upstreamMillis: number | undefined;
  /** Number of request elements that were not passed on, and of reply elements less precise than the service's. */
  readonly dropped: number;
  /** Number of places that got a default, and of reply elements for which the service has no value. */
  readonly defaulted: number;
  readonly absent: number;
  readonly rounded: number;
  /** Characters replaced by U+FFFD. */
  readonly replaced: number;
  /** The element that V2 would have lost, if V3 served the call instead. */
  readonly rerouted?: string | undefined;
  /** Its keys name no account that it may be counted for. */
  readonly isUnknown?: boolean | undefined;
  /** The fast path served the whole call. */
  readonly isFast?: boolean | undefined;
}

/** Receives every finished call of a known account; must not throw. */
export interface Usage {
  /** `lost`: a part of the request or of the reply was dropped. */
  record(call: CallRecord & { readonly lost: boolean }, message: Message): void;
}
