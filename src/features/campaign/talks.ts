/** Talks with customers who do not answer e-mail, as entries of the timeline of their accounts. */

/** What somebody noted after a talk. */
export interface Talk {
  readonly accountId: string;
  readonly at: number;
  readonly by: string;
  readonly note: string;
}

/** Reads the notes; they are written like every entry of a timeline. */
export interface TalkRepository {
  /** The last one of each account. */
  latest(): Promise<ReadonlyMap<string, Talk>>;
}
