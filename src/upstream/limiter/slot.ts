/** The right to send one request. Exactly one of the last three ends it; ending it twice has no effect. */
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
  /** Others may have counted this instance out since: nothing may be sent with it any more. */
  readonly lapsed: boolean;
}
