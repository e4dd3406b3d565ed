import type { Message } from '../http/message.ts';
import { invalidValue, missing } from '../refusal.ts';

/** The field after a message: an absent element keeps the previous value. */
export const textAfter = (message: Message | undefined, element: string, before: string): string =>
  message?.text(element) ?? before;

/** Absent keeps the previous value, empty clears it. Throws `Refusal` for an invalid value. */
export function valueAfter(
  message: Message | undefined,
  element: string,
  before: string,
  read: (text: string) => string | undefined,
): string {
  const given = message?.text(element);
  if (given === undefined) return before;
  if (given.trim() === '') return '';
  return valid(element, read(given));
}

/** Like `valueAfter`, but empty means `whenEmpty`: for flags, counts and amounts that are never unset. */
export function setAfter<V>(
  message: Message | undefined,
  element: string,
  before: V,
  whenEmpty: V,
  read: (text: string) => V | undefined,
): V {
  const given = message?.text(element);
  if (given === undefined) return before;
  if (given.trim() === '') return whenEmpty;
  return valid(element, read(given));
}

function valid<V>(element: string, value: V | undefined): V {
  if (value === undefined) throw invalidValue(element);
  return value;
}

/** Absent and empty both count as missing. Throws `Refusal`. */
export function required(message: Message | undefined, ...path: readonly [string, ...string[]]): string {
  const given = message?.text(path.at(-1) ?? '') ?? '';
  if (given.trim() === '') throw missing(...path);
  return given;
}
