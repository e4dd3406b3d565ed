import { describe, expect, it } from '@jest/globals';
import { pacesWords } from '../../../src/features/status/report/words.ts';
import { statusReportSchema } from '../../../src/features/status/model.ts';
import { CHECKS_PASSED } from '../../../src/features/cutover/checks.ts';
import type { AccountLine, StatusRows } from '../../../src/features/status/report-rows.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { reasonToCall } from '../../../src/features/status/report/to-call.ts';
import { sortKeys, viewOf } from '../../../src/features/status/report/view.ts';
import { statusReportOf, line, NOW } from './rows.ts';

const of = { accountId: 'a1' };
const invitation = (state: StatusRows['invitations'][number]['state'], expiresAt = NOW + 20 * DAY) => ({
  ...of,
  id: 'i1',
  state,
  issuedAt: NOW - 2 * DAY,
  expiresAt,
});
const running = { ...of, beganAt: NOW - 2 * DAY, reminders: 1, nextAt: NOW + DAY, stopped: undefined };
const stopped = (reason: NonNullable<StatusRows['runs'][number]['stopped']>) => ({
  ...of,
  beganAt: NOW - 2 * DAY,
  reminders: 3,
  nextAt: undefined,
  stopped: reason,
});
const message = (state: StatusRows['messages'][number]['state'], reason?: string, isToDead = false) => ({
  ...of,
  invitationId: 'i1',
  state,
  anySent: state === 'sent' && !isToDead,
  isToDead,
  nextAt: NOW + HOUR,
  reason,
});
const cameBack = message('sent', undefined, true);
const calls = (all: number, errors: number, v1Calls = 0, v1Hour = v1Calls > 0 ? NOW : 0) => ({
  ...of,
  ...{ calls: all, errors, v1Calls, v1Hour, sinceStage: { calls: all, errors } },
});
const v1Refused = new Map([['a1', NOW - MINUTE]]);
const hindrance = (kind: 'checks' | 'consent' | 'refused', detail: string) => ({
  ...of,
  kind,
  at: NOW - HOUR,
  detail,
});
const grant = (changes: Partial<StatusRows['grants'][number]> = {}) => ({
  id: 'g1',
  state: 'held' as const,
  renewedAt: NOW - DAY,
  since: undefined,
  nextAt: undefined,
  ...changes,
});
const bound = (stage: AccountLine['stage']): AccountLine =>
  line({
    stage,
    grantId: 'g1',
    organisation: 'Old Mill Ltd',
    lostReason: stage === 'lost' ? 'expired' : undefined,
  });

type Rows = Partial<Omit<StatusRows, 'accounts'>>;

const verdictOf = (account: AccountLine, rows: Rows, mails = true) => {
  const [shown] = statusReportOf({ ...rows, accounts: [account] }, { mails }).accounts;
  return [shown?.stuck?.reason, shown?.next?.action, shown?.next?.at];
};

const at = (millis: number): string => new Date(millis).toISOString();

