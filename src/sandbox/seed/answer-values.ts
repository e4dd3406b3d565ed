import type { Form } from '../tables/form.ts';
import { readDate, readDecimal, readFlag, readInteger } from '../tables/values.ts';

/** Reads a value of one form from an answer of V1. */
type Read = (text: string, form: Form) => string | number | boolean | undefined;

const asGiven: Read = (text) => text;
const nothing: Read = () => undefined;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

const reads: Readonly<Record<Form['is'], Read>> = {
  ...{ title: asGiven, text: asGiven, folder: asGiven, setting: asGiven, timeOfDay: asGiven },
  ...{ money: readDecimal, amount: readDecimal, rate: readDecimal, flag: readFlag, day: readDate },
  minutes(text) {
    const read = readInteger(text);
    return read === undefined ? undefined : Number(read);
  },
  // A seed states times with their zone, which is UTC.
  moment: (text) => (MOMENT.test(text) ? `${text.slice(0, 19)}Z` : undefined),
  choice: (text, form) =>
    'of' in form && typeof form.of !== 'string'
      ? form.of.find((word) => word.toLowerCase() === text.toLowerCase())
      : undefined,
  // Read separately, by number.
  reference: nothing,
};

/** Converts a value to the form of a seed; undefined if it is empty or cannot be read. */
export const answeredValue = (form: Form, given: string): ReturnType<Read> =>
  given.trim() === '' ? undefined : reads[form.is](form.is === 'text' ? given : given.trim(), form);
