import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { ask, closeWorlds, json, pair, refusal, uuid, world, type V2Service } from './world.ts';

afterEach(closeWorlds);

const bodies = ({ requests }: { readonly requests: readonly { readonly body?: unknown }[] }): unknown[] =>
  requests.flatMap(({ body }) => (typeof body === 'string' ? [JSON.parse(body) as unknown] : []));

describe('the catalogue of costs', () => {
  const items = Array.from({ length: 203 }, (_, index) => ({
    uuid: uuid('c5', index + 1),
    name: `Item ${String(index + 1)}`,
    unitCost: 0.5,
    unitPrice: null,
    deletedAt: index === 2 ? '2026-01-01T00:00:00Z' : null,
  }));
  const catalogue: V2Service = ({ query }) => {
    const page = Number(query.find(([name]) => name === 'page')?.[1] ?? 1);
    return json(items.slice((page - 1) * 50, page * 50), { page, per_page: 50, total_pages: 5 });
  };
  const pairs = items.map((item, index) => pair('cost', index + 1, item.uuid));
  const numbers = (text: string): readonly number[] =>
    Array.from(text.matchAll(/<Cost><ID>(\d+)<\/ID>/g), ([, id]) => Number(id));

  it('is counted before the list, without deleted items', async () => {
    const text = await ask(await world({ v2: catalogue, pairs }), 'GET cost.api/list');
    expect(text).toContain('<Records>202</Records><Costs><Cost><ID>1</ID><Description>Item 1</Description>');
    expect(numbers(text)).toEqual([1, 2, ...Array.from({ length: 200 }, (_, index) => index + 4)]);
    expect(text).toContain('<UnitCost>0.50</UnitCost><UnitPrice>0.00</UnitPrice></Cost></Costs></Response>');
  });

  it.each([
    ['1', 1, 101],
    ['2', 102, 201],
    ['3', 202, 203],
    ['003', 202, 203],
    ['0', 1, 101],
    ['many', 1, 101],
    ['', 1, 203],
  ])('on page %j has items %i to %i, and is counted completely', async (page, from, to) => {
    const text = await ask(await world({ v2: catalogue, pairs }), `GET cost.api/list?page=${page}`);
    expect(text).toContain('<Records>202</Records>');
    const shown = numbers(text);
    expect([shown[0], shown.at(-1)]).toEqual([from, to]);
  });

  it('has an empty page after its last one', async () => {
    const text = await ask(await world({ v2: catalogue, pairs }), 'GET cost.api/list?page=4');
    expect(text).toContain('<Records>202</Records><Costs /></Response>');
  });
});

describe('members of a client group', () => {
  const GROUP = uuid('90', 1);
  const [first, second, third] = [uuid('c1', 1), uuid('c1', 2), uuid('c1', 3)];
  const pairs = [
    pair('group', 9, GROUP),
    ...[first, second, third].map((id, at) => pair('client', at + 1, id)),
  ];
  const change = (inner: string) => ({ body: `<Group><ID>9</ID>${inner}</Group>` });
  const CALL = 'PUT clientgroup.api/members';

  /** A group as V2 keeps it, which fails at the calls that are named. */
  function group(members: readonly string[], failing: readonly string[] = []): V2Service {
    let clients = [...members];
    return (request) => {
      const { verb } = request;
      if (failing.includes(verb)) return { status: 422, body: '{"message":"not today"}' };
      const [sent] = bodies({ requests: [request] }) as { uuid?: string; clients?: { uuid: string }[] }[];
      if (verb === 'POST' && sent?.uuid !== undefined) clients.push(sent.uuid);
      if (verb === 'PUT') clients = (sent?.clients ?? []).map(({ uuid: id }) => id);
      return json({
        uuid: GROUP,
        name: 'Friends',
        taxable: false,
        clients: clients.map((id) => ({ uuid: id.toUpperCase(), name: 'x' })),
      });
    };
  }

  it('join one by one, and V2 is never sent the whole membership', async () => {
    const to = await world({ v2: group([]), pairs });
    const text = await ask(to, CALL, change('<add id="1"/><add id="2"/>'));
    expect(text).toContain('<Clients><Client><ID>1</ID>');
    expect(to.v2.calls).toEqual([
      `POST client-groups/${GROUP}/client`,
      `POST client-groups/${GROUP}/client`,
      `GET client-groups/${GROUP}`,
    ]);
    expect(bodies(to.v2)).toEqual([{ uuid: first }, { uuid: second }]);
  });

  it('leave together in one write of all the others, including members added meanwhile', async () => {
    const to = await world({ v2: group([first, second, third]), pairs });
    const text = await ask(to, CALL, change('<remove id="3"/><remove id="1"/>'));
    expect(text).toMatch(/<Clients><Client><ID>2<\/ID><Name>x<\/Name><\/Client><\/Clients>/);
    expect(bodies(to.v2)).toEqual([{ clients: [{ uuid: second.toUpperCase() }] }]);
  });

  it('can all leave', async () => {
    const to = await world({ v2: group([first]), pairs });
    expect(await ask(to, CALL, change('<remove id="1"/>'))).toContain('<Clients />');
    expect(bodies(to.v2)).toEqual([{ clients: [] }]);
  });

  it.each([undefined, null, 'none', {}])('stay unchanged if V2 does not return them: %j', async (clients) => {
    const to = await world({ v2: () => json({ uuid: GROUP, name: 'Friends', clients }), pairs });
    expect(await refusal(to, CALL, change('<remove id="1"/>'))).toMatchObject({ code: 'upstreamAnswer' });
    expect(to.v2.calls).toEqual([`GET client-groups/${GROUP}`]);
  });

  it('of whom some joined and none could leave are reported as partly done', async () => {
    const to = await world({ v2: group([first], ['PUT']), pairs });
    expect(await refusal(to, CALL, change('<add id="2"/><remove id="1"/>'))).toMatchObject({
      code: 'refused',
      text: 'Only a part was done: a client was added. The rest failed: not today',
    });
  });

  it('that were changed and cannot be read back are reported as changed', async () => {
    const to = await world({ v2: group([], ['GET']), pairs });
    const refused = await refusal(to, CALL, change('<add id="2"/>'));
    expect(refused.code).toBe('outcomeUnknown');
    expect(refused.text).toMatch(/^Done: a client was added\./);
  });

  it('are not changed if a new one is unknown', async () => {
    const to = await world({ v2: group([]), pairs });
    expect(await refusal(to, CALL, change('<add id="1"/><remove id="7"/>'))).toMatchObject({
      text: 'Invalid client identifier',
    });
    expect(to.v2.calls).toEqual([]);
  });
});

