import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DAY } from '../../src/lib/time/clock.ts';
import { jobSteps, lose, type LostWrite } from '../support/writes.ts';
import { errorOf, Office } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open();
});
afterAll(() => office.stop());

const lost = async (name: string, more: Partial<LostWrite> = {}): Promise<string> => {
  const accountId = await office.addAccount(name);
  return lose(office.bridge.services, { accountId, values: { Name: 'VALUE-CANARY' }, ...more });
};
const settle = (id: string, body: unknown, token = office.operate) =>
  office.call(`/writes/${id}/settle`, { verb: 'POST', body, token });

describe('writes in the API', () => {
  it('are listed by state and account, without what was sent', async () => {
    const id = await lost('Fern');
    await lost('Moor', { settlement: 'undecidable' });
    const { text, json } = await office.call('/writes?state=unknown&account=Fern', { token: office.read });
    expect(json).toMatchObject({
      writes: [{ id, account: { name: 'Fern' }, method: 'client.add', state: 'unknown', number: null }],
      next: null,
    });
    expect(text).not.toContain('CANARY');
    const file = await office.call('/writes.csv?state=unknown&account=Fern', { token: office.read });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="writes.csv"');
    const [head, line, ...rest] = file.text.split('\r\n');
    expect(head).toMatch(/^id,account_id,account,method,route,state,/);
    expect(line).toMatch(new RegExp(`^${id},[^,]+,Fern,client.add,`));
    expect([rest, file.text.includes('CANARY')]).toEqual([[''], false]);
    expect((await office.call('/writes.csv?account=Nobody')).status).toBe(404);
    expect((await office.call('/writes.csv?state=lost')).status).toBe(422);
    const { json: all } = await office.call('/writes?state=unsettled&limit=1');
    expect(all).toMatchObject({
      writes: [{ settlement: 'undecidable' }],
      next: expect.any(String) as unknown,
    });
    expect((await office.call('/health')).json).toMatchObject({ writes: { unknown: 1, undecidable: 1 } });
  });

  it('continue after an id, which 1.0.0-rc.1 reads too, unless the write may be deleted meanwhile', async () => {
    const now = office.clock.now();
    const youngest = await lost('Youngest', { at: now + 2 * DAY, settlement: 'undecidable' });
    const nextOf = async (name: string) => (await office.call(`/writes?limit=1&account=${name}`)).json.next;
    expect(await nextOf('Youngest')).toBe(youngest);
    await lost('Oldest', { at: now - 30 * DAY, settlement: 'undecidable' });
    expect(await nextOf('Oldest')).toMatch(/^~/);
    const page = await office.call(`/writes?limit=1000&before=${youngest}`);
    expect(JSON.stringify(page.json.writes)).toContain('Oldest');
    const audited = await office.call('/audit?limit=1');
    const [{ seq } = {}] = audited.json.rows as readonly { readonly seq?: number }[];
    expect(audited.json.next).toBe(String(seq));
  });

  it('are shown singly with the values that were sent, without the keys of the call', async () => {
    const { text, json } = await office.call(`/writes/${await lost('Quarry')}`, { token: office.read });
    expect(json).toMatchObject({
      write: { account: { name: 'Quarry' } },
      sent: { verb: 'POST', path: 'client.api/add', values: { Name: 'VALUE-CANARY' } },
      advice: expect.stringContaining('look in the service') as unknown,
    });
    expect(text).not.toContain('KEY-CANARY');
  });

  it('say which of their steps were done', async () => {
    const { text, json } = await office.call(`/writes/${await lost('Weir', { steps: jobSteps })}`);
    expect(json).toMatchObject({
      steps: [
        { says: 'the job was added', state: 'done', number: 'J9' },
        { says: 'the template was applied', state: 'unknown', number: null },
      ],
    });
    expect(text).not.toContain('STEP-CANARY');
  });

  it('are settled once, by a token with write access, and the audit names the operator', async () => {
    const id = await lost('Vale');
    const done = { settlement: 'done', number: '812' };
    expect((await settle(id, done, office.read)).status).toBe(403);
    expect((await settle(id, done)).json).toMatchObject({
      write: { state: 'settled', settlement: 'done', number: '812', settledBy: 'operate test' },
    });
    const again = await settle(id, { settlement: 'not-done' });
    expect(again.status).toBe(409);
    expect(errorOf(again).message).toContain('settled: carried out, number 812');
    const { rows } = (await office.call('/audit?limit=10')).json as {
      readonly rows: readonly { readonly action: string; readonly who: string; readonly detail: string }[];
    };
    expect(rows.map(({ action, who, detail }) => `${who} ${action} ${detail}`)).toContain(
      `operate test writes.settle done: client.add ${id}: done, 812`,
    );
  });

  it.each([
    ['not-done', undefined, 'It was not carried out, and its program does not know. Tell the customer'],
    [
      'done',
      '812',
      'It was carried out with the number 812, and its program does not know. Tell the customer',
    ],
  ] as const)(
    'say what the customer must hear if the program does not know: %s',
    async (settlement, made, words) => {
      const id = await lost(`Told ${settlement}`, { settlement, ...(made !== undefined && { made }) });
      const advice = async () => (await office.call(`/writes/${id}`)).json.advice;
      expect(await advice()).toMatch(new RegExp(`^${words}`));
      await office.bridge.services.store.writes.tell(id);
      expect(await advice()).toBe('Nothing: its outcome is known');
    },
  );

  it('are refused with a message if the id or the number is wrong', async () => {
    const id = await lost('Mill');
    expect((await office.call('/writes/nobody')).status).toBe(404);
    expect((await settle('nobody', { settlement: 'not-done' })).status).toBe(404);
    expect((await settle(id, { settlement: 'done' })).status).toBe(422);
    expect((await settle(id, { settlement: 'undecidable' })).status).toBe(422);
    expect((await settle(id, { settlement: 'done', number: 'a b' })).status).toBe(422);
    expect((await settle(id, { settlement: 'done', number: 'abc' })).status).toBe(422);
    const accountId = await office.addAccount('Weir Mill');
    const { services } = office.bridge;
    await services.store.crosswalk.learn(accountId, [
      { kind: 'client', number: 1_000_000, uuid: randomUUID() },
    ]);
    const late = await lose(services, { accountId });
    const earlier = await settle(late, { settlement: 'done', number: '1000000' });
    expect([earlier.status, errorOf(earlier).message]).toEqual([
      422,
      'the record 1000000 was known before the write began, so another call made it',
    ]);
    const changed = await lost('Mill', { method: 'client.update' });
    const numbered = await settle(changed, { settlement: 'done', number: '812' });
    expect([numbered.status, errorOf(numbered).message]).toEqual([
      422,
      'client.update creates no record: leave out the number',
    ]);
    expect((await settle(changed, { settlement: 'done' })).status).toBe(200);
    expect((await office.call(`/writes/${id}`)).json).toMatchObject({ write: { state: 'unknown' } });
  });
});
