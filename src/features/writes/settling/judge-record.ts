import type { XmlElement } from '../../../lib/xml/element.ts';
import type {
  Compared,
  Entries,
  Expected,
  SettleChanged,
  SettleGone,
} from '../../../mapping/settle/model.ts';
import {
  changeSeenOf,
  sentText,
  sentValue,
  shownAs,
  shownIn,
  type ElementLikeness,
  type Sent,
} from './fit.ts';
import { isUnset, likeness } from './same-text.ts';
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
  /** V1 got the message as it was, with elements that the mapping does not know. */
  readonly isForwarded: boolean;
  /** Another write of this account may have changed the same record meanwhile. */
  readonly overlaps: boolean;
  readonly isFinal: boolean;
}

/**
 * A change was carried out if the record shows everything that was sent, exactly or as the format of the element has
 * it; it was not if, in the end, the record has something else. Nothing else that was sent may be out of sight.
 */
export function judgeChanged(scene: ChangedScene): Verdict {
  const { settle, sent, records, overlaps, isFinal } = scene;
  const all = settle.entries ? entriesSeen(settle.entries, sent, records) : recordSeen(scene);
  if (all === undefined) return lastly(isFinal, undecidable('the record does not exist'));
  const seen = all.filter((one) => one !== 'unsent');
  if (seen.every((one) => one === 'unseen')) return undecidable('the record shows nothing of what was sent');
  if (overlaps) return lastly(isFinal, undecidable('another write may have changed the same record'));
  if (seen.every((one) => one === 'same'))
    return { verdict: 'done', note: 'the record matches what was sent' };
  if (seen.includes('different'))
    return lastly(isFinal, { verdict: 'not-done', note: 'the record does not match what was sent' });
  return lastly(
    isFinal,
    undecidable(
      seen.includes('alike')
        ? 'the record resembles what was sent, but does not match it'
        : 'the record does not show everything that was sent',
    ),
  );
}

function recordSeen(scene: ChangedScene): readonly ElementLikeness[] | undefined {
  const { settle, sent, record, onV2 } = scene;
  if (record === undefined) return undefined;
  return [
    ...settle.compared.map((row) => changeSeenOf(record, sent, row, onV2)),
    ...settle.is.map((row) => (holds(record, row) ? 'same' : 'different')),
    ...outOfSight(record, scene).map(() => 'unseen' as const),
  ];
}

/** The paths of elements that the service may have taken from the message, and that no row compares. */
function outOfSight(record: XmlElement, { settle, sent, isForwarded }: ChangedScene): readonly string[] {
  const named = settle.read.segments.flatMap((one) =>
    typeof one !== 'string' && one.from === 'body' ? one.names : [],
  );
  const known = [...settle.compared.flatMap((row) => row.sent), ...named, ...(settle.find?.sent ?? [])];
  return [...sent.keys()].filter((path) => {
    if (settle.besides.some((name) => isWithin(path, name))) return true;
    const text = sentText(sent, [path]) ?? '';
    return isForwarded && text !== '' && !known.includes(path) && shownIn(record, path.split('/')) !== text;
  });
}

const isWithin = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}[`);

/**
 * Compares each repeated element of the message with the record's entry of the same key; undecided if a key
 * occurs twice.
 */
function entriesSeen(
  entries: Entries,
  sent: Sent,
  records: readonly XmlElement[],
): readonly ElementLikeness[] {
  const seen: ElementLikeness[] = [];
  const met = new Set<unknown>();
  for (let nth = 1; ; nth += 1) {
    const own = within(sent, nth === 1 ? entries.sent : `${entries.sent}[${nth}]`);
    if (own.size === 0) return seen;
    const record = records.find((one) => isOf(one, own, entries));
    const key = record ?? entries.keys.map((one) => sentText(own, one.sent)?.toLowerCase()).join();
    if (met.has(key)) return ['alike'];
    met.add(key);
    seen.push(entrySeen(entries, own, record));
  }
}

/** What was sent inside one element. */
const within = (sent: Sent, element: string): Sent =>
  new Map(
    [...sent].flatMap(([path, value]) =>
      path.startsWith(`${element}/`) ? [[path.slice(element.length + 1), value] as const] : [],
    ),
  );

const isOf = (record: XmlElement, own: Sent, { keys }: Entries): boolean =>
  keys.some((key) => {
    const text = sentText(own, key.sent) ?? '';
    return text !== '' && shownIn(record, key.shown)?.toLowerCase() === text.toLowerCase();
  });

/** A value may be shown in another element than it was sent in; without one the entry is cleared. */
function entrySeen({ values }: Entries, own: Sent, record: XmlElement | undefined): ElementLikeness {
  const textIn = (row: Compared): string => (record && shownIn(record, row.shown)) ?? '';
  const holding = values.find((row) => textIn(row) !== '');
  const [row, ...others] = values.filter((one) => (sentText(own, one.sent) ?? '') !== '');
  if (row === undefined)
    return holding === undefined || isUnset(textIn(holding), holding.format) ? 'same' : 'different';
  // A field has one value, and nobody knows which one the service took.
  const value = others.length > 0 ? undefined : sentValue(own, row.sent);
  return value === undefined
    ? 'unseen'
    : shownAs(value, holding === undefined ? '' : textIn(holding), row, 'exact');
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
