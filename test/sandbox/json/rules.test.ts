import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

interface Assigned {
  readonly uuid: string;
  readonly firstName: string;
  readonly customBillableRate: number | null;
}
interface Timesheet {
  readonly uuid: string;
  readonly wip: {
    readonly baseRate: number;
    readonly standardRate: number;
    readonly chargeRate: number;
    readonly chargeAmount: number;
  };
}
interface Listed {
  readonly uuid: string;
  readonly name: string;
}

const JOB = `/jobs/${uuidOf('job')}`;
let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const assigned = async (): Promise<readonly Assigned[]> =>
  (await world.data<{ staffAssigned: readonly Assigned[] }>('GET', JOB)).staffAssigned;

describe('staff of a job', () => {
  it('are added to those already assigned', async () => {
    await world.data('POST', `${JOB}/staff`, { staff: [{ uuid: uuidOf('staff'), customBillableRate: 130 }] });
    expect(
      (await assigned()).map(({ firstName, customBillableRate }) => [firstName, customBillableRate]),
    ).toEqual([
      ['Bo', null],
      ['Ada Maria', 130],
    ]);
  });

  it('have one assignment each, whose rate the second call sets', async () => {
    for (const customBillableRate of [130, 140])
      await world.data('POST', `${JOB}/staff`, [
        { staffUUID: uuidOf('staff'), billableRate: customBillableRate },
      ]);
    expect((await assigned()).map(({ customBillableRate }) => customBillableRate)).toEqual([null, 140]);
  });

  it('can be unassigned, which leaves the job and the profile unchanged', async () => {
    const profile = await world.data('GET', `/staff/${uuidOf('secondStaff')}`);
    const job = await world.data('GET', JOB);
    await world.data('DELETE', `${JOB}/staff/${uuidOf('secondStaff')}`);
    const after = await world.data('GET', JOB);
    expect({ ...after, tasks: [] }).toEqual({ ...job, tasks: [], staffAssigned: [] });
    expect(after.tasks).toMatchObject([{ uuid: uuidOf('jobTask'), estimatedMinutes: 60, staffs: [] }]);
    expect(await world.data('GET', `/staff/${uuidOf('secondStaff')}`)).toEqual(profile);
  });

  it('cannot be changed before they are assigned', async () => {
    const body = { uuid: uuidOf('staff'), customBillableRate: 1 };
    expect((await world.refused('PUT', `${JOB}/staff`, body)).status).toBe(404);
  });
});

