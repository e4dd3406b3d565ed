/** A difference from before the move. */
export interface Finding {
  /** `errors`, `unlearned`, or `element client.get Client/Email`: identifies the finding. */
  readonly key: string;
  readonly words: string;
}

/** A person has examined these findings, so they no longer flag the account. */
export interface Dismissal {
  readonly keys: readonly string[];
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** The watch of an account since its move. */
export interface Watch {
  readonly accountId: string;
  readonly movedAt: number;
  readonly until: number;
  /** All present differences, dismissed or not. */
  readonly findings: readonly Finding[];
  /** Undefined: nobody has to look at it. */
  readonly flaggedAt: number | undefined;
  readonly dismissed: Dismissal | undefined;
}

/** Names of timeline entries. */
export const watchEvents = {
  flagged: 'watch.flagged',
  cleared: 'watch.cleared',
  dismissed: 'watch.dismissed',
} as const;

/** The findings that were not dismissed. */
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
