/** Mail sent before the mailbox started, in the order of sending. */
export interface PastMail {
  readonly mails: readonly {
    /** Milliseconds since the epoch. */
    readonly at: number;
    readonly from: string;
    readonly to: string;
    /** The bytes of the message, in base64. */
    readonly content: string;
  }[];
  /** Number of messages sent before these and not kept. */
  readonly left: number;
}
