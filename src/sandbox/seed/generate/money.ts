import type { SeededRandom } from './seeded-random.ts';
import type { SeedInvoice, SeedJob, SeedPurchaseOrder, SeedQuote } from '../schema.ts';

const DAY = 24 * 60 * 60 * 1000;
const later = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

export interface Money {
  readonly invoices: readonly SeedInvoice[];
  readonly quotes: readonly SeedQuote[];
  readonly purchaseOrders: readonly SeedPurchaseOrder[];
}

/**
 * What is quoted, ordered and billed for a job. The first job has one of every kind and state, so that no list of the
 * smallest seed is empty; the others have less the further down they come.
 */
export function generateMoney(
  random: SeededRandom,
  index: number,
  job: SeedJob,
  supplier: string,
  hourlyRate: number,
): Money {
  const date = job.startDate ?? '2025-06-30';
  const isFirst = index === 0;
  const lines = (): Lines => generateLines(random, job, hourlyRate);
  return {
    quotes: [
      ...(isFirst || index % 4 === 0 ? [quote(job, date, 'Issued', lines())] : []),
      ...(isFirst || index % 24 === 0 ? [quote(job, date, 'Draft', lines())] : []),
      ...(isFirst || index % 8 === 2 ? [quote(job, date, 'Accepted', lines())] : []),
    ],
    invoices: [
      ...(isFirst || index % 6 === 0 ? [invoice(job, later(date, 30), 'Approved', lines(), 0)] : []),
      ...(isFirst || index % 6 === 2 ? [invoice(job, later(date, 30), 'Approved', lines(), 1)] : []),
      ...(isFirst || index % 30 === 0 ? [invoice(job, later(date, 60), 'Draft', lines(), 0)] : []),
      ...(isFirst ? [invoice(job, later(date, 60), 'Cancelled', lines(), 0)] : []),
    ],
    purchaseOrders: [
      ...(isFirst || index % 10 === 0 ? [order(job, date, 'Issued', supplier)] : []),
      ...(isFirst || index % 40 === 0 ? [order(job, date, 'Draft', supplier)] : []),
    ],
  };
}

interface Lines {
  readonly minutes: number;
  readonly rate: number;
  readonly quantity: number;
}

const generateLines = (random: SeededRandom, job: SeedJob, rate: number): Lines => ({
  minutes: job.tasks?.[0]?.estimatedMinutes ?? 60,
  rate,
  quantity: random.integer(1, 9),
});

function quote(
  job: SeedJob,
  date: string,
  state: NonNullable<SeedQuote['state']>,
  { minutes, rate, quantity }: Lines,
): SeedQuote {
  return {
    name: `Quote for ${job.name}`.slice(0, 120).toWellFormed(),
    client: job.client,
    ...(job.number !== undefined && { job: job.number }),
    state,
    description: 'As discussed:\n<design> & build',
    budget: 5_000,
    optionExplanation: 'Ask for any of these as well',
    date,
    validDate: later(date, 30),
    tasks: [
      { name: 'Design', estimatedMinutes: minutes, baseRate: 60, billableRate: rate },
      { name: 'Administration', estimatedMinutes: 30, billableRate: rate, billable: false },
    ],
    costs: [
      { description: 'Timber', code: 'T&1', quantity, unitCost: '12.50', unitPrice: 20 },
      { description: 'Paint', quantity: 2, unitCost: 30, unitPrice: '45.55', optional: true },
    ],
  };
}

/** `paid`: the share of it that was paid. */
function invoice(
  job: SeedJob,
  date: string,
  status: NonNullable<SeedInvoice['status']>,
  { minutes, rate, quantity }: Lines,
  paid: 0 | 1,
): SeedInvoice {
  const due = (minutes * rate) / 60 + quantity * 20;
  return {
    client: job.client,
    ...(job.number !== undefined && { job: job.number }),
    type: status === 'Draft' ? 'Final Invoice' : 'Progress Invoice',
    description: 'Work done & materials',
    date,
    dueDate: later(date, 20),
    status,
    tasks: [{ name: 'Design', description: 'Drawings', minutes, billableRate: rate }],
    costs: [{ description: 'Timber', code: 'T&1', quantity, unitCost: '12.50', unitPrice: 20 }],
    ...(paid === 1 && {
      payments: [{ date: later(date, 15), amount: due * 1.15, reference: 'Direct credit <1>' }],
    }),
  };
}

const order = (
  job: SeedJob,
  date: string,
  state: NonNullable<SeedPurchaseOrder['state']>,
  supplier: string,
): SeedPurchaseOrder => ({
  supplier,
  ...(job.number !== undefined && { job: job.number }),
  description: 'Timber for the frame',
  deliveryAddress: '1 High Street\nRear entrance',
  date,
  state,
  costs: [
    { description: 'Timber', code: 'T&1', quantity: 4, unitCost: '12.50' },
    { description: 'Screws', quantity: '2.5', unitCost: '8.99', note: 'Stainless' },
  ],
});
