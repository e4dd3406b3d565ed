import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deliveredMapping } from '../support/mapping.ts';
import { Service, ways, type Seed } from './four-ways.ts';

/**
 * Every list comes in V1's order, which is that of the legacy numbers (wire reference: a new record has the next one).
 * Everything of the organisation was made in one second, so that V2 itself gives no order: only numbers can.
 */

const MANY = 14;
const each = <T>(make: (at: number) => T): readonly T[] => Array.from({ length: MANY }, (_, at) => make(at));
/** So that the order of numbers is not that of texts: 96, …, 109. */
const FIRST = 96;
const named = (first: number, name: string): readonly { number: number; name: string }[] =>
  each((at) => ({ number: first + at, name: `${name} ${String(MANY - at)}` }));
const coded = (prefix: string, at: number): string => `${prefix}${String(FIRST + at)}`;
const day = '2026-11-02';

const seed = {
  name: 'Contract Order',
  accountKey: 'A000000000000000000000000000C04D',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  staff: named(FIRST, 'Person'),
  categories: named(FIRST, 'Category'),
  leadCategories: named(FIRST, 'Referral'),
  leadStatuses: [{ number: 81, name: 'Current', type: 'open' }],
  tasks: named(FIRST, 'Task'),
  templates: named(FIRST, 'Template'),
  groups: named(FIRST, 'Group'),
  costs: each((at) => ({ number: FIRST + at, description: `Cost ${String(MANY - at)}` })),
  suppliers: named(FIRST, 'Supplier'),
  clients: named(999_996, 'Client').map((client, at) => ({
    ...client,
    ...(at === 0 && {
      contacts: named(FIRST, 'Contact'),
      notes: each((note) => ({ title: `Note ${String(MANY - note)}`, date: '2026-11-02T00:00:00Z' })),
    }),
  })),
  jobs: each((at) => ({
    number: coded('J', at),
    internalId: 3_000_096 + at,
    name: `Job ${String(MANY - at)}`,
    client: 999_996,
    startDate: day,
    assigned: [FIRST],
    createdAt: '2026-11-01T08:00:00Z',
    modifiedAt: '2026-11-01T08:00:00Z',
    tasks: [
      { number: 5_096 + at, name: 'Task', startDate: day, dueDate: day },
      ...(at === 0 ? named(FIRST, 'Part') : []),
    ],
    ...(at === 0 && {
      milestones: each((one) => ({ description: `Milestone ${String(MANY - one)}`, date: day })),
      costs: each((one) => ({ number: FIRST + one, description: `Line ${String(MANY - one)}`, date: day })),
    }),
  })),
  times: each((at) => ({
    ...{ number: FIRST + at, job: 'J96', task: 5_096, staff: FIRST, date: day, minutes: MANY - at },
  })),
  leads: each((at) => ({
    number: FIRST + at,
    name: `Lead ${String(at)}`,
    client: 999_996,
    owner: FIRST,
    state: 'Current',
    date: day,
  })),
  invoices: each((at) => ({
    ...{ number: coded('I', at), client: 999_996, job: 'J96', date: day },
    tasks: [{ number: 611 + at, name: 'Work', minutes: 60, billableRate: '10.00' }],
  })),
  quotes: each((at) => ({
    number: coded('Q', at),
    name: 'Quote',
    client: 999_996,
    date: day,
    state: at < 7 ? 'Issued' : 'Draft',
  })),
  purchaseOrders: each((at) => ({
    ...{ number: coded('P', at), supplier: FIRST, job: 'J96', date: day, state: at < 7 ? 'Issued' : 'Draft' },
    costs: [{ description: 'Paint', quantity: '1.00', unitCost: '10.00' }],
  })),
} as unknown as Seed;

