/** All in milliseconds. */
export interface Pace {
  /** Between two heartbeats while all is well. */
  readonly beat: number;
  /** The same while something is about to change. */
  readonly hurry: number;
  /** An instance without a heartbeat for this long sends nothing, unless Redis confirms that it shares. */
  readonly fence: number;
  /** After the fence: until nothing sent before it can still count at the service. */
  readonly settle: number;
  /** After the fence: how long Redis alone is enough for an instance that has lost the register. */
  readonly outage: number;
}
