/** A read whose answer others wait for. Its reader reports how it goes. */
export interface ReadFlight {
  /** It waits for the rate limit from now on, or no longer. */
  held(isHeld: boolean): void;
  /** The whole body of an answer with status 200. */
  arrived(body: Buffer): void;
  /** It is over; if nothing has arrived, each waiting call sends a read of its own. */
  ended(): void;
}
