import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Expected, SettleChanged, SettleGone } from '../../../mapping/settle/model.ts';
import { seenOf, shownIn, type ElementLikeness, type Sent } from './fit.ts';
import { entriesSeen } from './judge-entries.ts';
import { likeness } from './same-text.ts';
import { lastly, undecidable, type Verdict } from './verdict.ts';

/** Everything a change is judged by. */
export interface ChangedScene {
  readonly settle: SettleChanged;
  readonly sent: Sent;
  /** Undefined: there is no such record. */
  readonly record: XmlElement | undefined;
  /** Everything the read shows. */
  readonly records: readonly XmlElement[];
  readonly onV2: boolean;
  /** Another write of this account may have changed the same record meanwhile. */
  readonly overlaps: boolean;
  readonly isFinal: boolean;
}

/**
 * A change was carried out if the record has everything that was sent; it was not if, in the end, the record
 * has something else.
 */
export function judgeChanged(scene: ChangedScene): Verdict {
  const { settle, sent, records, overlaps, isFinal } = scene;
  const seen = settle.entries ? entriesSeen(settle.entries, sent, records) : recordSeen(scene);
  if (seen === undefined) return lastly(isFinal, undecidable('the record does not exist'));
  if (seen.length === 0) return undecidable('the record shows nothing of what was sent');
  if (overlaps) return lastly(isFinal, undecidable('another write may have changed the same record'));
  if (seen.every((one) => one === 'same'))
    return { verdict: 'done', note: 'the record matches what was sent' };
  return lastly(
    isFinal,
    seen.includes('different')
      ? { verdict: 'not-done', note: 'the record does not match what was sent' }
      : undecidable('the record resembles what was sent, but does not match it'),
  );
}

function recordSeen({ settle, sent, record, onV2 }: ChangedScene): readonly ElementLikeness[] | undefined {
  if (record === undefined) return undefined;
  const seen = [
    ...settle.compared.map((row) => seenOf(record, sent, row, onV2)),
    ...settle.is.map((row) => (holds(record, row) ? 'same' : 'different')),
  ] as const;
  return seen.filter((one) => one !== 'unseen');
}

/** Everything a deletion is judged by. */
export interface GoneScene {
  readonly settle: SettleGone;
  /** Undefined: there is no such record. */
  readonly record: XmlElement | undefined;
  readonly isFinal: boolean;
}

/** A deletion was carried out if the record is gone; it was not if, in the end, the record is still there. */
export function judgeGone({ settle, record, isFinal }: GoneScene): Verdict {
  const isGone =
    record === undefined || (settle.is.length > 0 && settle.is.every((row) => holds(record, row)));
  if (isGone) return { verdict: 'done', note: 'the record is gone' };
  return settle.isAll
    ? lastly(isFinal, undecidable('something is there that may have been added since'))
    : lastly(isFinal, { verdict: 'not-done', note: 'the record is still there' });
}

const holds = (record: XmlElement, { shown, text }: Expected): boolean =>
  likeness(text, shownIn(record, [shown]) ?? '', 'text') === 'same';
