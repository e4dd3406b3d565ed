import type { Product } from '../../upstream/organisation.ts';

/** What the operator believes the account's organisation to be; a consent is held against it. */
export interface ExpectedOrganisation {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** What is known of an account besides its keys: whom to write to, and what to expect of the consent. */
export interface AccountDetails {
  readonly contactName: string | undefined;
  /** One address, as `parseAddress` gives it. */
  readonly email: string | undefined;
  /** BCP 47, lower case (`en`, `pt-br`); undefined is the language of the installation. */
  readonly language: string | undefined;
  readonly expected: ExpectedOrganisation;
  /** For the operator only. */
  readonly notes: string | undefined;
}

export const NO_DETAILS: AccountDetails = {
  contactName: undefined,
  email: undefined,
  language: undefined,
  expected: { id: undefined, name: undefined },
  notes: undefined,
};

/** What `AccountBook.set` may change. A name that is absent stays; `undefined` takes the value out. */
export interface AccountChange {
  readonly name?: string;
  readonly product?: Product;
  readonly contactName?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly organisationName?: string | undefined;
  readonly notes?: string | undefined;
  /** Calls must carry exactly this API key from now on. */
  readonly apiKey?: { readonly index: string; readonly sealed: string };
}

/** RFC 5321, 4.5.3.1: 64 octets before the @, 254 in all. */
const LONGEST_LOCAL = 64;
const LONGEST_ADDRESS = 254;
/** Dot-atoms and host names only: quoted local parts, comments and address literals are how headers are smuggled. */
const addressForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/** One plain e-mail address, spaces around it dropped; undefined for anything else, lists and display names included. */
export function parseAddress(given: string): string | undefined {
  const address = given.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  if (address.length > LONGEST_ADDRESS || address.indexOf('@') > LONGEST_LOCAL) return undefined;
  return addressForm.test(address) ? address : undefined;
}

/** Two spellings of one mailbox, as nearly every mail server sees it. */
export const addressKey = (address: string): string => address.toLowerCase();
