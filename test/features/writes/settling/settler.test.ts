import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Store } from '../../../../src/app/store.ts';
import type { Write } from '../../../../src/features/writes/model.ts';
import { sealSteps } from '../../../../src/features/writes/rows/sealed-steps.ts';
import type { LegacyRead, ReadAnswer } from '../../../../src/features/writes/settling/reads.ts';
import { adviceOf, writeWords } from '../../../../src/features/writes/words.ts';
import { Settler } from '../../../../src/features/writes/settling/settler.ts';
import type { WriteStep } from '../../../../src/features/writes/steps.ts';
import { silentLog } from '../../../../src/lib/log/log.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { DAY, MINUTE, SECOND } from '../../../../src/lib/time/clock.ts';
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
  write(
    method: string,
    values: Readonly<Record<string, string>>,
    made?: string | null,
    steps?: readonly WriteStep[],
  ): Promise<string>;
  /** The same for a write by that process, whose answer came after so long. */
  done(
    method: string,
    values: Readonly<Record<string, string>>,
    by?: { readonly owner?: string; readonly after?: number },
  ): Promise<void>;
  run(): Promise<void>;
  find(id: string): Promise<Write | undefined>;
}

async function scene(store: Store, answer: (read: LegacyRead) => ReadAnswer): Promise<Scene> {
  const accountId = (await store.accounts.add(newAccount())).id;
  const reads: LegacyRead[] = [];
  const enter = async (
    method: string,
    values: Readonly<Record<string, string>>,
    { owner = 'process', steps = [] }: { readonly owner?: string; readonly steps?: readonly WriteStep[] },
  ): Promise<string> => {
    const id = randomUUID();
    const facts = { verb: 'POST', segments: method.split('.'), query: [], values };
    await store.writes.enter(
      {
        ...{ id, accountId, method, route: 'v3', fingerprints: [id], idempotency: [], length: 10 },
        ...{ owner, kind: 'client', now: played.now },
        stepsSealed: sealSteps(ring, id, steps),
        factsSealed: ring.seal(new Secret(JSON.stringify(facts)), id, sealedAs.writeFacts),
      },
      { untoldSince: 0, keyedSince: 0, besides: [] },
    );
    return id;
  };
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
    async write(method, values, made, steps = []) {
      const id = await enter(method, values, { steps });
      const { now } = played;
      await store.writes.end(
        id,
        made === undefined
          ? { state: 'unknown', caller: 'untold', now }
          : { state: 'done', caller: 'told', made: made ?? undefined, kind: 'client', now },
      );
      return id;
    },
    async done(method, values, { owner = 'process', after = 0 } = {}) {
      const id = await enter(method, values, { owner });
      const answeredAt = played.now + after;
      await store.writes.end(id, { state: 'done', caller: 'told', answeredAt, now: answeredAt });
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

  const job = { key: '0', says: 'the job was added', state: 'done', made: 'J9', isLast: false } as const;
  const members = { key: '0', says: 'the clients were added', state: 'done', isLast: true } as const;
  const template = { key: '1', says: 'the template was applied', isLast: true } as const;

  it('reports a write whose steps were all done as done, with the number from its steps', async () => {
    const text = '<Response><Status>OK</Status><Job><ID>J9</ID><Name>Sign</Name></Job></Response>';
    const all = await scene(await bench.store(), () => shown(text));
    const id = await all.write('job.add', { Name: 'Sign' }, undefined, [job, { ...template, state: 'done' }]);
    await all.run();
    expect(await all.find(id)).toMatchObject({
      ...{ settlement: 'done', made: 'J9', note: 'every step was done' },
      answerSealed: expect.any(String),
    });
    expect(all.reads.map(({ segments }) => segments)).toEqual([['job.api', 'get', 'J9']]);
  });

  it('says what was done of a write whose further steps were not sent', async () => {
    const all = await scene(await bench.store(), () => shown(EMPTY));
    const id = await all.write('job.add', { Name: 'Sign' }, undefined, [job]);
    await all.run();
    const write = await all.find(id);
    expect(write).toMatchObject({
      settlement: 'not-done',
      note: 'only this was done: the job was added; a repeat of exactly the same request does the rest',
    });
    expect(write && writeWords(write)).toBe('settled: not carried out in full');
    expect(write && adviceOf(write, [job])).toBe(
      'Only this was done for certain: the job was added, and its program does not know. Tell the customer: exactly the same request must be sent again, unless that has happened. It does the rest and repeats nothing',
    );
  });

  it('tells the timeline what was done of a write that was settled as not done', async () => {
    const store = await bench.store();
    const all = await scene(store, () => shown(EMPTY));
    const id = await all.write('job.add', { Name: 'Sign' }, undefined, [job]);
    await all.run();
    const { accountId = '' } = (await all.find(id)) ?? {};
    const { detail } = (await store.accounts.timeline(accountId)).at(-1) ?? {};
    expect(detail).toBe(`job.add ${id} (done in part; the job was added): not-done`);
  });

  it('reports a write of several steps as not carried out if none of them was done', async () => {
    const store = await bench.store();
    const all = await scene(store, () => shown(EMPTY));
    const id = await all.write('job.add', { Name: 'Sign' }, undefined, [{ ...job, state: 'not-done' }]);
    await all.run();
    const write = await all.find(id);
    expect(write).toMatchObject({ settlement: 'not-done', note: 'no step was done' });
    expect(write && writeWords(write)).toBe('settled: not carried out');
    expect(write && adviceOf(write, [])).toBe(
      'It was not carried out, and its program does not know. Tell the customer: it must be sent again, unless that has happened',
    );
    const { detail } = (await store.accounts.timeline(write?.accountId ?? '')).at(-1) ?? {};
    expect(detail).toBe(`job.add ${id}: not-done`);
  });

  it('reports a write whose effect no read shows as done if its last step was done', async () => {
    const all = await scene(await bench.store(), () => AWAY);
    const steps = [{ key: '0', says: 'the staff were assigned', state: 'done', isLast: true }] as const;
    const id = await all.write('job.assign', { ID: 'J9' }, undefined, steps);
    await all.run();
    expect(await all.find(id)).toMatchObject({ settlement: 'done', note: 'every step was done' });
  });

  it('leaves a reply with a record to the repeat of a write whose steps are all done', async () => {
    const store = await bench.store();
    const all = await scene(store, () => AWAY);
    const id = await all.write('clientgroup.members', { ID: '9' }, undefined, [members]);
    await all.run();
    const write = await all.find(id);
    expect(write).toMatchObject({
      settlement: 'not-done',
      note: 'every step was done, and only the reply is missing; a repeat of exactly the same request gets it',
      answerSealed: undefined,
    });
    const { detail } = (await store.accounts.timeline(write?.accountId ?? '')).at(-1) ?? {};
    expect(detail).toBe(
      `clientgroup.members ${id} (every step was done, and only the reply is missing): not-done`,
    );
  });

  it('tells the customer of a write whose steps are all done that a repeat gets only the reply', async () => {
    const all = await scene(await bench.store(), () => AWAY);
    const id = await all.write('clientgroup.members', { ID: '9' }, undefined, [members]);
    const advice = async (): Promise<string> => {
      const write = await all.find(id);
      return write === undefined ? '' : adviceOf(write, [members]);
    };
    expect(await advice()).toBe('Nothing: every step was done, and a repeat of the call gets the reply');
    await all.run();
    const write = await all.find(id);
    expect(write && writeWords(write, [members])).toBe('settled: carried out, without its reply');
    expect(await advice()).toBe(
      'Every step was done, and its program does not know. Tell the customer: exactly the same request gets the reply and repeats nothing; it must not be sent in another form',
    );
  });

  const anna = (phone: string, email: string): ReadAnswer => {
    const values = `<ID>12</ID><Name>Anna</Name><Phone>${phone}</Phone><Email>${email}</Email>`;
    return shown(`<Response><Status>OK</Status><Client>${values}</Client></Response>`);
  };
  const email = { ID: '12', Name: 'Anna', Email: 'anna@example.org' } as const;
  const phone = { ID: '12', Name: 'Anna', Phone: '04 1' } as const;

  it('settles a change although the same record was changed just before it', async () => {
    const all = await scene(await bench.store(), () => anna('04 1', 'anna@example.org'));
    await all.done('client.update', phone, { after: SECOND });
    all.now += SECOND;
    const id = await all.write('client.update', email);
    await all.run();
    expect(await all.find(id)).toMatchObject({ settlement: 'done', settledAt: all.now });
  });

  it('settles as not done a change that never arrived, although one before it did', async () => {
    const all = await scene(await bench.store(), () => anna('04 1', ''));
    await all.done('client.update', phone, { after: SECOND });
    all.now += 2 * SECOND;
    const id = await all.write('client.update', email);
    all.now += LATEST + MINUTE;
    await all.run();
    expect(await all.find(id)).toMatchObject({ settlement: 'not-done' });
  });

  it.each([
    ['was answered after this one began', { after: 3 * SECOND }],
    ['was answered just before by an instance whose clock may differ', { owner: 'other', after: 0 }],
    ['was recorded without the time of its answer', undefined],
  ])('leaves a change to a person if another of the same record %s', async (_words, by) => {
    const all = await scene(await bench.store(), () => anna('04 1', ''));
    if (by === undefined) await all.write('client.update', phone, null);
    else await all.done('client.update', phone, by);
    all.now += 2 * SECOND;
    const id = await all.write('client.update', email);
    all.now += LATEST + MINUTE;
    await all.run();
    expect(await all.find(id)).toMatchObject({
      settlement: 'undecidable',
      note: 'another write may have changed the same record',
    });
  });

  it('settles a change although an earlier one of the record waits for a person', async () => {
    const answers = [shown(EMPTY), anna('04 1', 'anna@example.org')];
    const all = await scene(await bench.store(), () => answers.shift() ?? AWAY);
    const stuck = await all.write('client.update', phone);
    all.now += LATEST + MINUTE;
    await all.run();
    const id = await all.write('client.update', email);
    await all.run();
    expect(await all.find(stuck)).toMatchObject({ settlement: 'undecidable' });
    expect(await all.find(id)).toMatchObject({ settlement: 'done' });
  });

  it.each([
    ['just before it, although another creation has waited for a person for months', 'Berta', '2027-04-25'],
    [
      'an equal creation that waits for a person, because their records are counted together',
      'Anna',
      '2027-01-15',
    ],
  ])('reads the list for a creation back to %s', async (_words, name, from) => {
    const two = `<Client><ID>11</ID><Name>${name}</Name></Client>`.repeat(2);
    const answers = [
      shown(`<Response><Status>OK</Status><Clients>${two}</Clients></Response>`),
      shown(EMPTY),
    ];
    const all = await scene(await bench.store(), () => answers.shift() ?? AWAY);
    const stuck = await all.write('client.add', { Name: name });
    all.now += LATEST + MINUTE;
    await all.run();
    expect(await all.find(stuck)).toMatchObject({ settlement: 'undecidable' });
    all.now += 100 * DAY;
    await all.write('client.add', { Name: 'Anna' });
    await all.run();
    expect(all.reads.at(-1)?.query).toEqual(
      expect.arrayContaining([['modifiedsince', expect.stringMatching(`^${from}`)]]),
    );
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
