import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/clock.ts';
import { Files } from '../records/files.ts';
import { Records } from '../records/records.ts';
import type { RecordTables } from '../records/tables.ts';
import { IdBook } from './id-book.ts';
import { seedClients } from './clients.ts';
import { generateRecords } from './generate/generate.ts';
import { seedJobs, seedTimes } from './jobs.ts';
import { seedLeads, seedStaff, seedSuppliers } from './people.ts';
import type { SeedOrganisation } from './schema.ts';
import { seedMoney } from './money.ts';
import { seedCatalogue, seedDefinitions, seedSettings, seedTemplates } from './settings.ts';

export { SeedFault } from './fault.ts';
export { seedOrganisationSchema, type SeedOrganisation } from './schema.ts';

/**
 * Writes the records of a seed into an organisation, beside those that are there: whole or not at all. Within a
 * transaction it belongs to that one. Several seeds one after the other make one organisation; each may refer to
 * records of those before.
 *
 * Throws `SeedFault`.
 */
export async function seedRecords(
  db: Kysely<RecordTables>,
  organisationId: string,
  seed: SeedOrganisation,
  clock: Clock,
): Promise<void> {
  const write = async (within: Kysely<RecordTables>): Promise<void> => {
    await writeSeed(within, organisationId, seed, clock.now());
    if (!seed.generate) return;
    for (const batch of generateRecords(seed.generate.clients, seed.generate.seed))
      await writeSeed(within, organisationId, batch, clock.now());
  };
  await (db.isTransaction ? write(db) : db.transaction().execute(write));
}

async function writeSeed(
  within: Kysely<RecordTables>,
  organisationId: string,
  seed: SeedOrganisation,
  now: number,
): Promise<void> {
  const records = new Records(within, organisationId);
  const repository = new IdBook(records, now);
  await seedSettings(repository, records, seed);
  await seedDefinitions(repository, seed);
  await seedStaff(repository, seed);
  await seedSuppliers(repository, seed);
  await seedCatalogue(repository, seed);
  await seedTemplates(repository, seed);
  const files = new Files(within);
  await seedClients(repository, files, organisationId, seed);
  await seedJobs(repository, files, organisationId, seed);
  await seedTimes(repository, seed);
  await seedLeads(repository, seed);
  await seedMoney(repository, seed);
}
