import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Compared, Entries } from '../../../mapping/settle/model.ts';
import { LONGEST_VALUE } from '../write-call.ts';
import { sentText, shownIn, type Sent } from './fit.ts';
import { isUnset, likeness, type Likeness } from './same-text.ts';

/**
 * Compares each repeated element of the message with the record's entry of the same key; undecided if a key
 * occurs twice.
 */
export function entriesSeen(
  entries: Entries,
  sent: Sent,
  records: readonly XmlElement[],
): readonly Likeness[] {
  const seen: Likeness[] = [];
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
    [...sent].flatMap(([path, text]) =>
      path.startsWith(`${element}/`) ? [[path.slice(element.length + 1), text] as const] : [],
    ),
  );

const isOf = (record: XmlElement, own: Sent, { keys }: Entries): boolean =>
  keys.some((key) => {
    const text = sentText(own, key.sent) ?? '';
    return text !== '' && shownIn(record, key.shown)?.toLowerCase() === text.toLowerCase();
  });

/** A value may be shown in another element than it was sent in; without one the entry is cleared. */
function entrySeen({ values }: Entries, own: Sent, record: XmlElement | undefined): Likeness {
  const textIn = (row: Compared | undefined): string => (record && row && shownIn(record, row.shown)) ?? '';
  const holding = values.find((row) => textIn(row) !== '');
  const shown = textIn(holding);
  const row = values.find((one) => (sentText(own, one.sent) ?? '') !== '');
  if (row === undefined)
    return holding === undefined || isUnset(shown, holding.format) ? 'same' : 'different';
  const text = sentText(own, row.sent) ?? '';
  if (shown === '') return isUnset(text, row.format) ? 'same' : 'different';
  return likeness(text, text.length >= LONGEST_VALUE ? shown.slice(0, LONGEST_VALUE) : shown, row.format);
}
