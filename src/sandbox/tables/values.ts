/** How single values are printed and read. Readers return undefined for an invalid value. */

export const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');
/** The second of the two ways in which XML writes a flag. */
export const trueFalse = (value: boolean): string => (value ? 'true' : 'false');

/** Returns undefined for an empty text. */
export const filled = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const flags = new Map<string, boolean>([
  ['yes', true],
  ['true', true],
  ['1', true],
  ['no', false],
  ['false', false],
  ['0', false],
]);

/** Yes, true or 1; no, false or 0; in any case. */
export const readFlag = (text: string): boolean | undefined => flags.get(text.trim().toLowerCase());

const DATE = /^(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?Z?)?$/;

/**
 * Reads a time as UTC in milliseconds since the epoch; `yyyyMMdd`, `yyyy-MM-dd` or `yyyy-MM-ddTHH:mm:ss[Z]`.
 */
export function readMoment(text: string): number | undefined {
  const match = DATE.exec(text.trim());
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part || '0'));
  const read = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  // `Date.UTC` takes the year 1, which programs send for no date, for 1901.
  const moment = read.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  // Rejects a day such as 30 February, which would roll over into the next month.
  const same = [read.getUTCDate(), read.getUTCMonth() + 1, read.getUTCHours(), read.getUTCSeconds()];
  return same.join(' ') === [day, month, hour, second].join(' ') ? moment : undefined;
}

/** yyyy-MM-dd. */
export function readDate(text: string): string | undefined {
  const moment = readMoment(text);
  return moment === undefined ? undefined : isoDate(moment);
}

/** yyyy-MM-dd. `moment`: milliseconds since the epoch. */
export const isoDate = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
/** yyyy-MM-ddTHH:mm:ss, without zone. */
export const isoDateTime = (moment: number): string => new Date(moment).toISOString().slice(0, 19);
/** Adds a time to a date, because XML prints one; '' stays ''. */
export const dateTime = (date: string): string => (date === '' ? '' : `${date}T00:00:00`);
/** Converts yyyy-MM-dd to yyyyMMdd. */
export const compactDate = (date: string): string => date.replaceAll('-', '');

const DECIMAL = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/;

/** Reads an amount with two places, rounded half away from zero, without floating-point arithmetic. */
export function readDecimal(text: string): string | undefined {
  const match = DECIMAL.exec(text.trim());
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const thousandths = BigInt(whole + fraction.padEnd(3, '0').slice(0, 3));
  const cents = (thousandths + 5n) / 10n;
  const digits = cents.toString().padStart(3, '0');
  const written = `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  return cents === 0n ? written : sign + written;
}

const INTEGER = /^-?\d{1,15}$/;

/** Reads a whole number without leading zeros. */
export function readInteger(text: string): string | undefined {
  const trimmed = text.trim();
  if (!INTEGER.test(trimmed)) return undefined;
  return BigInt(trimmed).toString();
}

/** Reads a non-negative whole number. */
export function readCount(text: string): number | undefined {
  const whole = readInteger(text);
  return whole === undefined || whole.startsWith('-') ? undefined : Number(whole);
}

const TIME = /^([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?$/;

/** Reads HH:mm, or minutes since midnight (`780`). */
export function readTime(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  if (match) return `${(match[1] ?? '').padStart(2, '0')}:${match[2] ?? ''}`;
  const minutes = readCount(text);
  if (minutes === undefined || minutes >= 24 * 60) return undefined;
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Minutes since midnight of HH:mm. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns the allowed spelling of a name given in any case. */
export function readChoice(text: string, choices: readonly string[]): string | undefined {
  const wanted = text.trim().toLowerCase();
  return choices.find((choice) => choice.toLowerCase() === wanted);
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Reads a month name or number (`Jan` or `1`); returns the short name. */
export function readMonth(text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  return months
    .find((month, index) =>
      [month.toLowerCase(), month.slice(0, 3).toLowerCase(), String(index + 1)].includes(wanted),
    )
    ?.slice(0, 3);
}

/** Replaces all characters but the last three by asterisks. */
export function masked(text: string): string {
  const characters = Array.from(text);
  return characters.map((character, at) => (at < characters.length - 3 ? '*' : character)).join('');
}

/** Whether a value is masked; when sent back, it stands for the stored number. */
export const isMasked = (text: string): boolean => text.trim().startsWith('*');
