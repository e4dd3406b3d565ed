import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Store } from '../../../../src/app/store.ts';
import type { Write } from '../../../../src/features/writes/model.ts';
import type { LegacyRead, ReadAnswer } from '../../../../src/features/writes/settling/reads.ts';
import { Settler } from '../../../../src/features/writes/settling/settler.ts';
import { silentLog } from '../../../../src/lib/log/log.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { MINUTE, SECOND } from '../../../../src/lib/time/clock.ts';
import { readDocument } from '../../../../src/lib/xml/read.ts';
import { loadMapping } from '../../../../src/mapping/compile/compile.ts';
import { KeyRing } from '../../../../src/tokens/sealing/keyring.ts';
import { sealedAs } from '../../../../src/tokens/sealing/sealed.ts';
import { describeOnBoth } from '../../../db/engines.ts';
import { newAccount, NOW } from '../../../db/records.ts';

const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const { methods } = loadMapping(join(import.meta.dirname, '..', '..', '..', '..', 'mappings'));
const LATEST = 5 * MINUTE;
const EMPTY = '<Response><Status>OK</Status><Clients></Clients></Response>';
const AWAY: ReadAnswer = { answer: 'failed', words: 'away' };

const shown = (text: string): ReadAnswer => ({
  ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text },
  root: readDocument(text),
});

interface Scene {
  readonly settler: Settler;
  readonly reads: readonly LegacyRead[];
  now: number;
  /** Enters a write of the account. `made`: it was done, with that number or none. */
  write(method: string, values: Readonly<Record<string, string>>, made?: string | null): Promise<string>;
  run(): Promise<void>;
  find(id: string): Promise<Write | undefined>;
}

async function scene(store: Store, answer: (read: LegacyRead) => ReadAnswer): Promise<Scene> {
  const accountId = (await store.accounts.add(newAccount())).id;
  const reads: LegacyRead[] = [];
  const played: Scene = {
    now: NOW,
    reads,
    settler: new Settler({
      ...{ writes: store.writes, seal: ring, log: silentLog, latestMs: LATEST, ownNumbers: false },
      clock: { now: () => played.now },
      pause: async () => undefined,
      methods: new Map(methods.map((method) => [method.id, method])),
      reads: {
        read: async (read) => {
          if (read.accountId !== accountId) return AWAY;
          reads.push(read);
          return answer(read);
        },
        number: async () => undefined,
      },
    }),
    async write(method, values, made) {
      const id = randomUUID();
      const facts = { verb: 'POST', segments: method.split('.'), query: [], values };
      await store.writes.enter(
        {
          ...{ id, accountId, method, route: 'v3', fingerprints: [id], idempotency: [], length: 10 },
          ...{ owner: 'process', kind: 'client', now: played.now },
          factsSealed: ring.seal(new Secret(JSON.stringify(facts)), id, sealedAs.writeFacts),
        },
        { untoldSince: 0, keyedSince: 0, besides: [] },
      );
      const { now } = played;
      await store.writes.end(
        id,
        made === undefined
          ? { state: 'unknown', caller: 'untold', now }
          : { state: 'done', caller: 'told', made: made ?? undefined, kind: 'client', now },
      );
      return id;
    },
    run: () => played.settler.run(new AbortController().signal),
    find: (id) => store.writes.find(id),
  };
  return played;
}

describeOnBoth('settling writes of unknown outcome', (bench) => {
  it('reads a list once for all due writes of an account', async () => {
    const all = await scene(await bench.store(), () => shown(EMPTY));
    const ids = [];
    for (let nth = 0; nth < 40; nth += 1) ids.push(await all.write('client.add', { Name: `Client ${nth}` }));
    all.now += LATEST + MINUTE;
    await all.run();
    expect(all.reads).toHaveLength(1);
    for (const id of ids) expect(await all.find(id)).toMatchObject({ settlement: 'not-done' });
  });

  it('repeats a failed read a second later, and then at growing intervals', async () => {
    const all = await scene(await bench.store(), () => AWAY);
    const id = await all.write('client.add', { Name: 'Anna' });
    all.now += LATEST + MINUTE;
    const waits = [];
    for (let nth = 0; nth < 8; nth += 1) {
      await all.run();
      const { nextAt = 0 } = (await all.find(id)) ?? {};
      waits.push((nextAt - all.now) / SECOND);
      all.now = nextAt;
    }
    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15, 15]);
  });

  it('makes a deciding read before other calls, and a preparing one after them', async () => {
    const all = await scene(await bench.store(), () => shown(EMPTY));
    await all.write('client.add', { Name: 'Anna' });
    await all.run();
    all.now += LATEST + MINUTE;
    await all.run();
    expect(all.reads.map(({ isUrgent }) => isUrgent)).toEqual([false, true]);
  });

  it('does not report a write as not done if the record may have been deleted since', async () => {
    const all = await scene(await bench.store(), () => shown(EMPTY));
    const id = await all.write('client.add', { Name: 'Anna' });
    all.now += SECOND;
    await all.write('client.delete', { ID: '12' }, null);
    all.now += LATEST + MINUTE;
    await all.run();
    expect(await all.find(id)).toMatchObject({
      settlement: 'undecidable',
      note: 'a later call changed or deleted a record that may have been the one',
    });
  });

  it('reports a write as not done if the deleted record is known to be of another write', async () => {
    const all = await scene(await bench.store(), () => shown(EMPTY));
    await all.write('client.add', { Name: 'Berta' }, '12');
    const id = await all.write('client.add', { Name: 'Anna' });
    all.now += SECOND;
    const gone = await all.write('client.delete', { ID: '12' });
    all.now += LATEST + MINUTE;
    await all.run();
    expect(await all.find(id)).toMatchObject({ settlement: 'not-done' });
    expect(await all.find(gone)).toMatchObject({ state: expect.any(String) });
  });
});
