/** Conversations with customers who do not answer e-mail, as entries in the timelines of their accounts. */

/** The note of a conversation. */
export interface Talk {
  readonly accountId: string;
  readonly at: number;
  readonly by: string;
  readonly note: string;
}

/** Reads the notes; they are written like every entry of a timeline. */
export interface TalkRepository {
  /** The last note of each account. */
  latest(): Promise<ReadonlyMap<string, Talk>>;
}
