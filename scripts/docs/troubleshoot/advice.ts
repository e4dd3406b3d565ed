/** The cause of a symptom, and what to run or change. Both are Markdown, for one cell of a table. */
export interface Advice {
  readonly cause: string;
  readonly command: string;
}

/** An entry for each code: a new code does not compile without one. */
export type AdviceFor<Code extends string> = Readonly<Record<Code, Advice>>;
