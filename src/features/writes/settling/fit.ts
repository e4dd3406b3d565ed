import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Compared } from '../../../mapping/settle/model.ts';
import { LONGEST_VALUE } from '../write-call.ts';
import { likeness, type Likeness } from './same-text.ts';

/** What was sent, by the paths of its elements in lower case. */
export type Sent = ReadonlyMap<string, string>;

/** From the values that the ledger keeps of a message. */
export const sentOf = (values: Readonly<Record<string, string>>): Sent =>
  new Map(Object.entries(values).map(([path, text]) => [path.toLowerCase(), text]));

/**
 * The text of an element of a record, by its path of names from the record; undefined: the record does not
 * have it.
 */
export function shownIn(record: XmlElement, names: readonly string[]): string | undefined {
  let found: XmlElement | undefined = record;
  for (const name of names)
    found = found?.children.find((child) => child.name.toLowerCase() === name.toLowerCase());
  return found?.text.trim();
}

/** The text that was sent under one of the names. */
export const sentText = (sent: Sent, names: readonly string[]): string | undefined => {
  const name = names.find((one) => sent.has(one));
  return name === undefined ? undefined : sent.get(name)?.trim();
};

/** `unseen`: it was not sent, or the record does not show it. */
export type ElementLikeness = Likeness | 'unseen';

/** Compares one sent element with the record. */
export function seenOf(record: XmlElement, sent: Sent, row: Compared, onV2: boolean): ElementLikeness {
  const text = sentText(sent, row.sent) ?? '';
  const shown = shownIn(record, row.shown);
  if (text === '' || shown === undefined || (onV2 && row.isLostOnV2)) return 'unseen';
  // A sender that does not choose the number of a new record writes 0.
  if (row.format === 'chosenNumber' && text === '0') return 'unseen';
  const cut = text.length >= LONGEST_VALUE ? shown.slice(0, LONGEST_VALUE) : shown;
  return likeness(text, cut, row.isIdentifier ? 'text' : row.format);
}

/** The record has a text that was not in the message. */
export const hasMore = (record: XmlElement, sent: Sent, { isOwn, sent: names, shown }: Compared): boolean =>
  isOwn && (sentText(sent, names) ?? '') === '' && (shownIn(record, shown) ?? '') !== '';
