import type { Product } from '../../upstream/organisation.ts';

/** The account's organisation according to the operator; a consent is compared with it. */
export interface ExpectedOrganisation {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** The data of an account besides its keys: contact, expected organisation, settings and notes. */
export interface AccountDetails {
  readonly contactName: string | undefined;
  /** One address, as returned by `parseAddress`. */
  readonly email: string | undefined;
  /** BCP 47, lower case (`en`, `pt-br`); undefined: the installation's language. */
  readonly language: string | undefined;
  /** IANA name of the customer's time zone; undefined: the installation's. */
  readonly zone: string | undefined;
  /** Telephone number, as entered. */
  readonly phone: string | undefined;
  readonly expected: ExpectedOrganisation;
  /** For the operator only. */
  readonly notes: string | undefined;
  /** Words by which the operator groups accounts, in order and separated by spaces; see `tagsIn`. */
  readonly tags: string | undefined;
}

export const NO_DETAILS: AccountDetails = {
  contactName: undefined,
  email: undefined,
  language: undefined,
  zone: undefined,
  phone: undefined,
  expected: { id: undefined, name: undefined },
  notes: undefined,
  tags: undefined,
};

/** The fields that `AccountRepository.set` may change. An absent field stays; `undefined` clears it. */
export interface AccountChange {
  readonly name?: string;
  readonly product?: Product;
  /** Only while no grant is held. */
  readonly application?: string;
  readonly notices?: boolean;
  readonly contactName?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: string | undefined;
  readonly zone?: string | undefined;
  readonly phone?: string | undefined;
  readonly organisationId?: string | undefined;
  readonly organisationName?: string | undefined;
  readonly notes?: string | undefined;
  readonly tags?: string | undefined;
  /** Applied under the lock of the account, so that two operators who tag at once both succeed. */
  readonly addTags?: string | undefined;
  readonly removeTags?: string | undefined;
  /** From now on calls must carry exactly this API key. */
  readonly apiKey?: { readonly index: string; readonly sealed: string };
}

/** The tags in a text, separated by spaces, commas or semicolons: each once, in order. */
export const tagsIn = (text: string | undefined): readonly string[] =>
  [
    ...new Set(
      (text ?? '')
        .toLowerCase()
        .split(/[\s,;]+/)
        .filter(Boolean),
    ),
  ].sort();

/** The stored form of tags; undefined for none. */
export const tagText = (tags: readonly string[]): string | undefined =>
  tags.length === 0 ? undefined : tagsIn(tags.join(' ')).join(' ');

/** In octets before the @; 254 in all (RFC 5321, section 4.5.3.1). */
const LONGEST_LOCAL = 64;
const LONGEST_ADDRESS = 254;
/**
 * Only dot-atoms and host names: quoted local parts, comments and address literals are ways to smuggle
 * headers.
 */
const addressForm =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/**
 * Returns one plain e-mail address without surrounding spaces; undefined for anything else, including lists
 * and display names.
 */
export function parseAddress(given: string): string | undefined {
  const address = given.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  if (address.length > LONGEST_ADDRESS || address.indexOf('@') > LONGEST_LOCAL) return undefined;
  return addressForm.test(address) ? address : undefined;
}

/** Equal for two spellings of one mailbox, as nearly every mail server compares them. */
export const addressKey = (address: string): string => address.toLowerCase();
