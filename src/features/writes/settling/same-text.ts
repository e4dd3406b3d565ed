import { isMasked, dayOf, formatOf, type FormatName } from '../../../mapping/formats.ts';
import { decimalText, differenceOf, isPlainDecimal, sumOf } from '../../../mapping/numbers.ts';

/** `alike`: the service may have rewritten it; it is not certain. */
export type Likeness = 'same' | 'alike' | 'different';

type Compare = (sent: string, shown: string) => Likeness;

const equal = (isEqual: boolean): Likeness => (isEqual ? 'same' : 'different');

const spaced = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** In characters: a shorter text occurs inside others by chance. */
const SHORTEST_PART = 5;

const texts: Compare = (sent, shown) => {
  if (spaced(sent) === spaced(shown)) return 'same';
  const [a, b] = [letters(sent), letters(shown)];
  if (a === b) return a === '' ? 'different' : 'alike';
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= SHORTEST_PART && longer.includes(shorter) ? 'alike' : 'different';
};

const days: Compare = (sent, shown) => {
  const day = dayOf(sent);
  return day === undefined ? 'alike' : equal(day === dayOf(shown));
};

/** The shown amount may be the sent one, rounded by the service. */
const amounts: Compare = (sent, shown) => {
  const [a, b] = [decimalText(sent.trim()), decimalText(shown.trim() || '0')];
  if (a === undefined || b === undefined || ![a, b].every(isPlainDecimal)) return texts(sent, shown);
  if (sumOf([a]) === sumOf([b])) return 'same';
  return Math.abs(Number(differenceOf(a, b))) <= 0.01 ? 'alike' : 'different';
};

/** By what the texts mean, where both can be read. */
const meanings =
  (meaning: (text: string) => unknown): Compare =>
  (sent, shown) => {
    const [a, b] = [sent, shown].map(meaning);
    return a === undefined || b === undefined ? texts(sent, shown) : equal(a === b);
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

const tails: Compare = (sent, shown) => {
  if (isMasked(sent)) return 'same'; // it went no further
  return isMasked(shown) ? equal(sent.trim().slice(-3) === shown.trim().slice(-3)) : texts(sent, shown);
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
export const likeness = (sent: string, shown: string, format: FormatName): Likeness =>
  (byFormat[format] ?? texts)(sent, shown);

/**
 * A flag without a value is shown as none or as false, and is false (XML specification, "Custom field methods", rule
 * 1).
 */
export const isUnset = (text: string, format: FormatName): boolean =>
  byFormat[format] === flags && flags(text, 'false') === 'same';
