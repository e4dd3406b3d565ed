import { describe, expect, it } from '@jest/globals';
import { campaignOf, outboxJobOf, waveJobOf } from '../../../../src/app/wiring/features/campaign.ts';
import { consent, lose, migrate, type Stage } from '../../../../src/features/accounts/account.ts';
import { statusOf } from '../../../../src/app/wiring/features/status.ts';
import { WaveJob } from '../../../../src/features/admin/campaign/wave-job.ts';
import { heldBackWords } from '../../../../src/features/status/code-words.ts';
import type { LossReason } from '../../../../src/tokens/grant.ts';
import { DAY, HOUR } from '../../../../src/lib/time/clock.ts';
import { callRecord } from '../../../db/records.ts';
import { openConsole } from '../../../http/console-setting.ts';
import { KnobPostman } from '../harness.ts';

/** Two waves of two accounts each; the clock stands at nine on a Friday. */
async function twoWaves() {
  const setting = await openConsole();
  const { services, admin, clock } = setting;
  const ids: string[] = [];
  for (const [index, tag] of ['one', 'one', 'two', 'two'].entries()) {
    const id = await setting.add(`Account ${index}`, `a${index}@example.com`);
    await services.accounts.set(id, { addTags: tag });
    ids.push(id);
  }
  await admin.waves.save({ name: 'first', query: 'tag=one', holdHours: 24 }, 'ada');
  await admin.waves.save({ name: 'second', query: 'tag=two' }, 'ada');
  const waves = waveJobOf(services, campaignOf(services));
  const job = {
    run: async () => {
      await waves.run();
      await waves.invite();
    },
  };
  const change = (id: string, transition: (life: Stage) => Stage) =>
    services.store.accounts.change(id, transition, {
      at: clock.now(),
      kind: 'test',
      actor: 'test',
      detail: '',
    });
  return {
    ...setting,
    ids,
    job,
    move: async (id = '') => {
      await change(id, (life) =>
        consent(life, { grantId: `grant ${id}`, organisation: { id: `organisation ${id}`, name: 'Theirs' } }),
      );
      await change(id, migrate);
    },
    lose: (id = '', reason: LossReason = 'refused') => change(id, (life) => lose(life, reason)),
    /** So many failing calls of an account since the last hour. */
    fail: async (id = '', count = 0) => {
      for (let n = 0; n < count; n += 1)
        services.store.calls.record(callRecord(id, { at: clock.now() - 1, source: 'bridge', failed: true }));
      await services.store.usage.calls.close();
    },
    states: async () => (await admin.waves.list()).map(({ state }) => state),
    invited: async () =>
      (await Promise.all(ids.map((id) => services.store.campaign.messages(id)))).map(({ length }) => length),
  };
}

