import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

interface Row {
  readonly uuid: string;
  readonly name: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}
interface Pagination {
  readonly page: number;
  readonly per_page: number;
  readonly total_pages: number;
  readonly total_items: number;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** Created in an order that is neither that of their names nor of their changes. */
const clients = Array.from({ length: 25 }, (_, index) => ({
  name: `Client ${index}`,
  createdAt: at((index * 7) % 25),
  modifiedAt: at(100 + ((index * 3) % 25)),
  isArchived: index >= 23,
}));

let world: World;
beforeAll(async () => {
  world = await World.open({
    extra: { clients, jobs: [], times: [], leads: [], invoices: [], quotes: [], purchaseOrders: [] },
  });
});
afterAll(() => world.close());

async function page(query: string): Promise<{ rows: readonly Row[]; pagination: Pagination }> {
  const { json, status, text } = await world.call('GET', `/clients?${query}`);
  if (status !== 200) throw new Error(text);
  const meta = json.meta as { readonly pagination: Pagination };
  return { rows: json.data as readonly Row[], pagination: meta.pagination };
}

async function all(query: string, size: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let number = 1; ; number++) {
    const { rows: more, pagination } = await page(`${query}&page=${number}&pagesize=${size}`);
    rows.push(...more);
    if (number >= pagination.total_pages) return rows;
  }
}

const orders = ['', 'sort=created', 'sort=created&order=desc', 'sort=updated', 'sort=updated&order=desc'];

describe('the pages of a list', () => {
  it.each(orders)('contain every record once, in one order, whatever their size (%s)', async (query) => {
    const whole = await all(query, 1000);
    expect(whole).toHaveLength(23);
    for (const size of [1, 2, 5, 7, 22, 23, 24]) expect(await all(query, size)).toEqual(whole);
    const by = query.startsWith('sort=updated') ? 'updatedAt' : 'createdAt';
    const moments = whole.map((row) => row[by]);
    const ascending = [...moments].sort();
    expect(moments).toEqual(query.endsWith('desc') ? ascending.reverse() : ascending);
  });

  it('state their position, and are empty after the last', async () => {
    const { rows, pagination } = await page('page=9&pageSize=10');
    expect(rows).toEqual([]);
    expect(pagination).toEqual({ page: 9, per_page: 10, total_pages: 3, total_items: 23 });
  });

  it('have 100 records by default and 1000 at most', async () => {
    expect((await page('')).pagination.per_page).toBe(100);
    expect((await page('pagesize=0')).pagination.per_page).toBe(100);
    expect((await page('PAGESIZE=5000')).pagination.per_page).toBe(1000);
  });
});

describe('the filters of a list', () => {
  it('select changes at or after a time, by either name', async () => {
    const whole = await all('', 1000);
    const moment = at(110).replace('.000Z', 'Z');
    const wanted = whole.filter(({ updatedAt }) => updatedAt >= moment);
    expect(wanted.length).toBeGreaterThan(5);
    for (const name of ['updatedSince', 'lastModified', 'lastmodified'])
      expect((await page(`${name}=${moment}`)).rows).toEqual(wanted);
    expect((await page('lastModified=2026-01-02')).rows).toEqual([]);
    expect((await page('lastModified=2026-01-01')).rows).toHaveLength(23);
  });

  it('include archived clients on request', async () => {
    const { rows } = await page('status=archived');
    expect(rows.map(({ name }) => name).sort()).toEqual(['Client 23', 'Client 24']);
  });

  it('match a part of the name, in any case', async () => {
    expect((await page('name=CLIENT%202')).rows.map(({ name }) => name).sort()).toEqual([
      'Client 2',
      'Client 20',
      'Client 21',
      'Client 22',
    ]);
  });

  it.each(['updatedSince=yesterday', 'sort=name', 'order=up', 'status=lost', 'page=two'])(
    'refuse %s',
    async (query) => {
      expect(await world.refused('GET', `/clients?${query}`)).toEqual({
        status: 400,
        fields: [query.split('=')[0]],
      });
    },
  );
});

