/** Mail of a time before the mailbox was started, in the order in which it was sent. */
export interface PastMail {
  readonly mails: readonly {
    /** Milliseconds since the epoch. */
    readonly at: number;
    readonly from: string;
    readonly to: string;
    /** The bytes of the message, in base64. */
    readonly content: string;
  }[];
  /** How many were sent before them, which nobody has. */
  readonly left: number;
}