describe('the blocker and the next step of an account', () => {
  const cases: readonly (readonly [string, AccountLine, Rows, readonly unknown[]])[] = [
    ['nobody was invited', line(), {}, [undefined, 'invite', null]],
    ['nobody can be written to', line({ hasAddress: false }), {}, ['no-address', 'add-address', null]],
    [
      'a reminder is due',
      line(),
      { invitations: [invitation('issued')], runs: [running] },
      [undefined, 'remind', at(NOW + DAY)],
    ],
    [
      'the mail has not left yet',
      line(),
      { invitations: [invitation('issued')], runs: [running], messages: [message('queued')] },
      [undefined, 'send-mail', at(NOW + HOUR)],
    ],
    [
      'the link was only shown',
      line(),
      { invitations: [invitation('opened')] },
      [undefined, 'consent', at(NOW + 20 * DAY)],
    ],
    [
      'the mail came back',
      line(),
      { invitations: [invitation('issued')], messages: [message('refused', 'no such user')] },
      ['mail-failed', 'add-address', null],
    ],
    [
      'the last reminder waits for its hour',
      line(),
      { invitations: [invitation('issued')], runs: [stopped('done')], messages: [message('queued')] },
      [undefined, 'send-mail', at(NOW + HOUR)],
    ],
    [
      'the mail came back later',
      line({ suppressed: 'refused' }),
      { invitations: [invitation('issued')], runs: [stopped('refused')], messages: [cameBack] },
      ['mail-failed', 'add-address', null],
    ],
    [
      'an earlier mail came back, and a link was made since',
      line({ suppressed: 'refused' }),
      {
        invitations: [{ ...invitation('issued'), id: 'i2' }],
        runs: [stopped('refused')],
        messages: [cameBack],
      },
      [undefined, 'consent', at(NOW + 20 * DAY)],
    ],
    [
      'the address is another one by now',
      line(),
      { invitations: [invitation('issued')], runs: [stopped('refused')], messages: [cameBack] },
      ['mail-failed', 'invite-again', null],
    ],
    [
      'the invitation ran out',
      line(),
      { invitations: [invitation('opened', NOW)] },
      ['expired', 'invite-again', null],
    ],
    [
      'the customer declined',
      line(),
      { invitations: [invitation('declined')] },
      ['declined', 'contact', null],
    ],
    [
      'the customer said so, by an older link than the newest',
      line(),
      { invitations: [invitation('issued')], runs: [stopped('declined')] },
      ['declined', 'contact', null],
    ],
    [
      'the customer has just said so',
      line(),
      { invitations: [invitation('opened')], hindrances: [hindrance('consent', 'declined')] },
      ['declined', 'contact', null],
    ],
    [
      'the invitation was withdrawn',
      line(),
      { invitations: [invitation('withdrawn')] },
      ['withdrawn', 'invite-again', null],
    ],
    [
      'nobody answered any reminder',
      line(),
      { invitations: [invitation('issued')], runs: [stopped('done')] },
      ['no-answer', 'contact', null],
    ],
    [
      'no more mail is wanted',
      line(),
      { invitations: [invitation('issued')], runs: [stopped('unsubscribed')] },
      ['unsubscribed', 'contact', null],
    ],
    [
      'a consent came to nothing',
      line(),
      { invitations: [invitation('opened')], hindrances: [hindrance('consent', 'noPrivilege')] },
      ['consent-failed', 'consent', at(NOW + 20 * DAY)],
    ],
    [
      'an operator refused the consent, and nobody has told the customer',
      line(),
      { invitations: [invitation('opened')], hindrances: [hindrance('refused', 'refused: Mill Ltd')] },
      ['consent-failed', 'contact', null],
    ],
    [
      'somebody could not finish, and a reminder has brought another link since',
      line(),
      {
        runs: [running],
        invitations: [{ ...invitation('issued'), issuedAt: NOW - 1 }],
        hindrances: [hindrance('consent', 'noPrivilege')],
      },
      ['consent-failed', 'remind', at(NOW + DAY)],
    ],
    [
      'V1 refuses all its calls',
      line(),
      { invitations: [invitation('opened')], calls: [calls(4, 4)] },
      ['v1-refuses', 'consent', at(NOW + 20 * DAY)],
    ],
    [
      'it was never on V1, and its program already calls',
      line({ origin: 'issued', hasAddress: false }),
      { calls: [calls(4, 4)] },
      ['no-address', 'add-address', null],
    ],
    [
      'V1 refused its keys when the bridge asked, and it has made no calls',
      line(),
      { v1Refused },
      ['v1-refuses', 'invite', null],
    ],
    [
      'V1 refused its keys, and there is nobody to write to',
      line({ hasAddress: false }),
      { v1Refused },
      ['v1-refuses', 'add-address', null],
    ],
    [
      'V1 has refused its keys, and served it before',
      line(),
      { v1Refused, calls: [calls(4, 0, 4, NOW - HOUR)] },
      ['v1-refuses', 'invite', null],
    ],
    [
      'V1 has refused its keys and serves it again',
      line(),
      { v1Refused, calls: [calls(4, 3, 1)] },
      [undefined, 'invite', null],
    ],
    [
      'it has consented: that V1 refuses its keys is no matter',
      bound('consented'),
      { v1Refused, grants: [grant()] },
      [undefined, 'check', null],
    ],
    ['V1 serves some of its calls', line(), { calls: [calls(4, 3, 1)] }, [undefined, 'invite', null]],
    ['its checks run', bound('consented'), { grants: [grant()] }, [undefined, 'check', null]],
    [
      'its checks do not pass',
      bound('consented'),
      { hindrances: [hindrance('checks', 'V3 does not answer')] },
      ['checks-fail', 'check', null],
    ],
    [
      'its numbers are not known',
      bound('consented'),
      { hindrances: [hindrance('checks', 'not learned: client')], unlearned: new Map([['a1', 3]]) },
      ['unlearned', 'import-numbers', null],
    ],
    [
      'somebody has approved, and nothing proves it',
      line({ stage: 'awaiting-operator', organisation: 'Old Mill Ltd' }),
      { invitations: [invitation('opened')], runs: [] },
      ['consent-unproved', 'judge-consent', null],
    ],
    [
      'its API key is not known',
      { ...bound('consented'), hasApiKey: false },
      { hindrances: [hindrance('checks', 'no API key')], unlearned: new Map([['a1', 3]]) },
      ['no-api-key', 'give-api-key', null],
    ],
    [
      'it was moved, and its API key is not known',
      { ...bound('migrated'), hasApiKey: false },
      { grants: [grant()], calls: [calls(10, 10)] },
      ['no-api-key', 'give-api-key', null],
    ],
    ['V1 says whether an API key is good', line({ hasApiKey: false }), {}, [undefined, 'invite', null]],
    [
      'the operator decides',
      bound('consented'),
      { hindrances: [hindrance('checks', CHECKS_PASSED)] },
      ['awaits-operator', 'cutover', null],
    ],
    [
      'all is well',
      bound('migrated'),
      { grants: [grant()], calls: [calls(100, 4)] },
      [undefined, undefined, undefined],
    ],
    [
      'a refresh is under way',
      bound('migrated'),
      { grants: [grant({ state: 'unresolved', since: NOW - MINUTE, nextAt: NOW })] },
      [undefined, undefined, undefined],
    ],
    [
      'a refresh has had no answer',
      bound('migrated'),
      { grants: [grant({ state: 'unresolved', since: NOW - 6 * MINUTE, nextAt: NOW + MINUTE })] },
      ['grant-unresolved', 'renew', at(NOW + MINUTE)],
    ],
    [
      'nobody has renewed the tokens',
      bound('migrated'),
      { grants: [grant({ renewedAt: NOW - 46 * DAY })] },
      ['grant-expiring', 'renew', null],
    ],
    [
      'half its calls fail',
      bound('migrated'),
      { grants: [grant()], calls: [calls(10, 5)] },
      ['calls-fail', 'look-at-calls', null],
    ],
    [
      'its calls failed before its move only',
      bound('migrated'),
      { grants: [grant()], calls: [{ ...calls(31, 31), sinceStage: { calls: 9, errors: 0 } }] },
      [undefined, undefined, undefined],
    ],
    [
      'some numbers are missing',
      bound('migrated'),
      { grants: [grant()], unlearned: new Map([['a1', 2]]) },
      ['unlearned', 'import-numbers', null],
    ],
    [
      'its grant was lost',
      bound('lost'),
      { grants: [grant({ state: 'lost' })] },
      ['grant-lost', 'invite', null],
    ],
    [
      'its grant was lost and the customer was told',
      bound('lost'),
      { invitations: [invitation('issued')], runs: [running] },
      ['grant-lost', 'remind', at(NOW + DAY)],
    ],
    [
      'its consent is gone, and every reminder since was sent',
      bound('lost'),
      { invitations: [invitation('issued')], runs: [stopped('done')] },
      ['grant-lost', 'contact', null],
    ],
    [
      'its consent is gone, and every reminder of before was sent',
      bound('lost'),
      { runs: [{ ...stopped('done'), beganAt: NOW - 30 * DAY }] },
      ['grant-lost', 'invite', null],
    ],
    ['it is closed', line({ stage: 'closed' }), {}, [undefined, undefined, undefined]],
  ];

  it.each(cases)('are found: %s', (_, account, rows, expected) => {
    expect(verdictOf(account, rows)).toEqual(expected);
  });

  it('need no address if links are only shown', () => {
    expect(verdictOf(line({ hasAddress: false }), {}, false)).toEqual([undefined, 'invite', null]);
  });

  it('leave out who approved a consent that an operator refused', () => {
    const hindrances = [hindrance('refused', 'Mill Ltd approved by Ana (ana@x.example): refused')];
    const detailOf = (account: AccountLine) =>
      statusReportOf({ accounts: [account], invitations: [invitation('opened')], hindrances }).accounts[0]
        ?.stuck?.detail;
    const detail = 'an operator refused it; any e-mail is in the timeline';
    expect(detailOf(line())).toBe(detail);
    expect(detailOf(bound('lost'))).toBe(`tried again: ${detail}`);
  });

  it('say of an account without a known API key whether its calls are refused already', () => {
    const missing = (stage: 'consented' | 'migrated', made?: ReturnType<typeof calls>) =>
      statusReportOf({
        accounts: [{ ...bound(stage), hasApiKey: false }],
        ...(made === undefined ? {} : { calls: [made] }),
      }).accounts[0]?.stuck?.detail;
    expect(missing('consented')).toBe('it does not move until the key is known');
    expect(missing('migrated')).toBe('its next call is refused');
    expect(missing('migrated', calls(10, 9))).toBe('it has moved: 9 of its 10 recent calls failed');
  });

  it('explain what a consent lacked, and quote unknown reasons', () => {
    const detailOf = (detail: string) =>
      statusReportOf({ accounts: [line()], hindrances: [hindrance('consent', detail)] }).accounts[0]?.stuck
        ?.detail;
    expect(detailOf('noPrivilege')).toContain('Authorise 3rd Party Full Access');
    expect(detailOf('constructor')).toBe('constructor');
  });
});