describe('the jobs of V2', () => {
  let jobs: World;
  beforeAll(async () => {
    jobs = await World.open();
    for (const [clientUUID, statusUUID] of [
      [uuidOf('client'), uuidOf('doneStatus')],
      [uuidOf('secondClient'), uuidOf('jobStatus')],
    ])
      await jobs.data('POST', '/jobs', {
        ClientUuid: clientUUID,
        jobname: 'Made',
        statusUUID,
        startDate: '2026-01-01',
        dueDate: '2026-01-02',
        priority: 'Normal',
        unknown: 'key',
      });
  });
  afterAll(() => jobs.close());

  const names = async (query: string): Promise<readonly string[]> =>
    (await jobs.data<readonly { jobNumber: string }[]>('GET', `/jobs?${query}`)).map(
      ({ jobNumber }) => jobNumber,
    );

  it('are found by client and by status', async () => {
    expect(await names('')).toHaveLength(3);
    expect(await names(`clientUUID=${uuidOf('secondClient')}`)).toEqual(['J000125']);
    expect(await names(`client=${uuidOf('client').toUpperCase()}`)).toEqual(['J000123', 'J000124']);
    expect(await names('status=DONE')).toEqual(['J000124']);
    expect(await names('status=completed')).toEqual(['J000124']);
    expect(await names(`status=${uuidOf('jobStatus')}`)).toEqual(['J000123', 'J000125']);
    expect(await names('status=progress')).toEqual(['J000123', 'J000125']);
    expect(await names('status=none')).toEqual([]);
  });

  it.each(['status=', 'status=%20', 'clientUUID=', 'updatedSince=', 'page=&pagesize=', 'sort=&order='])(
    'are all found with the empty parameter %s',
    async (query) => {
      expect(await names(query)).toHaveLength(3);
    },
  );

  it('have a completion date while they are done', async () => {
    expect(await jobs.data('GET', '/jobs/J000124')).toMatchObject({ completedDate: '2026-03-02' });
    await jobs.data('PUT', '/jobs/J000124', { statusUUID: uuidOf('jobStatus') });
    expect(await jobs.data('GET', '/jobs/J000124')).toMatchObject({ completedDate: null });
  });

  it('include only the requested groups in a list, in one call', async () => {
    const [bare] = await jobs.data<readonly object[]>('GET', '/jobs?includes=nonsense');
    expect(Object.keys(bare ?? {})).not.toEqual(expect.arrayContaining(['tasks']));
    const [full] = await jobs.data<readonly Record<string, readonly object[]>[]>(
      'GET',
      '/jobs?includes=tasks,staff,costs,notes,custom-fields,documents,milestones,phases,quotes,invoices,purchase-orders,timesheets',
    );
    const groups = [
      'tasks',
      'staffAssigned',
      'costs',
      'notes',
      'customFields',
      'documents',
      'milestones',
      'phases',
      'quotes',
      'invoices',
      'purchaseOrders',
      'timesheets',
    ];
    for (const group of groups) expect([group, full?.[group]?.length]).toEqual([group, 1]);
    expect(full?.tasks?.[0]).toMatchObject({ actualMinutes: 90, estimatedMinutes: 60 });
    expect(full?.invoices?.[0]).toMatchObject({ amountExTax: 130, amountIncTax: 149.5, amountPaid: 50 });
    expect(full?.purchaseOrders?.[0]).toMatchObject({ amountExTax: 125, billingStatus: 'awaiting' });
  });

  it('count as changed if their tasks are', async () => {
    await jobs.sandbox.advance(60);
    await jobs.data('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, { label: 'New' });
    expect(await names('updatedSince=2026-03-02T10:01:00Z')).toEqual(['J000123']);
  });
});

describe('the bare form of profile b', () => {
  it('is `{data, total}` for lists, the record itself for one, and keeps meta.request_id on errors', async () => {
    await world.sandbox.control('settings', { protocol: { v2: { envelope: 'bare' } } });
    const { json } = await world.call('GET', '/clients?pagesize=2');
    expect(Object.keys(json)).toEqual(['data', 'total']);
    expect(json.total).toBe(23);
    expect((await world.call('GET', '/me')).json).toMatchObject({ Organization: { UUID: world.one.id } });
    expect((await world.call('GET', '/clients/none')).json).toHaveProperty('meta.request_id');
    await world.sandbox.control('settings', { protocol: { v2: { envelope: 'spec', aliases: 'off' } } });
    expect((await world.refused('GET', '/staffs')).status).toBe(405);
    expect((await world.refused('GET', '/job-statuses')).status).toBe(404);
    await world.sandbox.control('settings', { protocol: { v2: { aliases: 'on' } } });
    for (const path of ['/staffs', '/job-statuses/', '/BusinessStructures', '/jobs-tasks', '/clienttypes'])
      expect((await world.call('GET', path)).status).toBe(200);
  });
});
