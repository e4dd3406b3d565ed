import { isMasked, dayOf, formatOf, type FormatName } from '../../../mapping/formats.ts';
import { withPlainBreaks } from '../write-call.ts';
import { decimalText, differenceOf, isPlainDecimal, sumOf } from '../../../mapping/numbers.ts';

/** `alike`: the service may have rewritten it; it is not certain. */
export type Likeness = 'same' | 'alike' | 'different';

/** `exact`: texts are the same only if no letter, sign or space differs. */
export type Strictness = 'exact' | 'loose';

type Compare = (sent: string, shown: string, strictness: Strictness) => Likeness;

const equal = (isEqual: boolean): Likeness => (isEqual ? 'same' : 'different');

const spaced = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** In characters: a shorter text occurs inside others by chance. */
const SHORTEST_PART = 5;

const texts: Compare = (sent, shown, strictness) => {
  if (withPlainBreaks(sent) === withPlainBreaks(shown)) return 'same';
  if (spaced(sent) === spaced(shown)) return strictness === 'exact' ? 'alike' : 'same';
  const [a, b] = [letters(sent), letters(shown)];
  if (a === b) return a === '' ? 'different' : 'alike';
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= SHORTEST_PART && longer.includes(shorter) ? 'alike' : 'different';
};

/** The time of day in a date; undefined: none, or midnight. */
const timeIn = (text: string): string | undefined => /T(?!00:00(?::00)?(?![\d:]))([\d:]+)/.exec(text)?.[1];

const days: Compare = (sent, shown, strictness) => {
  const day = dayOf(sent);
  if (day === undefined) return 'alike';
  if (day !== dayOf(shown)) return 'different';
  return strictness === 'exact' && timeIn(sent) !== timeIn(shown) ? 'alike' : 'same';
};

/** The shown amount may be the sent one, rounded by the service. */
const amounts: Compare = (sent, shown, strictness) => {
  const [a, b] = [decimalText(sent.trim()), decimalText(shown.trim() || '0')];
  if (a === undefined || b === undefined || ![a, b].every(isPlainDecimal))
    return texts(sent, shown, strictness);
  if (sumOf([a]) === sumOf([b])) return strictness === 'exact' && shown.trim() === '' ? 'alike' : 'same';
  return Math.abs(Number(differenceOf(a, b))) <= 0.01 ? 'alike' : 'different';
};

/** By what the texts mean, where both can be read. */
const meanings =
  (meaning: (text: string) => unknown): Compare =>
  (sent, shown, strictness) => {
    const [a, b] = [sent, shown].map(meaning);
    return a === undefined || b === undefined ? texts(sent, shown, strictness) : equal(a === b);
  };

const flags = meanings((text) => formatOf('yesNo').toV2?.(text)?.[0]);
const clockTimes = meanings((text) => formatOf('timeOfDay').toV2?.(text)?.[0]);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `3`, `Mar` and `March`; V2 may show the day on which the year ends. */
const months = meanings((text) => {
  const [, number, name] = /^(?:\d{4}-)?(\d{1,2})(?:-\d{2}.*)?$|^([a-z]{3})[a-z]*$/i.exec(text.trim()) ?? [];
  if (number !== undefined) return Number(number);
  const place = MONTHS.indexOf(name?.toLowerCase() ?? '');
  return place < 0 ? undefined : place + 1;
});

/** `2` and `2 Monthly`; `1` and `Monthly`. */
const periods = meanings((text) =>
  text
    .trim()
    .toLowerCase()
    .replace(/^monthly$/, '1')
    .replace(/\s*monthly$/, ''),
);

const tails: Compare = (sent, shown, strictness) => {
  const hidden = strictness === 'exact' && sent.trim() !== shown.trim() ? 'alike' : 'same';
  if (isMasked(sent)) return hidden; // it went no further
  if (!isMasked(shown)) return texts(sent, shown, strictness);
  return sent.trim().slice(-3) === shown.trim().slice(-3) ? hidden : 'different';
};

/** For the formats in which different texts may mean the same. */
const byFormat: Partial<Record<FormatName, Compare>> = {
  ...{ date: days, plainDate: days, compactDate: days, utcDateTime: days, dayOrText: days },
  ...{
    money: amounts,
    integer: amounts,
    minutes: amounts,
    decimal: amounts,
    whole: amounts,
    fraction: amounts,
  },
  ...{ yesNo: flags, trueFalse: flags, flagOrText: flags },
  timeOfDay: clockTimes,
  month: months,
  gstPeriod: periods,
  maskedTail: tails,
};

/** Compares an element of a message with what the record shows: dates, amounts and flags by value. */
export const likeness = (
  sent: string,
  shown: string,
  format: FormatName,
  strictness: Strictness = 'loose',
): Likeness => (byFormat[format] ?? texts)(sent, shown, strictness);

/**
 * A flag without a value is shown as none or as false, and is false (XML specification, "Custom field methods", rule
 * 1).
 */
export const isUnset = (text: string, format: FormatName): boolean =>
  byFormat[format] === flags && flags(text, 'false', 'loose') === 'same';
