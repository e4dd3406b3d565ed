import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openEngine } from '../../../../src/app/migration.ts';
import { DeferredWrites } from '../../../../src/db/deferred-writes.ts';
import type { Engine } from '../../../../src/db/engine.ts';
import { answeredIn } from '../../../../src/features/usage/names/answered.ts';
import { usageOn, type UsageStore } from '../../../../src/features/usage/usage-store.ts';
import { ReadinessJob } from '../../../../src/features/usage/readiness/readiness-job.ts';
import { ReadinessRules } from '../../../../src/features/usage/readiness/readiness.ts';
import type { Verdict } from '../../../../src/features/usage/readiness/verdict.ts';
import { silentLog } from '../../../../src/lib/log/log.ts';
import { deliveredMapping } from '../../../support/mapping.ts';
import type { Message } from '../../../../src/features/usage/recent-calls.ts';
import { DAY } from '../../../../src/lib/time/clock.ts';
import { describeOnBoth, type Bench } from '../../../db/engines.ts';
import { NOW, callRecord } from '../../../db/records.ts';

const engines: Engine[] = [];

async function processOn(bench: Bench): Promise<UsageStore> {
  const engine = await openEngine(bench.url());
  engines.push(engine);
  const usage = usageOn(engine, new DeferredWrites());
  usage.recent.tell(usage.recorder);
  return usage;
}

const message = (changes: Partial<Message> = {}): Message => ({
  headers: ['User-Agent', 'Import/1'],
  address: '/client.api/get/1?apiKey=k&accountKey=a&detailed=true',
  sent: undefined,
  received: [Buffer.from('<Response><Status>OK</Status><Client><ID>1</ID></Client></Response>')],
  ...changes,
});

function serve({ recent }: UsageStore, accountId: string, calls: number, at = NOW): void {
  for (let n = 0; n < calls; n += 1)
    recent.record(
      callRecord(accountId, { at, method: 'client.get', source: 'v1', failed: false }),
      message(),
    );
}

/** Calls, replies that were read, and how often the identifier was in them. */
async function figuresOf({ stored }: UsageStore, accountId: string): Promise<object> {
  const { programs } = await stored.find(accountId);
  const [program] = programs.values();
  const got = program?.methods.get('client.get');
  return { calls: got?.calls, replies: got?.replies, seen: got?.received.get('Client/ID')?.count };
}

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.db.destroy();
});

