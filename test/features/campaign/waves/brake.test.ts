import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '../../../../src/lib/time/clock.ts';
import { judgeWave, type WaveAccount } from '../../../../src/features/campaign/waves/brake.ts';
import { usualBrake } from '../../../../src/features/campaign/waves/model.ts';
import { paceOf } from '../../../../src/features/campaign/waves/pace.ts';

const NOW = Date.parse('2026-11-20T09:00:00Z');
const account = (changes: Partial<WaveAccount> = {}): WaveAccount => ({
  ...{
    id: 'a1',
    name: 'Old Mill',
    movedAt: NOW - 72 * HOUR,
    isLost: false,
    calls: 100,
    errors: 0,
    trouble: undefined,
  },
  ...changes,
});
const many = (count: number, changes: Partial<WaveAccount> = {}): WaveAccount[] =>
  Array.from({ length: count }, (_, n) => account({ id: `m${n}`, ...changes }));
const judge = (...accounts: readonly WaveAccount[]) => judgeWave(accounts, usualBrake, NOW);

describe('the brake of a wave', () => {
  it('waits until an account has moved', () => {
    expect(judge(...many(3, { movedAt: undefined }))).toEqual({
      verdict: 'waiting',
      reason: 'none of its accounts has moved yet',
    });
  });

  it('releases the next wave if it has no accounts', () => {
    expect(judge()).toEqual({ verdict: 'good', reason: 'it has no accounts' });
  });

  it('waits for the configured hours, and says how many have passed', () => {
    const judged = judge(account({ movedAt: NOW - 12 * HOUR }), account({ id: 'a2', movedAt: undefined }));
    expect(judged).toEqual({ verdict: 'waiting', reason: '1 of 2 accounts moved, good for 12 of 48 hours' });
  });

  it('releases the next wave when they have passed', () => {
    expect(judge(account(), account({ id: 'a2', movedAt: undefined })).verdict).toBe('good');
  });

  it('stops if too many accounts are in trouble, and names the first', () => {
    const bad = account({ id: 'bad', name: 'Northgate', trouble: 'Client/Email is missing' });
    expect(judge(...many(20), bad).verdict).toBe('good');
    expect(judge(...many(10), bad)).toEqual({
      verdict: 'stopped',
      reason: '1 of 11 accounts in trouble, at most 5 % may be: Northgate (Client/Email is missing)',
      accountId: 'bad',
    });
  });

  it('stops if calls fail, and names the account with the most failures', () => {
    const bad = account({ id: 'bad', name: 'Northgate', errors: 5 });
    expect(judge(account(), bad)).toEqual({
      verdict: 'stopped',
      reason: '5 of 200 calls failed within 24 hours, at most 2 % may: most of them from Northgate',
      accountId: 'bad',
    });
    // V1 answered these.
    expect(judge(account(), account({ ...bad, movedAt: undefined, errors: 90 })).verdict).toBe('good');
    expect(judge(account({ calls: 19, errors: 19 })).verdict).toBe('good');
  });
});

describe('the brake of a wave whose accounts lost their connection', () => {
  const lost = (movedHours: number): WaveAccount =>
    account({
      id: 'lost',
      movedAt: NOW - movedHours * HOUR,
      isLost: true,
      trouble: 'its connection is lost',
    });

  it('counts the hours from the first account that stayed', () => {
    expect(judge(...many(40, { movedAt: NOW - 12 * HOUR }), lost(72))).toEqual({
      verdict: 'waiting',
      reason: '41 of 41 accounts moved, 1 lost since, good for 12 of 48 hours',
    });
  });

  it('waits while none has stayed', () => {
    expect(judge(...many(40, { movedAt: undefined }), lost(72))).toEqual({
      verdict: 'waiting',
      reason: '1 of 41 accounts moved, 1 lost since',
    });
  });
});

describe('the plan back from the end of V1', () => {
  const answered = (count: number, days: number, invitedAt = NOW - 60 * DAY) =>
    Array.from({ length: count }, () => ({ invitedAt, answeredAt: invitedAt + days * DAY }));
  const silent = (count: number, invitedAt = NOW - 60 * DAY) =>
    Array.from({ length: count }, () => ({ invitedAt, answeredAt: undefined }));

  it('says how many accounts a day are needed, or how many miss the date', () => {
    const answers = [...answered(6, 10), ...silent(4), ...silent(7, NOW - DAY)];
    const plan = paceOf({ answers, uninvited: 60, v1End: '2026-12-20' }, NOW);
    // 21 days with the last one, at one a day: 21 of 60.
    expect(plan).toMatchObject({
      answerDays: 10,
      answerRate: 0.6,
      perDay: 1,
      lastDay: '2026-12-10',
      neededPerDay: 3,
      missing: 39,
    });
    expect(plan.words).toBe(
      'Send 3 invitations a day until 2026-12-10: at the present rate of 1 a day, 39 accounts would miss the date. Nine of ten answers came within 10 days, and 60 % of those invited answered: the others have to be called.',
    );
  });

  it('says that a rate is sufficient', () => {
    const plan = paceOf({ answers: silent(70, NOW - DAY), uninvited: 60, v1End: '2026-12-31' }, NOW);
    expect(plan).toMatchObject({ missing: 0, isAssumed: true, answerRate: undefined });
    expect(plan.words).toMatch(
      /^60 accounts to invite by 2026-12-17: at the present rate of 10 a day, all of them are in time/,
    );
  });

  it('counts the whole of the last day', () => {
    const plan = paceOf({ answers: [], uninvited: 2, v1End: '2026-12-04' }, NOW + 10 * HOUR);
    expect(plan).toMatchObject({ lastDay: '2026-11-20', neededPerDay: 2 });
    expect(plan.words).toMatch(/^Today is the last day for invitations: 2 customers are not invited yet\./);
  });

  it('says that the last day has passed', () => {
    const plan = paceOf({ answers: [], uninvited: 2, v1End: '2026-11-25' }, NOW);
    expect(plan).toMatchObject({ neededPerDay: undefined, missing: 2 });
    expect(plan.words).toMatch(/^The last day for invitations was 2026-11-11: call the 2 customers/);
  });

  it('has no date if none is known, and nothing to send if all are invited', () => {
    expect(paceOf({ answers: [], uninvited: 2, v1End: undefined }, NOW).words).toMatch(/CAUSEWAY_V1_END/);
    expect(paceOf({ answers: [], uninvited: 0, v1End: '2026-12-31' }, NOW).words).toMatch(
      /^Everybody was invited\./,
    );
  });
});
