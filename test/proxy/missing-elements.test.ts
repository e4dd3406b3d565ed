import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, closeWorlds, legacyOk, ok, pair, refusal, uuid, world, type Played } from './world.ts';

afterEach(closeWorlds);

const staff = uuid('5a', 1);
const record = `<Staff><UUID>${staff}</UUID><Name>Ada</Name></Staff>`;
const answering = (inner: string) =>
  world({
    v3: (): Played => ok(inner),
    pairs: [pair('staff', 1, staff), pair('client', 7, uuid('c1', 7)), pair('contact', 7, uuid('c0', 7))],
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
    ['PUT client.api/update', '<Customer><Name>x</Name></Customer>'],
  ])('leaves the outcome of %s unknown without it: %s', async (line, inner) => {
    const body = '<Client><ID>7</ID><Name>x</Name></Client>';
    const failed = await refusal(await answering(inner), line, { body });
    expect(failed.code).toBe('outcomeUnknown');
    expect(failed.text).toContain('reports success');
  });

  it.each(['', '<Message>done</Message>'])(
    'may be missing where a status confirms a change: %s',
    async (inner) => {
      const to = await answering(inner);
      const body = '<Client><ID>7</ID><Name>x</Name></Client>';
      expect(await ask(to, 'PUT client.api/update', { body })).toBe(legacyOk('Update'));
      expect(await ask(to, 'DELETE client.api/contact/7')).toBe(legacyOk('Contact'));
    },
  );
});
