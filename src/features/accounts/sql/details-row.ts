import { TALK } from '../history.ts';
import type { Kysely, Transaction } from 'kysely';
import { addressKey, NO_DETAILS, type AccountChange, type AccountDetails } from '../details.ts';
import { tagsAfter } from '../details-check.ts';
import type { Tables } from '../../../db/tables.ts';
import type { AccountDetailsRow, AccountRow } from './tables.ts';

const known = (value: string | null): string | undefined => value ?? undefined;
const stored = (value: string | undefined): string | null => value ?? null;

/** The details of a row; none without a row. */
export const detailsOf = (row: AccountDetailsRow | undefined): AccountDetails =>
  row === undefined
    ? NO_DETAILS
    : {
        contactName: known(row.contact_name),
        email: known(row.email),
        language: known(row.language),
        zone: known(row.zone),
        phone: known(row.phone),
        expected: { id: known(row.organisation_id), name: known(row.organisation_name) },
        notes: known(row.notes),
        tags: known(row.tags),
      };

/** The row for these details. */
export const detailsRow = (accountId: string, details: AccountDetails): AccountDetailsRow => ({
  account_id: accountId,
  contact_name: stored(details.contactName),
  email: stored(details.email),
  email_key: details.email === undefined ? null : addressKey(details.email),
  language: stored(details.language),
  zone: stored(details.zone),
  phone: stored(details.phone),
  organisation_id: stored(details.expected.id),
  organisation_name: stored(details.expected.name),
  notes: stored(details.notes),
  tags: stored(details.tags),
});

/** Writes the details after a change. The caller's transaction holds the lock on the account's row. */
export async function changeDetails(
  trx: Transaction<Tables>,
  accountId: string,
  change: AccountChange,
): Promise<void> {
  const present = await trx
    .selectFrom('account_details')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const { account_id, ...columns } = detailsRow(accountId, changed(detailsOf(present), change));
  await trx
    .insertInto('account_details')
    .values({ account_id, ...columns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(columns))
    .execute();
}

/** Fewer digits occur in too many telephone numbers. */
const FEW_DIGITS = 5;

/** The digits of a telephone number in any notation, without leading zeros. Undefined: it is not a number. */
function digitsIn(words: string): string | undefined {
  const digits = /^[\d\s()+./-]+$/.test(words) ? words.replaceAll(/\D/g, '').replace(/^0+/, '') : '';
  return digits.length >= FEW_DIGITS ? digits : undefined;
}

/**
 * Accounts with these words in their details, or in the notes of a conversation. Compared here, because SQLite folds
 * only ASCII.
 */
export async function searchDetails(db: Kysely<Tables>, words: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('account_details')
    .select(['account_id', 'contact_name', 'email', 'organisation_name', 'notes', 'phone'])
    .execute();
  const wanted = words.toLowerCase();
  const digits = digitsIn(words);
  const holds = (text: string | null): boolean => text?.toLowerCase().includes(wanted) === true;
  const rings = (phone: string | null): boolean =>
    digits !== undefined && phone?.replaceAll(/\D/g, '').includes(digits) === true;
  const found = rows.filter(
    ({ contact_name: contact, email, organisation_name: organisation, notes, phone }) =>
      [contact, email, organisation, notes, phone].some(holds) || rings(phone),
  );
  const talks = await db
    .selectFrom('account_events')
    .select(['account_id', 'detail'])
    .where('kind', '=', TALK)
    .execute();
  return new Set([...found, ...talks.filter(({ detail }) => holds(detail))].map((row) => row.account_id));
}

/** A field with the value `undefined` is cleared; an absent one stays. */
function changed(present: AccountDetails, change: AccountChange): AccountDetails {
  const after = <Name extends keyof AccountChange>(
    name: Name,
    before: AccountChange[Name],
  ): AccountChange[Name] => (name in change ? change[name] : before);
  return {
    contactName: after('contactName', present.contactName),
    email: after('email', present.email),
    language: after('language', present.language),
    zone: after('zone', present.zone),
    phone: after('phone', present.phone),
    expected: {
      id: after('organisationId', present.expected.id),
      name: after('organisationName', present.expected.name),
    },
    notes: after('notes', present.notes),
    tags: tagsAfter(present.tags, change),
  };
}

/** The part of a change that is stored in the account's own row. */
export function changedColumns({
  name,
  product,
  application,
  apiKey,
  notices,
}: AccountChange): Partial<AccountRow> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(product === undefined ? {} : { product }),
    ...(application === undefined ? {} : { application_id: application }),
    ...(notices === undefined ? {} : { notices: Number(notices) }),
    ...(apiKey === undefined ? {} : { api_key_index: apiKey.index, api_key_sealed: apiKey.sealed }),
  };
}
