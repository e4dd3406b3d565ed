import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { noticeOf } from '../../src/proxy/notice.ts';
import type { Reply } from '../../src/proxy/call/call.ts';
import { eventually } from '../support/clock.ts';
import { ParityStage } from '../support/parity-stage.ts';

const END = Date.parse('2026-12-31');
const reply = (source: Reply['source']): Reply => ({
  ...{ status: 200, source, contentType: 'text/xml', length: undefined },
  headers: { 'Retry-After': '1' },
  body: Buffer.from('<a/>'),
});
const account = (facts: Partial<Account>): Account => ({
  ...{
    id: 'a',
    name: 'A',
    product: 'standard',
    application: 'default',
    origin: 'added',
    createdAt: 0,
    stageSince: 0,
  },
  ...{ lastCallAt: undefined, life: { stage: 'legacy' }, notices: true, ...facts },
});
const noticed = (
  days: number,
  facts: Partial<Account> = {},
  source: Reply['source'] = 'v1',
): Reply | undefined =>
  noticeOf('2026-12-31', { now: () => END - days * DAY })(account(facts))?.(reply(source));

describe('a notice to programs', () => {
  it.each([
    [41, 'V1 ends in 41 days'],
    [0.5, 'V1 ends in 1 day'],
    [0, 'V1 ends today'],
    [-1, 'V1 has ended'],
  ])('%d days before the end says: %s', (days, words) => {
    expect(noticed(days)).toEqual({
      ...reply('v1'),
      headers: { 'Retry-After': '1', Sunset: 'Thu, 31 Dec 2026 00:00:00 GMT', 'X-Causeway-Notice': words },
    });
  });

  it('does not change replies of V3', () => {
    expect(noticed(0, {}, 'v3')).toEqual(reply('v3'));
  });

  it('announces a brown-out ahead or in progress, whether the end is announced or not, until a consent', () => {
    const brownout = { from: END - 2 * DAY, to: END - 2 * DAY + HOUR };
    const words = 'reads are refused on purpose for 60 minutes from Tue, 29 Dec 2026 00:00:00 GMT';
    const { id, name, product, application, origin, createdAt, stageSince, lastCallAt, life } = account({});
    const facts = { id, name, product, application, origin, createdAt, stageSince, lastCallAt };
    const silent = { ...facts, life, brownout };
    const told = noticeOf(undefined, { now: () => brownout.from })(silent)?.(reply('v1'));
    expect(told?.headers).toEqual({ 'Retry-After': '1', 'X-Causeway-Notice': words });
    expect(noticed(3, { brownout })?.headers).toMatchObject({
      'X-Causeway-Notice': `V1 ends in 3 days; ${words}`,
    });
    expect(noticeOf(undefined, { now: () => brownout.to })(silent)).toBeUndefined();
    const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
    const consented = { ...silent, life: { stage: 'awaiting-operator', proposal: binding } } as const;
    expect(noticeOf(undefined, { now: () => brownout.from })(consented)).toBeUndefined();
  });

  it('is in V1 replies to one account while it is on, and the body is unchanged byte for byte', async () => {
    const names = ['Northgate', 'Harbour Lane'];
    await using stage = await ParityStage.open(
      names,
      () => ({ clients: [{ number: 1001, name: 'A client', email: 'c@example.com' }] }),
      { CAUSEWAY_V1_END: '2999-12-31' },
    );
    const { bridge } = stage;
    const ask = async (name: string): Promise<readonly [notice: string | null, body: string]> => {
      const keys = `apiKey=0123456789ABCDEF0123456789ABCDEF&accountKey=B${String(names.indexOf(name)).padStart(31, '0')}`;
      const answered = await fetch(`${bridge.url}/client.api/get/1001?${keys}`);
      expect(answered.status).toBe(200);
      return [answered.headers.get('x-causeway-notice'), await answered.text()];
    };
    // The second of two is served on the fast path.
    const before = [await ask('Northgate'), await ask('Northgate')];
    expect(before.map(([notice]) => notice)).toEqual([null, null]);
    await bridge.services.accounts.set((await stage.account('Northgate')).id, { notices: true });
    const [notice, body] = await eventually('the notice is there', async () => {
      const asked = await ask('Northgate');
      return asked[0] === null ? undefined : asked;
    });
    expect(notice).toMatch(/^V1 ends in [\d,]+ days$/);
    expect(body).toBe(before[0]?.[1]);
    expect((await ask('Harbour Lane'))[0]).toBeNull();
    await bridge.services.accounts.set((await stage.account('Northgate')).id, { notices: false });
    await eventually('the notice is gone', async () =>
      (await ask('Northgate'))[0] === null ? true : undefined,
    );
  });
});
