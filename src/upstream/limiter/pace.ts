/** All in milliseconds. */
export interface Pace {
  /** Between two answers to the roll-call where all is well. */
  readonly beat: number;
  /** The same where something is about to change. */
  readonly hurry: number;
  /** Who has not answered for so long sends nothing, unless the book confirms that it shares. */
  readonly fence: number;
  /** After the fence: until nothing that was sent before it can still count at the service. */
  readonly settle: number;
  /** After the fence: so long the book is enough for one that the register has lost. */
  readonly outage: number;
}
