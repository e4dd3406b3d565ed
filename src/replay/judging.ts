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
import { MINUTE } from '../lib/time/clock.ts';
import type { Way, PlayedReply } from './play.ts';

/** Page sizes of the sandbox's lists on V3 and V2. */
const PAGES = [100, 500, 1_000];

/**
 * Returns the differences between two replies, except those that the mapping declares for the way. For a
 * write only acceptance is compared, because the records it creates have other numbers and times.
 */
export function differencesOf(
  method: Method,
  way: Way,
  before: Pick<PlayedReply, 'root' | 'isOk'>,
  after: Pick<PlayedReply, 'root' | 'isOk' | 'status'>,
): readonly Difference[] {
  if (before.isOk !== after.isOk)
    return [refusal(after.isOk ? 'V1 refuses it, and here it is taken' : wordsOf(after))];
  if (!isRead(method) || before.root === undefined || after.root === undefined) return [];
  return contentDifferences(method, way, before.root, after.root);
}

/** Returns the differences between two replies that can be read. */
export function contentDifferences(
  method: Method,
  way: Way,
  before: XmlElement,
  after: XmlElement,
): readonly Difference[] {
  const rules = { pageSizes: PAGES, ignored: differingByDesign(method) };
  const found = compare(content(before), content(after), rules).filter((one) => !isSameMoment(one));
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
  const said = root?.children.find(({ name }) => name === 'ErrorDescription')?.text.trim();
  return said === undefined || said === '' ? `it answers ${status}` : said;
}

/** Date and time in the service's format, without a zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
/** In milliseconds: the time between playing the same call on two ways. */
const APART = 15 * MINUTE;

/** Whether both values are times at which the played calls were made. */
function isSameMoment({ before, after }: Difference): boolean {
  if (!MOMENT.test(before) || !MOMENT.test(after)) return false;
  const [one, other] = [before, after].map((text) => Date.parse(`${text.slice(0, 19)}Z`));
  return Math.abs((one ?? 0) - (other ?? 0)) < APART && before !== after;
}

/** Distinguishes groups of differences. */
export const signature = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);