it('a customer is to be called only if no e-mail can reach them', () => {
  const reasonOf = (account: AccountLine, rows: Rows) =>
    statusReportOf({ ...rows, accounts: [account] }, { mails: true }).accounts.map(reasonToCall)[0];
  const open = { invitations: [invitation('issued')] };
  const returned = { ...open, runs: [stopped('refused')], messages: [cameBack] };
  expect([
    reasonOf(line(), { invitations: [invitation('declined')] }),
    reasonOf(bound('lost'), { ...open, runs: [stopped('done')] }),
    reasonOf(line({ suppressed: 'refused' }), returned),
    reasonOf(line(), returned),
    reasonOf(line(), { ...open, runs: [running] }),
  ]).toEqual(['declined', 'grant-lost', 'mail-failed', undefined, undefined]);
});

describe('an account in the status report', () => {
  it('shows its grant, its calls and its days', () => {
    const [shown] = statusReportOf({
      accounts: [{ ...bound('migrated'), lastCallAt: NOW - HOUR }],
      grants: [grant({ renewedAt: NOW - 10 * DAY })],
      calls: [calls(10, 1, 3)],
      unlearned: new Map([['a1', 2]]),
    }).accounts;
    expect(shown).toMatchObject({
      daysInStage: 3,
      organisation: 'Old Mill Ltd',
      lastCallAt: '2026-11-20T11:00:00.000Z',
      calls24h: 10,
      errors24h: 1,
      v1Calls24h: 3,
      unlearned: 2,
      grant: { state: 'held', ageDays: 10, daysToExpiry: 50, expiresAt: at(NOW + 50 * DAY) },
    });
  });

  it('has been in its stage for zero days if a clock was set back', () => {
    expect(statusReportOf({ accounts: [line({ stageSince: NOW + DAY })] }).accounts[0]?.daysInStage).toBe(0);
  });
});