const RANGE = 'from=20200101&to=20301231';
/** How the list of each method is read. */
const lists: Readonly<Record<string, string>> = {
  'category.list': 'category.api/list',
  'client.list': 'client.api/list',
  'client.search': 'client.api/search?query=Client',
  'clientgroup.list': 'clientgroup.api/list',
  'cost.list': 'cost.api/list',
  'invoice.current': 'invoice.api/current',
  'invoice.list': `invoice.api/list?${RANGE}`,
  'invoice.job': 'invoice.api/job/J96',
  'job.current': 'job.api/current',
  'job.list': `job.api/list?${RANGE}`,
  'job.staff': `job.api/staff/${String(FIRST)}`,
  'job.client': 'job.api/client/999996',
  'job.tasks': 'job.api/tasks?complete=false',
  'lead.current': 'lead.api/current',
  'lead.list': `lead.api/list?${RANGE}`,
  'lead.categories': 'lead.api/categories',
  'purchaseorder.current': 'purchaseorder.api/current',
  'purchaseorder.draft': 'purchaseorder.api/draft',
  'purchaseorder.list': `purchaseorder.api/list?${RANGE}`,
  'purchaseorder.job': 'purchaseorder.api/job/J96',
  'quote.current': 'quote.api/current',
  'quote.draft': 'quote.api/draft',
  'quote.list': `quote.api/list?${RANGE}`,
  'staff.list': 'staff.api/list',
  'supplier.list': 'supplier.api/list',
  'task.list': 'task.api/list',
  'template.list': 'template.api/list',
  'time.list': `time.api/list?${RANGE}`,
  'time.job': 'time.api/job/J96',
  'time.staff': `time.api/staff/${String(FIRST)}?${RANGE}`,
};

/** Lists within a record: its address, the names below `Response` down to their entries, and what says which one it is. */
const inner: readonly (readonly [path: string, names: readonly string[], says: string])[] = [
  ['client.api/get/999996', ['Client', 'Contacts', 'Contact'], 'Name'],
  ['client.api/get/999996', ['Client', 'Notes', 'Note'], 'Title'],
  ['job.api/get/J96', ['Job', 'Tasks', 'Task'], 'Name'],
  ['job.api/get/J96', ['Job', 'Milestones', 'Milestone'], 'Description'],
  ['job.api/costs/J96', ['Costs', 'Cost'], 'Description'],
];

/** Lists of which one record has its own: what belongs to a record comes as the record has it. */
const parts: readonly string[] = [
  'client.documents',
  'customfield.definition',
  'invoice.draft',
  'invoice.payments',
  'job.costs',
  'job.documents',
];

describe('records created in the same second', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.open(seed);
  });
  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  it.each(Object.entries(lists))('are sorted by number on every route: %s', async (_, path) => {
    for (const way of ways) {
      const answer = await service.send(way, 'GET', path);
      const records = answer.children.find(({ children }) => children.length > 0)?.children ?? [];
      const ids = records.map(({ children }) => children.find(({ name }) => name === 'ID')?.text ?? '');
      const numbers = ids.map((id) => Number(id.replace(/^\D/, '')));
      expect([way, numbers]).toEqual([way, numbers.toSorted((one, other) => one - other)]);
      expect(new Set(numbers).size).toBeGreaterThan(6);
    }
  });

  it.each(inner)('keep the order of V1 within a record on every route: %s %j', async (path, names, says) => {
    const texts = async (way: (typeof ways)[number]): Promise<readonly string[]> =>
      (await service.records(way, path, names)).map(
        ({ children }) => children.find(({ name }) => name === says)?.text ?? '',
      );
    const original = await texts('V1');
    expect(new Set(original).size).toBeGreaterThanOrEqual(MANY);
    for (const way of ways.slice(1)) expect([way, await texts(way)]).toEqual([way, original]);
  });

  it('are read by every list of whole records', () => {
    const methods = deliveredMapping().methods.filter(
      ({ id, reply, v2 }) =>
        reply.form === 'list' && v2?.way === 'steps' && !id.startsWith('customfield.') && !parts.includes(id),
    );
    expect(Object.keys(lists).toSorted()).toEqual(methods.map(({ id }) => id).toSorted());
  });
});
