import type { Kysely, Selectable } from 'kysely';
import type { OrganisationSwitches, SandboxOrganisation } from './organisation.ts';
import { applySwitches, type SwitchesChange } from './switches.ts';
import type { IdentityTables } from './tables.ts';

/** An organisation, and whether a user has consented for it. */
export interface ListedOrganisation extends SandboxOrganisation {
  readonly consentedAt: number | undefined;
}

/** The organisations of the service. */
export class OrganisationStore {
  readonly #db: Kysely<IdentityTables>;

  constructor(db: Kysely<IdentityTables>) {
    this.#db = db;
  }

  async list(): Promise<readonly ListedOrganisation[]> {
    const rows = await this.#db
      .selectFrom('identity_organisations')
      .selectAll()
      .orderBy('position')
      .execute();
    return rows.map(fromRow);
  }

  async byId(id: string): Promise<ListedOrganisation | undefined> {
    const row = await this.#db
      .selectFrom('identity_organisations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && fromRow(row);
  }

  async byAccountKey(accountKey: string): Promise<ListedOrganisation | undefined> {
    const row = await this.#db
      .selectFrom('identity_organisations')
      .selectAll()
      .where('account_key', '=', accountKey)
      .executeTakeFirst();
    return row && fromRow(row);
  }

  /** Returns undefined if there is no such organisation. */
  async changeSwitches(id: string, change: SwitchesChange): Promise<ListedOrganisation | undefined> {
    const organisation = await this.byId(id);
    if (organisation === undefined) return undefined;
    const switches = applySwitches(organisation.switches, change);
    await this.#db
      .updateTable('identity_organisations')
      .set({ switches: JSON.stringify(switches) })
      .where('id', '=', id)
      .execute();
    return { ...organisation, switches };
  }
}

function fromRow(row: Selectable<IdentityTables['identity_organisations']>): ListedOrganisation {
  return {
    id: row.id,
    name: row.name,
    accountKey: row.account_key,
    apiKeys: JSON.parse(row.api_keys) as string[],
    switches: JSON.parse(row.switches) as OrganisationSwitches,
    consentedAt: row.consented_at ?? undefined,
  };
}
