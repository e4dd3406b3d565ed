import { describe, expect, it } from '@jest/globals';
import { NO_HOLIDAYS, readHolidays } from '../../../../src/features/campaign/schedule/holidays.ts';
import {
  dueAt,
  hoursWords,
  nextOpening,
  parseHours,
  type SendingHours,
} from '../../../../src/features/campaign/schedule/hours.ts';
import { progressOf } from '../../../../src/features/campaign/schedule/progress.ts';

const at = (text: string): number => Date.parse(text);
const iso = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString();

function hoursFrom(text: string, holidays = ''): SendingHours {
  const hours = parseHours(text);
  if (hours === undefined) throw new Error(`${text} are no hours`);
  return { ...hours, zone: 'UTC', holidays: readHolidays(holidays).holidays };
}

const office = hoursFrom('mon-fri 09:00-17:00');

describe('sending hours', () => {
  it.each([
    ['any', 'every day, at any hour'],
    ['09:00-17:30', 'every day, 09:00 to 17:30'],
    ['mon-fri 08:00-18:00', 'mon, tue, wed, thu, fri, 08:00 to 18:00'],
    ['Sat-Mon,wed 00:00-24:00', 'mon, wed, sat, sun, at any hour'],
  ])('are read from %s as %s', (text, words) => {
    expect(hoursWords(hoursFrom(text))).toBe(words);
  });

  it.each([
    '',
    '9-17',
    '17:00-09:00',
    '09:00-09:00',
    'mon-fri',
    'xyz 09:00-17:00',
    '09:60-17:00',
    '09:00-24:30',
  ])('cannot be parsed from %j', (text) => {
    expect(parseHours(text)).toBeUndefined();
  });

  it.each([
    ['within them', 'UTC', '2026-11-25T12:00:00Z', '2026-11-25T12:00:00Z'],
    ['before they begin', 'UTC', '2026-11-25T07:00:00Z', '2026-11-25T09:00:00Z'],
    ['at their end', 'UTC', '2026-11-25T17:00:00Z', '2026-11-26T09:00:00Z'],
    ['on Friday evening', 'UTC', '2026-11-27T18:00:00Z', '2026-11-30T09:00:00Z'],
    // Saturday noon in Auckland, while it is Friday in Greenwich.
    ['where the week is over already', 'Pacific/Auckland', '2026-11-27T23:00:00Z', '2026-11-29T20:00:00Z'],
    ['where it is still Sunday', 'America/Los_Angeles', '2026-11-30T06:00:00Z', '2026-11-30T17:00:00Z'],
  ])('let an e-mail leave %s', (_when, zone, now, expected) => {
    expect(iso(nextOpening(office, zone, at(now)))).toBe(expected.replace('Z', '.000Z'));
  });

  it("skip the holidays of the customer's country", () => {
    const hours = hoursFrom(
      'mon-fri 09:00-17:00',
      '2026-12-25 # Christmas Day\n\n2026-12-28 Europe/London # in lieu of Boxing Day\n2026-12-24 America/',
    );
    const from = at('2026-12-24T18:00:00Z');
    expect(iso(nextOpening(hours, 'Europe/London', from))).toBe('2026-12-29T09:00:00.000Z');
    expect(iso(nextOpening(hours, undefined, from))).toBe('2026-12-28T09:00:00.000Z');
    expect(iso(nextOpening(hours, 'America/New_York', at('2026-12-24T15:00:00Z')))).toBe(
      '2026-12-28T14:00:00.000Z',
    );
  });

  it.each([
    ['Europe/Berlin', 'europe/berlin'],
    ['europe/', 'Europe/Berlin'],
    ['Pacific/Auckland', 'NZ'],
    ['pacific/', 'NZ'],
    ['NZ', 'Pacific/Auckland'],
  ])('skip a holiday of %s in the zone %s, which is another name or spelling of it', (place, zone) => {
    const hours = hoursFrom('any', `2026-12-25 ${place}`);
    const morning = at('2026-12-25T06:00:00Z');
    expect(nextOpening(hours, zone, morning)).toBeGreaterThan(morning);
    expect(nextOpening(hours, 'Asia/Tokyo', morning)).toBe(morning);
  });

  it('name the faulty line of the holidays', () => {
    const { faults } = readHolidays('2026-12-25\n25.12.2026\n2026-01-01 Atlantis\n2026-02-31');
    expect(faults.map((fault) => fault.slice(0, 7))).toEqual(['line 2:', 'line 3:', 'line 4:']);
  });

  it('do not delay an e-mail that a customer waits for', () => {
    const night = at('2026-11-25T03:00:00Z');
    expect(dueAt(office, 'fresh', undefined, night)).toBe(night);
    expect(dueAt(office, 'reminder', undefined, night)).toBe(at('2026-11-25T09:00:00Z'));
  });

  it('never hold an e-mail for ever', () => {
    const days = Array.from({ length: 500 }, (_, day) =>
      new Date(at('2026-11-25') + day * 86_400_000).toISOString().slice(0, 10),
    );
    const hours = hoursFrom('any', days.join('\n'));
    expect(nextOpening(hours, undefined, at('2026-11-25T12:00:00Z'))).toBe(at('2026-11-25T12:00:00Z'));
  });
});