describe('the rate of an hour', () => {
  const worth = async () => {
    const [time] = await world.data<readonly Timesheet[]>('GET', '/timesheets');
    return time?.wip;
  };
  const rate = (body: object) => world.data('PUT', '/custom-rates', body);
  const task = uuidOf('task');

  it('is the rate of the catalogue', async () => {
    expect(await worth()).toMatchObject({ standardRate: 100, chargeRate: 100, chargeAmount: 150 });
  });

  it('is the rate of the member, or else of the client, before that of the catalogue', async () => {
    await rate({
      type: 'staff-task',
      taskUUID: task,
      staffUUID: uuidOf('secondStaff'),
      baseRate: 45,
      billableRate: 110,
    });
    expect(await worth()).toMatchObject({ baseRate: 45, standardRate: 100, chargeRate: 110 });
    await rate({ type: 'client-task', taskUUID: task, clientUUID: uuidOf('client'), billableRate: 120 });
    expect(await worth()).toMatchObject({ baseRate: 45, standardRate: 100, chargeRate: 120 });
    await world.data(
      'DELETE',
      `/custom-rates?type=client-task&taskUUID=${task}&clientUUID=${uuidOf('client')}`,
    );
    expect(await worth()).toMatchObject({ chargeRate: 110 });
  });

  it('is not the rate of another client or another member', async () => {
    await rate({ type: 'staff-task', taskUUID: task, staffUUID: uuidOf('staff'), billableRate: 110 });
    await rate({
      type: 'client-task',
      taskUUID: task,
      clientUUID: uuidOf('secondClient'),
      billableRate: 120,
    });
    expect(await worth()).toMatchObject({ chargeRate: 100 });
  });

  it('is the rate of the assignment, then of the job task, before all these', async () => {
    await rate({ type: 'client-task', taskUUID: task, clientUUID: uuidOf('client'), billableRate: 120 });
    await world.data('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, { customBillableRate: 130 });
    expect(await worth()).toMatchObject({ chargeRate: 130 });
    await world.data('PUT', `${JOB}/staff`, { uuid: uuidOf('secondStaff'), customBillableRate: 140 });
    expect(await worth()).toMatchObject({ standardRate: 100, chargeRate: 140, chargeAmount: 210 });
    await world.data('PUT', `${JOB}/staff`, { uuid: uuidOf('secondStaff'), customBillableRate: null });
    expect(await worth()).toMatchObject({ chargeRate: 130 });
  });

  it('is that of the tasks or the members alone if the job says so', async () => {
    await world.data('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, { customBillableRate: 130 });
    await world.data('PUT', `${JOB}/staff`, { uuid: uuidOf('secondStaff'), customBillableRate: 140 });
    await world.data('PUT', JOB, { taskInvoiceRate: 'task' });
    expect(await worth()).toMatchObject({ chargeRate: 130 });
    await world.data('PUT', JOB, { taskInvoiceRate: 'staff' });
    expect(await worth()).toMatchObject({ chargeRate: 140 });
    await world.data('PUT', `${JOB}/staff`, { uuid: uuidOf('secondStaff'), customBillableRate: null });
    expect(await worth()).toMatchObject({ chargeRate: 100 });
  });

  it('is the historic rate for work before its date, the earliest of several, and the new one afterwards', async () => {
    await rate({ type: 'historic', taskUUID: task, appliedUpTo: '2026-03-01', billableRate: 80 });
    await rate({ type: 'historic', taskUUID: task, appliedUpTo: '2026-02-12', billableRate: 70 });
    expect(await worth()).toMatchObject({ standardRate: 70, chargeRate: 70 });
    await world.data('PUT', `/timesheets/${uuidOf('time')}`, { date: '2026-02-12' });
    expect(await worth()).toMatchObject({ chargeRate: 80 });
    await world.data('PUT', `/timesheets/${uuidOf('time')}`, { date: '2026-03-01' });
    expect(await worth()).toMatchObject({ chargeRate: 100 });
  });

  it('is never a historic rate if there is an override', async () => {
    await rate({ type: 'historic', taskUUID: task, appliedUpTo: '2026-03-01', billableRate: 80 });
    await rate({ type: 'client-task', taskUUID: task, clientUUID: uuidOf('client'), billableRate: 120 });
    expect(await worth()).toMatchObject({ standardRate: 80, chargeRate: 120 });
  });

  it('has its cost from the member, whose earlier base rate applies to earlier work', async () => {
    await world.data('PUT', `/staff/${uuidOf('secondStaff')}`, { baseRate: 60 });
    expect(await worth()).toMatchObject({ baseRate: 60 });
    await rate({
      type: 'historic',
      staffUUID: uuidOf('secondStaff'),
      appliedUpTo: '2026-02-20',
      baseRate: 50,
    });
    expect(await worth()).toMatchObject({ baseRate: 50 });
  });

  it('requires a selector that identifies one record', async () => {
    const wrong = {
      type: 'historic',
      taskUUID: task,
      staffUUID: uuidOf('staff'),
      appliedUpTo: '2026-01-01',
      billableRate: 1,
    };
    expect(await world.refused('PUT', '/custom-rates', wrong)).toEqual({ status: 422, fields: ['taskUUID'] });
    const unset = { type: 'staff-task', taskUUID: task, staffUUID: uuidOf('staff') };
    expect((await world.refused('PUT', '/custom-rates', unset)).status).toBe(422);
  });
});

describe('a deleted task of the catalogue', () => {
  it('leaves the jobs that use it unchanged', async () => {
    const { tasks } = await world.data('GET', JOB);
    await world.data('DELETE', `/tasks/${uuidOf('task')}`);
    expect(await world.data('GET', '/tasks')).toEqual([]);
    expect((await world.data('GET', JOB)).tasks).toEqual(tasks);
  });
});

describe('a time entry', () => {
  const path = `/timesheets/${uuidOf('time')}`;

  it('has a start and an end only if the organisation records them', async () => {
    const times = { startTime: '09:00', endTime: '10:30' };
    await world.data('PUT', path, times);
    expect(await world.data('GET', path)).toMatchObject(times);
    await world.sandbox.control(`organisations/${world.one.id}`, { startFinishEntry: false });
    const shown = await world.data('GET', path);
    expect(shown).not.toHaveProperty('startTime');
    expect(shown).not.toHaveProperty('endTime');
  });
});

describe('a deleted job', () => {
  it('removes its tasks, costs, time and documents from every list', async () => {
    const lists = ['/jobs', '/jobs/tasks', '/jobs/costs', '/timesheets'];
    for (const path of lists) expect(await world.data('GET', path)).toHaveLength(1);
    await world.data('DELETE', '/jobs/J000123');
    for (const path of lists) expect(await world.data('GET', path)).toEqual([]);
    for (const path of [JOB, `${JOB}/documents`, `${JOB}/costs`, `/timesheets/${uuidOf('time')}`])
      expect((await world.refused('GET', path)).status).toBe(404);
    expect((await world.refused('PUT', `/jobs/tasks/${uuidOf('jobTask')}`, {})).status).toBe(404);
  });

  it('is removed from the workload plan', async () => {
    const minutes = async () =>
      (
        await world.data<{ staff: readonly { actualMinutes: number; allocatedMinutes: number }[] }>(
          'GET',
          '/capacity-plan',
        )
      ).staff.map((one) => one.actualMinutes + one.allocatedMinutes);
    expect(await minutes()).toEqual([0, 150]);
    await world.data('DELETE', JOB);
    expect(await minutes()).toEqual([0, 0]);
  });
});

describe('a template', () => {
  it('adds its tasks, milestones, costs and to-do items to those of the job', async () => {
    const before = await world.data('GET', `${JOB}?includes=phases`);
    await world.data('POST', `${JOB}/job-templates`, { templateUUIDs: [uuidOf('template')] });
    const after = await world.data('GET', `${JOB}?includes=phases`);
    const names = (of: Record<string, unknown>, group: string): readonly string[] =>
      (of[group] as readonly Listed[]).map(({ name }) => name);
    expect(names(after, 'tasks')).toEqual([...names(before, 'tasks'), 'Design']);
    expect(names(after, 'costs')).toEqual([...names(before, 'costs'), 'Prints']);
    expect(names(after, 'milestones')).toEqual(['Roof on', 'Handed over']);
    expect(names(after, 'phases')).toEqual(['Ground floor', 'Start']);
    expect(names(before, 'to-dos')).toEqual(['Ring the builder']);
    expect((after['to-dos'] as readonly object[])[1]).toMatchObject({
      name: 'Call the client',
      completed: false,
      jobTaskUUID: null,
      order: 2,
    });
    expect((after.milestones as readonly { date: string }[])[1]?.date).toBe('2026-02-08');
  });

  it('that does not exist changes nothing, even if others in the same call do', async () => {
    const before = await world.data('GET', JOB);
    const body = { templateUUIDs: [uuidOf('template'), uuidOf('client')] };
    expect(await world.refused('POST', `${JOB}/job-templates`, body)).toEqual({
      status: 422,
      fields: ['templateUUIDs[1]'],
    });
    expect(await world.data('GET', JOB)).toEqual(before);
  });
});

describe('time allocation', () => {
  const task = (allocatedTime: number) => ({
    taskUUID: uuidOf('task'),
    estimatedMinutes: 120,
    staff: [
      { uuid: uuidOf('staff'), allocatedTime: 60 },
      { uuid: uuidOf('secondStaff'), allocatedTime },
    ],
  });

  it('need not add up unless the organisation requires it', async () => {
    await world.data('POST', `${JOB}/tasks`, task(30));
  });

  it('must add up to the estimated time if it is required', async () => {
    await world.sandbox.control(`organisations/${world.one.id}`, { timeAllocation: true });
    expect(await world.refused('POST', `${JOB}/tasks`, task(30))).toEqual({
      status: 422,
      fields: ['staff[].allocatedTime'],
    });
    const made = await world.data<{ uuid: string }>('POST', `${JOB}/tasks`, task(60));
    const path = `/jobs/tasks/${made.uuid}`;
    expect((await world.refused('PUT', path, { estimatedMinutes: 90 })).status).toBe(422);
    await world.data('PUT', path, {
      estimatedMinutes: 90,
      staff: [{ uuid: uuidOf('staff'), allocatedTime: 90 }],
    });
    await world.data('PUT', path, { label: 'As before' });
  });
});

describe('an accounting integration', () => {
  const screens = (path = '') => `organisations/${world.one.id}/${path}`;
  const refusedOn = async (path: string, body: unknown, method: string): Promise<number> => {
    const init = { method, body: JSON.stringify(body) };
    return (await world.sandbox.call(`/_sandbox/${screens(path)}`, init)).status;
  };

  it('is off: account codes and tax rates are managed in the service', async () => {
    const made = (await world.sandbox.control(screens('accounts'), {
      code: '999',
      name: 'New',
      type: 'income',
    })) as Listed;
    await world.sandbox.control(screens(`accounts/${made.uuid}`), { name: 'Newer' }, 'PUT');
    const accounts = await world.data<readonly (Listed & { code: string })[]>('GET', '/accounts');
    expect(accounts.find(({ code }) => code === '999')?.name).toBe('Newer');
    await world.sandbox.control(screens('taxes'), { name: 'Reduced', rate: 7.5 });
    expect(await world.data('GET', '/taxes')).toContainEqual(
      expect.objectContaining({ name: 'Reduced', rate: 7.5 }),
    );
  });

  it('is on: account codes and tax rates cannot be edited in the service', async () => {
    const [account] = await world.data<readonly Listed[]>('GET', '/accounts');
    const [tax] = await world.data<readonly Listed[]>('GET', '/taxes');
    await world.sandbox.control(screens().slice(0, -1), { accountingIntegration: true });
    const before = [await world.data('GET', '/accounts'), await world.data('GET', '/taxes')];
    expect(await refusedOn('accounts', { code: '1', name: 'No', type: 'income' }, 'POST')).toBe(409);
    expect(await refusedOn(`accounts/${account?.uuid ?? ''}`, { name: 'No' }, 'PUT')).toBe(409);
    expect(await refusedOn(`accounts/${account?.uuid ?? ''}`, {}, 'DELETE')).toBe(409);
    expect(await refusedOn(`taxes/${tax?.uuid ?? ''}`, { rate: 1 }, 'PUT')).toBe(409);
    expect([await world.data('GET', '/accounts'), await world.data('GET', '/taxes')]).toEqual(before);
  });
});

describe('a quote of a job', () => {
  it('contains its tasks at their rates, and its costs', async () => {
    await world.data('PUT', '/custom-rates', {
      type: 'client-task',
      taskUUID: uuidOf('task'),
      clientUUID: uuidOf('client'),
      billableRate: 120,
    });
    const quote = await world.data('POST', `${JOB}/quotes`, {
      quoteName: 'Second try',
      validTo: '2026-12-24',
    });
    expect(quote).toMatchObject({
      quoteName: 'Second try',
      status: 'draft',
      validTo: '2026-12-24',
      amountExTax: 150,
      jobMasterQuote: false,
      tasks: [{ time: 60, billableRate: 120, amount: 120 }],
      costs: [{ name: 'Timber', quantity: 2, unit_cost: 10, unitPrice: 15, amount: 30 }],
    });
  });
});

describe('a purchase order', () => {
  it('shows how much of it was billed and received', async () => {
    const order = `/purchase-orders/${uuidOf('purchaseOrder')}`;
    const line = (quantity: number) => [
      { purchaseOrderCostUUID: uuidOf('purchaseOrderCost'), quantity, unitCost: 12.5 },
    ];
    const statuses = async () => {
      const { billingStatus, stockReceiptStatus } = await world.data('GET', order);
      return [billingStatus, stockReceiptStatus];
    };
    expect(await statuses()).toEqual(['awaiting', 'awaiting']);
    await world.data('POST', '/purchase-orders/PO-1/bills', { billDate: '2026-03-01', costs: line(4) });
    await world.data('POST', `${order}/stockreceipts`, { receiptDate: '2026-03-01', costs: line(10) });
    expect(await statuses()).toEqual(['partial', 'full']);
    await world.data('POST', '/purchase-orders/PO-1/bills', { billDate: '2026-03-02', costs: line(6) });
    expect(await statuses()).toEqual(['full', 'full']);
    expect(await world.data('GET', '/purchase-orders/bills')).toHaveLength(2);
    await world.data('DELETE', order);
    expect(await world.data('GET', '/purchase-orders/bills')).toEqual([]);
  });
});

describe('a lead', () => {
  it('keeps its client a prospect until one is won', async () => {
    const client = `/clients/${uuidOf('secondClient')}`;
    expect((await world.data('GET', client)).prospect).toBe(false);
    const lead = await world.data<Listed>('POST', '/leads', {
      name: 'Pier',
      clientUUID: uuidOf('secondClient'),
      ownerUUID: uuidOf('staff'),
    });
    expect((await world.data('GET', client)).prospect).toBe(true);
    await world.data('PUT', `/leads/${lead.uuid}`, { leadStatusUUID: uuidOf('leadStatus') });
    expect((await world.data('GET', client)).prospect).toBe(false);
    expect(await world.data('GET', `/leads/${lead.uuid}`)).toMatchObject({ dateWonLost: '2026-03-02' });
  });
});

describe('a custom field', () => {
  it('keeps its type while it has values, and its name is unique', async () => {
    const path = `/custom-fields/${uuidOf('customField')}`;
    expect(await world.refused('PUT', path, { name: 'Reference', type: 'date' })).toEqual({
      status: 422,
      fields: ['type'],
    });
    const clash = { name: 'REFERENCE', type: 'text', useJob: true };
    expect((await world.refused('POST', '/custom-fields', clash)).status).toBe(409);
    const dropdown = { name: 'Colour', type: 'dropdown', useJob: true };
    expect(await world.refused('POST', '/custom-fields', dropdown)).toEqual({
      status: 422,
      fields: ['options'],
    });
    const made = await world.data<Listed>('POST', '/custom-fields', { ...dropdown, options: ['Red'] });
    const wrong = { customFields: [{ uuid: made.uuid, value: 'Blue' }] };
    expect(await world.refused('PUT', JOB, wrong)).toEqual({
      status: 422,
      fields: ['customFields[0].value'],
    });
    await world.data('PUT', JOB, { customFields: [{ uuid: made.uuid, value: 'red' }] });
    expect((await world.data('GET', `${JOB}?includes=custom-fields`)).customFields).toEqual([
      { uuid: uuidOf('customField'), name: 'Reference', value: 'J-1' },
      { uuid: made.uuid, name: 'Colour', value: 'Red' },
    ]);
  });
});

describe('an amount', () => {
  it.each([
    [1.005, 1.01],
    [-1.005, -1.01],
    [0.1, 0.1],
    [1e-7, 0],
    [999_999_999.994, 999_999_999.99],
  ])('of %d is stored as %d', async (given, kept) => {
    const cost = await world.data('POST', '/costs', { name: 'Odd', unitCost: given });
    expect(cost.unitCost).toBe(kept);
  });
});
