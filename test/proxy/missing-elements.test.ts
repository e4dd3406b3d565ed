import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, closeWorlds, legacyOk, ok, pair, refusal, uuid, world, type Played } from './world.ts';

afterEach(closeWorlds);

const staff = uuid('5a', 1);
const record = `<Staff><UUID>${staff}</UUID><Name>Ada</Name></Staff>`;
const answering = (inner: string) =>
  world({
    v3: (): Played => ok(inner),
    pairs: [pair('staff', 1, staff)],
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
