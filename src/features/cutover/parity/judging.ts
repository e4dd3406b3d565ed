/**
 * What a comparison means for the move, from its short form and the acceptances: the same verdict and the same words
 * for the check before the move, the status report and every page.
 */
import type { StageName } from '../../accounts/account.ts';
import { counted } from '../../../lib/text/counted.ts';
import { isUncompared } from './difference.ts';
import { findingsOf, whyUncompared } from './findings.ts';
import { markOf, readSignature } from './signature.ts';
import {
  AcceptanceRefused,
  type Acceptance,
  type Comparison,
  type ComparisonSummary,
  type GivenAcceptance,
  type GroupMark,
  type JudgedGroup,
  type JudgedMark,
  type Judgement,
  type ParityVerdict,
} from './model.ts';

/** The short form of a comparison. */
export const summaryOf = (comparison: Comparison): ComparisonSummary => ({
  at: comparison.at,
  organisationId: comparison.binding?.organisationId,
  reads: comparison.reads,
  compared: comparison.live + comparison.baseline,
  alike: comparison.alike,
  isUnfinished: comparison.isUnfinished,
  uncompared: {
    reads: comparison.uncompared.reduce((sum, { reads }) => sum + reads, 0),
    why: comparison.uncompared.slice(0, 1).map(whyUncompared).join(''),
  },
  groups: findingsOf(comparison).map(({ key, signature, cause, count, isUndecided }) => ({
    ...{ key, signature, cause, count, isUndecided },
  })),
});

/** The organisation that an account is connected to, and its stage. */
export interface Connected {
  readonly organisationId: string;
  readonly stage: StageName;
  readonly stageSince: number;
}

/**
 * Whether a comparison says something about the account's present organisation, which may change until the move. Of
 * those of earlier releases, which name none, the ones of the present stage count.
 */
export const isOfConnected = (
  { organisationId, at }: Pick<ComparisonSummary, 'organisationId' | 'at'>,
  connected: Connected,
): boolean =>
  organisationId === undefined
    ? at >= connected.stageSince || connected.stage !== 'consented'
    : organisationId === connected.organisationId;

/** The groups with their acceptances. One for the account itself takes precedence over one for all. */
export function judged<Group extends GroupMark>(
  group: Group,
  acceptances: readonly Acceptance[],
): Group & Judgement {
  const isSome = acceptances.some(({ difference }) => difference === group.key);
  const [accepted] = covering(group, acceptances);
  return { ...group, accepted, isVoid: accepted === undefined && isSome };
}

/** The acceptances that are for this difference. */
export const covering = (group: GroupMark, acceptances: readonly Acceptance[]): readonly Acceptance[] =>
  acceptances.filter((one) => one.difference === group.key && covers(one, group));

/**
 * How many times as many records an acceptance covers as were seen. A value is a difference of the record, so one more
 * record is a new difference. The other causes are usually the work of the API, and every new record of the account
 * has the same difference: an acceptance that ended with each of them would have to be given daily.
 */
const MORE_OF_A_VALUE = 1;
const MORE_OF_THE_API = 2;

/**
 * Whether the acceptance is for this difference. One for all accounts covers it in any number of records, because
 * accounts differ in size. One of 1.0.0-rc.1 has no number: it covers nothing in a single account.
 */
function covers({ accountId, signature }: Acceptance, group: GroupMark): boolean {
  if (signature === group.signature) return true;
  const [seen, now] = [readSignature(signature), readSignature(group.signature)];
  // An earlier encryption key may have been the first one then.
  if (!now.contents.some((one) => seen.contents.includes(one))) return false;
  if (accountId === undefined) return true;
  if (seen.records === undefined || now.records === undefined) return false;
  return now.records <= seen.records * (group.cause === 'value' ? MORE_OF_A_VALUE : MORE_OF_THE_API);
}

/** Undefined if nothing has been compared yet. */
export function verdictOf(
  summary: ComparisonSummary | undefined,
  groups: readonly JudgedMark[],
): ParityVerdict {
  if (summary === undefined) return 'none';
  const { different, undecided, uncompared, pending } = openIn(groups);
  if (different > 0) return 'different';
  if (pending > 0) return 'unfinished';
  if (uncompared > 0) return 'incomplete';
  if (undecided > 0) return 'undecided';
  if (summary.compared === 0 && groups.length === 0) return 'not-provable';
  return groups.length > 0 ? 'accepted' : 'alike';
}

