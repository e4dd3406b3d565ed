import type { Message } from '../http/message.ts';
import { invalidValue, missing } from '../refusal.ts';

/** What an element of a message makes of a field: absent keeps what was there. */
export const textAfter = (message: Message | undefined, element: string, before: string): string =>
  message?.text(element) ?? before;

/** Absent keeps what was there, empty clears. Throws `Refusal` for what is no such value. */
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

/** As `valueAfter`, where empty stands for `whenEmpty`: flags, counts, amounts that are never unset. */
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

/** Absent and empty are the same: missing. Throws `Refusal`. */
export function required(message: Message | undefined, ...path: readonly [string, ...string[]]): string {
  const given = message?.text(path.at(-1) ?? '') ?? '';
  if (given.trim() === '') throw missing(...path);
  return given;
}

/** Texts of several elements at once: element to field. */
export function textsAfter<T extends object, K extends keyof T & string>(
  message: Message | undefined,
  elements: Readonly<Record<string, K>>,
  before: T,
): T {
  const changes: Record<string, string> = {};
  for (const [element, field] of Object.entries(elements)) {
    const given = message?.text(element);
    if (given !== undefined) changes[field] = given;
  }
  return { ...before, ...changes };
}
