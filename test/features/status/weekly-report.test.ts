import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/app/store.ts';
import type { PostVerdict } from '../../../src/features/campaign/outbox.ts';
import { weeklyMessage } from '../../../src/features/status/weekly/weekly-message.ts';
import { dueDay, parseWeeklyTime } from '../../../src/features/status/weekly/weekly-time.ts';
import { WeeklyReport } from '../../../src/features/status/weekly/weekly-report.ts';
import { HandClock } from '../../support/clock.ts';
import { openMemoryStore } from '../../support/store.ts';
import { line, statusReportOf } from './rows.ts';

const MONDAY = { weekday: 1, time: '08:00' };
const at = (text: string): number => Date.parse(text);

describe('the weekly report', () => {
  it.each([
    ['2026-11-30T06:59:59Z', undefined],
    ['2026-11-30T07:00:00Z', '2026-11-30'],
    ['2026-12-01T07:00:00Z', '2026-11-30'],
    ['2026-12-01T07:00:01Z', undefined],
    // Summer time has begun the day before.
    ['2027-03-29T05:59:59Z', undefined],
    ['2027-03-29T06:00:00Z', '2027-03-29'],
  ])('is due at %s: %s', (now, day) => {
    expect(dueDay(MONDAY, 'Europe/Berlin', at(now))).toBe(day);
  });

  it('accepts a day and a time, and nothing else', () => {
    expect(parseWeeklyTime('Sun 23:59')).toEqual({ weekday: 0, time: '23:59' });
    for (const text of ['mon', '08:00', 'mon 8:00', 'mon 24:00', 'day 08:00', 'mon 08:00 UTC'])
      expect(parseWeeklyTime(text)).toBeUndefined();
  });
});

const CONSOLE = 'https://bridge.example/_causeway/console';
const report = statusReportOf({
  accounts: [
    line({ id: 'a', name: 'Old Mill', stage: 'lost', lostReason: 'refused' }),
    line({ id: 'b', name: 'Two <b>', hasAddress: false }),
    line({ id: 'c', name: 'Three', hasAddress: false }),
  ],
});

describe('the weekly e-mail', () => {
  it('starts with what to do, most accounts first, and has the whole report attached', async () => {
    const from = { name: 'Causeway', address: 'causeway@example.com' };
    const sent = await weeklyMessage(report, {
      from,
      to: 'lead@example.com',
      console: CONSOLE,
      messageId: '<m@x>',
      changes: ['V2 sends `updatedAt` with milliseconds since 14:02, 3 accounts'],
    });
    const text = sent.toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const order = [
      'What to do first',
      '* The service now answers differently: V2 sends `updatedAt` with milliseconds since 14:02, 3 accounts',
      `${CONSOLE}/routes/drift`,
      '1. Each of 2 accounts: it has no e-mail address',
      `${CONSOLE}/accounts?reason=no-address`,
      '2. 1 account: its consent has ended',
      `${CONSOLE}/accounts?reason=grant-lost`,
      'Where it stands',
      'filename=migration-status-2026-11-20.html',
    ].map((words) => text.indexOf(words));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(text).toMatch(/^Subject: Migration status: 0 % moved, 3 stuck\r$/m);
  });
});

describe('the sending of the weekly e-mail', () => {
  let store: Store;
  const clock = new HandClock();
  const told: string[] = [];
  const arrived: string[] = [];
  const ids = new Set<string | undefined>();
  let answer: PostVerdict = { verdict: 'sent', response: '250 ok' };
  let beforeSend = (): Promise<void> => Promise.resolve();

  beforeAll(async () => {
    store = await openMemoryStore();
  });
  afterAll(() => store.close());

  const instance = (to: readonly string[]): WeeklyReport => {
    const write = (event: string): void => void told.push(event);
    return new WeeklyReport({
      ...{ to, at: MONDAY, zone: 'UTC', console: CONSOLE, clock },
      from: { name: '', address: 'causeway@example.com' },
      status: { statusReport: () => Promise.resolve(report) },
      drift: () => Promise.resolve([]),
      weeks: store.settings,
      open: () => ({
        async send({ to: address, content }) {
          ids.add(/^Message-ID: (\S+)/im.exec(content.toString())?.[1]);
          await beforeSend();
          arrived.push(address);
          return answer;
        },
        close: () => Promise.resolve(),
      }),
      random: { id: () => 'r1' },
      log: { info: write, warn: write, error: write },
    });
  };
  const runAt = async (now: string, ...instances: readonly WeeklyReport[]): Promise<readonly string[]> => {
    clock.advance(at(now) - clock.now());
    await Promise.all(instances.map((one) => one.run()));
    return arrived.splice(0);
  };

  it('happens once a week for each address, over all instances and restarts', async () => {
    const both = ['lead@example.com', 'support@example.com'];
    expect(await runAt('2026-11-30T07:59:30Z', instance(both))).toEqual([]);
    expect([...(await runAt('2026-11-30T08:00:00Z', instance(both), instance(both)))].sort()).toEqual(both);
    expect(await runAt('2026-11-30T09:00:00Z', instance([...both, 'new@example.com']))).toEqual([
      'new@example.com',
    ]);
    expect(await runAt('2026-12-07T08:03:00Z', instance(both))).toEqual(both);
    expect([...ids]).toEqual(['<report-r1@bridge.example>']);
  });

  it('goes on every week after a clock that was ahead has been set back', async () => {
    const mine = instance(['ahead@example.com']);
    expect(await runAt('2031-01-06T08:00:00Z', mine)).toHaveLength(1);
    expect(await runAt('2026-12-07T08:10:00Z', mine, instance(['ahead@example.com']))).toHaveLength(1);
    expect(await runAt('2026-12-07T08:15:00Z', mine)).toEqual([]);
    expect(await runAt('2026-12-14T08:00:00Z', mine)).toHaveLength(1);
  });

  it('is repeated if the e-mail certainly did not leave, never if that is unknown or the process died', async () => {
    const one = instance(['one@example.com']);
    answer = { verdict: 'postponed', reason: 'no connection' };
    expect(await runAt('2026-12-14T08:00:00Z', one)).toHaveLength(1);
    answer = { verdict: 'unknown', reason: 'cut' };
    expect(await runAt('2026-12-14T08:05:00Z', one)).toHaveLength(1);
    expect(await runAt('2026-12-14T08:10:00Z', one)).toEqual([]);
    answer = { verdict: 'sent', response: '250 ok' };
    beforeSend = () => Promise.reject(new Error('killed'));
    expect(await runAt('2026-12-21T08:00:00Z', one)).toEqual([]);
    beforeSend = () => Promise.resolve();
    expect(await runAt('2026-12-21T08:05:00Z', one)).toEqual([]);
    expect(told).toContain('report.not-sent');
    const toX = [{ address: 'x@example.com', verdict: answer }];
    expect(await one.sendTo(['x@example.com'], 'night')).toEqual(toX);
    expect(await one.last()).toEqual({ at: clock.now(), by: 'night', sent: toX });
  });
});
