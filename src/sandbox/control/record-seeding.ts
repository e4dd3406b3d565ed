import type { Kysely } from 'kysely';
import type { IdentityTables } from '../identity/tables.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { ControlRefusal } from './json.ts';
import type { RecordSeeding } from './seeding.ts';
import { seedSettings } from '../json/settings/seed-settings.ts';
import type { RecordTables } from '../records/tables.ts';
import {
  SeedFault,
  seedOrganisationSchema,
  seedRecords,
  type SeedOrganisation,
} from '../seed/organisation.ts';

/** Returns the same database with its other tables: kysely's type restricts each handle to its tables. */
export function recordsIn(db: Kysely<IdentityTables>): Kysely<RecordTables> {
  return db as unknown as Kysely<RecordTables>;
}

/** Connects the seeding of records to the control plane. */
export function recordSeeding(clock: Clock): RecordSeeding<SeedOrganisation> {
  return {
    schema: seedOrganisationSchema,
    generate: (size) => ({ generate: { clients: size } }),
    write: async (tx, organisationId, seed) => {
      try {
        await seedRecords(recordsIn(tx), organisationId, seed, clock);
        await seedSettings(recordsIn(tx), organisationId, clock);
      } catch (error) {
        if (!(error instanceof SeedFault)) throw error;
        throw new ControlRefusal(400, 'The seed contradicts itself.', [
          { field: 'organisations', message: error.message },
        ]);
      }
    },
  };
}
