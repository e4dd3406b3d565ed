import { afterEach, describe, expect, it } from '@jest/globals';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import {
  ask,
  closeWorlds,
  legacyOk,
  ok,
  pair,
  pieces,
  refusal,
  uuid,
  world,
  writtenBody,
  type Played,
} from './world.ts';

/** Client groups, costs, leads, time and suppliers: what the forms of V3 differ in, and what goes to it. */

afterEach(closeWorlds);

const pairs = [
  pair('client', 1000000, uuid('c1', 1)),
  pair('group', 31, uuid('90', 31)),
  pair('staff', 7, uuid('5a', 7)),
  pair('supplier', 301, uuid('5b', 301)),
  pair('supplierContact', 311, uuid('5c', 311)),
  pair('jobTask', 401, uuid('7a', 401)),
  pair('time', 431, uuid('71', 431)),
  ...Array.from({ length: 9 }, (_, index) => pair('cost', index + 1, uuid('c5', index + 1))),
];

const costsBetween = (from: number, to: number): string =>
  Array.from(
    { length: Math.max(0, to - from + 1) },
    (_, index) => `<Cost><UUID>${uuid('c5', from + index)}</UUID><Description>d</Description></Cost>`,
  ).join('');

const pageOf = (request: UpstreamRequest): string | undefined =>
  request.query.find(([name]) => name === 'page')?.[1];

interface CostHabits {
  readonly total: number;
  readonly counts: 'before' | 'after' | 'none';
}

/** A V3 that gives two costs per page, whatever size is asked for. */
const costs =
  ({ total, counts }: CostHabits) =>
  (request: UpstreamRequest): Played => {
    const page = Number(pageOf(request) ?? 1);
    const list = `<Costs>${costsBetween((page - 1) * 2 + 1, Math.min(page * 2, total))}</Costs>`;
    const records = `<Records>${total}</Records>`;
    return ok({ before: records + list, after: list + records, none: list }[counts]);
  };

const idsIn = (text: string): number[] =>
  [...text.matchAll(/<Cost><ID>(\d+)<\/ID>/g)].map(([, id]) => Number(id));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('the list of costs, which has its own page size,', () => {
  const cases = (['before', 'after', 'none'] as const).flatMap((counts) =>
    [0, 1, 2, 3, 4, 5].map((total) => ({ counts, total })),
  );

  it.each(cases)('is complete and counted once: $total costs, Records $counts', async ({ counts, total }) => {
    const to = await world({ pairs, v3: costs({ counts, total }) });
    const text = await ask(to, 'GET cost.api/list');
    expect(idsIn(text)).toEqual(upTo(total));
    expect(text.match(/<Costs/g)).toHaveLength(1);
    expect(text.match(/<Records>\d+<\/Records>/g) ?? []).toEqual(
      counts === 'none' ? [] : [`<Records>${total}</Records>`],
    );
    expect(to.v3.requests.map(pageOf)).toEqual(upTo(to.v3.requests.length).map(String));
    for (const { query } of to.v3.requests) expect(query.map(([name]) => name)).toEqual(['page']);
  });

  it('has its count before the records, or after them if it came too late', async () => {
    const before = await world({ pairs, v3: costs({ counts: 'before', total: 1 }) });
    expect(await ask(before, 'GET cost.api/list')).toContain('</Status><Records>1</Records><Costs><Cost>');
    const late = (): Played => ({
      body: pieces(
        `<Response><Status>OK</Status><Costs>${costsBetween(1, 1)}`,
        '</Costs><Records>1</Records></Response>',
      ),
    });
    const after = await world({ pairs, v3: late });
    expect(await ask(after, 'GET cost.api/list')).toMatch(/<\/Costs><Records>1<\/Records><\/Response>$/);
  });

  it('returns the page a program names, and no other', async () => {
    const to = await world({ pairs, v3: costs({ counts: 'before', total: 5 }) });
    expect(idsIn(await ask(to, 'GET cost.api/list?PAGE=2'))).toEqual([3, 4]);
    expect(to.v3.requests.map(pageOf)).toEqual(['2']);
  });

  it('is returned once if V3 ignores the page', async () => {
    const to = await world({ pairs, v3: () => ok(`<Costs>${costsBetween(1, 5)}</Costs>`) });
    expect(idsIn(await ask(to, 'GET cost.api/list'))).toEqual(upTo(5));
    expect(to.v3.requests).toHaveLength(2);
  });
});