describe('the progress of a migration', () => {
  const accounts = [
    ...Array.from({ length: 6 }, (_, n) => line({ id: `m${n}`, stage: 'migrated' })),
    ...Array.from({ length: 4 }, (_, n) => line({ id: `l${n}` })),
    line({ id: 'c', stage: 'closed' }),
  ];
  const history = (days: number) =>
    Array.from({ length: days }, (_, n) => ({
      day: at(NOW - (days - 1 - n) * DAY).slice(0, 10),
      counts: { legacy: 4, 'awaiting-operator': 0, consented: 0, migrated: 6, lost: 0, closed: 1 },
    }));
  const moves = (...daysAgo: readonly number[]) =>
    daysAgo.map((days) => ({ at: NOW - days * DAY, change: 1 as const }));

  it('is the share of the accounts that are not closed', () => {
    expect(statusReportOf({ accounts }).progress).toMatchObject({ of: 10, done: 6, left: 4, share: 0.6 });
    expect(statusReportOf({}).progress).toMatchObject({ of: 0, share: 0 });
  });

  it('has a rate over 7 and 28 days, less lost accounts, and leads to a date', () => {
    const rows = {
      accounts,
      days: history(40),
      moves: [...moves(1, 2, 10, 20), { at: NOW - 3 * DAY, change: -1 as const }],
    };
    const { last7Days, last28Days } = statusReportOf(rows).progress;
    expect(last7Days).toEqual({ days: 7, moved: 1, perDay: 1 / 7, leadsTo: '2026-12-18' });
    expect(last28Days).toEqual({ days: 28, moved: 3, perDay: 3 / 28, leadsTo: '2026-12-28' });
  });

  it('is measured over the days that exist', () => {
    expect(statusReportOf({ accounts, days: history(4), moves: moves(0.5, 1.5) }).progress.last7Days).toEqual(
      {
        days: 4,
        moved: 2,
        perDay: 0.5,
        leadsTo: '2026-11-28',
      },
    );
  });

  it('of a day or two predicts no date, and is not compared with the end of V1', () => {
    const { progress } = statusReportOf(
      { accounts, days: history(2), moves: moves(0.5, 1.5) },
      { v1End: '2026-11-21' },
    );
    expect(progress.last7Days).toEqual({ days: 2, moved: 2, perDay: 1, leadsTo: null });
    expect(progress.v1End?.inTime).toBeNull();
    expect(pacesWords(progress)).toBe('1.0 a day over 2 days, too early for a date');
  });

  it('predicts nothing without a rate, and today if nothing is left', () => {
    expect(statusReportOf({ accounts, days: history(9) }).progress.last7Days.leadsTo).toBeNull();
    expect(statusReportOf({ days: history(9) }).progress.last7Days.leadsTo).toBe('2026-11-20');
  });

  it.each([
    ['2026-12-31', [1, 2, 10], 'in-time', 41, 4 / 41],
    ['2026-12-10', [1, 2, 10], 'at-risk', 20, 4 / 20],
    ['2026-11-22', [1, 2, 10], 'too-late', 2, 2],
    ['2026-12-31', [], null, 41, 4 / 41],
    ['2026-11-20', [], null, 0, 4],
    ['2026-11-19', [1], 'too-late', -1, null],
  ] as const)(
    'is compared with the end of V1 on %s after moves %j days ago',
    (v1End, moved, verdict, daysLeft, neededPerDay) => {
      const { progress } = statusReportOf({ accounts, days: history(40), moves: moves(...moved) }, { v1End });
      const inTime = verdict === null || verdict === 'at-risk' ? null : verdict === 'in-time';
      expect(progress.v1End).toEqual({ day: v1End, inTime, verdict, daysLeft, neededPerDay });
    },
  );
});

