/** Classifies how two values differ: rounded, in another time zone, of another type, or simply different. */
import type { SampledValue } from '../../features/samples/sample.ts';
import type { Cause } from '../../features/cutover/parity/difference.ts';

/** Undefined if the values are equal. */
export interface ValueDifference {
  readonly cause: Extract<Cause, 'value' | 'type' | 'rounding' | 'time-zone'>;
  readonly detail: string;
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/;
const DAY = /^(?:\d{4}-\d{2}-\d{2}|\d{8})$/;
const FLAG = /^(?:yes|no|true|false)$/i;
const QUARTER = 15 * 60_000;
/** The largest distance between two zones in use is 26 hours; one to UTC is 14. */
const FARTHEST = 14 * 60 * 60_000;

/** The text of a value, or its hash. */
export const plainOf = (value: SampledValue): string => ('text' in value ? value.text : `#${value.hash}`);

/** Returns how the second value differs from the first. */
export function differenceOf(before: SampledValue, after: SampledValue): ValueDifference | undefined {
  if (plainOf(before) === plainOf(after)) return undefined;
  if (!('text' in before) || !('text' in after)) return { cause: 'value', detail: '' };
  const [one, other] = [before.text.trim(), after.text.trim()];
  return zone(one, other) ?? number(one, other) ?? type(one, other) ?? { cause: 'value', detail: '' };
}

function zone(before: string, after: string): ValueDifference | undefined {
  if (!MOMENT.test(before) || !MOMENT.test(after)) return undefined;
  const distance = momentOf(after) - momentOf(before);
  const isZone = distance !== 0 && distance % QUARTER === 0 && Math.abs(distance) <= FARTHEST;
  return isZone ? { cause: 'time-zone', detail: hours(distance) } : undefined;
}

/** Reads a time as written and ignores its zone, because old programs read only the digits. */
const momentOf = (text: string): number => Date.parse(`${text.replace(/(?:Z|[+-]\d{2}:\d{2})$/, '')}Z`);

function hours(millis: number): string {
  const minutes = Math.abs(millis) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${millis < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function number(before: string, after: string): ValueDifference | undefined {
  if (!NUMBER.test(before) || !NUMBER.test(after)) return undefined;
  if (Number(before) === Number(after))
    return { cause: 'type', detail: 'the same number, written otherwise' };
  const places = placesOf(before);
  for (let kept = 0; kept < places; kept += 1)
    if (Number(Number(before).toFixed(kept)) === Number(after))
      return { cause: 'rounding', detail: `${places} → ${kept} decimals` };
  return undefined;
}

/** Significant decimal places: `12.50` has one. */
const placesOf = (text: string): number => text.split('.')[1]?.replace(/0+$/, '').length ?? 0;

function type(before: string, after: string): ValueDifference | undefined {
  const [one, other] = [formOf(before), formOf(after)];
  if (one === other || one === 'nothing' || other === 'nothing') return undefined;
  return { cause: 'type', detail: `${one} → ${other}` };
}

function formOf(text: string): string {
  if (text === '') return 'nothing';
  if (DAY.test(text)) return 'date';
  if (NUMBER.test(text)) return 'number';
  if (MOMENT.test(text)) return 'date and time';
  return FLAG.test(text) ? 'flag' : 'text';
}
