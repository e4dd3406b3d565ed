import { codeForms, type CodedKind, usualTaxRate } from '../records/codes.ts';
import type { NewRecord } from '../records/row.ts';
import { isoDate } from '../xml/values.ts';
import { owned } from './attachments.ts';
import type { Book, Identity } from './book.ts';
import { textsOf, two, twoOrNone } from './forms.ts';
import type { SeedInvoice, SeedOrganisation, SeedPurchaseOrder, SeedQuote } from './schema.ts';

export async function seedMoney(book: Book, seed: SeedOrganisation, now: number): Promise<void> {
  await seedInvoices(book, await identify(book, 'invoice', seed.invoices ?? [], () => ''), now);
  await seedQuotes(book, await identify(book, 'quote', seed.quotes ?? [], ({ name }) => name), now);
  await seedPurchaseOrders(
    book,
    await identify(book, 'purchaseOrder', seed.purchaseOrders ?? [], () => ''),
    now,
  );
}

type Identified<T> = Omit<T, 'number' | 'uuid' | 'internalId'> & {
  readonly identity: Identity & { readonly code: string };
};

interface Numbered {
  readonly number?: string | undefined;
  readonly internalId?: number | undefined;
  readonly uuid?: string | undefined;
}

async function identify<T extends Numbered>(
  book: Book,
  kind: CodedKind,
  given: readonly T[],
  nameOf: (of: T) => string,
): Promise<readonly Identified<T>[]> {
  const { prefix, digits } = codeForms[kind];
  const codes = await book.codes(
    kind,
    prefix,
    digits,
    given.map(({ number }) => number),
  );
  const bare = given.map((one) => ({ one, number: one.internalId, uuid: one.uuid }));
  const identified = await book.identify(kind, bare, ({ one }) => nameOf(one));
  return identified.map(({ one, identity }, at) => {
    return { ...one, identity: { ...identity, code: codes[at] ?? '' } };
  });
}

async function seedInvoices(
  book: Book,
  invoices: readonly Identified<SeedInvoice>[],
  now: number,
): Promise<void> {
  const written: NewRecord<'invoice'>[] = [];
  const jobs = new Map<string, string | undefined>();
  for (const invoice of invoices) {
    const job = (await book.resolve('job', invoice.job)) || undefined;
    jobs.set(invoice.identity.uuid, job);
    const date = invoice.date ?? isoDate(now);
    written.push({
      ...invoice.identity,
      name: '',
      owner: await book.resolve('client', invoice.client),
      other: job,
      fields: {
        type: invoice.type ?? 'Progress Invoice',
        description: invoice.description ?? '',
        date,
        dueDate: invoice.dueDate ?? date,
        status: invoice.status ?? 'Approved',
        contact: await book.resolve('contact', invoice.contact),
      },
    });
  }
  await book.write('invoice', written);
  await seedInvoiceLines(book, invoices, jobs);
}

async function seedInvoiceLines(
  book: Book,
  invoices: readonly Identified<SeedInvoice>[],
  jobs: ReadonlyMap<string, string | undefined>,
): Promise<void> {
  const tasks = await book.identify(
    'invoiceTask',
    owned(invoices, (invoice) => invoice.tasks),
    () => '',
  );
  await book.write(
    'invoiceTask',
    tasks.map((task) => ({
      ...task.identity,
      name: task.name,
      owner: task.owner,
      other: jobs.get(task.owner),
      fields: {
        task: '',
        description: task.description ?? '',
        minutes: task.minutes ?? 0,
        billableRate: two(task.billableRate ?? 0),
        billable: task.billable ?? true,
        taxRate: two(task.taxRate ?? usualTaxRate),
      },
    })),
  );
  const costs = await book.identify(
    'invoiceCost',
    owned(invoices, (invoice) => invoice.costs),
    () => '',
  );
  await book.write(
    'invoiceCost',
    costs.map((cost) => ({
      ...cost.identity,
      name: cost.description,
      owner: cost.owner,
      other: jobs.get(cost.owner),
      fields: { ...costFields(cost), unitPrice: two(cost.unitPrice ?? 0), billable: cost.billable ?? true },
    })),
  );
  const payments = await book.identify(
    'payment',
    owned(invoices, (invoice) => invoice.payments),
    () => '',
  );
  await book.write(
    'payment',
    payments.map((payment) => ({
      ...payment.identity,
      name: payment.reference ?? '',
      owner: payment.owner,
      fields: { date: payment.date ?? '', amount: two(payment.amount ?? 0) },
    })),
  );
}

