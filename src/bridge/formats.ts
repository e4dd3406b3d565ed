import { isMasked, isPlainDecimal, timeOfDay, twoPlaces } from './dialect.ts';
import { entries, own, textOf } from './mapping/path.ts';
import { decimalText, differenceOf, productOf, sumOf } from './translate/numbers.ts';

/**
 * Value formats by name: what a mapping cannot say becomes a format here, with its own test. V3 speaks the legacy form
 * already, so `fromV3` mostly leaves a text alone; V2 has JSON values.
 */
export interface Format {
  /** Of V3's text, where it differs from the legacy form. */
  readonly fromV3?: (text: string) => string;
  /**
   * Legacy text of what V2 gives, one value for each path of the row; undefined where V2 has none. `lost` is called
   * when the text says less than the value.
   */
  readonly fromV2: (values: readonly unknown[], lost: () => void) => string | undefined;
  /** The ways come in groups of so many; the first group that holds a value is read, and no way behind it is walked. */
  readonly group?: number;
  /**
   * JSON values for the legacy text of a request, one for each path of the row; undefined when the text has not the
   * form. Left out: the format is for replies only.
   */
  readonly toV2?: (text: string) => readonly unknown[] | undefined;
}

const single =
  (read: (value: unknown, lost: () => void) => string | undefined): Format['fromV2'] =>
  ([value], lost) =>
    value === undefined || value === null ? undefined : read(value, lost);

const texts = (read: (text: string, lost: () => void) => string | undefined): Format['fromV2'] =>
  single((value, lost) => {
    const text = textOf(value);
    return text === undefined ? undefined : read(text, lost);
  });

const plain = texts((text) => text);
const one = (value: unknown): readonly unknown[] => [value];

const DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)/;

/** `yyyyMMdd`, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss[Z]`, as legacy programs write days; undefined for no day at all. */
export function dayOf(text: string): string | undefined {
  const match = /^(\d{4})-?(\d{2})-?(\d{2})(?:T[\d:.]+Z?)?$/.exec(text.trim());
  if (!match) return undefined;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? undefined : day;
}

function momentOf(text: string): string | undefined {
  const day = dayOf(text);
  if (day === undefined) return undefined;
  const match = MOMENT.exec(text.trim());
  const time = match?.[2] ?? '00:00:00';
  return `${day}T${time.length === 5 ? `${time}:00` : time}`;
}

/** `Yes`, `true`, `1` and their opposites, in any case: all of them are met. */
function flagOf(text: string): boolean | undefined {
  const flag = text.trim().toLowerCase();
  if (['yes', 'true', '1'].includes(flag)) return true;
  return ['no', 'false', '0'].includes(flag) ? false : undefined;
}

const flag = (yes: string, no: string): Format => ({
  fromV2: single((value) => (isSet(value) ? yes : no)),
  toV2: (text) => {
    const value = flagOf(text);
    return value === undefined ? undefined : [value];
  },
});

const isSet = (value: unknown): boolean => value === true || (textOf(value) ?? '').toLowerCase() === 'true';

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** No plain object: a type that is called like something every object has would be none of these words. */
const VALUE_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['number', 'Decimal'],
  ['date', 'Date'],
  ['checkbox', 'Boolean'],
]);

const WHOLE = /^-?\d+$/;

/** A JSON number; one that a double cannot hold goes as text. */
function numberOf(text: string): readonly unknown[] | undefined {
  const trimmed = text.trim();
  if (!PLAIN.test(trimmed)) return undefined;
  const digits = trimmed.replace(/[-.]/g, '').replace(/^0+/, '');
  return [digits.length > 15 ? trimmed : Number(trimmed)];
}

/** Digits behind the point that two places do not show. */
const isFiner = (text: string): boolean => /\.\d\d\d*[1-9]/.test(text);

function money(given: string, lost: () => void): string {
  const text = decimalText(given) ?? given;
  if (isFiner(text)) lost();
  return twoPlaces(text);
}

const joinedName = (values: readonly unknown[]): string | undefined => {
  let name = '';
  for (const value of values) {
    const part = textOf(value)?.trim() ?? '';
    if (part !== '') name = name === '' ? part : `${name} ${part}`;
  }
  return name === '' ? undefined : name;
};

/**
 * The last word is the last name; a single word goes to the first name, so that joining gives the same text. V2 keeps
 * first and last name apart, V1 knows one name.
 */
function splitName(text: string): readonly [string, string] {
  const name = text.trim();
  const at = name.lastIndexOf(' ');
  return at < 0 ? [name, ''] : [name.slice(0, at).trimEnd(), name.slice(at + 1)];
}

