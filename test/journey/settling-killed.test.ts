import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock.ts';
import { API_KEY, countOf, LegacyProgram, textIn } from '../support/legacy.ts';
import { createPostgresDatabase, postgresServer } from '../support/postgres.ts';
import { Mortal, type Customer } from './killed.ts';

const studio: Customer = {
  name: 'Settled Studio',
  accountKey: 'E0000000000000000000000000000001',
  person: 'Ana Owner',
};
const seed = {
  ...{ name: studio.name, accountKey: studio.accountKey, apiKeys: [API_KEY] },
  users: [{ name: studio.person, email: 'ana@settled.example' }],
};
const body = '<Client><Name>Once Only</Name></Client>';
const MINUTE = 60_000;

const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end();
});

(postgresServer === '' ? describe.skip : describe)('two bridges on one PostgreSQL', () => {
  it('one of which is killed while it looks a write up: the other settles it, and nobody sends it again', async () => {
    const database = await createPostgresDatabase();
    over.push(database.drop);
    const mortal = await Mortal.start([seed], undefined, { CAUSEWAY_DATABASE_URL: database.url });
    over.push(() => mortal.end());
    await mortal.rise();
    await mortal.add(studio);
    const sibling = await mortal.sibling();
    over.push(() => sibling.process.kill());
    const [own, other] = [mortal.bridge, sibling.url].map((url) => new LegacyProgram(url, studio.accountKey));

    // The write is carried out, and its answer lost; then the list by which it is looked up does not come.
    await mortal.control.fault({ on: { surface: 'v1', operation: 'client.add' }, do: 'reset-after' });
    await mortal.control.fault({
      on: { surface: 'v1', operation: 'client.list' },
      ...{ do: 'latency', ms: 10 * MINUTE, times: 1 },
    });
    const unheard = own?.post('client.api/add', body).catch(() => undefined);
    const looked = await eventually('its bridge looks it up', async () => {
      const [write] = await mortal.writes();
      return write?.attempts === 1 && (await mortal.control.struck()) === 2 ? write : undefined;
    });
    expect(looked).toMatchObject({ state: 'unknown', caller: 'waits' });
    await mortal.kill();
    expect(await unheard).toBeUndefined();

    const settled = await eventually('the other one has settled it', async () => {
      const [write] = await mortal.writes();
      return write?.state === 'settled' ? write : undefined;
    });
    expect(settled).toMatchObject({
      id: looked.id,
      settlement: 'done',
      settledBy: undefined,
      caller: 'untold',
    });
    expect(settled.attempts).toBeGreaterThan(1);

    const again = await other?.post('client.api/add', body);
    expect(again?.headers['x-causeway-joined']).toBe(looked.id);
    expect(textIn(again?.text ?? '', 'ID')).toBe(settled.made);
    expect(countOf((await other?.get('client.api/list'))?.text ?? '', '<Name>Once Only</Name>')).toBe(1);
    expect(await mortal.writes()).toHaveLength(1);
  });
});
