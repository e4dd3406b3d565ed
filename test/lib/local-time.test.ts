import { describe, expect, it } from '@jest/globals';
import { endOfDay, instantIn, isLocal, localIn, wallClockIn } from '../../src/lib/time/local.ts';

describe('a local time in a zone', () => {
  it.each([
    ['UTC', '2026-11-30T09:00', '2026-11-30T09:00:00Z'],
    ['Pacific/Auckland', '2026-11-30T09:00', '2026-11-29T20:00:00Z'],
    ['America/St_Johns', '2026-07-01T00:30', '2026-07-01T03:00:00Z'],
    // 02:00 to 03:00 does not exist on this day: the moment is an hour later on the clock.
    ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    // It comes twice on this day: the first is meant.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00:00Z'],
  ])('in %s, %s is %s', (zone, local, instant) => {
    expect(new Date(instantIn(zone, local)).toISOString()).toBe(instant.replace('Z', '.000Z'));
  });

  it('is converted back from the instant', () => {
    const at = Date.parse('2026-11-29T20:05:59Z');
    expect(localIn('Pacific/Auckland', at)).toBe('2026-11-30T09:05');
    expect(wallClockIn('Pacific/Auckland', at)).toEqual({ day: '2026-11-30', weekday: 1, minute: 545 });
  });

  it('is an existing day and time', () => {
    const texts = ['2026-11-30T09:00', '2026-02-30T09:00', '2026-11-30T24:00', '2026-11-30', ''];
    expect(texts.map(isLocal)).toEqual([true, false, false, false, false]);
  });
});

describe('the end of a day', () => {
  it.each([
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25T22:59:59.000Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.000Z'],
    ['Pacific/Auckland', '2026-12-20T10:59:59Z', '2026-12-20T10:59:59.000Z'],
    ['Asia/Kolkata', '2026-12-20T18:30:00Z', '2026-12-21T18:29:59.000Z'],
    // At midnight the clock is put forward to one.
    ['America/Santiago', '2026-09-05T12:00:00Z', '2026-09-06T03:59:59.000Z'],
  ])('in %s is, at %s, %s', (zone, at, end) => {
    expect(new Date(endOfDay(zone, Date.parse(at))).toISOString()).toBe(end);
  });
});
