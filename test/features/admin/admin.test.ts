import { line, statusReportOf } from '../status/rows.ts';
import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { callRecord } from '../../db/records.ts';
import { consent, migrate } from '../../../src/features/accounts/account.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { AwaitingConsents } from '../../../src/features/consent/awaiting.ts';
import type { AuditRow } from '../../../src/features/admin/audit.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import type { Check } from '../../../src/features/cutover/checks.ts';
import type { Verdict } from '../../../src/features/cutover/cutover.ts';
import type { OverridableName, Override } from '../../../src/features/cutover/override.ts';
import { AdminActions, type AdminActionsParts } from '../../../src/features/admin/actions/actions.ts';
import { concernsOf } from '../../../src/features/admin/actions/inviting.ts';
import type { InvitationGuard } from '../../../src/features/campaign/asking/invitation-guard.ts';
import { AdminRefusal } from '../../../src/features/admin/refusal.ts';
import { RecentHealth, RECENT_MINUTES } from '../../../src/features/usage/recent-health.ts';
import type { CallRecord } from '../../../src/features/usage/call-log.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { openPostOffice } from '../campaign/harness.ts';

/** Answers as told, and keeps what it was asked. */
class KnobCutover {
  checks: readonly Check[] = [{ name: 'token', result: 'passed', detail: 'good' }];
  verdict: Verdict = { verdict: 'migrated' };
  known = { isKnown: false, unlearned: 0, isTriedAgain: false };
  readonly asked: string[] = [];

  async inspect(): Promise<readonly Check[]> {
    return this.checks;
  }

  async numbers() {
    return this.known;
  }

  async check(id: string): Promise<Verdict> {
    this.asked.push(`check ${id}`);
    return this.verdict;
  }

  async force(id: string, { allotUnlearned, despite = [] }: Override, actor?: string): Promise<Verdict> {
    this.asked.push([`force ${id} ${String(allotUnlearned)} ${actor ?? ''}`, ...despite].join(' '));
    return this.verdict;
  }
}

async function openAdmin(change: Partial<AdminActionsParts> = {}) {
  const office = await openPostOffice();
  const { store, accounts, campaign, clock } = office;
  const cutover = new KnobCutover();
  const lines: string[] = [];
  const write = (event: string, fields?: object): void => {
    lines.push(JSON.stringify({ event, ...fields }));
  };
  const admin = new AdminActions({
    repository: store.accounts,
    accounts,
    campaign,
    mails: true,
    knowsV1End: false,
    cutover,
    disconnecting: undefined,
    awaiting: new AwaitingConsents({
      awaiting: store.awaiting,
      consents: store.consents,
      repository: store.accounts,
      revocations: undefined,
      notice: (standing) => campaign.notice(standing),
      refusal: (standing, now) => campaign.refusal(standing, now),
      clock,
      log: silentLog,
    }),
    status: {
      statusReport: () => Promise.resolve(statusReportOf({})),
      skipped: () => Promise.resolve(new Map()),
      guard: () => Promise.resolve({}),
    },
    audit: store.audit,
    pauses: store.pauses,
    clock,
    log: { info: write, warn: write, error: write },
    ...change,
  });
  let number = 0;
  const add = async (name: string, email?: string): Promise<string> => {
    const accountKey = new Secret(`A${String((number += 1)).padStart(31, '0')}`);
    return (await accounts.add({ name, accountKey, details: { email } })).id;
  };
  const consented = async (name: string): Promise<string> => {
    const id = await add(name);
    const grant = await store.grants.create({
      id: randomUUID(),
      consenter: { userId: 'u', name: undefined, email: undefined },
      scope: 'offline_access',
      tokens: { generation: 1, accessToken: 'a', accessExpiresAt: 0, refreshToken: 'r' },
      now: clock.now(),
    });
    const organisation = { id: `org-${id}`, name };
    await store.accounts.change(id, (life) => consent(life, { grantId: grant.id, organisation }), {
      at: clock.now(),
      kind: 'consented',
      actor: 'customer',
      detail: '',
    });
    return id;
  };
  return { ...office, admin, cutover, lines, add, consented, audit: () => store.audit.list({ limit: 100 }) };
}

const details = (rows: readonly AuditRow[]) => rows.map(({ detail }) => detail);

