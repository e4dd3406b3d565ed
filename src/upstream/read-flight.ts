/** A read that has left and whose answer others wait for. Its reader reports the outcome. */
export interface ReadFlight {
  /** The whole body of an answer with status 200. */
  arrived(body: Buffer): void;
  /** It is over; if nothing has arrived, each waiting call sends a read of its own. */
  ended(): void;
}
