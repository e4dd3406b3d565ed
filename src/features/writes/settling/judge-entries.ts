import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Compared, Entries } from '../../../mapping/settle/model.ts';
import { sentText, sentValue, shownAs, shownIn, type ElementLikeness, type Sent } from './fit.ts';
import { isUnset } from './same-text.ts';

/**
 * Compares each repeated element of the message with the record's entry of the same key; undecided if a key
 * occurs twice.
 */
export function entriesSeen(
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