describe('the preview of an action', () => {
  it('gives the reason why an account waits, and why others are skipped', async () => {
    const status = {
      statusReport: () => Promise.resolve(statusReportOf({ accounts: [line({ hasAddress: false })] })),
      skipped: () => Promise.resolve(new Map([['a1', 'declined' as const]])),
      guard: () => Promise.resolve({}),
    };
    const { cautions } = await concernsOf(status, { action: 'invite' });
    expect(cautions.get('a1')).toMatch(/^its customer declined; not ready to be invited: /);
  });

  it('writes nothing, whatever the action', async () => {
    const { admin, add, store, audit } = await openAdmin();
    const id = await add('Old Mill', 'mill@example.com');
    const before = await store.accounts.timeline(id);
    for (const action of ['invite', 'remind', 'withdraw', 'close'] as const)
      await admin.preview({ action }, [id]);
    await admin.preview({ action: 'cutover', acceptUnlearned: true }, [id]);
    expect(await store.accounts.timeline(id)).toEqual(before);
    expect(await store.campaign.messages(id)).toEqual([]);
    expect(await audit()).toEqual([]);
    expect((await store.accounts.byId(id))?.life.stage).toBe('legacy');
  });

  it('predicts, account by account, what the action then does', async () => {
    const { admin, add } = await openAdmin();
    const ids = [
      await add('Has address', 'a@example.com'),
      await add('Has none'),
      await add('Another', 'b@example.com'),
      'nobody',
    ];
    const preview = await admin.preview({ action: 'invite' }, ids);
    const done = await admin.perform({ action: 'invite' }, ids, 'anna');
    expect(preview.accounts.map(({ outcome }) => outcome)).toEqual(['will', 'left', 'will', 'left']);
    expect(done.accounts.map(({ outcome }) => outcome)).toEqual(['done', 'left', 'done', 'left']);
    expect([preview.will, preview.left, done.done, done.left, done.failed]).toEqual([2, 2, 2, 2, 0]);
  });

  it('skips accounts that no longer use V1 when notices are switched on, and switches them off for all', async () => {
    const { admin, consented, store, clock } = await openAdmin();
    const [staying, moved] = [await consented('Stays'), await consented('Moved')];
    const event = { at: clock.now(), kind: 'migrated', actor: 'anna', detail: '' };
    await store.accounts.change(moved, migrate, event);
    const on = { action: 'notices-on' } as const;
    for (const { accounts } of [
      await admin.preview(on, [staying, moved]),
      await admin.perform(on, [staying, moved], 'anna'),
    ])
      expect(accounts).toMatchObject([
        { words: expect.stringContaining('nothing is told until CAUSEWAY_V1_END is set') },
        { outcome: 'left', words: 'its programs do not use V1 any more' },
      ]);
    await store.accounts.change(staying, migrate, event);
    expect(await admin.perform({ action: 'notices-off' }, [staying, moved], 'anna')).toMatchObject({
      done: 1,
      left: 1,
    });
  });

  it('of a cut-over shows the checks, and which only new numbers would pass', async () => {
    const { admin, consented, cutover } = await openAdmin();
    const id = await consented('Ready');
    const preview = async (acceptUnlearned: boolean) =>
      (await admin.preview({ action: 'cutover', acceptUnlearned }, [id])).accounts[0];
    expect(await preview(false)).toMatchObject({
      outcome: 'will',
      words: 'would move to V3',
      caution: 'there is no way back to V1',
      checks: [{ name: 'token' }],
    });
    cutover.checks = [{ name: 'identifiers', result: 'failed', detail: 'not learned: client' }];
    expect(await preview(false)).toMatchObject({
      outcome: 'left',
      reason: 'checks',
      words: 'not learned: client',
    });
    expect(await preview(true)).toMatchObject({
      outcome: 'will',
      words: expect.stringContaining('new ones') as unknown,
    });
    cutover.checks = [{ name: 'v3', result: 'failed', detail: 'V3 does not answer' }];
    expect(await preview(true)).toMatchObject({ outcome: 'left', words: 'V3 does not answer' });
  });
});

