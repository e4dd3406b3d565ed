import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import {
  seedIdentity,
  seedIdentitySchema,
  type SeededOrganisation,
  type SeedIdentity,
} from '../identity/seed.ts';
import type { IdentityTables } from '../identity/tables.ts';
import { check, ControlRefusal, fieldErrors, fieldName, type FieldError } from './json.ts';

/** Generates and writes the records of a seed; passed in by the caller. */
export interface RecordSeeding<Seed> {
  /** Accepts every field of an organisation and ignores the identity fields. */
  readonly schema: z.ZodType<Seed>;
  /** Returns the records of an organisation with `size` clients; every call gives the same ones. */
  readonly generate: (size: number) => object;
  /** Throws `ControlRefusal` for a seed that contradicts itself. */
  readonly write: (tx: Transaction<IdentityTables>, organisationId: string, seed: Seed) => Promise<void>;
}

interface ReadOrganisation<Seed> {
  readonly identity: SeedIdentity;
  readonly records: Seed;
}

const bodySchema = z.union([
  z.strictObject({ size: z.int().min(0).max(200_000) }),
  z.strictObject({ organisations: z.array(z.record(z.string(), z.unknown())).min(1) }),
]);

/** `POST /_sandbox/seed`: reads and checks everything before it writes anything, in one transaction. */
export class Seeding<Seed> {
  readonly #db: Kysely<IdentityTables>;
  readonly #records: RecordSeeding<Seed>;

  constructor(db: Kysely<IdentityTables>, records: RecordSeeding<Seed>) {
    this.#db = db;
    this.#records = records;
  }

  /** Throws `ControlRefusal` with the field errors of all organisations. */
  async seed(body: unknown): Promise<readonly SeededOrganisation[]> {
    const organisations = this.#read(await this.#inputs(body));
    return this.#db.transaction().execute(async (tx) => {
      await refuseTaken(tx, organisations);
      const seeded: SeededOrganisation[] = [];
      for (const { identity, records } of organisations) {
        const organisation = await seedIdentity(tx, identity);
        await this.#records.write(tx, organisation.id, records);
        seeded.push(organisation);
      }
      return seeded;
    });
  }

  async #inputs(body: unknown): Promise<readonly unknown[]> {
    const one = typeof body === 'object' && body !== null && 'organisations' in body;
    const read = check(one ? bodySchema.options[1] : bodySchema.options[0], body);
    if ('organisations' in read) return read.organisations;
    return [{ ...(await this.#nextSample()), ...this.#records.generate(read.size) }];
  }

  /** The first sample organisation that does not exist yet: the same names and keys after every reset. */
  async #nextSample(): Promise<{ readonly name: string; readonly accountKey: string }> {
    const rows = await this.#db.selectFrom('identity_organisations').select('account_key').execute();
    const taken = new Set(rows.map((row) => row.account_key));
    let number = 1;
    while (taken.has(sampleKey(number))) number += 1;
    return { name: `Sample organisation ${number}`, accountKey: sampleKey(number) };
  }

  #read(inputs: readonly unknown[]): readonly ReadOrganisation<Seed>[] {
    const faults: FieldError[] = [];
    const organisations = inputs.flatMap((input, index) => {
      const place = ['organisations', index];
      const identity = seedIdentitySchema.safeParse(input);
      const records = this.#records.schema.safeParse(input);
      if (!identity.success) faults.push(...fieldErrors(identity.error, place));
      if (!records.success) {
        const told = new Set(faults.map(({ field }) => field));
        faults.push(...fieldErrors(records.error, place).filter(({ field }) => !told.has(field)));
      }
      return identity.success && records.success ? [{ identity: identity.data, records: records.data }] : [];
    });
    faults.push(...repeated(organisations));
    if (faults.length > 0) throw new ControlRefusal(400, 'The request has field errors.', faults);
    return organisations;
  }
}

function sampleKey(number: number): string {
  return `B${String(number).padStart(31, '0')}`;
}

function repeated(organisations: readonly { readonly identity: SeedIdentity }[]): readonly FieldError[] {
  return (['id', 'accountKey'] as const).flatMap((field) => {
    const seen = new Set<string>();
    return organisations.flatMap(({ identity }, index) => {
      const value = identity[field];
      if (value === undefined) return [];
      if (seen.has(value)) {
        return [{ field: fieldName(['organisations', index, field]), message: 'is used twice in this seed' }];
      }
      seen.add(value);
      return [];
    });
  });
}

async function refuseTaken(
  tx: Transaction<IdentityTables>,
  organisations: readonly { readonly identity: SeedIdentity }[],
): Promise<void> {
  const rows = await tx.selectFrom('identity_organisations').select(['id', 'account_key']).execute();
  const ids = new Set(rows.map((row) => row.id));
  const keys = new Set(rows.map((row) => row.account_key));
  const faults = organisations.flatMap(({ identity }, index) => [
    ...(identity.id !== undefined && ids.has(identity.id)
      ? [{ field: fieldName(['organisations', index, 'id']), message: 'is taken already' }]
      : []),
    ...(keys.has(identity.accountKey)
      ? [{ field: fieldName(['organisations', index, 'accountKey']), message: 'is taken already' }]
      : []),
  ]);
  if (faults.length > 0)
    throw new ControlRefusal(409, 'An organisation of this seed exists already.', faults);
}
