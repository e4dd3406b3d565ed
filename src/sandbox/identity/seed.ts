import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { FOR_ADMINISTRATORS } from './people.ts';
import { applySwitches, defaultSwitches, switchesChangeSchema } from './switches.ts';
import type { IdentityTables } from './tables.ts';

const userSchema = z
  .strictObject({
    name: z.string().min(1),
    email: z.email(),
    administrator: z.boolean().default(true),
    /** 'Authorise 3rd Party Full Access'; by default every administrator has it. */
    privilege: z.boolean().optional(),
  })
  .transform((user) => ({ ...user, privilege: user.privilege ?? user.administrator }))
  .refine(({ administrator, privilege }) => administrator || !privilege, {
    path: ['privilege'],
    message: FOR_ADMINISTRATORS,
  });

/**
 * The part of a seeded organisation that is not a record. A user with the same e-mail in another organisation
 * is the same person.
 */
export const seedIdentitySchema = z.object({
  id: z
    .guid()
    .transform((id) => id.toLowerCase())
    .optional(),
  name: z.string().min(1),
  accountKey: z.string().min(1),
  apiKeys: z.array(z.string().min(1)).default([]),
  practice: switchesChangeSchema.shape.practice,
  switches: switchesChangeSchema.optional(),
  users: z.array(userSchema).optional(),
});

export type SeedIdentity = z.infer<typeof seedIdentitySchema>;
export type SeedUser = z.infer<typeof userSchema>;

/** One user of each kind that matters to a consent; the default for an organisation seeded without users. */
export const defaultUsers: readonly SeedUser[] = [
  { name: 'Maren Holt', email: 'maren.holt@demo.example', administrator: true, privilege: true },
  { name: 'Tomás Okafor', email: 'tomas.okafor@demo.example', administrator: true, privilege: false },
  { name: 'Priya Lind', email: 'priya.lind@demo.example', administrator: false, privilege: false },
];

export interface SeededUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly administrator: boolean;
  readonly privilege: boolean;
}

export interface SeededOrganisation {
  readonly id: string;
  readonly name: string;
  readonly accountKey: string;
  readonly apiKeys: readonly string[];
  readonly users: readonly SeededUser[];
}

/** Writes one organisation with its users. The caller has checked that id and account key are free. */
export async function seedIdentity(
  db: Kysely<IdentityTables>,
  seed: SeedIdentity,
): Promise<SeededOrganisation> {
  const id = seed.id ?? randomUUID();
  const switches = applySwitches(defaultSwitches, {
    ...(seed.practice !== undefined && { practice: seed.practice }),
    ...seed.switches,
  });
  await db
    .insertInto('identity_organisations')
    .values({
      id,
      position: await next(db, 'identity_organisations'),
      name: seed.name,
      account_key: seed.accountKey,
      api_keys: JSON.stringify(seed.apiKeys),
      switches: JSON.stringify(switches),
      consented_at: null,
    })
    .execute();
  const users: SeededUser[] = [];
  for (const user of seed.users === undefined || seed.users.length === 0 ? defaultUsers : seed.users) {
    users.push(await addUser(db, id, user));
  }
  return { id, name: seed.name, accountKey: seed.accountKey, apiKeys: seed.apiKeys, users };
}

async function addUser(
  db: Kysely<IdentityTables>,
  organisationId: string,
  user: SeedUser,
): Promise<SeededUser> {
  const known = await db
    .selectFrom('identity_users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirst();
  const id = known?.id ?? randomUUID();
  if (known === undefined) {
    const position = await next(db, 'identity_users');
    await db
      .insertInto('identity_users')
      .values({ id, position, name: user.name, email: user.email })
      .execute();
  }
  const rights = { administrator: Number(user.administrator), privilege: Number(user.privilege) };
  await db
    .insertInto('identity_memberships')
    .values({ user_id: id, organisation_id: organisationId, ...rights })
    .onConflict((conflict) => conflict.columns(['user_id', 'organisation_id']).doUpdateSet(rights))
    .execute();
  return { id, ...user };
}

async function next(
  db: Kysely<IdentityTables>,
  table: 'identity_organisations' | 'identity_users',
): Promise<number> {
  const row = await db
    .selectFrom(table)
    .select((column) => column.fn.max('position').as('last'))
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}
