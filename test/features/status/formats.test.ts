import { describe, expect, it } from '@jest/globals';
import { readCsv } from '../../../src/lib/text/csv.ts';
import type { StatusReport } from '../../../src/features/status/model.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { statusReportCsv } from '../../../src/features/status/report/csv.ts';
import { statusReportHtml } from '../../../src/features/status/report/html.ts';
import { statusReportTable } from '../../../src/features/status/report/table.ts';
import { percent } from '../../../src/features/status/report/words.ts';
import { columnsOf, plainJson } from '../../../src/lib/text/plain-text.ts';
import { statusReportOf, hostileNames, line, NOW } from './rows.ts';

/** Every hostile name as an account's, an organisation's and a reason's. */
const hostile: StatusReport = statusReportOf({
  accounts: hostileNames.map((name, n) =>
    line({
      id: `a${n}`,
      name,
      stage: n % 2 === 0 ? 'lost' : 'legacy',
      organisation: name,
      lostReason: 'refused',
    }),
  ),
  messages: hostileNames.map((reason, n) => ({
    ...{ accountId: `a${n}`, invitationId: 'i1' },
    state: 'refused' as const,
    anySent: false,
    isToDead: true,
    nextAt: undefined,
    reason,
  })),
});

const whole: StatusReport = statusReportOf(
  {
    accounts: [
      line({ id: 'm', name: 'Harbour Lane Studio', stage: 'migrated', grantId: 'g' }),
      line({ id: 'l', name: 'Old Mill Engineering' }),
    ],
    grants: [{ id: 'g', state: 'held', renewedAt: NOW - DAY, since: undefined, nextAt: undefined }],
    calls: [
      {
        accountId: 'l',
        calls: 1_234,
        errors: 2,
        v1Calls: 1_200,
        v1Hour: NOW,
        sinceStage: { calls: 0, errors: 0 },
      },
    ],
    days: Array.from({ length: 10 }, (_, n) => ({
      day: new Date(NOW - (9 - n) * DAY).toISOString().slice(0, 10),
      counts: {
        legacy: 2 - (n > 5 ? 1 : 0),
        'awaiting-operator': 0,
        consented: 0,
        migrated: n > 5 ? 1 : 0,
        lost: 0,
        closed: 0,
      },
    })),
    moves: [{ at: NOW - 4 * DAY, change: 1 }],
  },
  { v1End: '2026-12-31' },
);

const missing = 'it would miss Client/DateOfBirth of client.get, seen 214 times';
const ready: StatusReport = statusReportOf({
  accounts: [line({ id: 'r', name: 'Northgate' }), line({ id: 'n', name: 'Kauri Lane' })],
  verdicts: new Map([
    [
      'r',
      {
        v3: { state: 'ready', missed: 0, words: null, assumed: 0 },
        v2: { state: 'not-ready', missed: 3, words: missing, assumed: 2 },
      },
    ],
  ]),
});

describe('the methods that the programs of an account use', () => {
  it('are a column of the table, the CSV and the page, with the reason if there is room', () => {
    const text = statusReportTable(ready, { columns: undefined, colour: false });
    expect(text).toMatch(/^ACCOUNT .* READY$/m);
    expect(text).toMatch(/^Northgate .* V3 yes, V2 no$/m);
    expect(text).toMatch(/^Kauri Lane .* never$/m);
    const [head = [], northgate = []] = readCsv(statusReportCsv(ready)).map((one) => one.cells);
    expect(Object.fromEntries(head.map((name, n) => [name, northgate[n]]))).toMatchObject({
      ready_v3: 'ready',
      missed_v3: '',
      ready_v2: 'not-ready',
      missed_v2: missing,
      assumed_v2: '2',
    });
    expect(statusReportHtml(ready)).toContain(`${missing}; and 2 more`);
    expect(statusReportHtml(ready)).toContain('assumed: 2 methods on V2');
    expect(ready.accounts.map(({ readiness }) => readiness?.v2.missed)).toEqual([3, undefined]);
  });
});