describe('the override of failed checks', () => {
  const failed: readonly Check[] = [
    { name: 'api-key', result: 'failed', detail: 'no API key is known' },
    { name: 'identifiers', result: 'failed', detail: 'not learned: client' },
    { name: 'samples', result: 'failed', detail: 'V3 shows none of the 5 clients' },
  ];
  const move = (acceptUnlearned: boolean, ...despite: readonly OverridableName[]) =>
    ({ action: 'cutover', acceptUnlearned, despite }) as const;

  it('is forecast with what it overrides, and with nothing else', async () => {
    const { admin, consented, cutover } = await openAdmin();
    const id = await consented('Ready');
    const preview = async (action: ReturnType<typeof move>) =>
      (await admin.preview(action, [id])).accounts[0];
    cutover.checks = failed;
    for (const [action, words] of [
      [move(true), 'no API key is known'],
      [move(true, 'api-key'), 'V3 shows none of the 5 clients'],
      [move(false, 'api-key', 'samples'), 'not learned: client'],
    ] as const)
      expect(await preview(action)).toMatchObject({ outcome: 'left', reason: 'checks', words });
    expect(await preview(move(true, 'api-key', 'samples', 'v2'))).toMatchObject({
      outcome: 'will',
      words:
        'would move to V3, despite api-key and samples; records whose V1 numbers are unknown would get new ones',
      caution:
        'there is no way back to V1; api-key: no API key is known; samples: V3 shows none of the 5 clients',
    });
    cutover.checks = failed.slice(2);
    expect(await preview(move(true, 'samples'))).toMatchObject({
      words: 'would move to V3, despite samples',
      caution: 'there is no way back to V1; samples: V3 shows none of the 5 clients',
    });
  });

  it('is not forecast for a comparison that is required', async () => {
    const { admin, consented, cutover } = await openAdmin();
    cutover.checks = [{ name: 'parity', result: 'failed', detail: '1 difference', isFinal: true }];
    const { accounts } = await admin.preview(move(true, 'parity'), [await consented('Ready')]);
    expect(accounts).toMatchObject([
      {
        outcome: 'left',
        words: '1 difference; CAUSEWAY_PARITY is required, so nobody can override it',
      },
    ]);
  });

  it('is named by the timeline and the audit log', async () => {
    const { admin, consented, cutover, store, audit } = await openAdmin();
    const id = await consented('Ready');
    await admin.perform(move(true, 'samples'), [id], 'anna');
    await admin.perform(move(false, 'samples', 'parity'), [id], 'anna');
    expect(cutover.asked).toEqual([`force ${id} true anna samples`, `force ${id} false anna samples parity`]);
    const requests = [
      'requested, despite samples, with new numbers for records whose V1 numbers are unknown',
      'requested, despite samples and parity',
    ];
    const noted = (await store.accounts.timeline(id)).filter(({ kind }) => kind === 'cutover');
    expect(noted.map(({ detail }) => detail)).toEqual(requests);
    const audited = details(await audit()).filter((detail) => detail.startsWith('requested'));
    expect(audited.toReversed()).toEqual(requests);
  });
});

