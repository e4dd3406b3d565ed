import { expect, it } from '@jest/globals';
import type { Account } from '../../../src/features/accounts/account.ts';
import type { Store } from '../../../src/app/store.ts';
import type { Rehearsal } from '../../../src/features/cutover/rehearsal/model.ts';
import { Rehearsals, type PlayRehearsal } from '../../../src/features/cutover/rehearsal/rehearsals.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import type { Progress } from '../../../src/lib/progress.ts';
import { Refusal } from '../../../src/lib/log/terminal.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { newAccount } from '../../db/records.ts';
import { HandClock, START, until } from '../../support/clock.ts';

const REPORT: Rehearsal = {
  ...{ at: START, millis: 1, verdict: 'ready', words: 'all alike', isMasked: true, records: {}, reads: 1 },
  ...{ missing: [], calls: 0, faithful: 0, unplayed: [], ways: [] },
};
const nobody = (): void => undefined;

async function added(store: Store, name: string): Promise<Account> {
  const account = newAccount();
  await store.accounts.add({ ...account, name: `${name} ${account.id}` });
  const found = await store.accounts.byId(account.id);
  if (found === undefined) throw new Error('it was added');
  return found;
}

/** What is played, by hand: it ends when the test says so. */
class Played {
  begun = 0;
  progress: Progress = nobody;
  end: (report: Rehearsal) => void = nobody;
  fail: (error: Error) => void = nobody;
  readonly play: PlayRehearsal = (_account, _masks, progress, signal) => {
    this.begun += 1;
    this.progress = progress;
    return new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
      signal.addEventListener('abort', () => {
        reject(new Refusal('its process ended (SIGKILL)'));
      });
    });
  };
}

describeOnBoth('rehearsals', (bench) => {
  const clock = new HandClock();
  const rehearsalsOn = (store: Store, { play }: Played): Rehearsals =>
    new Rehearsals({
      ...{ repository: store.accounts, stored: store.rehearsals, clock, log: silentLog, play },
      hasV1: true,
    });

  it('run one at a time over all processes, and report progress and findings', async () => {
    const [store, second] = await bench.twoStores();
    const [one, other] = [await added(store, 'One'), await added(store, 'Other')];
    const played = new Played();
    const rehearsals = rehearsalsOn(store, played);
    const elsewhere = rehearsalsOn(second, new Played());
    expect(await rehearsals.report(one)).toMatchObject({ state: 'none', report: undefined });
    await rehearsals.start(one, 'Ada');
    await expect(rehearsals.start(one, 'Ada')).rejects.toThrow(`${one.name} is being rehearsed`);
    await expect(elsewhere.start(other, 'Bob')).rejects.toThrow(`${one.name} is being rehearsed`);
    played.progress('played', 3, 7);
    await until('it is told', async () => (await elsewhere.report(one)).attempt?.done === 3);
    expect(await elsewhere.report(one)).toMatchObject({
      ...{ state: 'running', attempt: { who: 'Ada', words: 'played', of: 7 } },
    });
    played.end(REPORT);
    await until('it is over', async () => (await rehearsals.report(one)).state === 'done');
    expect((await elsewhere.report(one)).report).toEqual(REPORT);

    // One that fails takes no report away.
    clock.advance(1);
    await rehearsals.start(one, 'Ada');
    played.fail(new Refusal('V1 is away'));
    await until('it has failed', async () => (await rehearsals.report(one)).state === 'failed');
    expect(await rehearsals.report(one)).toMatchObject({ attempt: { words: 'V1 is away' }, report: REPORT });
  });

  it('end if their process is not heard from, and when the bridge stops', async () => {
    const store = await bench.store();
    const one = await added(store, 'One');
    const killed = new Played();
    await rehearsalsOn(store, killed).start(one, 'Ada');
    clock.advance(MINUTE + 1);
    const played = new Played();
    const rehearsals = rehearsalsOn(store, played);
    expect((await rehearsals.report(one)).state).toBe('interrupted');
    await rehearsals.start(one, 'Bob');
    // The first, which was only slow, says nothing any more of what is not its own.
    killed.end({ ...REPORT, words: 'late' });
    await rehearsals.close();
    expect(await rehearsals.report(one)).toMatchObject({
      ...{ state: 'failed', attempt: { who: 'Bob', words: 'the bridge was stopped in the meantime' } },
      report: undefined,
    });
  });

  it('are not hindered by one whose process died while the clock was ahead', async () => {
    const store = await bench.store();
    const [dead, other] = [await added(store, 'Dead'), await added(store, 'Other')];
    const { rehearsals } = store;
    const begin = (accountId: string, begunAt: number) =>
      rehearsals.begin({ accountId, begunAt }, 'Kim', MINUTE);
    expect(await begin(dead.id, START + 60 * MINUTE)).toBeUndefined();
    expect(await begin(other.id, START + 59.5 * MINUTE)).toBe(dead.id);
    expect(await begin(other.id, START)).toBeUndefined();
  });

  it('with values are shown and not stored', async () => {
    const store = await bench.store();
    const one = await added(store, 'One');
    const played = new Played();
    const rehearsals = rehearsalsOn(store, played);
    const shown = rehearsals.rehearse(one, 'command line', false, nobody);
    await until('it has begun', () => played.begun === 1);
    played.end({ ...REPORT, words: 'Wilhelmina' });
    expect((await shown).words).toBe('Wilhelmina');
    expect(JSON.stringify(await rehearsals.report(one))).not.toContain('Wilhelmina');
    expect(await rehearsals.report(one)).toMatchObject({ state: 'done', report: undefined });
  });
});