describeOnBoth('usage in the database', (bench) => {
  let account: string;

  beforeEach(async () => {
    await bench.store(); // makes the tables
    account = randomUUID();
  });

  it('survives a restart, and is summed over instances and weeks', async () => {
    const [one, other] = [await processOn(bench), await processOn(bench)];
    serve(one, account, 3);
    serve(other, account, 4);
    serve(other, account, 5, NOW + 8 * DAY);
    await Promise.all([one.recorder.close(), other.recorder.close()]);
    serve(one, account, 1);
    await one.recorder.close();
    const later = await processOn(bench);
    expect(await figuresOf(later, account)).toEqual({ calls: 13, replies: 13, seen: 13 });
    await later.stored.forget(NOW + 5 * 7 * DAY + 7 * DAY);
    expect(await figuresOf(later, account)).toEqual({ calls: 5, replies: 5, seen: 5 });
  });

  it('counts reads of methods without a row apart from writes of such', async () => {
    const usage = await processOn(bench);
    for (const verb of ['GET', 'POST', 'GET'])
      usage.recent.record(callRecord(account, { method: 'generic', verb, failed: false }), message());
    await usage.recorder.close();
    const used = answeredIn(await usage.stored.find(account));
    expect(Array.from(used, ([method, { calls }]) => [method, calls])).toEqual([
      ['generic', 2],
      ['generic-write', 1],
    ]);
  });

  it('is judged by the week that was counted after counting was switched off', async () => {
    const usage = await processOn(bench);
    serve(usage, account, 1);
    await usage.recorder.close();
    await usage.stored.switch(account, false);
    let state: unknown;
    await new ReadinessJob({
      use: {
        find: (id) => usage.stored.find(id),
        unjudged: async (...asked) =>
          (await usage.stored.unjudged(...asked)).filter(({ accountId }) => accountId === account),
        judge: async ([judged]) => {
          state = (JSON.parse(judged?.verdict ?? '') as Verdict).v3.state;
        },
      },
      repository: { byId: async () => ({ product: 'standard' }) },
      rules: () => new ReadinessRules(deliveredMapping().methods, []),
      version: () => 'the mapping',
      clock: { now: () => NOW + 8 * DAY },
      log: silentLog,
    }).run();
    expect(state).toBe('not-enough-seen');
  });

  it('of many accounts is written in few transactions, together with that of other instances', async () => {
    const [one, other] = [await processOn(bench), await processOn(bench)];
    const accounts = Array.from({ length: 60 }, () => randomUUID());
    for (const id of accounts) serve(one, id, 1);
    for (const id of accounts.toReversed()) serve(other, id, 2);
    const begun: string[] = [];
    const { stored } = one;
    const add = stored.add.bind(stored);
    stored.add = async (counted) => {
      begun.push(`${counted.length} accounts`);
      return add(counted);
    };
    await Promise.all([one.recorder.close(), other.recorder.close()]);
    expect(begun).toEqual(['25 accounts', '25 accounts', '10 accounts']);
    for (const id of accounts) expect(await figuresOf(one, id)).toMatchObject({ calls: 3 });
  });

  it('of an account with an unreadable row delays no other account, and is kept', async () => {
    const one = await processOn(bench);
    const [damaged, whole] = [randomUUID(), randomUUID()];
    serve(one, damaged, 1);
    await one.recorder.close();
    const engine = engines.at(-1);
    await engine?.db
      .updateTable('used_names')
      .set({ content: '?' })
      .where('account_id', '=', damaged)
      .execute();
    serve(one, damaged, 2);
    serve(one, whole, 2);
    await one.recorder.close();
    expect(await figuresOf(one, whole)).toMatchObject({ calls: 2 });
    await engine?.db.deleteFrom('used_names').where('account_id', '=', damaged).execute();
    await one.recorder.close();
    expect(await figuresOf(one, damaged)).toMatchObject({ calls: 2 });
  });

  it('includes the first replies of a method in a day, and then one in twenty', async () => {
    const one = await processOn(bench);
    serve(one, account, 100);
    await one.recorder.close();
    expect(await figuresOf(one, account)).toEqual({ calls: 100, replies: 24, seen: 24 });
  });

  it('is erased completely, and earlier counts are not written afterwards', async () => {
    const [one, other] = [await processOn(bench), await processOn(bench)];
    serve(one, account, 3);
    await one.recorder.close();
    await one.stored.name(account, { program: 'p', name: 'Import' }, { at: NOW, actor: 'a' });
    serve(other, account, 4, NOW + 1);
    expect(await one.stored.erase(account, NOW + 2)).toBe(2);
    await other.recorder.close();
    expect((await one.stored.find(account)).programs.size).toBe(0);
    expect(await one.stored.programs(account)).toEqual([]);
    serve(one, account, 2, NOW + 3);
    await one.recorder.close();
    expect(await figuresOf(one, account)).toMatchObject({ calls: 2 });
  });

  it('is erased even if a row of it is unreadable', async () => {
    const one = await processOn(bench);
    serve(one, account, 3);
    await one.recorder.close();
    await engines
      .at(-1)
      ?.db.updateTable('used_names')
      .set({ content: '?' })
      .where('account_id', '=', account)
      .execute();
    expect(await one.stored.erase(account, NOW + 2)).toBe(0);
    expect((await one.stored.find(account)).programs.size).toBe(0);
  });

  it('is not counted for an account that is switched off', async () => {
    const one = await processOn(bench);
    await one.stored.switch(account, false);
    serve(one, account, 3);
    await one.recorder.close();
    expect((await one.stored.find(account)).programs.size).toBe(0);
    expect(await one.stored.isOn(account)).toBe(false);
    await one.stored.switch(account, true);
    const next = await processOn(bench);
    serve(next, account, 3);
    await next.recorder.close();
    expect(await figuresOf(next, account)).toMatchObject({ calls: 3 });
  });

  it('keeps the last name of a program, for its account alone, until it is removed', async () => {
    const one = await processOn(bench);
    await one.stored.name(account, { program: 'p', name: 'Import' }, { at: NOW, actor: 'a' });
    await one.stored.name(account, { program: 'p', name: 'Time import' }, { at: NOW, actor: 'a' });
    expect(await one.stored.programs(account)).toEqual([{ program: 'p', name: 'Time import' }]);
    expect(await one.stored.programs(randomUUID())).toEqual([]);
    await one.stored.name(account, { program: 'p', name: '' }, { at: NOW, actor: 'a' });
    expect(await one.stored.programs(account)).toEqual([]);
  });
});
