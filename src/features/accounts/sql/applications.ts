import { sql, type Kysely } from 'kysely';
import type { Product } from '../../../upstream/organisation.ts';
import type { Tables, Trx } from '../../../db/tables.ts';
import { holdsGrant } from '../account.ts';
import { ApplicationInUse, OrganisationTaken, ProductInUse, type ApplicationUse } from '../model.ts';
import { lifeOf } from './account-row.ts';
import type { AccountRow } from './tables.ts';

type Count = number | string; // PostgreSQL counts in bigints, which its driver returns as text

/** How many accounts, except closed ones, each OAuth application has, and how many of them hold a grant of it. */
export async function applicationsIn(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
): Promise<readonly ApplicationUse[]> {
  const rows = await db
    .selectFrom('accounts')
    .select((query) => [
      'application_id as application',
      query.fn.countAll<Count>().as('accounts'),
      // A lost account still has the id of its former grant.
      sql<Count>`sum(case when grant_id is not null and stage <> 'lost' then 1 else 0 end)`.as('connected'),
    ])
    .where('stage', '!=', 'closed')
    .groupBy('application_id')
    .orderBy('application_id')
    .execute();
  return rows.map(({ application, accounts, connected }) => ({
    application,
    accounts: Number(accounts),
    connected: Number(connected),
  }));
}

/** Throws `ProductInUse` unless the account of a locked row may be given this product. */
export function checkProduct({ product, stage }: AccountRow, wanted: Product | undefined): void {
  if (wanted !== undefined && wanted !== product && stage !== 'legacy') throw new ProductInUse(stage);
}

/**
 * Whether the account of a locked row may be given this application. Throws `ApplicationInUse`, and `OrganisationTaken` if
 * another account has the organisation there.
 */
export async function checkApplication(
  trx: Trx,
  present: AccountRow,
  wanted: string | undefined,
): Promise<void> {
  const { name, application_id: application } = present;
  if (wanted === undefined || wanted === application) return;
  if (holdsGrant(lifeOf(present))) throw new ApplicationInUse(name, application);
  // A lost account still has its organisation.
  await checkFree(trx, present, wanted);
}

/**
 * Checks that no other account has the row's organisation, if it has one, under this application: each connects an
 * organisation once. Throws `OrganisationTaken`.
 */
export async function checkFree(
  trx: Trx,
  { id, organisation_id: organisation, organisation_name: name }: AccountRow,
  application: string,
): Promise<void> {
  if (organisation === null) return;
  const holder = await trx
    .selectFrom('accounts')
    .select('id')
    .where('application_id', '=', application)
    .where('organisation_id', '=', organisation)
    .where('stage', '!=', 'awaiting-operator')
    .where('id', '!=', id)
    .executeTakeFirst();
  if (holder !== undefined) throw new OrganisationTaken(name ?? organisation);
}
