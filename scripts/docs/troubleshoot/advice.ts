/** What stands behind a symptom, and what to run or change. Both are Markdown, for one cell of a table. */
export interface Advice {
  readonly cause: string;
  readonly command: string;
}

/** An entry for each code: one that is added does not compile before it has one. */
export type AdviceFor<Code extends string> = Readonly<Record<Code, Advice>>;
