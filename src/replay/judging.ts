/** Compares the calls played on one way with those played on another. */
import { createHash } from 'node:crypto';
import { unmasked } from '../features/samples/masking.ts';
import type { SampledElement } from '../features/samples/sample.ts';
import type { Difference } from '../features/cutover/parity/difference.ts';
import type { Method } from '../mapping/compile/model.ts';
import { isRead } from '../mapping/compile/reads.ts';
import { compare } from '../proof/comparison/compare.ts';
import { differingByDesign, undeclared } from '../proof/comparison/declared.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import { MINUTE, SECOND } from '../lib/time/clock.ts';
import type { ReplayCall } from '../proof/rehearsal/order.ts';
import type { Way, PlayedReply } from './play.ts';

/** When calls were played, by the clock of their sandbox, in milliseconds since the epoch. */
export interface Played {
  readonly from: number;
  readonly to: number;
}

/**
 * The time of a run whose clock began at `from` and has run for `millis`. A recorded call is dated by its end, so V1 may
 * have stamped its record earlier, and by a clock of its own. An earlier run may have taken longer: it wrote the golden
 * files.
 */
export const playedFrom = (from: number, millis: number): Played => ({
  from: from - LONGEST_CALL - CLOCKS_APART,
  to: from + Math.max(millis, LONGEST_RUN),
});

/** In milliseconds: of the first call, as recorded. */
const LONGEST_CALL = MINUTE;

/** In milliseconds: between the clocks of V1 and of the bridge. */
const CLOCKS_APART = MINUTE;

/** In milliseconds. */
const LONGEST_RUN = 15 * MINUTE;

/** Page sizes of the sandbox's lists on V3 and V2. */
const PAGES = [100, 500, 1_000];

/**
 * Returns the differences between two replies, except those that the mapping declares for the way. For a
 * write only acceptance is compared, because the records it creates have other numbers and times.
 */
export function differencesOf(
  method: Method,
  way: Way,
  before: Pick<PlayedReply, 'root' | 'isOk' | 'status'>,
  after: Pick<PlayedReply, 'root' | 'isOk' | 'status'>,
  played: Played,
): readonly Difference[] {
  if (before.isOk !== after.isOk)
    return [refusal(after.isOk ? 'V1 refuses it, and here it is taken' : wordsOf(after))];
  const isOneUnreadable = (before.root === undefined) !== (after.root === undefined);
  if (before.status !== after.status || isOneUnreadable)
    return [refusal(`V1 refuses it with status ${before.status}, and here: ${wordsOf(after)}`)];
  if (!isRead(method) || before.root === undefined || after.root === undefined) return [];
  return contentDifferences(method, way, before.root, after.root, played);
}

/** Returns the differences between two replies that can be read. */
export function contentDifferences(
  method: Method,
  way: Way,
  before: XmlElement,
  after: XmlElement,
  played: Played,
): readonly Difference[] {
  const rules = { pageSizes: PAGES, ignored: differingByDesign(method) };
  const found = compare(content(before), content(after), rules).filter((one) => !areCallTimes(one, played));
  return undeclared(found, method, way);
}

/** Without `api-method`: it repeats the call's address, and recorded replies do not have it (`ReadableSamples`). */
const content = (root: XmlElement): SampledElement =>
  unmasked({ ...root, attributes: root.attributes.filter(([name]) => name !== 'api-method') });

/** One reply is a refusal and the other is not, so no elements can be compared. */
const refusal = (detail: string): Difference => ({
  ...{ cause: 'refused', path: 'Response', records: [], before: '', after: '', detail },
});

/** The service's words for a refusal, which name the reason and no record. */
function wordsOf({ root, status }: Pick<PlayedReply, 'root' | 'status'>): string {
  if (root === undefined) return `its reply cannot be read, status ${status}`;
  const said = childTextOf(root, 'ErrorDescription');
  return said === '' ? `it answers ${status}` : said;
}

/** Why the seeded sandbox does not answer as the service did. */
export interface Unfaithful {
  readonly why: string;
  /** Both accept or refuse the call, and show the same records: only elements of them differ. */
  readonly isApproximate: boolean;
}

/**
 * How the seeded sandbox answers otherwise than the service did; undefined if it does not. For a write only acceptance is
 * compared here, too.
 */
export function unfaithful(
  method: Method,
  expected: ReplayCall['expected'],
  { root, isOk }: Pick<PlayedReply, 'root' | 'isOk'>,
  played: Played,
): Unfaithful | undefined {
  if (expected === undefined) return otherwise('the reply was too long to be kept');
  const wasOk = childTextOf(expected, 'Status') === 'OK';
  if (wasOk && !isOk) return otherwise(`the sandbox refuses it: ${childTextOf(root, 'ErrorDescription')}`);
  if (!wasOk && isOk) return otherwise('the sandbox takes what the service refused');
  if (root === undefined) return otherwise('the reply cannot be read');
  const found = isRead(method) ? contentDifferences(method, 'v1', expected, root, played) : [];
  const [first] = found;
  return first && { why: `${first.cause} at ${first.path}`, isApproximate: !found.some(isRecordMissing) };
}

const otherwise = (why: string): Unfaithful => ({ why, isApproximate: false });

/** Whether records are missing, or the only element with content. */
const isRecordMissing = ({ cause, path }: Difference): boolean =>
  cause === 'missing-record' ||
  cause === 'paging' ||
  (cause === 'missing-element' && /^Response\/[^@/]+$/.test(path));

const childTextOf = (root: XmlElement | undefined, name: string): string =>
  root?.children.find((child) => child.name === name)?.text.trim() ?? '';

/** Date and time in the service's format: UTC, with or without saying so. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** Whether both values are times at which the calls were played, in one form. */
const areCallTimes = ({ before, after }: Difference, played: Played): boolean =>
  digitsMasked(before) === digitsMasked(after) && [before, after].every((text) => isDuring(text, played));

const digitsMasked = (text: string): string => text.replaceAll(/\d/g, '0');

/** The service writes whole seconds. */
const isDuring = (text: string, { from, to }: Played): boolean => {
  const at = MOMENT.test(text) ? Date.parse(`${text.slice(0, 19)}Z`) : NaN;
  return at > from - SECOND && at <= to;
};

/** Distinguishes groups of differences. */
export const signature = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