type CostLine = NonNullable<SeedPurchaseOrder['costs']>[number];

const costFields = (cost: CostLine) => ({
  ...textsOf(cost, ['code', 'note']),
  quantity: two(cost.quantity ?? 1),
  unitCost: two(cost.unitCost ?? 0),
  taxRate: two(cost.taxRate ?? usualTaxRate),
});

async function seedQuotes(book: Book, quotes: readonly Identified<SeedQuote>[], now: number): Promise<void> {
  const written: NewRecord<'quote'>[] = [];
  for (const quote of quotes) {
    const date = quote.date ?? isoDate(now);
    written.push({
      ...quote.identity,
      name: quote.name,
      owner: await book.resolve('client', quote.client),
      other: (await book.resolve('job', quote.job)) || undefined,
      fields: {
        type: quote.type ?? 'Quote',
        state: quote.state ?? 'Issued',
        ...textsOf(quote, ['description', 'optionExplanation']),
        budget: twoOrNone(quote.budget),
        date,
        validDate: quote.validDate ?? date,
        contact: await book.resolve('contact', quote.contact),
        lead: await book.resolve('lead', quote.lead),
      },
    });
  }
  await book.write('quote', written);
  const tasks = await book.identify(
    'quoteTask',
    owned(quotes, (quote) => quote.tasks),
    () => '',
  );
  await book.write(
    'quoteTask',
    tasks.map((task) => ({
      ...task.identity,
      name: task.name,
      owner: task.owner,
      fields: {
        task: '',
        description: task.description ?? '',
        estimatedMinutes: task.estimatedMinutes ?? 0,
        baseRate: two(task.baseRate ?? 0),
        billableRate: two(task.billableRate ?? 0),
        billable: task.billable ?? true,
        taxRate: two(task.taxRate ?? usualTaxRate),
      },
    })),
  );
  const costs = await book.identify(
    'quoteCost',
    owned(quotes, (quote) => quote.costs),
    () => '',
  );
  await book.write(
    'quoteCost',
    costs.map((cost) => ({
      ...cost.identity,
      name: cost.description,
      owner: cost.owner,
      fields: {
        ...costFields(cost),
        unitPrice: two(cost.unitPrice ?? 0),
        billable: cost.billable ?? true,
        optional: cost.optional ?? false,
      },
    })),
  );
}

async function seedPurchaseOrders(
  book: Book,
  orders: readonly Identified<SeedPurchaseOrder>[],
  now: number,
): Promise<void> {
  const written: NewRecord<'purchaseOrder'>[] = [];
  for (const order of orders)
    written.push({
      ...order.identity,
      name: '',
      owner: await book.resolve('supplier', order.supplier),
      other: (await book.resolve('job', order.job)) || undefined,
      fields: {
        ...textsOf(order, ['description', 'deliveryAddress']),
        date: order.date ?? isoDate(now),
        state: order.state ?? 'Issued',
      },
    });
  await book.write('purchaseOrder', written);
  const costs = await book.identify(
    'purchaseOrderCost',
    owned(orders, (order) => order.costs),
    () => '',
  );
  await book.write(
    'purchaseOrderCost',
    costs.map((cost) => ({
      ...cost.identity,
      name: cost.description,
      owner: cost.owner,
      fields: costFields(cost),
    })),
  );
}