/** What a terminal would act on, line breaks aside. */
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('the table of the status report', () => {
  it('shows the stage of every account', () => {
    const text = statusReportTable(whole, { columns: undefined, colour: false });
    expect(text).toContain('50 %  1 of 2 moved');
    expect(text).toContain('Not moved 1 · Consented, not moved 0 · Migrated 1 · Lost 0 · Closed 0');
    expect(text).toContain('Pace: 0.14 a day over 7 days, done on 2026-11-27; 0.10 a day over 10 days');
    expect(text).toContain('V1 ends on 2026-12-31, in 41 days: in time');
    expect(text).toContain('24 hours: 1,234 calls, 2 errors, 1,200 still by V1');
    expect(text).toMatch(
      /^Old Mill Engineering +Not moved +3 +invite the customer +never +1,234 +2 +1,200$/m,
    );
    expect(text).toMatch(/^Harbour Lane Studio +Migrated +3 .*59 d left$/m);
    const page = statusReportHtml(whole);
    expect(page).toContain('<li class="legacy">Not moved 1</li>');
    expect(page).toContain('<span class="tag legacy">Not moved</span>');
    expect(page).toContain('Not moved: 1, ');
  });

  it('shows times in the time zone of the installation, on a page as in a terminal', () => {
    const away: StatusReport = {
      ...whole,
      generatedAt: '2026-11-20T16:20:00.000Z',
      zone: 'Pacific/Auckland',
    };
    const [account] = away.accounts;
    if (account === undefined) throw new Error('there is no account');
    const next = {
      by: 'bridge',
      action: 'remind',
      words: 'a reminder',
      at: '2026-11-30T20:00:00.000Z',
    } as const;
    const report = { ...away, accounts: [{ ...account, stuck: null, next }] };
    for (const text of [
      statusReportTable(report, { columns: undefined, colour: false }),
      statusReportHtml(report),
    ]) {
      expect(text).toContain('2026-11-21 05:20 Pacific/Auckland');
      expect(text).toContain('2026-12-01');
    }
    // Another machine may not know the zone, and an earlier bridge names none.
    expect(statusReportHtml({ ...away, zone: 'Mars/Base' })).toContain('2026-11-20 16:20 UTC');
  });

  it('has no colour unless requested', () => {
    expect(statusReportTable(whole, { columns: 100, colour: false })).not.toContain('\u001b');
    expect(statusReportTable(whole, { columns: 100, colour: true })).toContain('\u001b[32mMigrated');
  });

  it.each([40, 60, 80, 100, 132, 200])('fits a terminal of %d columns', (columns) => {
    for (const statusReport of [whole, hostile, statusReportOf({})]) {
      const lines = statusReportTable(statusReport, { columns, colour: false }).trimEnd().split('\n');
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(columns);
    }
  });

  it('cuts a long reason to the room there is', () => {
    const reason = 'the mail server said something of its own, at length. '.repeat(10);
    const statusReport = statusReportOf({
      accounts: [line({ name: 'Old Mill Engineering' })],
      messages: [
        {
          accountId: line({}).id,
          invitationId: 'i1',
          state: 'refused',
          anySent: false,
          isToDead: true,
          nextAt: undefined,
          reason,
        },
      ],
    });
    const rows = (columns: number | undefined) =>
      statusReportTable(statusReport, { columns, colour: false }).split('\n');
    for (const row of rows(undefined)) expect(columnsOf(row)).toBeLessThan(200);
    for (const columns of [60, 80, 120]) {
      const row = rows(columns).find((one) => one.startsWith('Old Mill')) ?? '';
      expect(row).toMatch(/its invitation could not b.*…/);
    }
    const narrow = rows(60).slice(0, 8).join('\n');
    expect(narrow).toContain('Pace:');
    expect(narrow.replaceAll('\n', ' ')).not.toContain('…');
  });

  it('prints no name as a terminal command or beyond its line', () => {
    const text = statusReportTable(hostile, { columns: 120, colour: false });
    expect(text).not.toMatch(acting);
    const head = text.split('\n').findIndex((one) => one.startsWith('ACCOUNT'));
    expect(text.trimEnd().split('\n')).toHaveLength(head + 1 + hostileNames.length);
  });

  it('says so if there are no accounts', () => {
    expect(statusReportTable(statusReportOf({}), { columns: 80, colour: false })).toContain(
      'No account to show.',
    );
  });
});

describe('the status report as JSON', () => {
  it('contains every name unchanged, and no terminal command', () => {
    const text = plainJson(hostile);
    expect(text.replaceAll('\n', '')).not.toMatch(acting);
    expect(JSON.parse(text)).toEqual(hostile);
  });
});

