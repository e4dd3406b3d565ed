import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import { Files } from '../records/files.ts';
import { Records } from '../records/records.ts';
import type { RecordTables } from '../records/tables.ts';
import { generateRecords } from './generate/generate.ts';
import { clients, withOnePrimary } from './kinds/clients.ts';
import { assignedTo, jobs, times } from './kinds/jobs.ts';
import { invoices, purchaseOrders, quotes } from './kinds/money.ts';
import { leads, staff, suppliers } from './kinds/people.ts';
import { accounts, costs, recurringJobs, tasks, taxes, templates } from './kinds/settings.ts';
import type { SeedOrganisation } from './schema.ts';
import { firstState, seedDefinitions, seedSettings } from './settings.ts';
import { seedKind } from './write.ts';
import { SeedWriter } from './writer.ts';

export { SeedFault } from './fault.ts';
export { seedOrganisationSchema, type SeedOrganisation } from './schema.ts';

/**
 * Adds the records of a seed to an organisation: completely or not at all. Within a transaction it is part of
 * that transaction. Several seeds may build one organisation; each may refer to records of earlier ones.
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
  const writer = new SeedWriter(new Records(within, organisationId), new Files(within), now);
  await seedSettings(writer, seed);
  await seedDefinitions(writer, seed);
  await seedKind(writer, accounts, seed.accounts);
  await seedKind(writer, taxes, seed.taxes);
  await seedKind(writer, staff, seed.staff);
  await seedKind(writer, suppliers, seed.suppliers);
  await seedKind(writer, tasks, seed.tasks);
  await seedKind(writer, costs, seed.costs);
  // After the catalogue and the suppliers, which templates refer to.
  await seedKind(writer, templates, seed.templates);
  await seedKind(writer, clients, seed.clients?.map(withOnePrimary));
  await seedKind(writer, recurringJobs, seed.recurringJobs);
  await seedKind(writer, jobs, await preparedJobs(writer, seed));
  await seedKind(writer, times, seed.times);
  await seedKind(writer, leads, seed.leads);
  await seedKind(writer, invoices, seed.invoices);
  await seedKind(writer, quotes, seed.quotes);
  await seedKind(writer, purchaseOrders, seed.purchaseOrders);
}

async function preparedJobs(writer: SeedWriter, seed: SeedOrganisation): Promise<readonly object[]> {
  const prepared: object[] = [];
  for (const job of seed.jobs ?? [])
    prepared.push({ state: firstState(seed), ...job, assigned: await assignedTo(writer, job) });
  return prepared;
}