const SUPPLIER = `<Supplier><UUID>${uuid('5b', 301)}</UUID><Name>Paper</Name></Supplier>`;

describe('one supplier', () => {
  it.each([
    ['as it is', SUPPLIER],
    ['in a container', `<Suppliers>${SUPPLIER}</Suppliers>`],
    ['in a container, behind something else', `<Page>1</Page><Suppliers>\n${SUPPLIER}\n</Suppliers>`],
  ])('is a single record %s', async (_, given) => {
    const to = await world({ pairs, v3: () => ok(given) });
    const text = await ask(to, 'GET supplier.api/get/301');
    expect(text).toMatch(
      /<Status>OK<\/Status><Supplier><ID>301<\/ID><Name>Paper<\/Name><Address><\/Address>.*<Contacts \/><Notes \/><\/Supplier><\/Response>$/,
    );
  });

  it('that is deleted is returned if V3 sends it, otherwise the Status alone', async () => {
    const line = 'POST supplier.api/delete';
    const body = '<Supplier><ID>301</ID></Supplier>';
    const sends = await world({ pairs, v3: () => ok(SUPPLIER) });
    expect(await ask(sends, line, { body })).toContain('<Supplier><ID>301</ID>');
    const bare = await world({ pairs, v3: () => ok() });
    expect(await ask(bare, line, { body })).toBe(legacyOk('Delete'));
  });

  it('that is new gets numbers for all of its contacts', async () => {
    const contact = `<Contact><UUID>${uuid('5c', 900)}</UUID><Name>c</Name></Contact>`;
    const made = `<Supplier><UUID>${uuid('5b', 900)}</UUID><Name>s</Name><Contacts>${contact}</Contacts></Supplier>`;
    const to = await world({ pairs, v3: () => ok(made) });
    const body = '<Supplier><Name>s</Name><Contacts><Contact><Name>c</Name></Contact></Contacts></Supplier>';
    const text = await ask(to, 'POST supplier.api/add', { body });
    expect(text).toContain(`<Supplier><ID>${FIRST_ALLOTTED}</ID>`);
    expect(text).toContain(`<Contact><ID>${FIRST_ALLOTTED}</ID>`);
  });
});

const CONTACT = `<Contact><UUID>${uuid('5c', 311)}</UUID><Name>n</Name></Contact>`;
const lacks = (path: string): Played => ({
  body: `<Response><Status>ERROR</Status><ErrorDescription>Message not in expected format. The following required element was missing - ${path}</ErrorDescription></Response>`,
});

describe('a changed contact of a supplier', () => {
  const line = 'PUT supplier.api/contact/311';
  const body = '<Contact><Name>n</Name><Phone/></Contact>';
  const rootsOf = (requests: readonly UpstreamRequest[]): readonly (string | undefined)[] =>
    requests.map(
      (request) => /<(\w+)><Name>n<\/Name><Phone><\/Phone><\/\1>$/.exec(writtenBody(request))?.[1],
    );

  it('is sent as Contact, and once', async () => {
    const to = await world({ pairs, v3: () => ok(CONTACT) });
    expect(await ask(to, line, { body })).toContain('<Contact><ID>311</ID><Name>n</Name>');
    expect(rootsOf(to.v3.requests)).toEqual(['Contact']);
  });

  it.each(['/Supplier', '/Supplier/Name'])('is sent as Supplier if V3 requires %s', async (path) => {
    const to = await world({ pairs, v3: (_, count) => (count === 1 ? lacks(path) : ok(CONTACT)) });
    expect(await ask(to, line, { body })).toContain('<Contact><ID>311</ID><Name>n</Name>');
    expect(rootsOf(to.v3.requests)).toEqual(['Contact', 'Supplier']);
  });

  it.each([
    ['another refusal', () => lacks('/Contact/Email'), 1],
    ['something that only begins alike', () => lacks('/SupplierContact'), 1],
    ['a refusal of both', () => lacks('/Supplier'), 2],
  ] as const)('is refused after %s', async (_, v3, requests) => {
    const to = await world({ pairs, v3 });
    expect((await refusal(to, line, { body })).code).toBe('refused');
    expect(to.v3.requests).toHaveLength(requests);
  });

  it('is never sent again if its outcome is unknown', async () => {
    const to = await world({
      pairs,
      v3: () => ({ status: 500, body: 'required element was missing - /Supplier' }),
    });
    expect((await refusal(to, line, { body })).code).toBe('outcomeUnknown');
    expect(to.v3.requests).toHaveLength(1);
  });
});

