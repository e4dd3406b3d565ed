/** A read that has left and whose answer others wait for. The one who reads it says what came of it. */
export interface ReadFlight {
  /** The whole body of an answer with status 200. */
  arrived(body: Buffer): void;
  /** It is over; if nothing has arrived, those who wait have to ask for themselves. */
  ended(): void;
}
