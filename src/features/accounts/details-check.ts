/**
 * Checks the details of an account as entered in console, API, command line and import: one table of fields, with one
 * fault and its remedy for each. A field with a fault is not changed; the others are.
 */
import { isUuid } from '../../lib/text/uuid.ts';
import { isZone, spelledZone } from '../../lib/time/zone.ts';
import type { FieldFault } from './unusable-account.ts';
import { parseAddress, tagsIn, tagText, type AccountChange, type AccountDetails } from './details.ts';

/** Details as entered: an absent field stays as it is, an empty text clears it. */
export interface GivenDetails {
  readonly contactName?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: string | undefined;
  /** A zone of the IANA database. */
  readonly zone?: string | undefined;
  readonly phone?: string | undefined;
  readonly organisationName?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly notes?: string | undefined;
  /** Separated by spaces, commas or semicolons. */
  readonly tags?: string | undefined;
  readonly addTags?: string | undefined;
  readonly removeTags?: string | undefined;
}

type Field = Exclude<keyof GivenDetails, 'addTags' | 'removeTags'>;
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

const MOST_TAGS = 20;
const tagForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;

function readTags(text: string): Reading {
  const tags = tagsIn(text);
  return tags.length > MOST_TAGS || !tags.every((tag) => tagForm.test(tag))
    ? { fault: `tags are at most ${MOST_TAGS} words of letters, digits, dots and hyphens` }
    : { value: tagText(tags) };
}

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
  zone: (text) =>
    isZone(text) && /^[A-Za-z][\w+/-]*$/.test(text)
      ? { value: spelledZone(text) }
      : { fault: 'the time zone must be one of the IANA database, such as Pacific/Auckland' },
  phone: (text) =>
    /^[+\d][\d ()/.x-]{2,39}$/.test(text)
      ? { value: text }
      : { fault: 'the phone number must be 3 to 40 digits, spaces and +()/.-' },
  organisationName: line('organisation'),
  organisationId: (text) =>
    /^[^\p{C}\p{Z}]{1,100}$/u.test(text)
      ? { value: text }
      : { fault: 'the organisation id must be one word of at most 100 characters' },
  notes: (text) =>
    text.length > LONGEST_NOTES || /[^\P{Cc}\r\n\t]/u.test(text)
      ? { fault: `the notes must have at most ${LONGEST_NOTES} characters, and no control characters` }
      : { value: text },
  tags: readTags,
};

const fields = Object.keys(readers) as readonly Field[];

export interface CheckedDetails {
  readonly change: Omit<AccountChange, 'name' | 'product' | 'application' | 'notices' | 'apiKey'>;
  /** Texts for the operator, without the values. */
  readonly faults: readonly FieldFault[];
}

/** Checks the input; a field with a fault is left out of the change. */
export function checkDetails(given: GivenDetails): CheckedDetails {
  const faults: FieldFault[] = [];
  const change: Partial<Record<keyof GivenDetails, string | undefined>> = {};
  for (const field of fields) {
    const text = given[field]?.trim();
    if (text === undefined) continue;
    const reading: Reading = text === '' ? { value: undefined } : readers[field](text);
    if ('fault' in reading) faults.push({ field, message: reading.fault });
    else change[field] = reading.value;
  }
  for (const field of ['addTags', 'removeTags'] as const) {
    const reading = readTags(given[field] ?? '');
    if ('fault' in reading) faults.push({ field, message: reading.fault });
    else if (reading.value !== undefined) change[field] = reading.value;
  }
  return { change, faults };
}

/** The details of a new account: the change applied to empty details. */
export const detailsFrom = (change: CheckedDetails['change']): AccountDetails => ({
  contactName: change.contactName,
  email: change.email,
  language: change.language,
  zone: change.zone,
  phone: change.phone,
  expected: { id: change.organisationId, name: change.organisationName },
  notes: change.notes,
  tags: tagsAfter(undefined, change),
});

/** The tags after a change, which may replace them, add some and remove some. */
export function tagsAfter(present: string | undefined, change: CheckedDetails['change']): string | undefined {
  const before = 'tags' in change ? change.tags : present;
  const removed = new Set(tagsIn(change.removeTags));
  return tagText([...tagsIn(before), ...tagsIn(change.addTags)].filter((tag) => !removed.has(tag)));
}

/** The fields whose value would change. */
export function differences(present: AccountDetails, change: CheckedDetails['change']): readonly Field[] {
  const now: Readonly<Record<Field, string | undefined>> = {
    contactName: present.contactName,
    email: present.email,
    language: present.language,
    zone: present.zone,
    phone: present.phone,
    organisationName: present.expected.name,
    organisationId: present.expected.id,
    notes: present.notes,
    tags: present.tags,
  };
  const after = { ...change, tags: tagsAfter(present.tags, change) };
  return fields.filter((field) => field in after && after[field] !== now[field]);
}

/** The fields' names as operators see them. */
export const fieldWords: Readonly<Record<Field, string>> = {
  contactName: 'contact name',
  email: 'e-mail',
  language: 'language',
  zone: 'time zone',
  phone: 'phone',
  organisationName: 'organisation',
  organisationId: 'organisation id',
  notes: 'notes',
  tags: 'tags',
};

/**
 * Warnings about entered details. Every organisation seen so far has a UUID. It is not guaranteed, so another id is
 * accepted; a mistyped one would only be noticed when the customer's consent is judged.
 */
export const detailWarnings = ({ organisationId = '' }: GivenDetails): readonly string[] =>
  organisationId === '' || isUuid(organisationId)
    ? []
    : ['the organisation id does not have the usual form, a UUID: compare it with the one in the service'];
