/**
 * The named value formats of the mapping language (`as:` in a row of `mappings/*.yaml`): how a value of V2's
 * JSON becomes the legacy text, and back.
 *
 * A mapping contains no logic; what a row cannot express is a format here, with a test of its own
 * (docs/decisions/calls/0007-translation-as-data.md). `fromV2` gets the values of the row's paths and reports with
 * `lost` that its text is less precise. `toV2` returns undefined for a text it cannot carry, and the request is
 * refused. `fromV3` rewrites values that V3 writes differently from V1. Amounts and numbers are in `amount-formats.ts`.
 * Forms of dates and flags: XML specification, "Resources and their fields".
 */
import { amountFormats } from './amount-formats.ts';
import { one, plain, texts, wrap, type Format } from './format.ts';
import { entries, own, textOf } from './compile/path.ts';

export type { Format } from './format.ts';

const DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)/;
/**
 * A date of a request, alone or with a time of day that exists, in full: V1 refuses any other. Its groups: year, month, day
 * and time.
 */
const DATED =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Whether a moment ends with a time zone other than Z, as serialisers write local dates. */
export const hasOffset = (text: string): boolean => /T.*[+-]\d{2}:?\d{2}$/.test(text.trim());

/**
 * Reads `yyyyMMdd`, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss`, as legacy programs write dates, also with a zone: the day is
 * the written one. Undefined if it is not a date.
 */
export function dayOf(text: string): string | undefined {
  const match = DATED.exec(text.trim());
  if (!match) return undefined;
  const day = `${match[1]}-${match[2]}-${match[3]}`;
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? undefined : day;
}

function momentOf(text: string): string | undefined {
  const day = dayOf(text);
  if (day === undefined) return undefined;
  if (hasOffset(text)) return utcOf(text.trim());
  return `${day}T${DATED.exec(text.trim())?.[4] ?? '00:00:00'}`;
}

/** A moment with an offset, in UTC and without the Z; undefined if it has no such time. */
function utcOf(text: string): string | undefined {
  const at = Date.parse(text.replace(/(\d{2}):?(\d{2})$/, '$1:$2'));
  return Number.isNaN(at) ? undefined : new Date(at).toISOString().slice(0, 19);
}

/** `Yes`, `true`, `1` and their opposites, in any case: programs send all of them. */
function flagOf(text: string): boolean | undefined {
  const flag = text.trim().toLowerCase();
  if (['yes', 'true', '1'].includes(flag)) return true;
  return ['no', 'false', '0'].includes(flag) ? false : undefined;
}

const flag = (yes: string, no: string): Format => ({
  fromV2: ([value]) => {
    if (value === undefined || value === null) return undefined;
    return isSet(value) ? yes : no;
  },
  toV2: (text) => {
    const value = flagOf(text);
    return value === undefined ? undefined : [value];
  },
});

const isSet = (value: unknown): boolean =>
  typeof value === 'string' ? value.toLowerCase() === 'true' : value === true;

const VALUE_ELEMENTS: ReadonlyMap<string, string> = new Map([
  ['number', 'Decimal'],
  ['date', 'Date'],
  ['checkbox', 'Boolean'],
]);

const joinedName = (values: readonly unknown[]): string | undefined => {
  let name = '';
  for (const value of values) {
    const part = textOf(value)?.trim() ?? '';
    if (part !== '') name = name === '' ? part : `${name} ${part}`;
  }
  return name === '' ? undefined : name;
};

/**
 * The last word is the last name; a single word becomes the first name, so that joining gives the same text.
 * V2 has separate names, V1 has one.
 */
function splitName(text: string): readonly [string, string] {
  const name = text.trim();
  const at = name.lastIndexOf(' ');
  return at < 0 ? [name, ''] : [name.slice(0, at).trimEnd(), name.slice(at + 1)];
}

/** Also accepts minutes since midnight, as the OAuth form of V3 prints times. */
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