describe('a new time entry', () => {
  const JOB = uuid('10', 101);
  const TASK = uuid('7a', 401);
  const STAFF = uuid('5a', 7);
  const pairs = [pair('jobTask', 401, TASK), pair('staff', 7, STAFF)];
  const sheet = {
    body: '<Timesheet><Job>J 1/2</Job><Task>401</Task><Staff>7</Staff><Date>2026-11-20</Date><Minutes>60</Minutes></Timesheet>',
  };
  const entry = { uuid: uuid('71', 1), job: { uuid: JOB, jobNumber: 'J 1/2', name: 'Kiosk' }, time: 60 };
  const service =
    (tasks: readonly object[]): V2Service =>
    ({ verb }) =>
      verb === 'POST' ? json(entry) : json({ uuid: JOB, tasks });

  it.each([true, false])('is billable if its task is: %s', async (billable) => {
    const to = await world({ v2: service([{ uuid: TASK.toUpperCase(), billable }]), pairs });
    await ask(to, 'POST time.api/add', sheet);
    expect(to.v2.requests[0]?.segments).toEqual(['jobs', 'J 1/2']);
    expect(bodies(to.v2)).toEqual([
      { jobTaskUUID: TASK, staffUUID: STAFF, date: '2026-11-20', time: 60, jobUUID: JOB, billable },
    ]);
  });

  it('for the task of another job is refused before any write', async () => {
    const to = await world({ v2: service([{ uuid: uuid('7a', 1), billable: true }]), pairs });
    expect(await refusal(to, 'POST time.api/add', sheet)).toMatchObject({
      code: 'refused',
      text: 'Invalid task identifier',
    });
    expect(to.v2.requests.map(({ verb }) => verb)).toEqual(['GET']);
  });

  it('is reported as created although only its number is known', async () => {
    const to = await world({ v2: service([{ uuid: TASK }]), pairs });
    const trace = new Trace();
    const text = await ask(to, 'POST time.api/add', { ...sheet, trace });
    expect(text).toContain(
      '<Time><ID>1500000000</ID><Job><ID>J 1/2</ID><Name>Kiosk</Name></Job><Date></Date>',
    );
    expect([...trace.dropped]).toEqual([]);
  });
});

describe('a new lead', () => {
  const [client, contact, owner] = [uuid('c1', 1), uuid('c0', 5), uuid('5a', 7)];
  const pairs = [pair('client', 1, client), pair('contact', 5, contact), pair('staff', 7, owner)];
  const body =
    '<Lead><Name>x</Name><ClientID>1</ClientID><OwnerID>7</OwnerID><ContactID>5</ContactID></Lead>';

  it('with a contact of another client is refused before any write', async () => {
    const to = await world({ v2: () => json({ uuid: client, contacts: [{ uuid: uuid('c0', 6) }] }), pairs });
    expect(await refusal(to, 'POST lead.api/add', { body })).toMatchObject({
      code: 'refused',
      text: 'Invalid contact identifier',
    });
    expect(to.v2.calls).toEqual([`GET clients/${client}?includes=contacts`]);
  });
});
