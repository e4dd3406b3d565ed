/** All in milliseconds. */
export interface Pace {
  /** Between two heartbeats where all is well. */
  readonly beat: number;
  /** The same where something is about to change. */
  readonly hurry: number;
  /** An instance without a heartbeat for so long sends nothing, unless Redis confirms that it shares. */
  readonly fence: number;
  /** After the fence: until nothing that was sent before it can still count at the service. */
  readonly settle: number;
  /** After the fence: for so long Redis is enough for an instance that the register has lost. */
  readonly outage: number;
}
