import type { SeedClient, SeedJob, SeedLead, SeedOrganisation, SeedTime } from '../schema.ts';
import { generateClient, relate } from './clients.ts';
import { generateFoundation, HOURLY_RATE, supplierNames } from './foundation.ts';
import { generateJob, generateLead, generateTime } from './jobs.ts';
import { generateMoney, type Money } from './money.ts';
import { SeededRandom } from './seeded-random.ts';

const CLIENTS_PER_BATCH = 1_000;

/**
 * Plausible records with `size` clients, the same for the same seed: first those that others refer to, then
 * the clients in batches with their jobs, times and leads. They include values of all nine kinds of custom
 * field, and begin with every value that programs often get wrong.
 */
export function* generateRecords(size: number, seed = 1): Generator<SeedOrganisation> {
  const random = new SeededRandom(seed);
  const foundation = generateFoundation(random);
  yield foundation;
  for (let first = 0; first < size; first += CLIENTS_PER_BATCH) {
    const count = Math.min(CLIENTS_PER_BATCH, size - first);
    yield generateBatch(random, first, count);
  }
}

function generateBatch(random: SeededRandom, first: number, count: number): SeedOrganisation {
  const clients: SeedClient[] = Array.from({ length: count }, (_, at) => generateClient(random, first + at));
  relate(random, clients);
  const jobs: SeedJob[] = [];
  const times: SeedTime[] = [];
  const leads: SeedLead[] = [];
  const money: Money[] = [];
  clients.forEach(({ name }, at) => {
    const index = first + at;
    if (index % 2 === 0) {
      const job = generateJob(random, name, index);
      jobs.push(job);
      times.push(generateTime(random, job));
      money.push(generateMoney(random, index, job, supplierNames[0], HOURLY_RATE));
    }
    if (index % 10 === 0) leads.push(generateLead(random, name));
  });
  return {
    clients,
    jobs,
    times,
    leads,
    invoices: money.flatMap((of) => of.invoices),
    quotes: money.flatMap((of) => of.quotes),
    purchaseOrders: money.flatMap((of) => of.purchaseOrders),
  };
}
