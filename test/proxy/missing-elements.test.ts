import { afterEach, describe, expect, it } from '@jest/globals';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import { ask, closeWorlds, legacyOk, ok, pair, refusal, uuid, world, type Played } from './world.ts';

afterEach(closeWorlds);

const staff = uuid('5a', 1);
const made = uuid('ad', 9);
const record = `<Staff><UUID>${staff}</UUID><Name>Ada</Name></Staff>`;
const answering = (inner: string) =>
  world({
    v3: (): Played => ok(inner),
    pairs: [
      pair('staff', 1, staff),
      pair('client', 7, uuid('c1', 7)),
      pair('contact', 7, uuid('c0', 7)),
      pair('task', 7, uuid('7b', 7)),
    ],
  });

describe('a list that is not where the mapping expects it is never an empty list', () => {
  it.each([
    ['in another container', `<StaffMembers>${record}</StaffMembers>`],
    ['in a container of another case', `<stafflist>${record}</stafflist>`],
    ['directly in the reply', record],
    ['in another container beside an empty list', `<StaffList /><StaffMembers>${record}</StaffMembers>`],
    ['directly in the reply, after the list', `<StaffList></StaffList>${record}`],
    ['in another form', '<Others><Person><Name>Ada</Name></Person></Others>'],
    ['nowhere, but with a message', '<Message>Try again later</Message>'],
    ['nowhere, although one is counted', '<TotalRecords>1</TotalRecords>'],
    ['nowhere, although one is counted under another name', '<Records>1</Records>'],
  ])('with its records %s', async (_, inner) => {
    const failed = await refusal(await answering(inner), 'GET staff.api/list');
    expect(failed.code).toBe('upstreamAnswer');
    expect(failed.text).toMatch(/no StaffList|counts more records/);
  });

  it('on a later page, and the list is cut', async () => {
    const clients = [1, 2].map((one) => `<Client><UUID>${uuid('c1', one)}</UUID><Name>n</Name></Client>`);
    const to = await world({
      v3: (_, count) =>
        ok(
          count === 1
            ? `<Clients>${clients.join('')}</Clients>`
            : `<ClientList>${clients.join('')}</ClientList>`,
        ),
      pairs: [pair('client', 1, uuid('c1', 1)), pair('client', 2, uuid('c1', 2))],
    });
    await expect(ask(to, 'GET client.api/list')).rejects.toMatchObject({ code: 'upstreamAnswer' });
  });

  it.each([
    '<StaffList/>',
    '<StaffList />',
    '<StaffList></StaffList>',
    '<StaffList>\n</StaffList>',
    '<TotalRecords>0</TotalRecords><StaffList/>',
    '<StaffList /><TotalRecords>0</TotalRecords><Links><Link>x</Link></Links>',
    '<TotalRecords>0</TotalRecords><Page>1</Page><PageSize>100</PageSize>',
    '<Records>0</Records>',
    '<TotalRecords>0</TotalRecords><TotalPages>1</TotalPages><Limit>100</Limit>',
    '',
  ])('but "%s" is empty', async (inner) => {
    expect(await ask(await answering(inner), 'GET staff.api/list')).toBe(legacyOk('List', '<StaffList />'));
  });
});