const entry = (times: string): string =>
  `<Time><UUID>${uuid('71', 431)}</UUID><Job><ID>12345</ID><UUID>${uuid('0b', 1)}</UUID><Name>j</Name></Job>${times}</Time>`;

describe('a time entry', () => {
  it.each([
    ['780', '13:00'],
    ['0', '00:00'],
    ['1439', '23:59'],
    ['09:05', '09:05'],
    ['1440', '1440'],
    ['noon', 'noon'],
  ])('that starts at %s is shown as %s', async (given, legacy) => {
    const to = await world({ pairs, v3: () => ok(entry(`<Start>${given}</Start><End></End>`)) });
    const text = await ask(to, 'GET time.api/get/431');
    expect(text).toContain(`<Start>${legacy}</Start></Time>`);
    expect(text).toContain('<Job><ID>12345</ID><Name>j</Name></Job>');
  });

  const body =
    '<Timesheet><Job>12345</Job><Task>401</Task><Staff>7</Staff><Date>20261120</Date><Minutes>1</Minutes></Timesheet>';

  it('has UUIDs of task and staff on V3, and the number of the job', async () => {
    const to = await world({ pairs, v3: () => ok(entry('')) });
    await ask(to, 'PUT time.api/add/', { body });
    expect(to.v3.requests[0]?.verb).toBe('POST');
    expect(to.v3.sent).toContain(
      `<Job>12345</Job><TaskUUID>${uuid('7a', 401)}</TaskUUID><StaffUUID>${uuid('5a', 7)}</StaffUUID>`,
    );
  });

  it('keeps the plain names if V3 has the numbers of V1', async () => {
    const to = await world({ identifiers: 'number', v3: () => ok('<Time><ID>1</ID></Time>') });
    await ask(to, 'POST time.api/add', { body });
    expect(to.v3.sent).toContain('<Job>12345</Job><Task>401</Task><Staff>7</Staff>');
  });
});

describe('leads and members', () => {
  it('are refused for an unknown owner in the words of the lead, before V3 is called', async () => {
    const to = await world({ pairs });
    const lead = (owner: string): string =>
      `<Lead><Name>n</Name><ClientID>1000000</ClientID><OwnerID>${owner}</OwnerID></Lead>`;
    expect(await refusal(to, 'POST lead.api/add', { body: lead('999') })).toEqual(
      expect.objectContaining({ text: 'Invalid owner' }),
    );
    expect(to.v3.requests).toEqual([]);
  });

  it('are changed by attributes, several members at once', async () => {
    const to = await world({ pairs, v3: () => ok() });
    const body =
      '<Group><remove id="1000000"/><ID>31</ID><ADD Id=" 1000000 " note="x"/><add id="1000000"/></Group>';
    await ask(to, 'PUT clientgroup.api/members', { body });
    const member = `uuid="${uuid('c1', 1)}"`;
    expect(to.v3.sent).toContain(
      `<Group><UUID>${uuid('90', 31)}</UUID><add ${member}/><add ${member}/><remove ${member}/></Group>`,
    );
  });
});
