import { afterEach, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { giveConsent } from '../../src/replay/consent.ts';
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
  // By which the consent is known to be of the same organisation.
  clients: [{ number: 1_000_000, name: 'Seeded' }],
};
const body = '<Client><Name>Once Only</Name></Client>';
const MINUTE = 60_000;

const over: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of over.splice(0).toReversed()) await end();
});

(postgresServer === '' ? describe.skip : describe)('two bridges on one PostgreSQL', () => {
  it('settle a write once if one is killed while it looks the write up, and send it only once', async () => {
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

describe('a bridge killed after the service has added a client, before its number is stored,', () => {
  it('finds the client, gives it the reserved number, and returns that number to the repeat', async () => {
    const mortal = await Mortal.start([seed]);
    over.push(() => mortal.end());
    await mortal.rise();
    await mortal.add(studio);
    await giveConsent({
      link: await mortal.link(studio.name),
      person: studio.person,
      organisation: studio.name,
    });
    await mortal.moved(studio.name);
    const program = new LegacyProgram(mortal.bridge, studio.accountKey);
    const direct = new LegacyProgram(mortal.service, studio.accountKey);
    const atService = async (): Promise<number> =>
      countOf((await direct.get('v1/client.api/list')).text, '<Name>Once Only</Name>');

    // The service takes ten minutes of its own clock, which stands until the database is locked.
    await mortal.control.fault({
      on: { surface: 'v3', operation: 'client.add' },
      ...{ do: 'latency', ms: 10 * MINUTE, times: 1 },
    });
    const unheard = program.post('client.api/add', body).catch(() => undefined);
    const [left] = await eventually('it has left', async () =>
      (await mortal.control.struck()) === 1 ? mortal.writes() : undefined,
    );
    expect(left).toMatchObject({ state: 'open' });
    const lock = new DatabaseSync(mortal.file, { timeout: 10_000 });
    lock.exec('BEGIN IMMEDIATE');
    await mortal.control.advance((10 * MINUTE) / 1_000);
    await eventually('the service has added it', async () => ((await atService()) === 1 ? true : undefined));
    await mortal.kill();
    lock.exec('ROLLBACK');
    lock.close();
    expect(await unheard).toBeUndefined();

    await mortal.rise();
    const settled = await mortal.comes('it is settled', async () => {
      const [write] = await mortal.writes();
      return write?.state === 'settled' ? write : undefined;
    });
    expect(settled).toMatchObject({ id: left?.id, settlement: 'done', allotted: left?.allotted });
    const again = await program.post('client.api/add', body);
    expect(again.headers['x-causeway-joined']).toBe(left?.id);
    expect(textIn(again.text, 'ID')).toBe(String(left?.allotted));
    expect(await atService()).toBe(1);
  });
});
