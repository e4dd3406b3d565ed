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
 * The jobs that have a record: the first job, and in every group of `every` jobs the one at position `at`.
 */
interface Share {
  readonly every: number;
  readonly at: number;
}

const quotes = [
  { every: 4, at: 0, state: 'Issued' },
  { every: 24, at: 0, state: 'Draft' },
  { every: 8, at: 2, state: 'Accepted' },
] as const;

const invoices = [
  { every: 6, at: 0, days: 30, state: 'Approved', paid: 0 },
  { every: 6, at: 2, days: 30, state: 'Approved', paid: 1 },
  { every: 30, at: 0, days: 60, state: 'Draft', paid: 0 },
  { every: Infinity, at: 0, days: 60, state: 'Cancelled', paid: 0 },
] as const;

const purchaseOrders = [
  { every: 10, at: 0, state: 'Issued' },
  { every: 40, at: 0, state: 'Draft' },
] as const;

/**
 * Generates a job's quotes, orders and invoices. The first job has one of every kind and state, so that no
 * list of the smallest seed is empty; later jobs have fewer.
 */
export function generateMoney(
  random: SeededRandom,
  index: number,
  job: SeedJob,
  supplier: string,
  hourlyRate: number,
): Money {
  const date = job.startDate ?? '2025-06-30';
  const lines = (): Lines => generateLines(random, job, hourlyRate);
  const due = <Row extends Share>(rows: readonly Row[]): readonly Row[] =>
    rows.filter(({ every, at }) => index === 0 || index % every === at);
  return {
    quotes: due(quotes).map(({ state }) => quote(job, date, state, lines())),
    invoices: due(invoices).map(({ state, days, paid }) =>
      invoice(job, later(date, days), state, lines(), paid),
    ),
    purchaseOrders: due(purchaseOrders).map(({ state }) => order(job, date, state, supplier)),
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

/** `paid`: the share of the amount that was paid. */
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
