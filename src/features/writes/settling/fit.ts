import type { XmlElement } from '../../../lib/xml/element.ts';
import type { FormatName } from '../../../mapping/formats.ts';
import type { Compared } from '../../../mapping/settle/model.ts';
import type { WriteFacts } from '../model.ts';
import { digestOf, LONGEST_VALUE } from '../write-call.ts';
import { isUnset, likeness, type Likeness, type Strictness } from './same-text.ts';

/** What the ledger keeps of a sent text: its beginning, and a digest of the whole if it is long. */
interface SentValue {
  readonly text: string;
  readonly digest: string | undefined;
}

/** What was sent, by the paths of its elements in lower case. */
export type Sent = ReadonlyMap<string, SentValue>;

/** From the values that the ledger keeps of a message. */
export const sentOf = (
  values: Readonly<Record<string, string>>,
  digests: Readonly<Record<string, string>> = {},
): Sent =>
  new Map(
    Object.entries(values).map(([path, text]) => [path.toLowerCase(), { text, digest: digests[path] }]),
  );

/** The same for a write. */
export const sentIn = ({ values, digests }: WriteFacts): Sent => sentOf(values, digests);

/** Whether two messages say the same. */
export const isEqual = (a: Sent, b: Sent): boolean =>
  a.size === b.size &&
  [...a].every(([name, { text, digest }]) => b.get(name)?.text === text && b.get(name)?.digest === digest);

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

/** What was sent under one of the names. */
export const sentValue = (sent: Sent, names: readonly string[]): SentValue | undefined => {
  const name = names.find((one) => sent.has(one));
  return name === undefined ? undefined : sent.get(name);
};

/** Its text, or the beginning of it. */
export const sentText = (sent: Sent, names: readonly string[]): string | undefined =>
  sentValue(sent, names)?.text.trim();

/** `unsent`: there is nothing to compare. `unseen`: it was sent, and the record does not tell its value. */
export type ElementLikeness = Likeness | 'unsent' | 'unseen';

/** Compares one element of a message that creates with a record that may be the one. */
export function seenOf(record: XmlElement, sent: Sent, row: Compared, onV2: boolean): ElementLikeness {
  const value = sentValue(sent, row.sent);
  const text = value?.text.trim() ?? '';
  if (value === undefined || text === '' || (onV2 && row.isLostOnV2)) return 'unsent';
  // A sender that does not choose the number of a new record writes 0.
  if (row.format === 'chosenNumber' && text === '0') return 'unsent';
  return shownAs(value, shownOf(record, row, value), row, 'loose');
}

/** Compares one element of a message that changes a record with that record. */
export function changeSeenOf(record: XmlElement, sent: Sent, row: Compared, onV2: boolean): ElementLikeness {
  const value = sentValue(sent, row.sent);
  if (value === undefined) return 'unsent';
  if (value.text.trim() === '' && row.isKeptIfEmpty) return 'unsent';
  const strictness = row.isChoice || row.isIdentifier ? 'loose' : 'exact';
  if (!onV2 || !row.isLostOnV2) return shownAs(value, shownOf(record, row, value), row, strictness);
  // V2's reply may show what was known of it before.
  return shownAs(value, shownIn(record, row.shown), row, strictness) === 'same' ? 'same' : 'unseen';
}

/** Undefined: the record does not tell. One that does not show what was emptied has nothing there. */
function shownOf(record: XmlElement, row: Compared, { text }: SentValue): string | undefined {
  const isEmptied = row.omitted === 'empty' || text.trim() === '';
  return shownIn(record, row.shown) ?? (isEmptied ? '' : undefined);
}

/** Compares a sent text with the shown one; `unseen`: it is not shown. */
export function shownAs(
  value: SentValue,
  shown: string | undefined,
  { format, isIdentifier }: Pick<Compared, 'format' | 'isIdentifier'>,
  strictness: Strictness,
): Likeness | 'unseen' {
  if (shown === undefined) return 'unseen';
  const as = isIdentifier ? 'text' : format;
  const text = value.text.trim();
  if (text === '') return emptied(shown, as);
  if (shown === '' && isUnset(text, as)) return 'same';
  return isInPart(value) ? inPart(value, shown, as) : likeness(text, shown, as, strictness);
}

/** A zero may be how the service shows an amount without a value. */
function emptied(shown: string, format: FormatName): Likeness {
  if (shown === '' || isUnset(shown, format)) return 'same';
  return likeness('0', shown, format) === 'same' ? 'alike' : 'different';
}

const isInPart = ({ text, digest }: SentValue): boolean =>
  digest !== undefined || text.length >= LONGEST_VALUE;

/** Of a text that is kept in part, the beginning alone is not certain. */
function inPart({ text, digest }: SentValue, shown: string, format: FormatName): Likeness {
  if (digest === digestOf(shown)) return 'same';
  const beginning = likeness(text.trim(), shown.slice(0, LONGEST_VALUE).trim(), format);
  return beginning === 'same' ? 'alike' : beginning;
}

/** The record has a text that was not in the message. */
export const hasMore = (record: XmlElement, sent: Sent, { isOwn, sent: names, shown }: Compared): boolean =>
  isOwn && (sentText(sent, names) ?? '') === '' && (shownIn(record, shown) ?? '') !== '';
