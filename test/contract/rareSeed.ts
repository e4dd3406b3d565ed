import { studioSeed } from './seed.ts';

/** Records of which V2 cannot show the whole, beyond what most organisations have. */

const each = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** More than one reply looks up one by one. */
const MANY = 33;

const keys = {
  accountKey: studioSeed.accountKey,
  apiKeys: studioSeed.apiKeys,
  users: studioSeed.users,
};

/** The line of an invoice by which a time entry was billed; its UUID is printed in both forms. */
export const billedBy = '5f5f5f5f-0000-4000-8000-000000000611';

export const rareSeed = {
  name: 'Contract Rare',
  ...keys,
  switches: { timeAllocation: true },
  staff: [
    { number: 7, name: 'Ada Example' },
    { number: 8, name: 'Bo Example', email: 'bo@studio.example' },
  ],
  suppliers: [{ number: 301, name: 'Paper & Co' }],
  leadStatuses: [{ number: 81, name: 'Current', type: 'open' }],
  clients: [
    { number: 1_000_000, name: 'Example & Sons', dateOfBirth: '1970-02-28' },
    {
      number: 1_000_001,
      name: 'Crowd',
      contacts: each(MANY, (at) => ({
        number: 200 + at,
        name: `Person ${String(at)}`,
        email: `p${String(at)}@crowd.example`,
        mobile: '021 555',
        phone: '04 555',
        addressee: 'All of you',
      })),
    },
    { number: 1_000_002, name: 'Gone Away' },
  ],
  leads: [
    { number: 441, name: 'Lost sight of', client: 1_000_002, owner: 7, state: 'Current', date: '2026-11-01' },
  ],
  jobs: [
    {
      number: 'J000101',
      name: 'Shop front',
      client: 1_000_000,
      partner: 8,
      startDate: '2026-11-02',
      assigned: [7],
      tasks: [
        {
          number: 401,
          name: 'Lettering',
          estimatedMinutes: 60,
          assigned: [{ staff: 7, allocatedMinutes: 60 }],
        },
        {
          number: 402,
          name: 'Painting',
          estimatedMinutes: 60,
          assigned: [
            { staff: 7, allocatedMinutes: 30 },
            { staff: 8, allocatedMinutes: 30 },
          ],
        },
      ],
      notes: [
        {
          number: 611,
          title: 'Colours',
          createdBy: 'Nobody Known',
          date: '2026-11-04T09:15:00Z',
          comments: [{ number: 621, text: 'Agreed', createdBy: 'Bo Example', date: '2026-11-05T10:00:00Z' }],
        },
      ],
    },
  ],
  times: [
    {
      ...{ number: 431, job: 'J000101', task: 401, staff: 7, date: '2026-11-04', minutes: 30 },
      invoiceTask: billedBy,
    },
  ],
  invoices: [
    {
      number: 'INV-0001',
      client: 1_000_000,
      job: 'J000101',
      date: '2026-11-05',
      tasks: [{ number: 611, uuid: billedBy, name: 'Lettering', minutes: 30, billableRate: '120.00' }],
    },
    ...(['Approved', 'Draft'] as const).map((status, at) => ({
      number: `INV-001${String(at)}`,
      client: 1_000_000,
      status,
      date: '2026-11-06',
      tasks: [{ number: 620 + at, name: 'Advice', minutes: 60, billableRate: '100.00' }],
      costs: [{ description: 'Travel', quantity: '1', unitPrice: '12.50' }],
    })),
  ],
};

/** In every list more records that are gone than one reply asks for. */
export const manyGoneSeed = {
  name: 'Contract Many Gone',
  ...keys,
  staff: [
    { number: 7, name: 'Ada Example' },
    ...each(MANY, (at) => ({ number: 100 + at, name: `Former ${String(at)}` })),
  ],
  suppliers: [
    { number: 301, name: 'Paper & Co' },
    ...each(MANY, (at) => ({ number: 400 + at, name: `Old Mill ${String(at)}` })),
  ],
  clients: [
    { number: 1_000_000, name: 'Example & Sons' },
    ...each(MANY, (at) => ({
      number: 1_000_100 + at,
      name: `Managed ${String(at)}`,
      accountManager: 100 + at,
    })),
    ...each(MANY, (at) => ({ number: 1_000_200 + at, name: `Gone ${String(at)}` })),
  ],
  jobs: [
    {
      number: 'J000001',
      internalId: 3_000_001,
      name: 'Everything',
      client: 1_000_000,
      startDate: '2026-11-02',
    },
    ...each(MANY, (at) => ({
      number: `J${String(1_000 + at)}`,
      internalId: 3_001_000 + at,
      name: `Job ${String(at)}`,
      client: 1_000_200 + at,
      startDate: '2026-11-02',
      assigned: [7],
      tasks: [{ number: 5_000 + at, name: 'Task', startDate: '2026-11-02', dueDate: '2026-11-02' }],
    })),
    ...each(MANY, (at) => ({
      number: `J${String(2_000 + at)}`,
      internalId: 3_002_000 + at,
      name: `Job of one ${String(at)}`,
      client: 1_000_000,
      startDate: '2026-11-02',
      state: 'Completed',
      assigned: [100 + at],
    })),
  ],
  invoices: (['Approved', 'Draft'] as const).flatMap((status, series) =>
    each(MANY, (at) => ({
      number: `INV-${String(series)}${String(100 + at)}`,
      client: 1_000_200 + at,
      job: 'J000001',
      status,
      date: '2026-11-05',
      tasks: [{ number: 7_000 + 100 * series + at, name: 'Work', minutes: 60, billableRate: '1.00' }],
    })),
  ),
  quotes: (['Issued', 'Draft'] as const).flatMap((state, series) =>
    each(MANY, (at) => ({
      number: `Q${String(series)}${String(100 + at)}`,
      name: 'Quote',
      client: 1_000_200 + at,
      state,
      date: '2026-11-05',
    })),
  ),
  purchaseOrders: (['Issued', 'Draft'] as const).flatMap((state, series) =>
    each(MANY, (at) => ({
      number: `P${String(series)}${String(100 + at)}`,
      supplier: 400 + at,
      job: 'J000001',
      state,
      date: '2026-11-05',
      costs: [{ description: 'Paint', quantity: '1.00', unitCost: '10.00' }],
    })),
  ),
};

/** By their numbers in the seed. */
export const manyGone = {
  staff: each(MANY, (at) => 100 + at),
  suppliers: each(MANY, (at) => 400 + at),
  clients: each(MANY, (at) => 1_000_200 + at),
};
