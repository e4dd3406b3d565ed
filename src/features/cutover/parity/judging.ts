/**
 * What a comparison means for the move, from its short form and what was accepted: the same verdict and the same words for
 * the gate, the status report and every page.
 */
import { counted } from '../../../lib/text/counted.ts';
import type {
  Acceptance,
  Comparison,
  ComparisonSummary,
  GroupMark,
  JudgedMark,
  Judgement,
  ParityVerdict,
} from './model.ts';

/** The short form of a comparison. */
export const summaryOf = (comparison: Comparison): ComparisonSummary => ({
  at: comparison.at,
  reads: comparison.reads,
  compared: comparison.live + comparison.baseline,
  alike: comparison.alike,
  isUnfinished: comparison.isUnfinished,
  uncompared: {
    reads: comparison.uncompared.reduce((sum, { reads }) => sum + reads, 0),
    why: comparison.uncompared[0]?.why ?? '',
  },
  groups: comparison.groups.map(({ key, signature, isUndecided }) => ({ key, signature, isUndecided })),
});

/** With who accepted it. An acceptance of the account itself comes before one for all. */
export function judged<Group extends GroupMark>(
  group: Group,
  acceptances: readonly Acceptance[],
): Group & Judgement {
  const some = acceptances.filter(({ difference }) => difference === group.key);
  const accepted = some.find(({ signature }) => signature === group.signature);
  return { ...group, accepted, isVoid: accepted === undefined && some.length > 0 };
}

/** Undefined: nothing was compared yet. */
export function verdictOf(
  summary: ComparisonSummary | undefined,
  groups: readonly JudgedMark[],
): ParityVerdict {
  if (summary === undefined) return 'none';
  const open = groups.filter(({ accepted }) => accepted === undefined);
  if (open.some(({ isUndecided }) => !isUndecided)) return 'different';
  if (summary.isUnfinished) return 'unfinished';
  if (open.length > 0) return 'undecided';
  if (summary.compared === 0) return 'not-provable';
  return groups.length > 0 ? 'accepted' : 'alike';
}

/** `412 of 412 reads alike; 2 named differences accepted by …` */
export function parityWords(summary: ComparisonSummary | undefined, groups: readonly JudgedMark[]): string {
  if (summary === undefined) return 'nothing was compared yet';
  if (verdictOf(summary, groups) === 'not-provable') return notProvableWords(summary);
  const { compared, alike, isUnfinished, uncompared } = summary;
  const { different, undecided } = openIn(groups);
  return [
    `${alike} of ${counted(compared, 'read')} alike`,
    ...(different > 0 ? [`${counted(different, 'difference')} to be accepted or resolved`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...acceptedWords(groups),
    ...uncomparedWords(uncompared.reads, isUnfinished),
  ].join('; ');
}

const notProvableWords = ({ reads, uncompared }: ComparisonSummary): string =>
  reads === 0
    ? 'not provable: no read of its programs is known'
    : `not provable: none of ${counted(reads, 'read')} could be compared (${uncompared.why})`;

/** How many groups nobody has accepted. */
export function openIn(groups: readonly JudgedMark[]): {
  readonly different: number;
  readonly undecided: number;
} {
  const open = groups.filter(({ accepted }) => accepted === undefined);
  const undecided = open.filter(({ isUndecided }) => isUndecided).length;
  return { different: open.length - undecided, undecided };
}

function acceptedWords(groups: readonly JudgedMark[]): readonly string[] {
  const by = Map.groupBy(
    groups.flatMap(({ accepted }) => accepted ?? []),
    ({ name, at, reason }) => `by ${name} on ${new Date(at).toISOString().slice(0, 10)}: ${reason}`,
  );
  return Array.from(by, ([who, some]) => `${counted(some.length, 'named difference')} accepted ${who}`);
}

function uncomparedWords(reads: number, isUnfinished: boolean): readonly string[] {
  if (reads === 0) return [];
  return [`${counted(reads, 'read')} not compared${isUnfinished ? ', some of them for the time being' : ''}`];
}
