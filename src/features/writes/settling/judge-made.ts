/**
 * Judges by the records that were created whether a creating write was carried out, and which record it
 * created.
 *
 * A record counts as a candidate if it has every value that was sent and no other text, and nothing suggests
 * that it existed before: no other write has claimed it, and its number was first seen after the write began,
 * or the list contains nothing older. Writes that cannot be told apart are judged together. If there are
 * exactly as many records as writes, each created one; if there is none after the service's latest handling,
 * none was carried out; an operator decides everything in between.
 */
import { isUuid } from '../../../lib/text/uuid.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { SettleMade } from '../../../mapping/settle/model.ts';
import { hasMore, seenOf, shownIn, type Sent } from './fit.ts';
import { lastly, undecidable, type Verdict } from './verdict.ts';

/** Another write whose record is not known. */
export interface Rival {
  readonly sent: Sent;
  /** It cannot be told apart from this one. */
  readonly isTwin: boolean;
  /** The service may still carry it out, or its process is working on it. */
  readonly isPending: boolean;
  /** Its process is working on it, and may hear which record it created. */
  readonly isOpen: boolean;
}

/** Everything a creating write is judged by. */
export interface MadeScene {
  readonly settle: SettleMade;
  readonly sent: Sent;
  readonly records: readonly XmlElement[];
  /** It went to V2, or is read there. */
  readonly onV2: boolean;
  /**
   * The numbers in the list are the service's own: they do not reliably tell when a record was first seen.
   */
  readonly ownNumbers: boolean;
  /** Numbers up to this were seen before the write began; undefined: not known. */
  readonly knownTo: number | undefined;
  /** Numbers of records that other writes are known to have created. */
  readonly claimed: ReadonlySet<string>;
  readonly rivals: readonly Rival[];
  /** The service will not carry it out any more. */
  readonly isFinal: boolean;
}

type Fit = 'same' | 'near' | 'other';
type Age = 'new' | 'old' | 'unsure';

/** The number of a record; '' if it has none. */
export const numberIn = (record: XmlElement): string => shownIn(record, ['ID']) ?? '';

/** See the head of the file. */
export function judgeMade(scene: MadeScene): Verdict {
  const { records, claimed, rivals, isFinal, sent } = scene;
  const free = records.filter((record) => !claimed.has(numberIn(record)) && ageOf(record, scene) !== 'old');
  const matches = free.filter((record) => fitOf(record, sent, scene) === 'same');
  const twins = rivals.filter(({ isTwin }) => isTwin);
  const others = rivals.filter(({ isTwin }) => !isTwin);
  if (matches.some((record) => others.some((rival) => fitOf(record, rival.sent, scene) !== 'other')))
    return lastly(isFinal, undecidable('another write of unknown outcome may have made the same record'));
  const writes = twins.length + 1;
  if (isFinal && matches.length === 0) return missing(free, scene);
  // Its caller may be getting a number at this moment; the same must not be given out twice.
  if (twins.some(({ isOpen }) => isOpen))
    return { verdict: 'later', note: 'an identical write is still open' };
  if (matches.length === writes) return certain(matches, scene);
  if (matches.length > writes)
    return lastly(isFinal, undecidable('more records match what was sent than there are writes'));
  if (twins.some(({ isPending }) => isPending))
    return { verdict: 'later', note: 'an identical write is still open' };
  if (matches.length > 0)
    return lastly(isFinal, undecidable('fewer records match what was sent than there are identical writes'));
  return { verdict: 'later', note: 'no record matches what was sent' };
}

/** No record is equal: the write was not carried out, whatever becomes of an equal one. */
function missing(free: readonly XmlElement[], scene: MadeScene): Verdict {
  const { sent, rivals } = scene;
  const others = rivals.filter(({ isTwin }) => !isTwin);
  const near = free.some(
    (record) =>
      fitOf(record, sent, scene) === 'near' &&
      !others.some((rival) => fitOf(record, rival.sent, scene) === 'same'),
  );
  return near
    ? undecidable('a record resembles what was sent, but does not match it')
    : { verdict: 'not-done', note: 'no record matches what was sent' };
}

function certain(matches: readonly XmlElement[], scene: MadeScene): Verdict {
  const { isFinal, settle } = scene;
  if (matches.some((record) => ageOf(record, scene) !== 'new'))
    return lastly(isFinal, undecidable('the record that matches what was sent may be older than the write'));
  const numbers = matches.map(numberIn);
  if (settle.kind !== undefined && numbers.includes(''))
    return lastly(isFinal, undecidable('the number of the record that matches what was sent is not known'));
  const [made = ''] = numbers.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return {
    verdict: 'done',
    made: made === '' ? undefined : made,
    note: 'the record was found',
  };
}

/** Whether the record existed before the write. */
function ageOf(record: XmlElement, { settle, knownTo, ownNumbers }: MadeScene): Age {
  const { numbered, isSince } = settle;
  const text = numbered === undefined ? '' : (shownIn(record, [numbered.element]) ?? '');
  // It has no number yet, and stays without one if that shows that it is new.
  if (isUuid(text)) return 'new';
  const number = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
  if (number === undefined || knownTo === undefined) return isSince ? 'new' : 'unsure';
  if (number > knownTo) return 'new';
  return ownNumbers ? 'unsure' : 'old';
}

function fitOf(record: XmlElement, sent: Sent, { settle, onV2 }: MadeScene): Fit {
  const seen = (rows: SettleMade['by']): readonly string[] =>
    rows.map((row) => seenOf(record, sent, row, onV2));
  if (seen(settle.by).includes('different')) return 'other';
  const isUnequal = seen(settle.compared).some((one) => one !== 'same' && one !== 'unsent');
  const isUnseen = seen(settle.by).every((one) => one === 'unsent' || one === 'unseen');
  return isUnequal || isUnseen || settle.compared.some((row) => hasMore(record, sent, row)) ? 'near' : 'same';
}
