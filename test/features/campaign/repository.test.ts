import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { close, consent, lose, migrate, type Stage } from '../../../src/features/accounts/account.ts';
import type { Claimed, Entry, Settlement } from '../../../src/features/campaign/model.ts';
import type { MessageKind, Run } from '../../../src/features/campaign/outbox.ts';
import { openEngine } from '../../../src/app/migration.ts';
import { eraseStore } from '../../../src/app/erase-store.ts';
import type { Store } from '../../../src/app/store.ts';
import { describeOnBoth, type Bench } from '../../db/engines.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const MINUTE = 60_000;
const pace = { perMinute: 1_000, perAddress: 1_000 };
const breaker = { after: 3, millis: 15 * MINUTE };

/** What is due, and how fast, is a matter of all rows together. */
async function emptied(bench: Bench): Promise<Store> {
  const store = await bench.store();
  await store.settings.set('mark', 'test');
  await eraseStore(bench.url(), 'mark', 'test');
  return store;
}

const event = (kind = 'test') => ({ at: NOW, kind, actor: 'operator', detail: '' });

async function add(store: Store, email: string | undefined = 'Ada@example.com', now = NOW): Promise<string> {
  const id = randomUUID();
  await store.accounts.add({
    id,
    name: 'Old Mill',
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: id,
    accountKeySealed: 'sealed',
    details: {
      contactName: 'Ada',
      email,
      language: 'de',
      zone: undefined,
      phone: undefined,
      expected: { id: 'org', name: 'Mill' },
      notes: undefined,
      tags: undefined,
    },
    now,
    actor: 'operator',
  });
  return id;
}

const running = (accountId: string, nextAt = NOW + MINUTE): Run => ({
  accountId,
  cause: 'invited',
  beganAt: NOW,
  reminders: 0,
  state: 'running',
  nextAt,
});

const message = (
  accountId: string,
  to = 'Ada@example.com',
  now = NOW,
  invitationId: string = randomUUID(),
): Entry => ({
  now,
  invitation: { id: invitationId, linkIndex: randomUUID(), expiresAt: now + 100 * MINUTE },
  message: {
    id: randomUUID(),
    invitationId,
    kind: 'invitation',
    to,
    messageId: '<x@example.com>',
    linkSealed: 'sealed link',
    reminder: undefined,
  },
  run: running(accountId),
  event: event('invited'),
});

const queue = (store: Store, id: string, to?: string, now?: number) =>
  store.campaign.decide(id, () => message(id, to, now));

async function claim(store: Store, now = NOW, leaseMs = MINUTE): Promise<Claimed> {
  const found = await store.outbox.claim({ now, leaseMs, pace, breaker });
  if (found.outcome !== 'claimed') throw new Error(found.outcome);
  return found.claimed;
}

const change = (store: Store, id: string, ...steps: readonly ((life: Stage) => Stage)[]) =>
  store.accounts.change(id, (life) => steps.reduce((at, step) => step(at), life), {
    ...event(),
    at: NOW + MINUTE,
  });
const bind = (life: Stage): Stage =>
  consent(life, { grantId: 'grant', organisation: { id: randomUUID(), name: 'Mill' } });

