import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { Office, type Reply } from './api-harness.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
/** As the accounts of the office have them. */
const keyOf = (n: number): string => `A${String(n + 1).padStart(31, '0')}`;
/** In the zone of the installation, an hour ahead; the clock of the test stands at nine, UTC. */
const START = '2026-11-21T11:00';
const given = { query: 'tag=developers', start: START, minutes: 30 };

let office: Office;

const plan = (body: object, token = office.administer): Promise<Reply> =>
  office.call('/brownouts', { verb: 'POST', token, body });
const listed = async (): Promise<readonly Readonly<Record<string, unknown>>[]> =>
  (await office.call('/brownouts', { token: office.read })).json.brownouts as never;

/** A call of a program: status and text. Nobody is there to answer for V1: what is sent fails otherwise. */
async function legacy(n: number, address: string, sent: RequestInit = {}): Promise<Response> {
  const keys = `apiKey=${API_KEY}&accountKey=${keyOf(n)}`;
  return fetch(`${office.bridge.url}/${address}?${keys}`, sent);
}
const isRefused = async (answer: Promise<Response>): Promise<boolean> =>
  (await (await answer).text()).includes('reads are refused for some minutes');

beforeAll(async () => {
  office = await Office.open({
    CAUSEWAY_TIME_ZONE: 'Europe/Berlin',
    CAUSEWAY_SUPPORT_ADDRESS: 'help@example.com',
  });
  const tags = { tags: 'developers' };
  for (const n of [0, 1]) await office.addAccount(`Account ${n}`, n === 0 ? tags : {});
});
afterAll(() => office.stop());

it('a brown-out is announced a day ahead at least, by an administrator, and previewed', async () => {
  expect((await plan(given, office.operate)).status).toBe(403);
  const early = await plan({ ...given, start: '2026-11-21T09:59' });
  expect([early.status, early.text]).toEqual([422, expect.stringContaining('at least 24 hours from now')]);
  expect((await plan({ ...given, query: '' })).status).toBe(422);
  expect((await plan({ ...given, start: 'monday' })).status).toBe(422);
  const skipped = await plan({ ...given, start: '2027-03-28T02:30' });
  expect([skipped.status, skipped.text]).toEqual([422, expect.stringContaining('the clocks go forward')]);
  const nobody = await plan({ ...given, query: 'tag=developers,nobody' });
  expect([nobody.status, nobody.text]).toEqual([
    409,
    expect.stringContaining('no account has the tag nobody'),
  ]);
  expect((await plan({ ...given, query: 'tag=nobody' })).status).toBe(409);
  const preview = await office.call('/brownouts/preview', { verb: 'POST', token: office.read, body: given });
  expect(preview.json).toMatchObject({
    accounts: 1,
    untold: 1,
    leftAlone: 0,
    from: '2026-11-21T10:00:00.000Z',
  });
  expect(await listed()).toEqual([]);
  expect((await plan(given)).status).toBe(200);
  // An account has one ahead at most.
  const again = await plan({ ...given, start: '2026-11-22T10:00' });
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('already has a brown-out')]);
  expect(await listed()).toMatchObject([{ state: 'planned', accounts: 1, refused: 0 }]);
});

it('a brown-out refuses reads while it lasts, never writes, and no other account', async () => {
  expect(await isRefused(legacy(0, 'client.api/list'))).toBe(false);
  office.clock.advance(DAY + HOUR + MINUTE);
  for (let n = 0; n < 3; n += 1) {
    const refused = await legacy(0, 'client.api/get/1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, `${29 * 60}`]);
    expect(await refused.text()).toMatch(/<Status>ERROR<\/Status>.*help@example\.com/s);
  }
  const write = { method: 'POST', body: '<Client><Name>New</Name></Client>' };
  expect(await isRefused(legacy(0, 'client.api/add', write))).toBe(false);
  expect(await isRefused(legacy(1, 'client.api/list'))).toBe(false);
  await office.bridge.services.store.deferred.settled();
  expect(await listed()).toMatchObject([
    { state: 'running', refused: 3, refusedAccounts: 1, consented: 0, consentedAfterRefusal: 0 },
  ]);
});

it('a brown-out is stopped at once, by an administrator', async () => {
  const [one] = await listed();
  const stop = (token: string): Promise<Reply> =>
    office.call(`/brownouts/${String(one?.id)}/stop`, { verb: 'POST', token, body: {} });
  expect((await stop(office.operate)).status).toBe(403);
  expect(await isRefused(legacy(0, 'client.api/list'))).toBe(true);
  expect((await stop(office.administer)).status).toBe(200);
  expect(await isRefused(legacy(0, 'client.api/list'))).toBe(false);
  expect((await stop(office.administer)).status).toBe(409);
  expect(await listed()).toMatchObject([{ state: 'stopped', stopped: { who: 'administer test' } }]);
  // What was refused above is not told as if it had been done.
  const { text } = await office.call('/audit', { token: office.read });
  expect(text.match(/"brownouts\.[a-z]+"/g)).toEqual(['"brownouts.stop"', '"brownouts.plan"']);
});

it('a preview leaves out accounts that were never on V1, or have another brown-out ahead', async () => {
  const preview = (): Promise<Reply> =>
    office.call('/brownouts/preview', { verb: 'POST', token: office.read, body: later });
  const later = { ...given, query: 'tag=new', start: '2026-11-23T11:00' };
  // Without an account key, the bridge issues one.
  await office.call('/accounts', { verb: 'POST', body: { name: 'Issued', tags: 'new' } });
  expect((await preview()).text).toContain('none of these accounts uses V1');
  await office.addAccount('Ahead', { tags: 'new' });
  expect((await preview()).json).toMatchObject({ accounts: 1, untold: 1, leftAlone: 1 });
  await plan(later);
  expect((await preview()).text).toContain('already has a brown-out ahead');
  const csv = await office.call('/brownouts.csv', { token: office.read });
  expect(csv.text.split('\r\n')[1]).toMatch(/,tag=new,.*,administer test$/);
  await office.addAccount('Free', { tags: 'new' });
  expect((await preview()).json).toMatchObject({ accounts: 1, untold: 1, leftAlone: 2 });
});
