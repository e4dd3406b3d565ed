import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Store } from '../../../src/app/store.ts';
import { WriteLedger } from '../../../src/features/writes/ledger.ts';
import type { Settlement } from '../../../src/features/writes/model.ts';
import { Leaving, type WriteCall, type WriteReply } from '../../../src/features/writes/write-call.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { describeOnBoth, type Bench } from '../../db/engines.ts';
import { newAccount, NOW } from '../../db/records.ts';
import { eventually } from '../../support/clock.ts';

const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 7).toString('base64')}`));

/** One of the two. */
type Process = 0 | 1;

/** Two processes of the bridge, and one account whose program sends the same request over and over. */
interface Scene {
  readonly store: Store;
  readonly accountId: string;
  readonly owners: readonly [string, string];
  /** Requests that have reached the service. */
  readonly sent: () => number;
  /** Sends the request through each of the processes at the same moment; the service numbers what it is sent from 1. */
  readonly send: (...through: readonly Process[]) => Promise<readonly WriteReply[]>;
  /** Why the request fails through this process. */
  readonly outcome: (through: Process) => Promise<string>;
  /** The same, with callers that get each reply at once. */
  readonly sendWhole: (...through: readonly Process[]) => Promise<readonly WriteReply[]>;
  /** As many equal requests at the same moment, all unanswered; settled that way, with numbers from 101 on. */
  readonly lose: (count: number, settlement?: Settlement) => Promise<readonly string[]>;
  readonly settle: (id: string, settlement: Settlement, made?: string) => Promise<void>;
  /** The callers get these replies, or do not. */
  readonly deliver: (replies: readonly WriteReply[], isDelivered?: boolean) => Promise<void>;
  readonly later: (millis: number) => void;
}

async function scene(bench: Bench): Promise<Scene> {
  const stores = await bench.twoStores();
  const [store] = stores;
  const { id: accountId } = await store.accounts.add(newAccount());
  const owners = [`one-${randomUUID()}`, `two-${randomUUID()}`] as const;
  let [now, sent] = [NOW, 0];
  const processOf = ({ writes }: Store, owner: string): WriteLedger =>
    new WriteLedger({
      ...{ writes, seal: ring, log: silentLog, owner, alone: false },
      ...{ clock: { now: () => (now += 200) }, joinMs: 2_000, isStopping: () => false },
    });
  const ledgers = [processOf(stores[0], owners[0]), processOf(stores[1], owners[1])] as const;
  const call = (): WriteCall => ({
    ...{ id: randomUUID(), accountId, method: 'time.add', route: 'v3', verb: 'POST' },
    ...{ segments: ['time.api', 'add'], query: [], bytes: Buffer.from('<Timesheet/>'), key: undefined },
    ...{ makes: { kind: 'time' }, signal: new AbortController().signal, leaving: new Leaving() },
  });
  const perform = (one: WriteCall, through: Process, fate: Promise<void>): Promise<WriteReply> =>
    ledgers[through].perform(one, async () => {
      one.leaving.leaves();
      const number = (sent += 1);
      await fate;
      return {
        ...{ status: 200, source: 'v3', contentType: 'text/xml' },
        body: `<Response><Status>OK</Status><Timesheet><ID>${number}</ID></Timesheet></Response>`,
      };
    });
  const settle = async (id: string, settlement: Settlement, made?: string): Promise<void> => {
    const settling = { settlement, ...(made !== undefined && { made, kind: 'time' }), note: '', now };
    expect(await store.writes.settle(id, settling)).toBe('settled');
  };
  const send = (through: Process): Promise<WriteReply> => perform(call(), through, Promise.resolve());
  return {
    ...{ store, accountId, owners, sent: () => sent, settle },
    send: (...through) => Promise.all(through.map(send)),
    outcome: (through) =>
      send(through).then(
        () => 'answered',
        (error: unknown) => (error instanceof Failure ? error.code : String(error)),
      ),
    sendWhole: (...through) =>
      Promise.all(
        through.map(async (n) => {
          const reply = await send(n);
          reply.delivered?.(true);
          return reply;
        }),
      ),
    async lose(count, settlement) {
      const before = sent;
      const lost = Promise.withResolvers<undefined>();
      const calls = Array.from({ length: count }, call);
      const ended = Promise.allSettled(calls.map((one) => perform(one, 0, lost.promise)));
      await eventually('all are sent', () => sent === before + count || undefined);
      lost.reject(new Failure('outcomeUnknown'));
      await ended;
      if (settlement !== undefined)
        for (const [n, { id }] of calls.entries())
          await settle(id, settlement, settlement === 'done' ? String(101 + n) : undefined);
      return calls.map(({ id }) => id);
    },
    async deliver(replies, isDelivered = true) {
      for (const reply of replies) reply.delivered?.(isDelivered);
      await eventually('this is stored', async () => {
        const rows = await store.writes.list({ limit: 50, accountId });
        return rows.every(({ caller }) => caller !== 'waits') || undefined;
      });
    },
    later: (millis) => {
      now += millis;
    },
  };
}

const textOf = ({ body }: WriteReply): string => (typeof body === 'string' ? body : '');
const numbersIn = (replies: readonly WriteReply[]): readonly string[] =>
  replies.map((reply) => /<ID>(\d+)</.exec(textOf(reply))?.[1] ?? '').toSorted();
const joinedIn = (replies: readonly WriteReply[]): ReadonlySet<string | undefined> =>
  new Set(replies.map(({ headers }) => headers?.['X-Causeway-Joined']));

/** Through one process, and through two. */
const PAIRS = [
  { where: 'one process', through: [0, 0] },
  { where: 'two processes', through: [0, 1] },
] as const;

describeOnBoth('the repeats of equal writes that were all lost', (bench) => {
  it.each(PAIRS)('are as many writes, if none was carried out, at once in $where', async ({ through }) => {
    const { lose, sendWhole, sent } = await scene(bench);
    await lose(2, 'not-done');
    const replies = await sendWhole(...through);
    expect(joinedIn(replies)).toEqual(new Set([undefined]));
    expect([sent(), new Set(numbersIn(replies)).size]).toEqual([4, 2]);
  });

  it.each(PAIRS)(
    'get the numbers of all, if all were carried out, at once in $where',
    async ({ through }) => {
      const { lose, send, sent, deliver } = await scene(bench);
      const lost = await lose(2, 'done');
      const replies = await send(...through);
      expect(numbersIn(replies)).toEqual(['101', '102']);
      expect(joinedIn(replies)).toEqual(new Set(lost));
      await deliver(replies);
      expect(joinedIn(await send(0))).toEqual(new Set([undefined]));
      expect(sent()).toBe(3);
    },
  );

  it('get the numbers of those that were carried out, and replace the others', async () => {
    const { lose, send, sent, settle } = await scene(bench);
    const [first = '', second = '', third = ''] = await lose(3);
    await settle(first, 'done', '101');
    await settle(second, 'not-done');
    await settle(third, 'done', '103');
    const replies = await send(0, 1, 0);
    expect(joinedIn(replies)).toEqual(new Set([first, third, undefined]));
    expect(sent()).toBe(4);
  });

  it('share the answer to one if there are more of them than lost writes', async () => {
    const { lose, send, sent, deliver } = await scene(bench);
    const [lost] = await lose(1, 'done');
    const replies = await send(0, 1, 0);
    expect(joinedIn(replies)).toEqual(new Set([lost]));
    await deliver(replies);
    expect(sent()).toBe(1);
  });

  it('leave an answer that did not arrive to the next repeat, within the ten minutes from the loss', async () => {
    const { lose, send, deliver, later, store } = await scene(bench);
    const [lost = ''] = await lose(1, 'done');
    const { untoldAt } = (await store.writes.find(lost)) ?? {};
    later(9 * MINUTE);
    await deliver(await send(1), false);
    expect(await store.writes.find(lost)).toMatchObject({ caller: 'untold', untoldAt });
    const replies = await send(0);
    expect(joinedIn(replies)).toEqual(new Set([lost]));
    await deliver(replies, false);
    later(2 * MINUTE);
    expect(joinedIn(await send(0))).toEqual(new Set([undefined]));
  });

  it('leave an answer to the next one if the process that was giving it has died', async () => {
    const { lose, send, store, owners, sent } = await scene(bench);
    const [lost = ''] = await lose(1, 'done');
    await send(1);
    await store.writes.declareDead(owners[1], NOW);
    expect(await store.writes.find(lost)).toMatchObject({ state: 'settled', caller: 'untold' });
    expect(joinedIn(await send(0))).toEqual(new Set([lost]));
    expect(sent()).toBe(1);
  });

  it('get the outcomes that are known, although that of the oldest is not', async () => {
    const { lose, send, sent, settle, deliver, outcome } = await scene(bench);
    const [first = '', second = ''] = await lose(2);
    await settle(first, 'undecidable');
    await settle(second, 'done', '102');
    const replies = await send(0);
    expect(numbersIn(replies)).toEqual(['102']);
    await deliver(replies);
    expect(await outcome(1)).toBe('outcomeUnknown');
    expect(sent()).toBe(2);
  });

  it('replace what was not carried out, although the outcome of the oldest is unknown', async () => {
    const { lose, sendWhole, sent, settle, outcome } = await scene(bench);
    const [, second = ''] = await lose(2);
    await settle(second, 'not-done');
    expect(joinedIn(await sendWhole(0))).toEqual(new Set([undefined]));
    expect(sent()).toBe(3);
    expect(await outcome(0)).toBe('outcomeUnknown');
    expect(sent()).toBe(3);
  });

  it('get the numbers of all, if the process that was giving the answers has died', async () => {
    const { lose, send, sent, deliver } = await scene(bench);
    await lose(2, 'done');
    await send(1, 1);
    const replies = await send(0, 0);
    expect(numbersIn(replies)).toEqual(['101', '102']);
    await deliver(replies);
    expect(joinedIn(await send(0))).toEqual(new Set([undefined]));
    expect(sent()).toBe(3);
  }, 60_000);
});
