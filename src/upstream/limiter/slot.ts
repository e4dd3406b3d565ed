/**
 * The right to send one request: a place in the rolling minute, and one among the requests in progress at once. Exactly one
 * of `answered`, `abandoned` and `unsent` ends the first, `ended` or `unsent` the second; ending it twice has no effect.
 */
export interface Slot {
  /** From now on bytes may leave. */
  left(): void;
  /**
   * The service answered or closed the connection: it counted the request before this moment or not at all.
   */
  answered(): void;
  /** Given up by us after bytes left, which ends nothing at the service. */
  abandoned(): void;
  /** Nothing left: the service never counted it. */
  unsent(): void;
  /** The whole answer has arrived or nobody reads on, or the connection is closed. */
  ended(): void;
  /** Others may have counted this instance out since: nothing may be sent with it any more. */
  readonly lapsed: boolean;
}
