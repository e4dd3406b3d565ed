import { sql, type Kysely } from 'kysely';
import type { IdentityTables } from './tables.ts';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** A user's rights in one organisation. */
export interface Membership {
  readonly organisationId: string;
  readonly organisationName: string;
  readonly administrator: boolean;
  /** The privilege 'Authorise 3rd Party Full Access'. */
  readonly privilege: boolean;
}

/**
 * A user who grants consent must have the privilege 'Authorise 3rd Party Full Access' and must be an administrator (V2
 * specification, "Prerequisites", rule 3).
 */
export type Standing = 'may-connect' | 'no-privilege' | 'no-administrator';

/** Why a privilege is refused (the same rule). */
export const FOR_ADMINISTRATORS = 'only an administrator may hold it';

/** Whether the member may connect the organisation, or what is missing. */
export function standing(membership: Membership): Standing {
  if (!membership.administrator) return 'no-administrator';
  return membership.privilege ? 'may-connect' : 'no-privilege';
}

/** The users of the service and their staff settings. */
export class PeopleStore {
  readonly #db: Kysely<IdentityTables>;

  constructor(db: Kysely<IdentityTables>) {
    this.#db = db;
  }

  async list(): Promise<readonly Person[]> {
    return this.#db
      .selectFrom('identity_users')
      .select(['id', 'name', 'email'])
      .orderBy('position')
      .execute();
  }

  /**
   * Finds the users whose name, e-mail address or organisation contains the text: the oldest `most` of them,
   * and how many there are in all.
   */
  async find(
    text: string,
    most: number,
  ): Promise<{ readonly people: readonly Person[]; readonly total: number }> {
    const like = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const found = this.#db.selectFrom('identity_users as u').where((eb) =>
      eb.or([
        sql<boolean>`u.name like ${like} escape '\\'`,
        sql<boolean>`u.email like ${like} escape '\\'`,
        eb.exists(
          eb
            .selectFrom('identity_memberships as m')
            .innerJoin('identity_organisations as o', 'o.id', 'm.organisation_id')
            .select('m.user_id')
            .whereRef('m.user_id', '=', 'u.id')
            .where(sql<boolean>`o.name like ${like} escape '\\'`),
        ),
      ]),
    );
    const people = await found
      .select(['u.id', 'u.name', 'u.email'])
      .orderBy('u.position')
      .limit(most)
      .execute();
    const { total } = await found
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { people, total };
  }

  async byId(id: string): Promise<Person | undefined> {
    return this.#db
      .selectFrom('identity_users')
      .select(['id', 'name', 'email'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async memberships(userId: string): Promise<readonly Membership[]> {
    const rows = await this.#db
      .selectFrom('identity_memberships as m')
      .innerJoin('identity_organisations as o', 'o.id', 'm.organisation_id')
      .select(['o.id', 'o.name', 'm.administrator', 'm.privilege'])
      .where('m.user_id', '=', userId)
      .orderBy('o.position')
      .execute();
    return rows.map((row) => ({
      organisationId: row.id,
      organisationName: row.name,
      administrator: row.administrator === 1,
      privilege: row.privilege === 1,
    }));
  }

  async membership(userId: string, organisationId: string): Promise<Membership | undefined> {
    return (await this.memberships(userId)).find((one) => one.organisationId === organisationId);
  }

  /** Changes staff settings. A user who is no longer an administrator loses the privilege. */
  async changeMembership(
    userId: string,
    organisationId: string,
    { administrator, privilege }: { readonly administrator: boolean; readonly privilege: boolean },
  ): Promise<void> {
    await this.#db
      .updateTable('identity_memberships')
      .set({ administrator: Number(administrator), privilege: Number(administrator && privilege) })
      .where('user_id', '=', userId)
      .where('organisation_id', '=', organisationId)
      .execute();
  }
}