describe('waves of invitations', () => {
  it('go out one after the other, each when the one before was good for its hours', async () => {
    const { job, admin, clock, ids, move, states, invited, services } = await twoWaves();
    await job.run();
    expect([await states(), await invited()]).toEqual([
      ['planned', 'planned'],
      [0, 0, 0, 0],
    ]);
    // On the page of one account as in the list of all.
    const inWave = async () => {
      const { accounts } = await admin.view({});
      const alone = await Promise.all(ids.map(async (id) => (await admin.accounts.page(id)).statusReport));
      expect(alone.map(({ wave }) => wave)).toEqual(
        ids.map((id) => accounts.find((one) => one.id === id)?.wave),
      );
      return alone.map(({ wave }) => `${wave?.name ?? ''} ${wave?.state ?? ''}`);
    };
    const planned = ['first planned', 'first planned', 'second planned', 'second planned'];
    expect(await inWave()).toEqual(planned);
    const ofSecond = (await admin.view({ wave: ['second'] })).accounts.map(({ id }) => id);
    expect(ofSecond.sort()).toEqual(ids.slice(2).sort());
    await admin.waves.act('first', 'start', 'ada');
    expect(await inWave()).toEqual(planned.map((one) => one.replace('first planned', 'first sent')));
    expect([await states(), await invited()]).toEqual([
      ['sent', 'planned'],
      [0, 0, 0, 0],
    ]);
    expect(await admin.sending.progress()).toMatchObject({ due: 2, sent: 0 });
    await job.run();
    expect([await states(), await invited()]).toEqual([
      ['sent', 'planned'],
      [1, 1, 0, 0],
    ]);
    // V1 had refused its keys.
    for (let n = 0; n < 31; n += 1)
      services.store.calls.record(
        callRecord(ids[0] ?? '', { at: clock.now() - 1, source: 'bridge', failed: true }),
      );
    await services.store.usage.calls.close();
    await move(ids[0]);
    clock.advance(23 * HOUR);
    await job.run();
    expect((await admin.waves.list())[0]?.reason).toBe('1 of 2 accounts moved, good for 23 of 24 hours');
    clock.advance(HOUR);
    await job.run();
    expect([await states(), await invited()]).toEqual([
      ['good', 'sent'],
      [1, 1, 1, 1],
    ]);
    const { waves } = await admin.statusReport();
    expect(waves.map(({ name, state, accounts }) => [name, state, accounts])).toEqual([
      ['first', 'good', 2],
      ['second', 'sent', 2],
    ]);
  });

  it('stop by themselves, hold their accounts, say why, and continue when an operator resumes them', async () => {
    const { job, admin, clock, ids, move, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    const [bad = '', other = ''] = ids;
    await move(bad);
    const { watches, waves, history, accounts } = services.store;
    const calls = { calls: 0, errors: 0 };
    await watches.begin(
      { accountId: bad, movedAt: clock.now() },
      { until: clock.now() + DAY, before: '', calls },
    );
    await watches.found(bad, [{ key: 'errors', words: 'a tenth of its calls fails' }], clock.now());
    await job.run();
    expect(await states()).toEqual(['stopped', 'planned']);
    const reason = '1 of 2 accounts in trouble, at most 5 % may be: Account 0 (a tenth of its calls fails)';
    expect(await waves.held(other)).toBe(`its wave first is stopped: ${reason}`);
    expect((await accounts.timeline(bad)).at(-1)).toMatchObject({
      kind: 'wave.stopped',
      detail: `first: ${reason}`,
    });
    expect(
      (await history.since(0, { limit: 1_000 })).filter(({ kind }) => kind === 'wave.stopped'),
    ).toHaveLength(1);
    clock.advance(30 * DAY);
    await job.run();
    expect(await states()).toEqual(['stopped', 'planned']);
    await admin.waves.act('first', 'go-on', 'ada');
    await job.run();
    expect(await states()).toEqual(['good', 'sent']);
    expect(await waves.held(other)).toBeUndefined();
    await expect(admin.waves.act('first', 'start', 'ada')).rejects.toThrow(
      'the wave first is good; only one that is planned can be started',
    );
    await admin.waves.act('first', 'stop', 'ada');
    await expect(admin.waves.act('first', 'stop', 'ada')).rejects.toThrow(
      'the wave first is stopped; only one that is out or good can be stopped',
    );
  });

  it('invite the rest when an operator resumes them, and hold the next one back until they are good', async () => {
    const { job, admin, clock, move, ids, states, invited } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    await admin.waves.act('first', 'stop', 'ada');
    clock.advance(HOUR);
    await job.run();
    expect([await states(), await invited()]).toEqual([
      ['stopped', 'planned'],
      [0, 0, 0, 0],
    ]);
    await admin.waves.act('first', 'resume', 'ada');
    await expect(admin.waves.act('first', 'resume', 'ada')).rejects.toThrow(
      'the wave first is out; only one that is stopped can be resumed',
    );
    await job.run();
    expect([await states(), await invited()]).toEqual([
      ['sent', 'planned'],
      [1, 1, 0, 0],
    ]);
    await move(ids[0]);
    clock.advance(24 * HOUR);
    await job.run();
    expect(await states()).toEqual(['good', 'sent']);
  });

  it('stop if accounts lose their connection after the move, one or all of them', async () => {
    const { job, admin, clock, ids, move, lose: end, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    for (const id of ids.slice(0, 2)) await move(id);
    clock.advance(2 * HOUR);
    await end(ids[0]);
    await job.run();
    expect((await admin.waves.list())[0]).toMatchObject({
      state: 'stopped',
      reason:
        '1 of 2 accounts in trouble, at most 5 % may be: Account 0 (its connection is lost: the service refused to renew it)',
    });
    expect(await services.store.waves.held(ids[1] ?? '')).toMatch(/^its wave first is stopped/);
    await end(ids[1]);
    clock.advance(24 * HOUR);
    await admin.waves.act('first', 'resume', 'ada');
    await job.run();
    expect(await states()).toEqual(['stopped', 'planned']);
    expect((await admin.waves.list())[0]?.reason).toMatch(/^2 of 2 accounts in trouble/);
  });

  it('count the failing calls of accounts that lost their connection, since the move', async () => {
    const { job, admin, clock, ids, move, lose: end, fail } = await twoWaves();
    await admin.waves.save(
      { name: 'first', query: 'tag=one', mostTroubledPercent: 50, holdHours: 24, replace: true },
      'ada',
    );
    await admin.waves.act('first', 'start', 'ada');
    const [bad = '', good] = ids;
    await fail(bad, 40); // V1 had refused its keys
    clock.advance(2 * HOUR);
    for (const id of [bad, good]) await move(id);
    clock.advance(HOUR);
    await end(bad);
    await job.run();
    expect((await admin.waves.list())[0]).toMatchObject({
      state: 'sent',
      reason: '2 of 2 accounts moved, 1 lost since, good for 1 of 24 hours',
    });
    clock.advance(2 * HOUR);
    await fail(bad, 20);
    await job.run();
    expect((await admin.waves.list())[0]).toMatchObject({
      state: 'stopped',
      reason: '20 of 20 calls failed within 24 hours, at most 2 % may: most of them from Account 0',
    });
    const { accounts } = await admin.view({});
    expect(accounts.find(({ id }) => id === bad)?.sinceMove).toEqual({ calls: 20, errors: 20 });
  });

  it('do not stop over an account that somebody disconnected, nor count it as moved', async () => {
    const { job, admin, clock, ids, move, lose: end, fail } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    await move(ids[0]);
    clock.advance(2 * HOUR);
    await end(ids[0], 'disconnected');
    clock.advance(HOUR);
    await fail(ids[0], 20);
    await job.run();
    expect((await admin.waves.list())[0]).toMatchObject({
      state: 'sent',
      reason: 'none of its accounts has moved yet',
    });
  });

  it('stop again after they were resumed, unless what stopped them has been dealt with', async () => {
    const { job, admin, clock, ids, move, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    const [bad = ''] = ids;
    await move(bad);
    const { watches } = services.store;
    const calls = { calls: 0, errors: 0 };
    await watches.begin(
      { accountId: bad, movedAt: clock.now() },
      { until: clock.now() + DAY, before: '', calls },
    );
    await watches.found(bad, [{ key: 'errors', words: 'a tenth of its calls fails' }], clock.now());
    await job.run();
    await admin.waves.act('first', 'resume', 'ada');
    await job.run();
    expect(await states()).toEqual(['stopped', 'planned']);
    await watches.dismiss(bad, { by: 'ada', reason: 'the program was wrong', at: clock.now() });
    await admin.waves.act('first', 'resume', 'ada');
    await job.run();
    expect(await states()).toEqual(['sent', 'planned']);
  });

  it.each([
    ['before', 'stopped'],
    ['after', 'sent'],
    ['before and after', 'stopped'],
  ])('judge an account that moved by the comparison %s its move: %s', async (when, state) => {
    const { job, admin, clock, ids, move, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    const [moved = ''] = ids;
    const compare = () =>
      services.store.parity.put(moved, {
        at: clock.now(),
        ...{ reads: 1, alike: 0, different: 1, undecided: 0, live: 1, baseline: 0, changed: 0, noise: 0 },
        ...{ uncompared: [], isUnfinished: false },
        binding: { grantId: `grant ${moved}`, organisationId: `organisation ${moved}` },
        groups: [
          {
            key: 'v3 client.list Response/Clients/Client extra-record',
            ...{ api: 'v3', method: 'client.list', path: 'Response/Clients/Client' },
            ...{ cause: 'extra-record', isUndecided: false, count: 1, example: '–', signature: 's' },
          },
        ],
      });
    if (when.startsWith('before')) await compare();
    clock.advance(1);
    await move(moved);
    clock.advance(1);
    if (when.endsWith('after')) await compare();
    await job.run();
    expect((await states())[0]).toBe(state);
  });

  it('stop again after an operator resumed them, for accounts that have moved since', async () => {
    const { job, admin, clock, ids, move, states, invited, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    const [before = '', after = ''] = ids;
    const fail = async (id: string) => {
      await move(id);
      clock.advance(1);
      for (let n = 0; n < 20; n += 1)
        services.store.calls.record(callRecord(id, { at: clock.now(), source: 'v3', failed: true }));
      for (let untilCounted = 6; untilCounted > 0; untilCounted -= 1) await services.store.calls.flush();
    };
    await fail(before);
    await job.run();
    await admin.waves.act('first', 'go-on', 'ada');
    clock.advance(HOUR);
    await job.run();
    expect(await states()).toEqual(['good', 'sent']);
    expect((await invited()).slice(0, 2)).toEqual([0, 1]);
    await fail(after);
    await job.run();
    expect((await admin.waves.list())[0]).toMatchObject({
      state: 'stopped',
      reason: '20 of 20 calls failed within 24 hours, at most 2 % may: most of them from Account 1',
    });
  });

  it('are good if their accounts have all left, but the next waits for a person', async () => {
    const { job, admin, ids, move, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    for (const id of ids.slice(0, 2)) await services.accounts.close(id, 'ada');
    await job.run();
    expect(await states()).toEqual(['good', 'planned']);
    await admin.waves.act('second', 'start', 'ada');
    await move(ids[2]);
    await job.run();
    expect((await admin.waves.list())[1]?.reason).toBe('1 of 2 accounts moved, good for 0 of 48 hours');
  });

  it('wait for a person if the only one before had no accounts', async () => {
    const { job, admin, ids, states, services } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    for (const id of ids.slice(0, 2)) await services.accounts.close(id, 'ada');
    await job.run();
    expect(await states()).toEqual(['good', 'planned']);
    await admin.waves.act('second', 'start', 'ada');
    expect(await states()).toEqual(['good', 'sent']);
  });

  it('are not started while they would invite nobody, with the reason', async () => {
    const { admin, states } = await twoWaves();
    const start = (name: string) => admin.waves.act(name, 'start', 'ada');
    await admin.waves.save({ name: 'ready', query: 'tag=one&ready=yes' }, 'ada');
    await expect(start('ready')).rejects.toThrow(
      /^the wave ready would invite nobody: none of the 2 uninvited accounts that meet its other filters is ready \(2: /,
    );
    await admin.waves.act('first', 'start', 'ada');
    await admin.waves.save({ name: 'again', query: 'tag=one' }, 'ada');
    await expect(start('again')).rejects.toThrow('has been invited already');
    expect(await states()).toEqual(['sent', 'planned', 'planned', 'planned']);
  });

  it('invite in the background and in order, once each, despite a process that died', async () => {
    const { admin, clock, ids, invited, services } = await twoWaves();
    const { waves } = services.store;
    const [first = '', second = ''] = ids;
    await services.accounts.set(second, { email: '' });
    const [planned] = await waves.list();
    if (planned === undefined) throw new Error('there is no wave');
    await waves.send(planned, [second, first], { at: clock.now(), reason: 'its turn had come' });
    expect((await waves.pending()).map(({ accountId }) => accountId)).toEqual([second, first]);
    // A process that dies has written this invitation and not that it has; then somebody withdraws it.
    const campaign = campaignOf(services);
    await campaign.invite(first, 'wave');
    await campaign.withdraw(first, 'ada');
    await Promise.all([1, 2].map(() => waveJobOf(services, campaign).invite()));
    expect(await invited()).toEqual([1, 0, 0, 0]);
    expect(await waves.pending()).toEqual([]);
    expect((await admin.waves.list())[0]).toMatchObject({ accounts: 2, invited: 2, notInvited: 1 });
  });

  it('wait if their wave is stopped, and invite when an operator resumes it', async () => {
    const { job, admin, invited } = await twoWaves();
    await admin.waves.act('first', 'start', 'ada');
    await admin.waves.act('first', 'stop', 'ada');
    await job.run();
    expect(await invited()).toEqual([0, 0, 0, 0]);
    await admin.waves.act('first', 'go-on', 'ada');
    await job.run();
    expect((await invited()).slice(0, 2)).toEqual([1, 1]);
  });

  it('hold back unsent e-mails while stopped, and withdraw them when removed', async () => {
    const { job, admin, clock, ids, services } = await twoWaves();
    await admin.waves.save(
      { name: 'first', query: 'tag=one', start: '2026-11-23T09:00', replace: true },
      'ada',
    );
    await admin.waves.act('first', 'start', 'ada');
    await job.run();
    const shown = async () => {
      const [wave] = await admin.waves.list();
      const { held, later } = await admin.sending.progress();
      return [wave?.invited, wave?.queued, held, later.length];
    };
    const claim = async () =>
      (
        await services.store.outbox.claim({
          now: clock.now(),
          leaseMs: HOUR,
          pace: { perMinute: 9, perAddress: 9 },
          breaker: { after: 9, millis: HOUR },
        })
      ).outcome;
    expect(await shown()).toEqual([2, 2, 0, 1]);
    expect(await admin.waves.act('first', 'stop', 'ada')).toBe(2);
    expect(await shown()).toEqual([2, 2, 2, 0]);
    expect(await services.store.campaign.messages(ids[0] ?? '')).toMatchObject([{ isHeld: true }]);
    const line = async () => {
      const { statusReport, messages } = await admin.accounts.page(ids[0] ?? '');
      const { stuck, next } = statusReport;
      return [stuck?.reason, stuck?.detail, next?.action, messages[0] && heldBackWords(messages[0], next)];
    };
    expect(await line()).toEqual(['wave-stopped', 'first', 'decide-wave', 'held back by its stopped wave']);
    expect((await admin.statusReport()).totals.stuckBy).toMatchObject([
      { reason: 'wave-stopped', accounts: 2 },
    ]);
    clock.advance(4 * DAY);
    expect(await claim()).toBe('idle');
    await admin.waves.act('first', 'go-on', 'ada');
    expect(await line()).toEqual([undefined, undefined, 'send-mail', undefined]);
    expect(await claim()).toBe('claimed');
    // One is on its way; the other has not left.
    expect(await admin.waves.remove('first', 'ada')).toBe(1);
    expect(await claim()).toBe('idle');
    const fates = await Promise.all(
      ids.slice(0, 2).map(async (id) => (await services.store.campaign.messages(id))[0]?.fate.state),
    );
    expect([...fates].sort()).toEqual(['sending', 'withdrawn']);
    // Whose e-mail never left was not invited, and goes out with another wave.
    const left = ids[fates[0] === 'withdrawn' ? 0 : 1] ?? '';
    expect((await admin.accounts.page(left)).statusReport.invitation.state).toBe('none');
    clock.advance(HOUR);
    await admin.waves.save({ name: 'again', query: 'tag=one' }, 'ada');
    await admin.waves.act('again', 'start', 'ada');
    await job.run();
    const again = (await admin.waves.list()).find(({ name }) => name === 'again');
    expect(again).toMatchObject({ accounts: 1, invited: 1, queued: 1, notInvited: 0 });
    await expect(admin.waves.act('second', 'stop', 'ada')).rejects.toThrow('second is planned');
    const audited = await services.store.audit.list({ limit: 50 });
    expect(audited.map(({ action, detail }) => `${action} ${detail}`).slice(2, 6)).toEqual([
      'waves.remove first, 1 invitation withdrawn',
      'waves.go-on first',
      'waves.stop first',
      'waves.start first',
    ]);
  });

  it('send a link that is valid for the usual time, and remind in theirs, however long they were stopped', async () => {
    const { job, admin, clock, services } = await twoWaves();
    const postman = new KnobPostman();
    const outbox = outboxJobOf(services, campaignOf(services), postman);
    await admin.waves.act('first', 'start', 'ada');
    await job.run();
    await admin.waves.act('first', 'stop', 'ada');
    for (let week = 0; week < 5; week += 1) {
      clock.advance(7 * DAY);
      await outbox.run();
    }
    await admin.waves.act('first', 'go-on', 'ada');
    await outbox.run();
    expect(postman.letters.map(({ kind, expiresAt }) => [kind, expiresAt])).toEqual([
      ['invitation', clock.now() + 30 * DAY],
      ['invitation', clock.now() + 30 * DAY],
    ]);
    const days = async (count: number) => {
      clock.advance(count * DAY);
      await outbox.run();
      return postman.letters.length;
    };
    expect([await days(1), await days(3)]).toEqual([2, 4]);
  });

  it('hold back and withdraw only their own e-mails, not those that a person requested since', async () => {
    const { job, admin, clock, ids, services } = await twoWaves();
    const campaign = campaignOf(services);
    const postman = new KnobPostman();
    const outbox = outboxJobOf(services, campaign, postman);
    await admin.waves.act('first', 'start', 'ada');
    await job.run();
    await outbox.run();
    clock.advance(40 * DAY);
    await outbox.run();
    const [one = '', other = ''] = ids;
    await admin.waves.act('first', 'stop', 'ada');
    const start = new Date(clock.now() + DAY).toISOString().slice(0, 16);
    await campaign.invite(one, 'bob', false, start);
    await campaign.invite(other, 'bob');
    const sent = postman.letters.length;
    await outbox.run();
    expect(postman.letters.length).toBe(sent + 1);
    expect(await admin.waves.remove('first', 'ada')).toBe(0);
    clock.advance(DAY);
    await outbox.run();
    expect(postman.letters.length).toBe(sent + 2);
  });

  /** A job that invites, during which `meanwhile` happens before its second customer is invited. */
  const interrupted = (
    { services }: Pick<Awaited<ReturnType<typeof twoWaves>>, 'services'>,
    meanwhile: () => Promise<unknown>,
  ) => {
    const campaign = campaignOf(services);
    let count = 0;
    return new WaveJob({
      ...{ waves: services.store.waves, proofs: services.store.parity, status: statusOf(services) },
      ...{ clock: services.clock, log: services.log },
      campaign: {
        invite: async (...given) => {
          count += 1;
          if (count === 2) await meanwhile();
          return campaign.invite(...given);
        },
      },
    });
  };

  it('invite nobody any more if they are removed while their customers are being invited', async () => {
    const setting = await twoWaves();
    const { admin, invited, services, ids } = setting;
    await admin.waves.act('first', 'start', 'ada');
    await interrupted(setting, () => admin.waves.remove('first', 'bob')).invite();
    expect((await invited()).toSorted()).toEqual([0, 0, 0, 1]);
    const postman = new KnobPostman();
    await outboxJobOf(services, campaignOf(services), postman).run();
    expect(postman.letters).toEqual([]);
    const timelines = await Promise.all(ids.map((id) => services.store.accounts.timeline(id)));
    expect(timelines.flat().filter(({ kind }) => kind === 'invited')).toHaveLength(1);
  });

  it('leave the rest for later if they are stopped while their customers are being invited', async () => {
    const setting = await twoWaves();
    const { admin, job, invited } = setting;
    await admin.waves.act('first', 'start', 'ada');
    await interrupted(setting, () => admin.waves.act('first', 'stop', 'bob')).invite();
    expect((await invited()).toSorted()).toEqual([0, 0, 0, 1]);
    expect((await admin.waves.list())[0]).toMatchObject({ invited: 1, notInvited: 0 });
    await admin.waves.act('first', 'go-on', 'ada');
    await job.run();
    expect((await invited()).slice(0, 2)).toEqual([1, 1]);
  });

  it('are not sent with the accounts of a plan that somebody replaces meanwhile', async () => {
    const { admin, services, clock, invited } = await twoWaves();
    const campaign = campaignOf(services);
    const status = statusOf(services);
    const job = new WaveJob({
      ...{ waves: services.store.waves, proofs: services.store.parity, clock, log: services.log, campaign },
      status: {
        statusReport: () => status.statusReport(),
        wouldInvite: async (wave, all) => {
          const chosen = await status.wouldInvite(wave, all);
          await admin.waves.save({ name: 'first', query: 'tag=two', replace: true }, 'ada');
          return chosen;
        },
      },
    });
    const [first] = await services.store.waves.list();
    if (first === undefined) throw new Error('there is no wave');
    expect(await job.send(first, 'its turn had come')).toBeUndefined();
    await job.invite();
    expect((await admin.waves.list())[0]).toMatchObject({ state: 'planned', query: 'tag=two' });
    expect(await invited()).toEqual([0, 0, 0, 0]);
    await admin.waves.act('first', 'start', 'ada');
    await job.invite();
    expect(await invited()).toEqual([0, 0, 1, 1]);
  });

  it('leave links that a person made when they are removed', async () => {
    const { job, admin, ids, services } = await twoWaves();
    const [id = ''] = ids;
    await admin.waves.act('first', 'start', 'ada');
    await job.run();
    await admin.accounts.link(id, 'bob');
    expect(await admin.waves.remove('first', 'ada')).toBe(2);
    const states = (await services.store.invitations.ofAccount(id)).map(({ state }) => state);
    expect(states.sort()).toEqual(['issued', 'withdrawn']);
  });

  it('leave the e-mail with a new link that a customer has requested when they are removed, and say that it works', async () => {
    const { job, admin, clock, ids, services } = await twoWaves();
    const [id = '', other = ''] = ids;
    const postman = new KnobPostman();
    const campaign = campaignOf(services);
    await admin.waves.save(
      { name: 'first', query: 'tag=one', start: '2026-12-31T09:00', replace: true },
      'ada',
    );
    await admin.waves.act('first', 'start', 'ada');
    await job.run();
    await admin.accounts.link(id, 'bob');
    clock.advance(31 * DAY);
    const shown = (await services.store.invitations.ofAccount(id)).find(
      ({ expiresAt }) => expiresAt <= clock.now(),
    );
    if (shown === undefined) throw new Error('the link has not expired');
    await campaign.fresh(shown);
    await admin.waves.remove('first', 'ada');
    const messages = await services.store.campaign.messages(id);
    expect(messages.map(({ kind, fate }) => `${kind} ${fate.state}`)).toEqual([
      'invitation withdrawn',
      'fresh queued',
    ]);
    const details = async (account: string) =>
      (await services.store.accounts.timeline(account))
        .filter(({ kind }) => kind === 'withdrawn')
        .map(({ detail }) => detail);
    expect(await details(id)).toEqual([
      'the invitation of its wave was withdrawn before it was sent; another link of the customer still works',
    ]);
    expect(await details(other)).toEqual(['the invitation of its wave was withdrawn before it was sent']);
    await outboxJobOf(services, campaign, postman).run();
    expect(postman.letters.map(({ kind }) => kind)).toEqual(['fresh']);
  });

  it('have a unique name and tags in use, and show how many accounts they would invite', async () => {
    const { admin, ids, services } = await twoWaves();
    expect((await admin.waves.list()).map(({ accounts, invited }) => [accounts, invited])).toEqual([
      [2, 0],
      [2, 0],
    ]);
    const refused = (given: object) =>
      expect(admin.waves.save({ name: 'first', query: 'tag=one', ...given }, 'eve'));
    await refused({}).rejects.toThrow(
      'the wave first already exists: choose another name, or change that wave',
    );
    await refused({ name: 'third', query: 'tag=ona' }).rejects.toThrow(
      'no account has the tag ona; there are one, two',
    );
    await refused({ name: 'third', replace: true }).rejects.toThrow('there is no wave third');
    // A wave is planned for it, which still meets the filter of that wave.
    await admin.waves.save({ name: 'first', query: 'tag=one&next=invite', replace: true }, 'eve');
    expect((await admin.statusReport()).accounts.map(({ next }) => next?.action)).toEqual(
      Array.from({ length: 4 }, () => 'wave-invites'),
    );
    expect((await admin.waves.show('first')).would).toBe(2);
    await services.accounts.set(ids[0] ?? '', { email: '' });
    expect((await admin.accounts.page(ids[0] ?? '')).statusReport.next?.action).toBe('add-address');
    await admin.waves.save({ name: 'first', query: 'tag=one', replace: true }, 'eve');
    expect((await admin.waves.list())[0]).toMatchObject({ accounts: 2, notInvited: 1 });
    await admin.waves.save({ name: 'first', query: 'tag=one', most: 1, replace: true }, 'eve');
    expect((await admin.waves.list())[0]).toMatchObject({ accounts: 1, reason: 'changed by eve' });
    await admin.waves.act('first', 'start', 'ada');
    await refused({ replace: true }).rejects.toThrow('the wave first has gone out and cannot be changed');
  });

  it('start in the earliest time zone, and wait for that of each customer', async () => {
    const { job, admin, clock, states, ids, services } = await twoWaves();
    await services.accounts.set(ids[1] ?? '', { zone: 'Pacific/Kiritimati' });
    await admin.waves.save(
      { name: 'first', query: 'tag=one', start: '2026-11-23T09:00', replace: true },
      'ada',
    );
    clock.advance(2 * DAY + 9 * HOUR);
    await job.run();
    expect(await states()).toEqual(['planned', 'planned']);
    clock.advance(HOUR);
    await job.run();
    expect(await states()).toEqual(['sent', 'planned']);
    const facts = await services.store.outbox.facts(0);
    expect(facts.waiting.map(({ nextAt }) => new Date(nextAt).toISOString()).sort()).toEqual([
      '2026-11-22T19:00:00.000Z',
      '2026-11-23T09:00:00.000Z',
    ]);
  });

  it('wait for the start of each customer, even if it has passed in the zone of the installation', async () => {
    const { job, admin, clock, ids, services } = await twoWaves();
    await services.accounts.set(ids[1] ?? '', { zone: 'America/Los_Angeles' });
    await admin.waves.save(
      { name: 'first', query: 'tag=one', start: '2026-11-20T10:00', replace: true },
      'ada',
    );
    clock.advance(2 * HOUR);
    await job.run();
    const facts = await services.store.outbox.facts(0);
    expect(facts.waiting.map(({ nextAt }) => new Date(nextAt).toISOString()).sort()).toEqual([
      new Date(clock.now()).toISOString(),
      '2026-11-20T18:00:00.000Z',
    ]);
  });
});
