import type { Days } from '../../records/selection.ts';
import type { XmlCall } from '../call.ts';
import { Fault, invalidValue } from '../refusal.ts';
import { readDate } from '../../tables/values.ts';

/** `from` and `to`, which the method requires. Throws `Fault`: 500 on V1, 400 on V3. */
export function requiredDays(call: XmlCall): Days {
  return { from: requiredDay(call, 'from'), to: requiredDay(call, 'to') };
}

function requiredDay(call: XmlCall, name: 'from' | 'to'): string {
  const given = call.query(name)?.trim() ?? '';
  const status = call.surface === 'v1' ? 500 : 400;
  if (given === '') throw new Fault(status, `The parameter ${name} is required`);
  const day = readDate(given);
  if (day === undefined) throw new Fault(status, `Invalid value for ${name}`);
  return day;
}

/** Both are optional and independent. Undefined if neither is given. Throws `Refusal`. */
export function optionalDays(call: XmlCall): Days | undefined {
  const from = optionalDay(call, 'from');
  const to = optionalDay(call, 'to');
  if (from === undefined && to === undefined) return undefined;
  return { from: from ?? '0000-01-01', to: to ?? '9999-12-31' };
}

/** Throws `Refusal` for an invalid date. */
export function optionalDay(call: XmlCall, name: string): string | undefined {
  const given = call.query(name)?.trim() ?? '';
  if (given === '') return undefined;
  const day = readDate(given);
  if (day === undefined) throw invalidValue(name);
  return day;
}
