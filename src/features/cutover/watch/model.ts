/** One thing that is otherwise than before the move. */
export interface Finding {
  /** `errors`, `unlearned`, or `element client.get Client/Email`: by which it is told from others. */
  readonly key: string;
  readonly words: string;
}

/** A person has looked at findings, and they are no reason to look again. */
export interface Dismissal {
  readonly keys: readonly string[];
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** What is known of an account since its move. */
export interface Watch {
  readonly accountId: string;
  readonly movedAt: number;
  readonly until: number;
  /** Everything that differs at present, dismissed or not. */
  readonly findings: readonly Finding[];
  /** Undefined: nobody need look at it. */
  readonly flaggedAt: number | undefined;
  readonly dismissed: Dismissal | undefined;
}

/** Entries of the timeline. */
export const watchEvents = {
  flagged: 'watch.flagged',
  cleared: 'watch.cleared',
  dismissed: 'watch.dismissed',
} as const;

/** What nobody has dismissed. */
export const openFindings = ({
  findings,
  dismissed,
}: Pick<Watch, 'findings' | 'dismissed'>): readonly Finding[] =>
  findings.filter(({ key }) => dismissed?.keys.includes(key) !== true);

/** For a line of the timeline, a column or an event. */
export function findingWords(findings: readonly Finding[]): string {
  const [first, second, ...others] = findings.map(({ words }) => words);
  const named = [first, second].filter((one) => one !== undefined).join('; ');
  return others.length === 0 ? named : `${named}; and ${others.length} more`;
}