/** `HH:mm`; the OAuth form also prints minutes since midnight (`780`). Other text is left unchanged. */
function timeOfDay(text: string): string {
  const given = text.trim();
  const minutes = /^\d{1,4}$/.test(given) ? Number(given) : 1440;
  if (minutes >= 1440) return text;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Only asterisks and at most the last three characters: a tax number in the masked form of a reply. */
export function isMasked(text: string): boolean {
  return /^\*+[^*]{0,3}$/.test(text.trim());
}

const masked = (text: string): string =>
  text.length <= 3 ? text : '*'.repeat(text.length - 3) + text.slice(-3);

/** All formats by name. */
export const formats = {
  ...amountFormats,
  text: { fromV2: plain, toV2: one },
  yesNo: flag('Yes', 'No'),
  trueFalse: flag('true', 'false'),
  /** `true` if V2 has any value at all. */
  isSet: { fromV2: ([value]) => (value === undefined || value === null || value === '' ? 'false' : 'true') },
  /** `yyyy-MM-ddT00:00:00`; V2 has a date. */
  date: {
    fromV2: texts((text) => (DAY.test(text) ? `${text.slice(0, 10)}T00:00:00` : text)),
    toV2: (text) => wrap(dayOf(text)),
  },
  /** `yyyy-MM-dd` on both sides. */
  plainDate: {
    fromV2: texts((text) => (DAY.test(text) ? text.slice(0, 10) : text)),
    toV2: (text) => wrap(dayOf(text)),
  },
  /** `yyyyMMdd`, the date of a time. */
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
  /** A month, as a name or a number; replies have the name. */
  month: { fromV2: plain, toV2: one },
  /** `1`, `2` or `6` in requests; `Monthly`, `2 Monthly` or `6 Monthly` in replies. */
  gstPeriod: { fromV2: plain, toV2: one },
  /** A file's address becomes an address of the bridge. The link is created where the row is read. */
  documentLink: { fromV2: plain },
  /** Replies mask all but the end; a request that sends the masked form back does without the element. */
  maskedTail: { fromV2: texts(masked), toV2: one },
  /** The element that holds the values of a custom field, by V2's type of the field. */
  valueElement: { fromV2: texts((type) => VALUE_ELEMENTS.get(type.toLowerCase()) ?? 'Text') },
  /**
   * A date is sent as V2 writes it; any other text is passed on, and the service refuses it by the name of
   * the field.
   */
  dayOrText: { fromV2: plain, toV2: (text) => [dayOf(text) ?? text] },
  /** A flag is sent as V2 writes it; any other text is passed on. */
  flagOrText: { fromV2: plain, toV2: (text) => [flagOf(text)?.toString() ?? text] },
  /**
   * First and last name in V2, one name in the legacy form; of several pairs of paths the first that has a
   * name.
   */
  personName: { fromV2: joinedName, toV2: splitName, group: 2 },
  /** Two signs of completion: a flag in lists, the completion date in a single record. */
  isDone: {
    fromV2: ([done, since]) => (isSet(done) || (textOf(since) ?? '') !== '' ? 'true' : 'false'),
  },
  /** A number that the caller may choose; serialisers send 0 for the empty number of a new record. */
  chosenNumber: { fromV2: plain, toV2: (text) => [text.trim() === '0' ? undefined : text.trim()] },
  /** Number and name of each job of an invoice: `J000101 Shop front, K2 Kiosk`. */
  jobText: {
    fromV2: ([jobs]) =>
      entries(jobs)
        .map((job) => joinedName([own(job, 'number'), own(job, 'name')]) ?? '')
        .filter((text) => text !== '')
        .join(', '),
  },
  /** The texts of a list, separated by comma and space. */
  joined: { fromV2: ([values]) => joinedWith(values, ', ') },
  lines: { fromV2: ([values]) => joinedWith(values, '\n') },
  /** `progress invoice` → `Progress Invoice`. */
  titled: { fromV2: texts((text) => text.replace(/(?<!\S)\S/gu, (first) => first.toUpperCase())) },
  /** `draft` → `Draft`, and back. */
  capitalised: {
    fromV2: texts((text) => text.slice(0, 1).toUpperCase() + text.slice(1)),
    toV2: (text) => [text.trim().toLowerCase()],
  },
} as const satisfies Record<string, Format>;

function joinedWith(values: unknown, between: string): string | undefined {
  if (!Array.isArray(values)) return textOf(values);
  return values.flatMap((value) => textOf(value) ?? []).join(between);
}

/** The names allowed in `as:`. */
export type FormatName = keyof typeof formats;
/** All names, for the schema of the mapping files. */
export const formatNames = Object.keys(formats) as [FormatName, ...FormatName[]];
/** The format with that name; the schema guarantees that it exists. */
export const formatOf = (name: FormatName): Format => formats[name];

/** A masked value comes from a reply of the bridge and would overwrite the real one. */
export const isNoValue = (name: FormatName, text: string): boolean => name === 'maskedTail' && isMasked(text);