describeOnBoth('the rows of the campaign', (bench) => {
  it('are written together or not at all, and show an account’s facts', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    const facts = await store.campaign.facts(id);
    expect(facts).toMatchObject({
      account: { id },
      details: { email: 'Ada@example.com', language: 'de', expected: { id: 'org', name: 'Mill' } },
      run: running(id),
      invitations: [{ state: 'issued' }],
      messages: [{ to: 'Ada@example.com', fate: { state: 'queued', nextAt: NOW }, attempts: 0 }],
      suppression: undefined,
    });
    const again = message(id);
    const clash = { ...again, message: { ...again.message, id: facts?.messages[0]?.id ?? '' } };
    await expect(store.campaign.decide(id, () => clash as Entry)).rejects.toThrow();
    expect(await store.campaign.facts(id)).toEqual(facts);
    expect((await store.accounts.timeline(id)).map(({ kind }) => kind)).toEqual(['added', 'invited']);
    await expect(store.campaign.decide('nobody', () => undefined)).rejects.toThrow('no account');
    expect(await store.campaign.facts('nobody')).toBeUndefined();
  });

  it('have the invitation created last as the newest, even after a withdrawn or a scheduled one', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    const make = (invitation: string, now: number, issuedAt = now) =>
      store.campaign.decide(id, () => ({
        ...{ now, event: event('invited') },
        invitation: { id: invitation, linkIndex: randomUUID(), issuedAt, expiresAt: issuedAt + MINUTE },
      }));
    const newest = async () => [
      (await store.campaign.facts(id))?.invitations.at(-1)?.id.slice(-1),
      (await store.invitations.ofAccount(id)).at(-1)?.id.slice(-1),
      (await store.statusReport.readOne(id, NOW)).invitations[0]?.issuedAt,
    ];
    await make(`${id} z`, NOW, NOW + 100 * MINUTE);
    await store.campaign.decide(id, () => ({ now: NOW, revoke: true }));
    await make(`${id} a`, NOW);
    expect(await newest()).toEqual(['a', 'a', NOW]);
    await make(`${id} y`, NOW + 1, NOW + 200 * MINUTE);
    expect(await newest()).toEqual(['y', 'y', NOW + 200 * MINUTE]);
    await make(`${id} b`, NOW + 2);
    expect(await newest()).toEqual(['b', 'b', NOW + 2]);
  });

  it('are decided on one at a time', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await Promise.all(
      [1, 2, 3, 4, 5].map(() =>
        store.campaign.decide(id, ({ messages }) => (messages.length === 0 ? message(id) : undefined)),
      ),
    );
    expect(await store.campaign.messages(id)).toHaveLength(1);
  });

  it('show which account is due', async () => {
    const store = await emptied(bench);
    const [due, later, connected, declined, stopped] = await Promise.all(
      [1, 2, 3, 4, 5].map(() => add(store)),
    );
    if (!due || !later || !connected || !declined || !stopped) throw new Error('no accounts');
    for (const id of [later, connected, declined]) await queue(store, id);
    await store.campaign.decide(due, () => ({ now: NOW, run: running(due, NOW) }));
    await store.campaign.decide(stopped, () => ({
      now: NOW,
      run: {
        accountId: stopped,
        cause: 'lost',
        beganAt: 1,
        reminders: 2,
        state: 'stopped',
        reason: 'done',
        at: NOW,
      },
    }));
    await change(store, connected, bind);
    const [invitation] = await store.invitations.ofAccount(declined);
    await store.invitations.setState(invitation?.id ?? '', 'declined', NOW);
    expect([...(await store.campaign.due(NOW))].sort()).toEqual([due, connected, declined].sort());
    expect(await store.campaign.due(NOW + MINUTE)).toContain(later);
    expect(await store.campaign.run(stopped)).toMatchObject({
      state: 'stopped',
      reason: 'done',
      reminders: 2,
    });
  });

  it('show which lost account has not been told', async () => {
    const store = await emptied(bench);
    const [lost, told, fallen, silent, fresh, refused] = await Promise.all([
      add(store),
      add(store),
      add(store),
      add(store, ''),
      add(store),
      add(store, 'gone@example.com'),
    ]);
    await store.accounts.set(silent, { email: undefined }, event());
    const die = (life: Stage): Stage => lose(life, 'revoked');
    for (const id of [lost, told, silent, refused]) await change(store, id, bind, migrate, die);
    await queue(store, fallen);
    const [invitation] = await store.invitations.ofAccount(fallen);
    await store.invitations.setState(invitation?.id ?? '', 'accepted', NOW);
    await change(store, fallen, bind);
    await change(store, fallen, die);
    await store.campaign.decide(told, () => ({
      now: NOW,
      run: { ...running(told), cause: 'lost', beganAt: NOW + 2 * MINUTE },
    }));
    await store.campaign.suppress({ address: 'GONE@example.com', reason: 'refused', detail: '550', at: NOW });
    await queue(store, fresh);
    expect([...(await store.campaign.lostWithoutRun())].sort()).toEqual([lost, fallen].sort());
  });

  it('block an address in any case, for the first reason given', async () => {
    const store = await emptied(bench);
    const [one, other] = [await add(store), await add(store, 'other@example.com')];
    for (const id of [one, other]) await queue(store, id);
    await store.campaign.suppress({
      address: 'ADA@EXAMPLE.COM',
      reason: 'unsubscribed',
      detail: 'a',
      at: NOW,
    });
    await store.campaign.suppress({
      address: 'ada@example.com',
      reason: 'refused',
      detail: 'b',
      at: NOW + 1,
    });
    expect(await store.campaign.suppression('Ada@example.com')).toEqual({
      address: 'ada@example.com',
      reason: 'unsubscribed',
      detail: 'a',
      at: NOW,
    });
    expect((await store.campaign.facts(one))?.suppression).toMatchObject({ reason: 'unsubscribed' });
    expect(await store.campaign.run(one)).toMatchObject({
      state: 'stopped',
      reason: 'unsubscribed',
      at: NOW,
    });
    expect(await store.campaign.run(other)).toMatchObject({ state: 'running' });
  });

  it('give a refused address another try, but none to one whose owner unsubscribed', async () => {
    const store = await emptied(bench);
    await store.campaign.suppress({ address: 'a@example.com', reason: 'refused', detail: '', at: NOW });
    await store.campaign.suppress({ address: 'b@example.com', reason: 'unsubscribed', detail: '', at: NOW });
    expect(await store.campaign.relent('A@example.com')).toBe(true);
    expect(await store.campaign.relent('a@example.com')).toBe(false);
    expect(await store.campaign.relent('b@example.com')).toBe(false);
    expect(await store.campaign.suppression('a@example.com')).toBeUndefined();
    expect(await store.campaign.suppression('b@example.com')).toBeDefined();
  });

  it('withdraw unsent e-mails and their links', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    await store.campaign.decide(id, () => ({ now: NOW, recall: 'withdrawn', revoke: true }));
    expect(await store.campaign.facts(id)).toMatchObject({
      invitations: [{ state: 'withdrawn' }],
      messages: [{ fate: { state: 'withdrawn', at: NOW, reason: 'withdrawn' } }],
    });
    expect(await store.outbox.claim({ now: NOW, leaseMs: 1, pace, breaker })).toEqual({ outcome: 'idle' });
  });

  it('follow a changed address until they are sent', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    await store.accounts.set(id, { email: 'new@example.com', notes: 'x' }, event('changed'));
    expect(await store.campaign.messages(id)).toMatchObject([{ to: 'new@example.com' }]);
    expect(await store.accounts.details(id)).toMatchObject({
      email: 'new@example.com',
      notes: 'x',
      contactName: 'Ada',
    });
    await store.accounts.set(id, { email: undefined }, event('changed'));
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state: 'withdrawn' } }]);
    expect((await store.accounts.allDetails()).get(id)).toMatchObject({ email: undefined, notes: 'x' });
  });
});