describe('the stages of a migration', () => {
  it('count every account at each step it has reached, except closed and exported ones', () => {
    const stages = ['legacy', 'legacy', 'legacy', 'consented', 'migrated', 'lost', 'closed'] as const;
    const left = line({ id: 'a9', stage: 'lost', lostReason: 'exported' });
    const accounts = [...stages.map((stage, n) => line({ id: `a${n}`, stage })), left];
    const counts = { legacy: 3, 'awaiting-operator': 0, consented: 1, migrated: 1, lost: 2, closed: 1 };
    const days = ['2026-11-15', '2026-11-20'].map((day) => ({ day, counts }));
    const report = statusReportOf({ accounts, days });
    expect(report.totals.stages).toEqual({ ...counts, lost: 1, exported: 1 });
    expect(report.progress.of).toBe(6);
    expect(report.accounts.at(-1)?.stuck?.reason).toBe('exported');
    expect(report.totals.stuckBy.map(({ reason }) => reason)).not.toContain('exported');
    expect(viewOf(report, { stuck: true }).accounts.map(({ id }) => id)).not.toContain('a9');
    expect(viewOf(report, { stuck: true }).accounts).toHaveLength(report.totals.stuck);
    expect(report.history.map(({ lost, exported }) => [lost, exported])).toEqual([
      [2, 0],
      [1, 1],
    ]);
    const invitations = ['a1', 'a2', 'a5'].map((accountId) => ({
      ...invitation('issued'),
      // A reminder has brought a link that nobody has opened yet.
      openedIssuedAt: accountId === 'a2' ? NOW - DAY : undefined,
      accountId,
      issuedAt: accountId === 'a5' ? NOW - 9 * DAY : NOW,
    }));
    expect(statusReportOf({ accounts, invitations }).funnel).toEqual({
      accounts: 6,
      invited: 4,
      opened: 3,
      consented: 2,
      migrated: 1,
    });
  });
});