/** `412 of 412 reads alike; 2 named differences accepted by …` */
export function parityWords(summary: ComparisonSummary | undefined, groups: readonly JudgedMark[]): string {
  if (summary === undefined) return 'nothing has been compared yet';
  if (verdictOf(summary, groups) === 'not-provable') return notProvableWords(summary);
  const { compared, alike } = summary;
  const { different, undecided } = openIn(groups);
  return [
    `${alike} of ${counted(compared, 'read')} alike`,
    ...(different > 0 ? [`${counted(different, 'difference')} to be accepted or resolved`] : []),
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...uncomparedWords(groups),
    ...acceptedWords(groups),
  ].join('; ');
}

const notProvableWords = ({ reads, uncompared }: ComparisonSummary): string =>
  reads === 0
    ? 'not provable: no read by its programs was known then'
    : `not provable: none of ${counted(reads, 'read')} could be compared (${uncompared.why})`;

/**
 * How many groups are not accepted: the reads of `pending` are tried again, those of `uncompared` cannot be compared.
 */
export type OpenGroups = Readonly<Record<'different' | 'undecided' | 'uncompared' | 'pending', number>>;

/** Counts the groups that are not accepted. */
export function openIn(groups: readonly JudgedMark[]): OpenGroups {
  const open = { different: 0, undecided: 0, uncompared: 0, pending: 0 };
  for (const group of groups) if (group.accepted === undefined) open[kindOf(group)] += 1;
  return open;
}

function kindOf({ cause, isUndecided }: JudgedMark): keyof OpenGroups {
  if (cause === 'not-compared') return 'uncompared';
  if (cause === 'not-yet') return 'pending';
  return isUndecided ? 'undecided' : 'different';
}

const readsIn = (groups: readonly JudgedMark[]): number => groups.reduce((sum, { count }) => sum + count, 0);

const openWords = { uncompared: 'not compared, to be accepted', pending: 'not compared yet' } as const;

function uncomparedWords(groups: readonly JudgedMark[]): readonly string[] {
  const open = groups.filter(({ accepted }) => accepted === undefined);
  return (['uncompared', 'pending'] as const).flatMap((kind) => {
    const reads = readsIn(open.filter((group) => kindOf(group) === kind));
    return reads === 0 ? [] : [`${counted(reads, 'read')} ${openWords[kind]}`];
  });
}

function acceptedWords(groups: readonly JudgedMark[]): readonly string[] {
  const by = Map.groupBy(
    groups.filter(({ accepted }) => accepted !== undefined),
    ({ accepted: { name, at, reason } = { name: '', at: 0, reason: '' } }) =>
      `by ${name} on ${new Date(at).toISOString().slice(0, 10)}: ${reason}`,
  );
  return Array.from(by, ([who, some]) => `${acceptedThings(some)} accepted ${who}`);
}

function acceptedThings(groups: readonly JudgedMark[]): string {
  const reads = readsIn(groups.filter(({ cause }) => isUncompared(cause)));
  const differences = groups.filter(({ cause }) => !isUncompared(cause)).length;
  return [
    ...(differences > 0 ? [counted(differences, 'named difference')] : []),
    ...(reads > 0 ? [`${counted(reads, 'read')} without a comparison`] : []),
  ].join(' and ');
}

const LONGEST_NAME = 100;
const LONGEST_REASON = 500;

/** Who accepts differences, and why. Throws `AcceptanceRefused`. */
export function signedBy(given: GivenAcceptance): { readonly name: string; readonly reason: string } {
  const [name, reason] = [given.name.trim(), given.reason.trim()];
  if (name === '' || name.length > LONGEST_NAME) throw new AcceptanceRefused('say who accepts it');
  if (reason === '' || reason.length > LONGEST_REASON) throw new AcceptanceRefused('say why it is accepted');
  return { name, reason };
}

/** The differences that an acceptance covers, as they are now. Throws `AcceptanceRefused` if one is not as it was seen. */
export function acceptedBy(
  account: string,
  groups: readonly JudgedGroup[],
  { keys, seen }: GivenAcceptance,
): readonly JudgedGroup[] {
  const unknown = keys?.find((key) => !groups.some((group) => group.key === key));
  if (unknown !== undefined) throw new AcceptanceRefused(`${account} has no difference ${unknown}`);
  const wanted = groups.filter(({ key, cause, accepted }) =>
    keys === undefined ? accepted === undefined && cause !== 'not-yet' : keys.includes(key),
  );
  const other = seen && wanted.find((group) => !seen.includes(markOf(group)));
  if (other === undefined) return wanted;
  throw new AcceptanceRefused(`${other.key} has changed since it was shown: look at it again`);
}