describeOnBoth('the outbox', (bench) => {
  it('gives every e-mail to one process, the longest waiting first', async () => {
    const store = await emptied(bench);
    const ids = await Promise.all(Array.from({ length: 6 }, () => add(store)));
    for (const [n, id] of ids.entries()) await queue(store, id, undefined, NOW - n);
    const found = await Promise.all(
      Array.from({ length: 8 }, () => store.outbox.claim({ now: NOW, leaseMs: MINUTE, pace, breaker })),
    );
    const claimed = found.flatMap((one) => (one.outcome === 'claimed' ? [one.claimed] : []));
    expect(new Set(claimed.map(({ message }) => message.accountId)).size).toBe(6);
    expect(claimed).toHaveLength(6);
    expect(claimed.find(({ attempt }) => attempt !== 1)).toBeUndefined();
    expect(await store.campaign.messages(ids[0] ?? '')).toMatchObject([
      { fate: { state: 'sending', since: NOW } },
    ]);
  });

  it('leaves an e-mail of a kind that a later version has added to a bridge that knows it', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    const entry = message(id);
    if (entry.message === undefined) throw new Error('it has a message');
    const later = { ...entry.message, kind: 'added-later' as MessageKind };
    await store.campaign.decide(id, () => ({ ...entry, message: later }));
    expect(await store.outbox.claim({ now: NOW, leaseMs: 1, pace, breaker })).toEqual({ outcome: 'idle' });
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state: 'queued' } }]);
  });

  it('keeps the sending rate, however many processes send', async () => {
    const store = await emptied(bench);
    for (let n = 0; n < 6; n += 1)
      await queue(store, await add(store), n < 4 ? 'a@example.com' : 'b@example.com');
    const take = (now: number, perMinute: number, perAddress: number) =>
      store.outbox.claim({ now, leaseMs: MINUTE, pace: { perMinute, perAddress }, breaker });
    const first = await Promise.all([1, 2, 3, 4].map(() => take(NOW, 2, 100)));
    expect(first.map(({ outcome }) => outcome).sort()).toEqual(['claimed', 'claimed', 'limited', 'limited']);
    const later = await Promise.all([1, 2, 3, 4].map(() => take(NOW + MINUTE, 100, 3)));
    expect(later.map(({ outcome }) => outcome).sort()).toEqual(['claimed', 'claimed', 'claimed', 'idle']);
  });

  it('sends on after a clock that was ahead has been set back', async () => {
    const store = await emptied(bench);
    const ahead = NOW + 365 * 24 * 60 * MINUTE;
    const ids = [await add(store), await add(store), await add(store)];
    for (const id of ids) await queue(store, id);
    const failed = { outcome: 'failed', nextAt: ahead + MINUTE, reason: '451' } as const;
    const once = { after: 1, millis: 15 * MINUTE };
    await store.outbox.settle(await claim(store, ahead), { outcome: 'sent' }, ahead, breaker);
    await store.outbox.settle(await claim(store, ahead), failed, ahead, once);
    expect((await store.outbox.sending(ahead)).pausedUntil).toBe(ahead + once.millis);
    expect((await store.outbox.sending(NOW)).pausedUntil).toBeUndefined();
    const take = () =>
      store.outbox.claim({
        ...{ now: NOW, leaseMs: MINUTE, breaker: once },
        pace: { perMinute: 2, perAddress: 2 },
      });
    expect(await take()).toMatchObject({ outcome: 'claimed', claimed: { attempt: 1 } });
    expect(await take()).toMatchObject({ outcome: 'claimed', claimed: { attempt: 2 } });
  });

  it.each<[Settlement, string, boolean]>([
    [{ outcome: 'sent' }, 'sent', true],
    [{ outcome: 'failed', nextAt: NOW + MINUTE, reason: '451' }, 'failed', false],
    [{ outcome: 'refused', reason: '550' }, 'refused', true],
    [{ outcome: 'unknown', reason: 'cut' }, 'unknown', true],
    [{ outcome: 'abandoned', reason: 'enough' }, 'abandoned', true],
    [{ outcome: 'withdrawn', reason: 'closed' }, 'withdrawn', true],
  ])('writes %j once', async (settlement, state, final) => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    const claimed = await claim(store);
    expect(await store.outbox.settle(claimed, settlement, NOW, breaker)).toBe(true);
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state }, attempts: 1 }]);
    if (settlement.outcome !== 'unknown')
      expect(await store.outbox.settle(claimed, { outcome: 'sent' }, NOW, breaker)).toBe(false);
    const next = await store.outbox.claim({ now: NOW + MINUTE, leaseMs: MINUTE, pace, breaker });
    expect(next.outcome).toBe(final ? 'idle' : 'claimed');
    const told = (await store.accounts.timeline(id)).filter(({ kind }) => kind === `mail.${state}`);
    expect(told).toHaveLength(final ? 1 : 0);
  });

  it('marks what a dead process left as unknown, and corrects it if the process was only slow', async () => {
    const store = await emptied(bench);
    const [dead, alive] = [await add(store), await add(store)];
    await queue(store, dead, undefined, NOW - 1);
    const claimed = await claim(store, NOW, 0);
    await queue(store, alive);
    await claim(store, NOW, MINUTE);
    expect(await store.outbox.handOver(claimed)).toBe(true);
    expect(await Promise.all([store.outbox.strand(NOW), store.outbox.strand(NOW)])).toContain(1);
    expect(await store.outbox.strand(NOW)).toBe(0);
    expect(await store.campaign.messages(dead)).toMatchObject([{ fate: { state: 'unknown' } }]);
    expect(await store.campaign.messages(alive)).toMatchObject([{ fate: { state: 'sending' } }]);
    expect(
      await store.outbox.settle(claimed, { outcome: 'failed', nextAt: NOW, reason: 'x' }, NOW, breaker),
    ).toBe(false);
    expect(await store.outbox.settle(claimed, { outcome: 'sent' }, NOW, breaker)).toBe(true);
    expect(await store.campaign.messages(dead)).toMatchObject([{ fate: { state: 'sent' } }]);
  });

  it('queues again what a dead process had not handed over, and refuses the hand-over if it was only slow', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    const slow = await claim(store, NOW, 0);
    expect(await Promise.all([store.outbox.strand(NOW), store.outbox.strand(NOW)])).toEqual([0, 0]);
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state: 'queued', nextAt: NOW } }]);
    const claimed = await claim(store);
    expect(await store.outbox.handOver(slow)).toBe(false);
    expect(await store.outbox.defer(slow, NOW)).toBe(false);
    expect(await store.outbox.settle(slow, { outcome: 'withdrawn', reason: 'x' }, NOW, breaker)).toBe(false);
    expect(await store.outbox.handOver(claimed)).toBe(true);
    expect(await store.outbox.handOver(claimed)).toBe(false);
    expect(await store.outbox.settle(claimed, { outcome: 'sent' }, NOW, breaker)).toBe(true);
    expect((await store.accounts.timeline(id)).map(({ kind }) => kind)).not.toContain('mail.unknown');
  });

  it('takes the claims of 1.0.0-rc.1, which notes no hand-over, for handed over', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    await claim(store, NOW, 0);
    const engine = await openEngine(bench.url());
    await engine.db.updateTable('outbox').set({ reason: null }).where('account_id', '=', id).execute();
    await engine.db.destroy();
    expect(await store.outbox.strand(NOW)).toBe(1);
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state: 'unknown' } }]);
  });

  it('ignores what an older attempt says of an e-mail that is sent again', async () => {
    const store = await emptied(bench);
    const id = await add(store);
    await queue(store, id);
    const older = await claim(store);
    const failed = { outcome: 'failed', nextAt: NOW, reason: '451' } as const;
    await store.outbox.settle(older, failed, NOW, breaker);
    const newer = await claim(store);
    expect(newer).toMatchObject({ message: { id: older.message.id }, attempt: 2 });
    for (const settlement of [{ outcome: 'sent' }, { outcome: 'refused', reason: '550' }, failed] as const)
      expect(await store.outbox.settle(older, settlement, NOW, breaker)).toBe(false);
    expect(await store.campaign.messages(id)).toMatchObject([{ fate: { state: 'sending' }, attempts: 2 }]);
    expect(await store.outbox.settle(newer, { outcome: 'sent' }, NOW, breaker)).toBe(true);
  });

  it('pauses after consecutive errors; an accepted e-mail ends the series', async () => {
    const store = await emptied(bench);
    for (let n = 0; n < 6; n += 1) await queue(store, await add(store));
    const fail = async (now: number) =>
      store.outbox.settle(await claim(store, now), { outcome: 'unknown', reason: '' }, now, breaker);
    await fail(NOW);
    await fail(NOW);
    await store.outbox.settle(await claim(store), { outcome: 'sent' }, NOW, breaker);
    expect(await store.outbox.sending(NOW)).toEqual({ errors: 0, pausedUntil: undefined });
    await fail(NOW);
    await fail(NOW);
    const untried = { outcome: 'abandoned', reason: 'the link cannot be opened', isUntried: true } as const;
    await queue(store, await add(store));
    await store.outbox.settle(await claim(store), untried, NOW, breaker);
    expect(await store.outbox.sending(NOW)).toEqual({ errors: 2, pausedUntil: undefined });
    await fail(NOW);
    await queue(store, await add(store));
    expect(await store.outbox.claim({ now: NOW, leaseMs: 1, pace, breaker })).toEqual({
      outcome: 'paused',
      until: NOW + breaker.millis,
    });
    expect((await store.outbox.claim({ now: NOW + breaker.millis, leaseMs: 1, pace, breaker })).outcome).toBe(
      'claimed',
    );
  });

  it('reports refused addresses to the other accounts, too', async () => {
    const store = await emptied(bench);
    const [one, other] = [await add(store), await add(store, 'ADA@example.com')];
    for (const id of [one, other]) await queue(store, id);
    await store.outbox.settle(await claim(store), { outcome: 'refused', reason: '550 no' }, NOW, breaker);
    for (const id of [one, other]) {
      expect(await store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'refused' });
      expect((await store.campaign.facts(id))?.suppression).toMatchObject({ detail: '550 no' });
    }
    await change(store, one, close);
  });

  it('ignores a bounce of what is no address of an e-mail, whatever characters it has', async () => {
    const store = await emptied(bench);
    await queue(store, await add(store));
    const claimed = await claim(store);
    const { id } = claimed.message;
    await store.outbox.settle(claimed, { outcome: 'sent' }, NOW, breaker);
    for (const address of ['Ada\u0000@example.com', 'Ada@example.com, bob@example.com', '']) {
      expect(await store.bounces.leftAt(address, [id])).toBeUndefined();
      const bounce = { address, kind: 'dead', words: '550' } as const;
      expect(await store.bounces.take(bounce, 'mailbox', NOW)).toEqual({ outcome: 'ignored' });
    }
    expect(await store.bounces.leftAt('Ada@example.com', [id])).toBe(NOW);
  });
});
