import { studioSeed } from './seed.ts';

/**
 * What is quoted, ordered and billed: of every state one, with and without a job, a contact, lines, payments. Numbers
 * of invoices, quotes and orders are text; some are nothing but digits, one is that of a client, too.
 */
export const moneySeed = {
  ...studioSeed,
  suppliers: [
    { number: 301, name: 'Paper & Co' },
    { number: 302, name: 'Ōamaru <Stone>' },
  ],
  leads: [{ number: 441, name: 'New sign', client: 1_000_000, owner: 8 }],
  jobs: [
    { number: 'J000101', name: 'Shop front', client: 1_000_000, clientOrderNumber: '00042' },
    { number: 'K2', name: 'Kiosk & more', client: 1_000_001, description: 'Digits\nonly' },
    { number: 'J000103', name: 'Nothing yet', client: 1_000_001 },
  ],
  times: [],
  invoices: [
    {
      number: 'INV-0001',
      client: 1_000_000,
      job: 'J000101',
      contact: 193,
      description: 'First part\nof two & more',
      date: '2026-10-31',
      dueDate: '2026-11-20',
      tasks: [
        {
          number: 611,
          name: 'Lettering <by hand>',
          description: 'gold',
          minutes: 90,
          billableRate: '120.00',
          taxRate: '15.00',
        },
        { number: 612, name: 'Visit', minutes: 45, billableRate: '80.00', billable: false },
      ],
      costs: [
        {
          description: 'Paint',
          note: 'red\nand "blue"',
          code: '0001',
          quantity: '2.50',
          unitCost: '10.00',
          unitPrice: '15.05',
          taxRate: '12.50',
        },
        { description: 'Brush', billable: false },
      ],
      payments: [
        { date: '2026-11-05', amount: '100.00', reference: 'Cheque 000123 & cash' },
        { date: '2026-11-06', amount: '0.05' },
      ],
    },
    {
      number: '20017',
      client: 1_000_001,
      type: 'Final Invoice',
      date: '2026-11-01',
      tasks: [{ number: 613, name: 'Advice', minutes: 60, billableRate: '100.00' }],
      payments: [{ date: '2026-11-02', amount: '115.00', reference: 'whole' }],
    },
    {
      number: 'INV-0003',
      client: 1_000_001,
      job: 'K2',
      status: 'Draft',
      date: '2026-11-02',
      costs: [{ description: 'Stone', quantity: '1', unitPrice: '1.10' }],
    },
    { number: 'INV-0004', client: 1_000_000, status: 'Draft', date: '2026-11-03' },
    { number: 'CN-12', client: 1_000_000, status: 'Cancelled', type: 'Credit Note', date: '2026-11-04' },
    {
      number: 'INV-0006',
      client: 1_000_000,
      job: 'J000101',
      type: 'Credit Note',
      date: '2026-11-05',
      costs: [{ description: 'Back', quantity: '-1', unitPrice: '12.50' }],
    },
  ],
  quotes: [
    {
      number: 'Q000123',
      name: 'New sign & more',
      client: 1_000_000,
      contact: 193,
      lead: 441,
      description: 'As discussed:\n- design\n- build',
      budget: '5000',
      optionExplanation: 'Choose <one>',
      date: '2026-10-31',
      validDate: '2026-12-02',
      tasks: [
        {
          name: 'Design',
          description: 'two drafts',
          estimatedMinutes: 90,
          baseRate: '40.00',
          billableRate: '120.00',
        },
        { name: 'Talk', billable: false },
      ],
      costs: [
        {
          description: 'Paint',
          note: 'red',
          code: '0001',
          quantity: '2.50',
          unitCost: '10.00',
          unitPrice: '15.05',
        },
        { description: 'Gold leaf', code: 'G-1', unitCost: '400', unitPrice: '596.13', optional: true },
      ],
    },
    { number: '20017', name: 'Guess', client: 1_000_001, type: 'Estimate', date: '2026-11-01' },
    { number: 'Q25008/2', name: 'Second try', client: 1_000_001, state: 'Draft', date: '2026-11-02' },
    { number: 'Q000125', name: 'Taken', client: 1_000_000, state: 'Accepted', date: '2026-11-03' },
  ],
  purchaseOrders: [
    {
      number: 'P000121',
      supplier: 301,
      job: 'J000101',
      description: 'Paint & brushes',
      deliveryAddress: '1 High Street\nFloor 2',
      date: '2026-10-31',
      costs: [
        { description: 'Paint', note: 'matt\nnot gloss', code: '0001', quantity: '2.50', unitCost: '10.05' },
        { description: 'Brush <wide>' },
      ],
    },
    { number: '1000000', supplier: 302, job: 'K2', date: '2026-11-01' },
    { number: 'P000123', supplier: 302, job: 'J000101', state: 'Draft', date: '2026-11-02' },
    { number: 'P000124', supplier: 301, date: '2026-11-03' },
  ],
};