/** The decimal text of a JSON number, or of a number that came as text; undefined of anything else. */
function decimalOf(value: unknown): string | undefined {
  const text = textOf(value);
  const plain = text === undefined ? undefined : decimalText(text);
  return plain !== undefined && isPlainDecimal(plain) ? plain : undefined;
}

/** Minutes since midnight, as the OAuth form of V3 prints times, are taken too. */
function clockTime(text: string): string | undefined {
  const trimmed = text.trim();
  const match = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(trimmed);
  const minutes = match
    ? Number(match[1]) * 60 + Number(match[2])
    : /^\d{1,4}$/.test(trimmed)
      ? Number(trimmed)
      : NaN;
  if (!(minutes < 24 * 60)) return undefined;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const wholePart = texts((text, lost) => {
  const match = /^(-?\d+)(?:\.(\d*[1-9]\d*))?/.exec(text);
  if (match?.[2] !== undefined) lost();
  return match?.[1] ?? text;
});

const masked = (text: string): string =>
  text.length <= 3 ? text : '*'.repeat(text.length - 3) + text.slice(-3);

export const formats = {
  text: { fromV2: plain, toV2: one },
  /** Two places, as all decimals in the legacy form; V2 has JSON numbers. */
  money: { fromV3: twoPlaces, fromV2: texts(money), toV2: numberOf },
  integer: { fromV2: wholePart, toV2: numberOf },
  /** Whole minutes, none below nothing. */
  minutes: {
    fromV2: wholePart,
    toV2: (text) => (/^\d{1,9}$/.test(text.trim()) ? [Number(text)] : undefined),
  },
  /** A number with as many places as it has. */
  decimal: { fromV2: texts((text) => decimalText(text) ?? text), toV2: numberOf },
  yesNo: flag('Yes', 'No'),
  trueFalse: flag('true', 'false'),
  /** `true` where V2 has any value at all. */
  isSet: { fromV2: ([value]) => (value === undefined || value === null || value === '' ? 'false' : 'true') },
  /** `yyyy-MM-ddT00:00:00`; V2 has a day. */
  date: {
    fromV2: texts((text) => (DAY.test(text) ? `${text.slice(0, 10)}T00:00:00` : text)),
    toV2: (text) => wrap(dayOf(text)),
  },
  /** `yyyy-MM-dd` on both sides. */
  plainDate: {
    fromV2: texts((text) => (DAY.test(text) ? text.slice(0, 10) : text)),
    toV2: (text) => wrap(dayOf(text)),
  },
  /** `yyyyMMdd`, the day of a moment. */
  compactDate: {
    fromV2: texts((text) => (DAY.test(text) ? text.slice(0, 10).replaceAll('-', '') : text)),
    toV2: (text) => wrap(dayOf(text)),
  },
  /** `yyyy-MM-ddTHH:mm:ss` without zone or fraction; V2 has UTC with a Z. */
  utcDateTime: {
    fromV2: texts((text) => {
      const match = MOMENT.exec(text);
      if (match) return `${match[1]}T${match[2]?.length === 5 ? `${match[2]}:00` : match[2]}`;
      return DAY.test(text) ? `${text.slice(0, 10)}T00:00:00` : text;
    }),
    toV2: (text) => {
      const moment = momentOf(text);
      return moment === undefined ? undefined : [`${moment}Z`];
    },
  },
  /** `HH:mm` */
  timeOfDay: {
    fromV3: timeOfDay,
    fromV2: texts((text) => clockTime(text) ?? text),
    toV2: (text) => wrap(clockTime(text)),
  },
  /** A file's address becomes one of ours. The link is made where the row is read. */
  documentLink: { fromV2: plain },
  /** Returned masked but for its end; the masked form that comes back is left out of the request. */
  maskedTail: { fromV2: texts(masked), toV2: one },
  /** A number without a decimal point; V2 has one type for all. The service judges what is sent. */
  whole: { fromV2: texts((text) => (WHOLE.test(text) ? text : undefined)), toV2: one },
  /** A number with a decimal point, in two places. */
  fraction: {
    fromV3: twoPlaces,
    fromV2: texts((text, lost) => (WHOLE.test(text) ? undefined : money(text, lost))),
    toV2: one,
  },
  /** The element that values of a custom field stand in, by V2's type of the field. */
  valueElement: { fromV2: texts((type) => VALUE_ELEMENTS.get(type.toLowerCase()) ?? 'Text') },
  /** A day, sent as V2 writes it where it is one; what is none the service refuses by the name of the field. */
  dayOrText: { fromV2: plain, toV2: (text) => [dayOf(text) ?? text] },
  /** A flag, sent as V2 writes it where it is one. */
  flagOrText: { fromV2: plain, toV2: (text) => [flagOf(text)?.toString() ?? text] },
  /** First and last name of V2, one name in the legacy form; of several pairs of ways the first that holds a name. */
  personName: { fromV2: joinedName, toV2: splitName, group: 2 },
  /** Two signs of the same: a flag in lists, the day on which it was done in a single record. */
  isDone: {
    fromV2: ([done, since]) => (isSet(done) || (textOf(since) ?? '') !== '' ? 'true' : 'false'),
  },
  /** A number that the caller may choose; serialisers send the empty number of a new record as 0. */
  chosenNumber: { fromV2: plain, toV2: (text) => [text.trim() === '0' ? undefined : text.trim()] },
  difference: {
    fromV3: twoPlaces,
    fromV2: ([minuend, subtrahend], lost) => {
      const [a, b] = [decimalOf(minuend), decimalOf(subtrahend ?? 0)];
      if ([a, b].some((text) => text !== undefined && isFiner(text))) lost();
      return a === undefined || b === undefined ? undefined : differenceOf(a, b);
    },
  },
  /** Of two values, rounded to two places: quantity and price. */
  product: { fromV3: twoPlaces, fromV2: (values) => productIn(values) },
  /**
   * The tax of a line, of which V2 says the rates only. Values: the amount, or quantity and price; last the percentages
   * of its taxes. Rounded as the service rounds totals: first the amount, then the tax.
   */
  lineTax: { fromV3: twoPlaces, fromV2: (values) => taxIn(values.slice(0, -1), values.at(-1)) },
  /** The amount of a line with its tax; values as for the tax. */
  lineTotal: {
    fromV3: twoPlaces,
    fromV2: (values) => {
      const amounts = values.slice(0, -1);
      const [amount, tax] = [productIn(amounts), taxIn(amounts, values.at(-1))];
      return amount === undefined || tax === undefined ? undefined : sumOf([amount, tax]);
    },
  },
  /** Number and name of each job of an invoice: `J000101 Shop front, K2 Kiosk`. */
  jobText: {
    fromV2: ([jobs]) =>
      entries(jobs)
        .map((job) => joinedName([own(job, 'number'), own(job, 'name')]) ?? '')
        .filter((text) => text !== '')
        .join(', '),
  },
  /** Texts of a list, with comma and space between. */
  joined: { fromV2: ([values]) => joinedWith(values, ', ') },
  lines: { fromV2: ([values]) => joinedWith(values, '\n') },
  /** V2 has no state for it: an approved invoice that is paid in full is `Paid` in V1. */
  invoiceStatus: {
    fromV2: ([status, total, paid]) => {
      const state = (textOf(status) ?? '').toLowerCase();
      const [due, given] = [decimalOf(total), decimalOf(paid)];
      if (state === 'approved' && due !== undefined && given !== undefined && isPaidIn(due, given))
        return 'Paid';
      return state === '' ? undefined : state.slice(0, 1).toUpperCase() + state.slice(1);
    },
  },
  /** `progress invoice` → `Progress Invoice`. */
  titled: { fromV2: texts((text) => text.replace(/(?<!\S)\S/gu, (first) => first.toUpperCase())) },
  /** `draft` → `Draft`, and back. */
  capitalised: {
    fromV2: texts((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
    toV2: (text) => [text.trim().toLowerCase()],
  },
} as const satisfies Record<string, Format>;

function productIn(values: readonly unknown[]): string | undefined {
  const factors = values.flatMap((value) => decimalOf(value) ?? []);
  return factors.length === values.length ? productOf(factors) : undefined;
}

/** No list of taxes: nothing is known of the tax. */
function taxIn(amounts: readonly unknown[], rates: unknown): string | undefined {
  const amount = productIn(amounts);
  if (amount === undefined || !Array.isArray(rates)) return undefined;
  const percents = rates.flatMap((rate) => decimalOf(rate) ?? []);
  return productOf([amount, sumOf(percents), '0.01']);
}

function joinedWith(values: unknown, between: string): string | undefined {
  if (!Array.isArray(values)) return textOf(values);
  return values.flatMap((value) => textOf(value) ?? []).join(between);
}

/** Nothing is left to pay of an invoice that asks for something. */
const isPaidIn = (due: string, given: string): boolean =>
  isPositive(due) && !isPositive(differenceOf(due, given));

const isPositive = (text: string): boolean => /^[^-]*[1-9]/.test(text);

const wrap = (value: string | undefined): readonly unknown[] | undefined =>
  value === undefined ? undefined : [value];

export type FormatName = keyof typeof formats;
export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]];
export const formatOf = (name: FormatName): Format => formats[name];

/** A masked value is no value: it is what was returned once, and would overwrite the real one. */
export const isNoValue = (name: FormatName, text: string): boolean => name === 'maskedTail' && isMasked(text);