describe('an action of an operator', () => {
  it('records who asked before it starts, and the result for each account afterwards', async () => {
    const { admin, add, audit } = await openAdmin();
    const ids = [await add('One', 'one@example.com'), await add('Two')];
    await admin.perform({ action: 'invite' }, ids, 'anna');
    const rows = [...(await audit())].reverse();
    expect(rows.map(({ who, action }) => `${who} ${action}`)).toEqual(Array(3).fill('anna invite'));
    expect(rows.map(({ accountIds }) => accountIds)).toEqual([ids, [ids[0]], [ids[1]]]);
    expect(details(rows)).toEqual([
      'requested for 2 accounts',
      'done: an invitation to one@example.com was queued',
      'left: it has no e-mail address; add one, or pass on a link yourself',
    ]);
  });

  it('lets other processes write after each account', async () => {
    let pauses = 0;
    const pause = async (): Promise<void> => {
      pauses += 1;
    };
    const { admin, add, store } = await openAdmin({ pauses: () => pause });
    const ids = [await add('Fern'), await add('Moor'), randomUUID()];
    expect(await admin.perform({ action: 'tag', tags: 'north' }, ids, 'anna')).toMatchObject({ done: 2 });
    expect(pauses).toBe(3);
    await store.close();
  });

  it('invites nobody who declines while it runs, unless somebody asked for exactly them', async () => {
    let last: () => Promise<void> = () => Promise.resolve();
    const perform = async (guard: InvitationGuard) => {
      const { admin, add, campaign, store, clock } = await openAdmin({
        pauses: () => () => last(),
        status: {
          statusReport: () => Promise.resolve(statusReportOf({})),
          skipped: () => Promise.resolve(new Map()),
          guard: () => Promise.resolve(guard),
        },
      });
      const ids = [await add('First', 'a@example.com'), await add('Last', 'b@example.com')];
      const [, id = ''] = ids;
      await campaign.invite(id, 'ada');
      const [invitation] = await store.invitations.ofAccount(id);
      clock.advance(MINUTE);
      last = async () => {
        last = () => Promise.resolve();
        const event = { at: clock.now(), kind: 'consentRefused', actor: 'customer', detail: 'declined' };
        await store.consents.decline(invitation?.id ?? '', id, event);
        clock.advance(MINUTE);
      };
      const { accounts } = await admin.perform({ action: 'invite', chosenBy: 'tag=one' }, ids, 'kim');
      const messages = await store.campaign.messages(id);
      return [accounts.map(({ outcome }) => outcome), messages.map(({ fate }) => fate.state)];
    };
    expect(await perform({ sparesDeclined: true })).toEqual([['done', 'left'], ['withdrawn']]);
    expect(await perform({ sparesDeclined: false })).toEqual([
      ['done', 'done'],
      ['withdrawn', 'queued'],
    ]);
  });

  it('continues if one account fails, and says so without the reason', async () => {
    const { campaign } = await openPostOffice();
    let broken = '';
    const { admin, add, lines, audit } = await openAdmin({
      campaign: {
        invite: async (id) => {
          if (id === broken) throw new Error('database is locked: secret-of-the-inside');
          return { outcome: 'queued', kind: 'invitation', to: 'x@example.com' };
        },
        remind: (...given) => campaign.remind(...given),
        withdraw: (...given) => campaign.withdraw(...given),
        startFault: (start) => campaign.startFault(start),
      },
    });
    const ids = [await add('A'), await add('B'), await add('C')];
    broken = ids[1] ?? '';
    const result = await admin.perform({ action: 'invite' }, ids, 'anna');
    expect(result.accounts.map(({ outcome }) => outcome)).toEqual(['done', 'failed', 'done']);
    expect(result).toMatchObject({ done: 2, left: 0, failed: 1 });
    expect(JSON.stringify([result, await audit()])).not.toContain('secret-of-the-inside');
    expect(lines.join()).toContain('secret-of-the-inside');
  });

  it('takes each account once, and no more than the limit', async () => {
    const { admin, add, audit, store } = await openAdmin();
    const id = await add('Twice', 'twice@example.com');
    expect((await admin.perform({ action: 'invite' }, [id, id], 'anna')).accounts).toHaveLength(1);
    expect(await store.campaign.messages(id)).toHaveLength(1);
    const many = Array.from({ length: 1_001 }, (_, index) => String(index));
    const before = (await audit()).length;
    await expect(admin.perform({ action: 'close' }, many.slice(0, 21), 'anna')).rejects.toMatchObject({
      fault: 'too-many',
    });
    await expect(
      admin.preview({ action: 'cutover', acceptUnlearned: false }, many.slice(0, 21)),
    ).rejects.toThrow(AdminRefusal);
    await expect(admin.perform({ action: 'invite' }, many, 'anna')).rejects.toThrow(AdminRefusal);
    expect(await audit()).toHaveLength(before);
  });

  it("moves an account on the operator’s word, in the operator's name", async () => {
    const { admin, consented, cutover, store, add } = await openAdmin();
    const [ready, legacy] = [await consented('Ready'), await add('Legacy')];
    const cut = (acceptUnlearned: boolean) =>
      admin.perform({ action: 'cutover', acceptUnlearned }, [ready, legacy], 'anna');
    expect((await cut(false)).accounts).toMatchObject([
      { outcome: 'done' },
      { outcome: 'left', reason: 'notConsented' },
    ]);
    cutover.verdict = { verdict: 'waiting', reason: 'V3 does not answer' };
    expect((await cut(true)).accounts[0]).toMatchObject({
      outcome: 'left',
      reason: 'checks',
      words: 'V3 does not answer',
    });
    expect(cutover.asked).toEqual([`check ${ready}`, `force ${ready} true anna`]);
    const asked = (await store.accounts.timeline(ready)).filter(({ kind }) => kind === 'cutover');
    expect(asked.map(({ actor }) => actor)).toEqual(['anna', 'anna']);
  });

  it('previews new numbers for an account that has moved: how many, and whether V1 may still show them', async () => {
    const { admin, consented, cutover, store } = await openAdmin();
    const [moved, waiting] = [await consented('Moved'), await consented('Waiting')];
    await store.accounts.change(moved, migrate, { at: 1, kind: 'migrated', actor: 'bridge', detail: '' });
    const ofMoved = async () =>
      (await admin.preview({ action: 'accept-numbers' }, [moved, waiting])).accounts.at(0);
    cutover.known = { isKnown: false, unlearned: 1, isTriedAgain: false };
    expect(await ofMoved()).toMatchObject({
      outcome: 'will',
      words: 'has moved; records whose V1 numbers are unknown would get new ones: 1 record so far',
      caution: 'its programs may take these records for new ones, and the new numbers stay for ever',
    });
    cutover.known = { ...cutover.known, isTriedAgain: true };
    expect(await ofMoved()).toMatchObject({
      caution: expect.stringMatching(
        /^V1 could not be read since the move and is tried again, so /,
      ) as unknown,
    });
    cutover.known = { isKnown: true, unlearned: 0, isTriedAgain: false };
    expect(await ofMoved()).toMatchObject({
      outcome: 'left',
      words: 'nothing would change: all its numbers are known',
    });
    expect((await admin.preview({ action: 'accept-numbers' }, [waiting])).accounts).toMatchObject([
      { outcome: 'left', reason: 'notMoved' },
    ]);
  });

  it('gives new numbers after the move in the operator’s name, and records that in the audit log', async () => {
    const { admin, consented, cutover, store, audit } = await openAdmin();
    const [moved, waiting] = [await consented('Moved'), await consented('Waiting')];
    await store.accounts.change(moved, migrate, { at: 1, kind: 'migrated', actor: 'bridge', detail: '' });
    cutover.verdict = { verdict: 'numbered' };
    expect(await admin.perform({ action: 'accept-numbers' }, [moved, waiting], 'anna')).toMatchObject({
      accounts: [
        { outcome: 'done', words: 'records whose V1 numbers are unknown get new ones from now on' },
        { outcome: 'left', reason: 'notMoved' },
      ],
    });
    expect(cutover.asked).toEqual([`force ${moved} true anna`]);
    expect((await audit()).map(({ action, who }) => [action, who])).toContainEqual([
      'accept-numbers',
      'anna',
    ]);
  });

  it('says in the result of a move what is left to do after it', async () => {
    const { admin, consented, cutover } = await openAdmin();
    cutover.verdict = { verdict: 'migrated', open: 'V1 is tried again' };
    const move = { action: 'cutover', acceptUnlearned: true } as const;
    expect((await admin.perform(move, [await consented('Ready')], 'anna')).accounts).toMatchObject([
      { outcome: 'done', words: 'moved: V3 serves it from now on. V1 is tried again' },
    ]);
  });

  it('gives numbers to the records of an account that has moved, where the operator accepts new ones', async () => {
    const { admin, consented, cutover, store } = await openAdmin();
    const id = await consented('Moved');
    await store.accounts.change(id, migrate, { at: 1, kind: 'migrated', actor: 'bridge', detail: '' });
    const accepting = { action: 'cutover', acceptUnlearned: true } as const;
    expect((await admin.preview(accepting, [id])).accounts).toMatchObject([
      { outcome: 'will', words: 'has moved; records whose V1 numbers are unknown would get new ones' },
    ]);
    cutover.verdict = { verdict: 'numbered' };
    expect((await admin.perform(accepting, [id], 'anna')).accounts).toMatchObject([{ outcome: 'done' }]);
    cutover.verdict = { verdict: 'nothing' };
    expect((await admin.perform(accepting, [id], 'anna')).accounts).toMatchObject([
      { outcome: 'left', words: 'nothing would change' },
    ]);
    const plain = { action: 'cutover', acceptUnlearned: false } as const;
    expect((await admin.perform(plain, [id], 'anna')).accounts).toMatchObject([
      { outcome: 'left', reason: 'notConsented' },
    ]);
  });

  it('closes an account for good, with its links and e-mails, and only once', async () => {
    const { admin, add, store } = await openAdmin();
    const id = await add('Closing', 'closing@example.com');
    await admin.perform({ action: 'invite' }, [id], 'anna');
    expect(await admin.perform({ action: 'close' }, [id], 'anna')).toMatchObject({ done: 1 });
    expect((await store.accounts.byId(id))?.life.stage).toBe('closed');
    expect((await store.invitations.ofAccount(id)).map(({ state }) => state)).toEqual(['withdrawn']);
    expect((await store.campaign.messages(id)).map(({ fate }) => fate.state)).toEqual(['withdrawn']);
    expect(await admin.perform({ action: 'close' }, [id], 'anna')).toMatchObject({ done: 0, left: 1 });
  });

  it('queues no e-mail that cannot be sent, and moves no account that cannot move', async () => {
    const { admin, add, consented, store } = await openAdmin({ mails: false, cutover: undefined });
    const [id, ready] = [await add('No mail', 'no@example.com'), await consented('Ready')];
    for (const action of ['invite', 'remind'] as const) {
      expect((await admin.preview({ action }, [id])).accounts[0]).toMatchObject({ reason: 'noMail' });
      expect((await admin.perform({ action }, [id], 'anna')).accounts[0]).toMatchObject({ reason: 'noMail' });
    }
    expect(await store.campaign.messages(id)).toEqual([]);
    const action = { action: 'cutover', acceptUnlearned: false } as const;
    expect((await admin.preview(action, [ready])).accounts[0]).toMatchObject({ reason: 'noV3' });
    expect((await admin.perform(action, [ready], 'anna')).accounts[0]).toMatchObject({ reason: 'noV3' });
  });

  it('skips a migrated account’s invitation, and says why', async () => {
    const { admin, consented, store, clock } = await openAdmin();
    const id = await consented('Moved');
    await store.accounts.change(id, migrate, {
      at: clock.now(),
      kind: 'migrated',
      actor: 'bridge',
      detail: '',
    });
    for (const action of ['invite', 'remind'] as const)
      expect((await admin.preview({ action }, [id])).accounts[0]).toMatchObject({
        outcome: 'left',
        reason: 'connected',
      });
  });
});