describe('the totals of a status report', () => {
  it('are those of all accounts, and stay when only some are shown', () => {
    const accounts = [line(), line({ id: 'a2', name: 'Beta', stage: 'lost', lostReason: 'refused' })];
    const statusReport = statusReportOf({
      accounts,
      calls: [calls(5, 2, 3)],
      unlearned: new Map([['a2', 4]]),
    });
    const { totals } = viewOf(statusReport, { stage: ['lost'] });
    expect(totals).toMatchObject({
      accounts: 2,
      stages: { legacy: 1, 'awaiting-operator': 0, lost: 1, migrated: 0 },
      invitations: { none: 2 },
      stuck: 1,
      stuckBy: [{ reason: 'grant-lost', accounts: 1 }],
      calls24h: 5,
      errors24h: 2,
      v1Calls24h: 3,
      unlearned: 4,
    });
  });

  it('leave out the unlearned records of accounts that have left', () => {
    const accounts = [
      line(),
      line({ id: 'a2', name: 'Beta', stage: 'closed' }),
      line({ id: 'a3', name: 'Gamma', stage: 'lost', lostReason: 'disconnected' }),
    ];
    const unlearned = new Map(['a1', 'a2', 'a3'].map((id) => [id, 2]));
    expect(statusReportOf({ accounts, unlearned }).totals.unlearned).toBe(2);
  });

  it('match the published schema', () => {
    const statusReport = statusReportOf(
      {
        accounts: [line(), bound('migrated'), bound('lost')],
        grants: [grant({ renewedAt: NOW - 90 * DAY })],
        days: [
          {
            day: '2026-11-20',
            counts: { legacy: 1, 'awaiting-operator': 0, consented: 0, migrated: 1, lost: 1, closed: 0 },
          },
        ],
      },
      { v1End: '2026-12-31' },
    );
    expect(statusReportSchema.parse(JSON.parse(JSON.stringify(statusReport)))).toEqual(statusReport);
  });
});

describe('a filtered status report', () => {
  const statusReport = statusReportOf({
    accounts: [
      line({ id: 'a1', name: 'mill 10' }),
      line({ id: 'a2', name: 'Mill 9', stage: 'lost', lostReason: 'refused', organisation: 'Harbour' }),
      line({ id: 'a3', name: 'Alpha', stage: 'migrated', stageSince: NOW - 9 * DAY, lastCallAt: NOW }),
    ],
    calls: [calls(3, 1, 2)],
  });
  const ids = (filter: Parameters<typeof viewOf>[1]) =>
    viewOf(statusReport, filter).accounts.map(({ id }) => id);

  it('has the requested accounts', () => {
    expect(ids({})).toEqual(['a1', 'a2', 'a3']);
    expect(ids({ stage: ['legacy', 'lost'] })).toEqual(['a1', 'a2']);
    expect(ids({ stuck: true })).toEqual(['a2']);
    expect(ids({ reason: ['grant-lost', 'declined'] })).toEqual(['a2']);
    expect(ids({ reason: ['declined'] })).toEqual([]);
    expect(ids({ next: ['invite'], stage: ['legacy'] })).toEqual(['a1']);
    expect(ids({ reason: [], next: [] })).toEqual(['a1', 'a2', 'a3']);
    expect(statusReport.accounts[1]?.stuck?.detail).toBe('the service refused to renew it');
    expect(ids({ search: 'MILL' })).toEqual(['a1', 'a2']);
    expect(ids({ search: 'harb' })).toEqual(['a2']);
    expect(ids({ search: 'a3' })).toEqual(['a3']);
  });

  it.each([
    ['name', 'a3', 'a2', 'a1'],
    ['stage', 'a2', 'a1', 'a3'],
    ['days', 'a3', 'a2', 'a1'],
    ['stuck', 'a2', 'a3', 'a1'],
    ['last-call', 'a3', 'a2', 'a1'],
    ['calls', 'a1', 'a3', 'a2'],
    ['errors', 'a1', 'a3', 'a2'],
  ] as const)('is sorted by %s, in both directions', (sort, ...expected) => {
    expect(ids({ sort })).toEqual(expected);
    expect(ids({ sort, descending: true })).toEqual(expected.toReversed());
  });

  it.each(sortKeys)('sorted by %s has every account', (sort) => {
    expect(ids({ sort }).sort()).toEqual(['a1', 'a2', 'a3']);
  });
});