describe('the progress of sending', () => {
  const now = at('2026-11-25T16:59:00Z');
  const waiting = (count: number, nextAt: number, zone?: string) =>
    Array.from({ length: count }, (_, to) => ({ kind: 'invitation' as const, zone, nextAt, to: String(to) }));
  const paceOf = (perMinute: number) => ({ perMinute, perAddress: 10 });

  it('shows when the last e-mail leaves, across the end of the hours', () => {
    const progress = progressOf(
      {
        waiting: waiting(60, now - 60_000),
        sent: [now - 90_000, now - 30_000, now - 20_000],
        held: 0,
        attempts: [],
      },
      { hours: office, pace: paceOf(30), now },
    );
    // 30 until five o'clock; the others from nine, one every two seconds.
    expect({ ...progress, endsAt: iso(progress.endsAt) }).toMatchObject({
      due: 60,
      sent: 2,
      lastMinute: 2,
      endsAt: '2026-11-26T09:00:58.000Z',
      later: [],
    });
  });

  it('counts e-mails that wait for a date separately', () => {
    const monday = at('2026-11-30T09:00:00Z');
    const progress = progressOf(
      {
        waiting: [...waiting(2, monday), ...waiting(1, now, 'Pacific/Auckland'), ...waiting(1, now)],
        ...{ sent: [], attempts: [], held: 1 },
      },
      { hours: { ...office, holidays: NO_HOLIDAYS }, pace: paceOf(60), now },
    );
    expect([progress.due, progress.held]).toEqual([1, 1]);
    // In Auckland it is six in the morning of Thursday.
    expect(progress.later).toEqual([
      { at: at('2026-11-25T20:00:00Z'), messages: 1 },
      { at: monday, messages: 2 },
    ]);
    expect(iso(progress.allEndAt)).toBe('2026-11-30T09:00:01.000Z');
  });

  it('lets one address wait for an hour after ten e-mails, and in the night for the morning', () => {
    const toOne = (count: number, nextAt: number) =>
      waiting(count, nextAt).map((message) => ({ ...message, to: 'team@example.com' }));
    const attempts = Array.from({ length: 8 }, () => ({ to: 'team@example.com', at: now - 45 * 60_000 }));
    const progress = progressOf(
      { waiting: [...toOne(25, now - 1), ...waiting(1, now)], sent: [], held: 0, attempts },
      { hours: hoursFrom('mon-fri 09:00-18:00'), pace: paceOf(60), now },
    );
    // The eight of a quarter past four and two of now; then as many as leave the hour, until it is six.
    expect([progress.due, iso(progress.endsAt)]).toEqual([3, '2026-11-25T16:59:02.000Z']);
    expect(progress.later.map(({ at: time, messages }) => [iso(time), messages])).toEqual([
      ['2026-11-25T17:14:00.000Z', 8],
      ['2026-11-25T17:59:00.000Z', 2],
      ['2026-11-26T09:00:00.000Z', 10],
      ['2026-11-26T10:00:00.000Z', 3],
    ]);
    expect(iso(progress.allEndAt)).toBe('2026-11-26T10:00:02.000Z');
  });

  it('is empty if none waits', () => {
    const progress = progressOf(
      { waiting: [], sent: [now], held: 0, attempts: [] },
      { hours: office, pace: paceOf(30), now },
    );
    expect(progress).toMatchObject({
      due: 0,
      sent: 0,
      endsAt: undefined,
      allEndAt: undefined,
      lastMinute: 1,
    });
  });
});
