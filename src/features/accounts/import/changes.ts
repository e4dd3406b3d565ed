import type { Account } from '../account.ts';
import type { GivenChange } from '../account-change.ts';
import { fieldWords } from '../details-check.ts';
import { tagsIn, tagText, type AccountDetails } from '../details.ts';

/** A line's change of a field other than a key. */
export interface Change {
  readonly field: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * The old and the new value of every field that a line changes. Keys are never shown, neither the old one nor the new:
 * more people see a preview than the list.
 */
export function changesIn(
  fields: readonly string[],
  account: Account,
  details: AccountDetails,
  given: GivenChange,
): readonly Change[] {
  const values: Readonly<Record<string, readonly [string | undefined, string | undefined]>> = {
    name: [account.name, given.name],
    product: [account.product, given.product],
    application: [account.application, given.application],
    [fieldWords.contactName]: [details.contactName, given.contactName],
    [fieldWords.email]: [details.email, given.email],
    [fieldWords.language]: [details.language, given.language?.toLowerCase()],
    [fieldWords.zone]: [details.zone, given.zone],
    [fieldWords.phone]: [details.phone, given.phone],
    [fieldWords.organisationName]: [details.expected.name, given.organisationName],
    [fieldWords.organisationId]: [details.expected.id, given.organisationId],
    [fieldWords.tags]: [details.tags, tagText(tagsIn(given.tags))],
    [fieldWords.notes]: [details.notes, given.notes],
  };
  return fields.flatMap((field) => {
    const [from, to] = values[field] ?? [];
    return values[field] === undefined ? [] : [{ field, from, to }];
  });
}

/** As after two customers were given one key: the name and address of the second would replace those of the first. */
export function otherCustomerWarnings(changes: readonly Change[]): readonly string[] {
  const from = (field: string): string | undefined => changes.find((one) => one.field === field)?.from;
  const [name, email] = [from('name'), from(fieldWords.email)];
  return name === undefined || email === undefined
    ? []
    : [`is this another customer? Its key or id is that of ${name} (${email})`];
}
