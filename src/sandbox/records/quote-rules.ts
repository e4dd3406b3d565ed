import { DAY } from '../../lib/time/clock.ts';
import { nextCode } from './codes.ts';
import { usualTaxRate } from '../tables/money/invoice.ts';
import type { StoredRecord } from './kinds.ts';
import type { Records } from './records.ts';

const VALID_DAYS = 30;
const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Creates a draft from the job's current contents: its tasks with their estimates, and its costs. */
export async function quoteOfJob(
  records: Records,
  job: StoredRecord<'job'>,
  type: 'Quote' | 'Estimate',
  now: number,
): Promise<StoredRecord<'quote'>> {
  const quote = await records.insert(
    'quote',
    {
      code: await nextCode(records, 'quote'),
      name: job.name,
      owner: job.owner,
      other: job.uuid,
      fields: {
        type,
        state: 'Draft',
        description: job.fields.description,
        budget: job.fields.budget,
        optionExplanation: '',
        date: day(now),
        validDate: day(now + VALID_DAYS * DAY),
        contact: job.fields.contact || (await primaryContact(records, job.owner ?? '')),
        lead: '',
      },
    },
    now,
  );
  await quoteTasks(records, job, quote, now);
  await quoteCosts(records, job, quote, now);
  return quote;
}

async function primaryContact(records: Records, client: string): Promise<string> {
  const contacts = await records.owned('contact', client);
  return contacts.find(({ fields }) => fields.isPrimary)?.uuid ?? '';
}

/** '' means no rate. */
const firstSet = (...rates: readonly (string | undefined)[]): string =>
  rates.find((rate) => rate !== undefined && rate !== '') ?? '0.00';

async function quoteTasks(
  records: Records,
  job: StoredRecord<'job'>,
  quote: StoredRecord<'quote'>,
  now: number,
): Promise<void> {
  const tasks = await records.owned('jobTask', job);
  const catalogue = await records.referred('task', tasks, ({ other }) => other);
  await records.insertAll(
    'quoteTask',
    tasks.map(({ uuid, name, other, fields }) => {
      const item = catalogue.get(other ?? '');
      return {
        name,
        owner: quote.uuid,
        other: uuid,
        fields: {
          task: other ?? '',
          description: fields.description,
          estimatedMinutes: fields.estimatedMinutes,
          baseRate: firstSet(item?.fields.baseRate),
          billableRate: firstSet(fields.customBillableRate, item?.fields.billableRate),
          billable: fields.billable,
          taxRate: usualTaxRate,
        },
      };
    }),
    now,
  );
}

async function quoteCosts(
  records: Records,
  job: StoredRecord<'job'>,
  quote: StoredRecord<'quote'>,
  now: number,
): Promise<void> {
  const costs = await records.owned('jobCost', job);
  await records.insertAll(
    'quoteCost',
    costs.map(({ uuid, name, fields: { note, code, billable, quantity, unitCost, unitPrice } }) => ({
      name,
      owner: quote.uuid,
      other: uuid,
      fields: { note, code, billable, quantity, unitCost, unitPrice, taxRate: usualTaxRate, optional: false },
    })),
    now,
  );
}