describe('the status report as CSV', () => {
  const cells = (statusReport: StatusReport) =>
    readCsv(statusReportCsv(statusReport)).map((one) => one.cells);

  it('has one line for each account, with its figures as numbers', () => {
    const [head = [], ...lines] = cells(whole);
    expect(lines).toHaveLength(2);
    const record = Object.fromEntries(head.map((name, n) => [name, lines[1]?.[n]]));
    expect(record).toMatchObject({
      name: 'Old Mill Engineering',
      stage: 'legacy',
      next_action: 'invite',
      calls_24h: '1234',
      v1_calls_24h: '1200',
      grant_days_to_expiry: '',
    });
  });

  it('keeps every name within its cell, and none becomes a formula', () => {
    const lines = cells(hostile);
    expect(lines).toHaveLength(1 + hostileNames.length);
    for (const one of lines) {
      expect(one).toHaveLength(lines[0]?.length ?? 0);
      for (const cell of one) expect(cell).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    }
    expect(statusReportCsv(hostile).replaceAll('\r\n', '')).not.toMatch(acting);
    expect(lines[1]?.[1]).toBe(`'${hostileNames[0]}`);
  });

  it('keeps a negative figure a number', () => {
    const statusReport = statusReportOf({
      accounts: [line({ stage: 'migrated', grantId: 'g' })],
      grants: [{ id: 'g', state: 'held', renewedAt: NOW - 62 * DAY, since: undefined, nextAt: undefined }],
    });
    expect(cells(statusReport)[1]).toContain('-2');
  });
});

describe('the status report as a page', () => {
  it('runs no script, loads nothing, and shows every name as text', () => {
    const page = statusReportHtml(hostile);
    const tags = new Set(Array.from(page.matchAll(/<\/?([a-z0-9]+)/gi), ([, tag = '']) => tag.toLowerCase()));
    for (const tag of ['script', 'img', 'iframe', 'link', 'object']) expect(tags).not.toContain(tag);
    expect(page).not.toMatch(/<[^>]*\son\w+\s*=/i);
    expect(page).not.toMatch(/<[^>]*\s(?:src|href)\s*=/i);
    expect(page).not.toMatch(/url\(|@import/);
    expect(page).not.toMatch(acting);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('<bdi>مكتب المحاسبة</bdi>');
  });

  it('has charts with a text alternative', () => {
    const page = statusReportHtml(whole);
    expect(page).toContain(
      'aria-label="Funnel. Accounts: 2, Invited: 1, Looked at it: 1, Consented: 1, Moved: 1"',
    );
    expect(page).toContain(
      'none left on 2026-11-30 at the pace of the last 28 days, on 2026-11-27 at that of the last 7, V1 ends on 2026-12-31',
    );
    expect(page).toContain('class="forecast"');
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('draws no line to a date if it says that it is too early for one', () => {
    const young = statusReportOf({
      accounts: [line({ id: 'm', stage: 'migrated' }), line({ id: 'l', name: 'Two Rivers' })],
      days: [
        {
          day: new Date(NOW).toISOString().slice(0, 10),
          counts: { legacy: 1, 'awaiting-operator': 0, consented: 0, migrated: 1, lost: 0, closed: 0 },
        },
      ],
      moves: [{ at: NOW - 1, change: 1 }],
    });
    const page = statusReportHtml(young);
    expect(page).toContain('too early for a date');
    expect(page).not.toContain('class="forecast"');
    expect(page).not.toContain('Dashed');
  });

  it.each([
    ['nobody', statusReportOf({})],
    [
      'one day',
      statusReportOf({
        accounts: [line()],
        days: whole.history.slice(-1).map(({ day, ...counts }) => ({ day, counts })),
      }),
    ],
    ['no pace', statusReportOf({ accounts: [line()] }, { v1End: '2020-01-01' })],
  ])('is complete with %s', (_, statusReport) => {
    const page = statusReportHtml(statusReport);
    expect(page.match(/<svg /g)).toHaveLength(3);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('a share as text', () => {
  it.each([
    [0, '0 %'],
    [0.5, '50 %'],
    [1 / 3, '33.3 %'],
    [4 / 29, '13.8 %'],
    [6 / 29, '20.7 %'],
    [0.29, '29 %'],
    [0.9999, '99.9 %'],
    [1, '100 %'],
  ])('of %d is %s', (share, words) => {
    expect(percent(share)).toBe(words);
  });
});