describe('a reply that should be a record', () => {
  it.each(['', '<Client/>', '<Clients><Client><Name>x</Name></Client></Clients>'])(
    'is no success without it: %s',
    async (inner) => {
      const failed = await refusal(await answering(inner), 'GET client.api/get/7');
      expect([failed.code, failed.text]).toEqual(['upstreamAnswer', "The service's answer has no Client"]);
    },
  );

  it.each([
    ['POST client.api/add', ''],
    ['POST client.api/add', '<Added><ID>1</ID></Added>'],
    ['POST client.api/add', '<UUID></UUID>'],
    ['POST client.api/add', '<ID>1</ID>'],
    ['POST client.api/add', '<Client><Name>x</Name></Client>'],
    ['POST client.api/add', '<Client><UUID></UUID><Name>x</Name></Client>'],
    ['PUT client.api/update', `<Customer><UUID>${made}</UUID><Name>x</Name></Customer>`],
    ['PUT client.api/update', `<Customer><UUID>${made}</UUID></Customer>`],
  ])('leaves the outcome of %s unknown without it: %s', async (line, inner) => {
    const body = '<Client><ID>7</ID><Name>x</Name></Client>';
    const failed = await refusal(await answering(inner), line, { body });
    expect(failed.code).toBe('outcomeUnknown');
    expect(failed.text).toContain('reports success');
  });

  it.each([
    '',
    '<Message>done</Message>',
    '<Warnings><Warning>x</Warning></Warnings>',
    '<Warning><ID>5</ID><Text>x</Text></Warning>',
    '<Clients><Client><Name>x</Name></Client></Clients>',
    `<Contact><UUID>${made}</UUID><Name>x</Name></Contact>`,
  ])('may be missing where a status confirms a change: %s', async (inner) => {
    const to = await answering(inner);
    const body = '<Client><ID>7</ID><Name>x</Name></Client>';
    expect(await ask(to, 'PUT client.api/update', { body })).toBe(legacyOk('Update'));
  });

  it.each(['', '<Message>done</Message>', `<Client><UUID>${made}</UUID><Name>x</Name></Client>`])(
    'may be missing after a deletion or a change of a part: %s',
    async (inner) => {
      const to = await answering(inner);
      const body = '<Contact><ID>7</ID><Name>x</Name></Contact>';
      expect(await ask(to, 'DELETE client.api/contact/7')).toBe(legacyOk('Contact'));
      expect(await ask(to, 'PUT client.api/contact/7', { body })).toBe(legacyOk('Contact'));
    },
  );

  it.each(['', `<Customer><UUID>${made}</UUID><Name>x</Name></Customer>`])(
    'may be missing after a client was archived: %s',
    async (inner) => {
      const body = '<Client><ID>7</ID></Client>';
      expect(await ask(await answering(inner), 'PUT client.api/archive', { body })).toBe(legacyOk('Archive'));
    },
  );
});

describe('the number of a created record', () => {
  const task = '<Task><Job>J1</Job><TaskID>7</TaskID><EstimatedMinutes>1</EstimatedMinutes></Task>';
  const number = `<ID>${FIRST_ALLOTTED}</ID>`;

  it.each([`<UUID>${made}</UUID>`, `<ID>${made}</ID>`, `<Message>done</Message><UUID>${made}</UUID>`])(
    'is taken from an identifier without the record: %s',
    async (inner) => {
      const body = '<Client><Name>x</Name></Client>';
      const reply = await ask(await answering(inner), 'POST client.api/add', { body });
      expect(reply).toBe(legacyOk('Add', `<Client>${number}</Client>`));
    },
  );

  it('is taken from beside a record that lacks it', async () => {
    const inner = `<UUID>${made}</UUID><Client><Name>x</Name></Client>`;
    const body = '<Client><Name>x</Name></Client>';
    const reply = await ask(await answering(inner), 'POST client.api/add', { body });
    expect(reply).toBe(legacyOk('Add', `<Client>${number}</Client>`));
  });

  it.each([
    `<UUID>${made}</UUID>`,
    `<Task><UUID>${made}</UUID><Name>x</Name></Task>`,
    `<Task><UUID>${made}</UUID></Task><Job><UUID>${uuid('0b', 1)}</UUID></Job>`,
  ])('is taken from its record where V1 shows the number alone: %s', async (inner) => {
    const reply = await ask(await answering(inner), 'POST job.api/task', { body: task });
    expect(reply).toBe(legacyOk('Task', number));
  });

  it.each([
    '',
    '<UUID></UUID>',
    '<Task><Name>x</Name></Task>',
    `<Job><UUID>${uuid('0b', 1)}</UUID></Job>`,
    `<Task><UUID>${made}</UUID></Task><Task><UUID>${uuid('7a', 2)}</UUID></Task>`,
  ])('is not guessed, and the outcome is unknown: %s', async (inner) => {
    const failed = await refusal(await answering(inner), 'POST job.api/task', { body: task });
    expect(failed.code).toBe('outcomeUnknown');
    expect(failed.text).toContain('its answer has no UUID or ID');
  });

  it('is text for a quote, and never that of its job', async () => {
    const line = 'POST job.api/createquote/J1';
    const quote = `<Quote><UUID>${made}</UUID><ID>Q1</ID></Quote>`;
    expect(await ask(await answering(quote), line)).toBe(legacyOk('Createquote', '<ID>Q1</ID>'));
    for (const inner of ['', '<Job><ID>J1</ID></Job>', `<UUID>${made}</UUID>`])
      expect((await refusal(await answering(inner), line)).code).toBe('outcomeUnknown');
  });
});