describe('the recent health', () => {
  const beat = (
    recentHealth: RecentHealth,
    at: number,
    failed: boolean,
    upstreamMillis?: number,
    ended: Partial<CallRecord> = {},
  ): void => {
    const call = callRecord('a', { source: 'v3', at, failed, upstreamMillis, ...ended });
    recentHealth.count([{ call, headers: [], address: '', sent: undefined, received: undefined }]);
  };

  it('covers the last minutes, and when each side last answered', () => {
    const recentHealth = new RecentHealth();
    expect(recentHealth.read(0)).toEqual([]);
    // What a program did wrong says nothing of the service, whichever one it is.
    for (const source of ['v1', 'v3'] as const) {
      beat(recentHealth, 0, true, 200, { source, failure: 'unreadableRange' });
      beat(recentHealth, 0, true, 200, { source, failure: 'missingRange', isOfCall: true });
      beat(recentHealth, 0, true, 200, { source, failure: 'refused' });
      // It is the bridge that answers where the service does not.
      if (source === 'v1')
        beat(recentHealth, 0, true, 200, { source: 'bridge', route: source, failure: 'upstreamAnswer' });
    }
    beat(recentHealth, 0, false, 100);
    beat(recentHealth, MINUTE, true);
    beat(recentHealth, MINUTE, false, 300);
    expect(recentHealth.read(MINUTE)).toEqual([
      { source: 'v1', calls: 4, failed: 1, upstreamMillis: 200, lastAnswerAt: 0, lastFailureAt: 0 },
      { source: 'v3', calls: 6, failed: 1, upstreamMillis: 200, lastAnswerAt: MINUTE, lastFailureAt: MINUTE },
    ]);
    const later = (minutes: number) =>
      recentHealth.read(minutes * MINUTE).filter(({ source }) => source === 'v3');
    expect(later(RECENT_MINUTES)).toMatchObject([{ calls: 2, upstreamMillis: 300 }]);
    expect(later(60)).toMatchObject([{ calls: 0, upstreamMillis: undefined, lastAnswerAt: MINUTE }]);
  });
});
