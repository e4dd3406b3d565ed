import { parseAddress, type AccountChange, type AccountDetails } from './details.ts';

/** Details as entered: an absent field stays as it is, an empty text clears it. */
export interface GivenDetails {
  readonly contactName?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: string | undefined;
  readonly organisationName?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly notes?: string | undefined;
}

type Field = keyof GivenDetails;
type Reading = { readonly value: string | undefined } | { readonly fault: string };

const LONGEST_LINE = 200;
const LONGEST_NOTES = 2_000;

/** One line of text; control characters would become headers in an e-mail, or overwrite a terminal. */
const line =
  (what: string): ((text: string) => Reading) =>
  (text) =>
    text.length > LONGEST_LINE || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)
      ? { fault: `the ${what} must be one line of at most ${LONGEST_LINE} characters` }
      : { value: text };

const readers: Readonly<Record<Field, (text: string) => Reading>> = {
  contactName: line('contact name'),
  email: (text) => {
    const value = parseAddress(text);
    return value === undefined
      ? { fault: 'the e-mail must be one plain address (name@example.com)' }
      : { value };
  },
  language: (text) =>
    /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i.test(text)
      ? { value: text.toLowerCase() }
      : { fault: 'the language must be a code like en or pt-br' },
  organisationName: line('organisation'),
  organisationId: (text) =>
    /^[^\p{C}\p{Z}]{1,100}$/u.test(text)
      ? { value: text }
      : { fault: 'the organisation id must be one word of at most 100 characters' },
  notes: (text) =>
    text.length > LONGEST_NOTES || /[^\P{Cc}\r\n\t]/u.test(text)
      ? { fault: `the notes must have at most ${LONGEST_NOTES} characters, and no control characters` }
      : { value: text },
};

const fields = Object.keys(readers) as readonly Field[];

export interface CheckedDetails {
  readonly change: Omit<AccountChange, 'name' | 'product' | 'apiKey'>;
  /** Texts for the operator, without the values. */
  readonly faults: readonly string[];
}

/** Checks what was entered; a field with a fault is not in the change. */
export function checkDetails(given: GivenDetails): CheckedDetails {
  const faults: string[] = [];
  const change: Partial<Record<Field, string | undefined>> = {};
  for (const field of fields) {
    const text = given[field]?.trim();
    if (text === undefined) continue;
    const reading: Reading = text === '' ? { value: undefined } : readers[field](text);
    if ('fault' in reading) faults.push(reading.fault);
    else change[field] = reading.value;
  }
  return { change, faults };
}

/** The details of a new account: the change applied to nothing. */
export const detailsFrom = (change: CheckedDetails['change']): AccountDetails => ({
  contactName: change.contactName,
  email: change.email,
  language: change.language,
  expected: { id: change.organisationId, name: change.organisationName },
  notes: change.notes,
});

/** The fields whose value would change. */
export function differences(present: AccountDetails, change: CheckedDetails['change']): readonly Field[] {
  const now: Readonly<Record<Field, string | undefined>> = {
    contactName: present.contactName,
    email: present.email,
    language: present.language,
    organisationName: present.expected.name,
    organisationId: present.expected.id,
    notes: present.notes,
  };
  return fields.filter((field) => field in change && change[field] !== now[field]);
}

/** The fields' names as operators see them. */
export const fieldWords: Readonly<Record<Field, string>> = {
  contactName: 'contact name',
  email: 'e-mail',
  language: 'language',
  organisationName: 'organisation',
  organisationId: 'organisation id',
  notes: 'notes',
};
