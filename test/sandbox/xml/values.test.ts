import { describe, expect, it } from '@jest/globals';
import {
  isMasked,
  masked,
  readDate,
  readDecimal,
  readFlag,
  readInteger,
  readMoment,
  readMonth,
} from '../../../src/sandbox/tables/values.ts';

describe('decimals', () => {
  it.each([
    ['0', '0.00'],
    ['30', '30.00'],
    ['1.1', '1.10'],
    ['0.005', '0.01'],
    ['-0.005', '-0.01'],
    ['-0.004', '0.00'],
    ['1.005', '1.01'],
    ['999999999999999.994', '999999999999999.99'],
    [' 007.50 ', '7.50'],
    ['1e5', undefined],
    ['1,5', undefined],
    ['.5', undefined],
    ['5.', undefined],
    ['+5', undefined],
    ['NaN', undefined],
    ['', undefined],
  ])('%s is %s', (given, read) => {
    expect(readDecimal(given)).toBe(read);
  });
});

describe('dates', () => {
  it.each([
    ['20260228', '2026-02-28'],
    ['2026-02-28', '2026-02-28'],
    ['2026-02-28T23:59:59', '2026-02-28'],
    ['2026-02-28T23:59:60', undefined],
    ['0001-01-01T00:00:00', '0001-01-01'],
    ['2026-02-28T23:59:59Z', '2026-02-28'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', undefined],
    ['2026-13-01', undefined],
    ['2026-00-10', undefined],
    ['2026-02-28T24:00:00', undefined],
    ['28.02.2026', undefined],
    ['2026-2-8', undefined],
  ])('%s is %s', (given, read) => {
    expect(readDate(given)).toBe(read);
  });

  it('are times in UTC', () => {
    expect(readMoment('2026-02-28T10:11:12')).toBe(Date.UTC(2026, 1, 28, 10, 11, 12));
  });
});

describe('other values', () => {
  it.each([
    ['007', '7'],
    ['-12', '-12'],
    ['1.0', undefined],
    ['1e2', undefined],
  ])('integer %s is %s', (given, read) => {
    expect(readInteger(given)).toBe(read);
  });

  it('include flags as words and digits in any case', () => {
    expect([' YES ', 'True', '1', 'No', 'false', '0', 'on', ''].map(readFlag)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      undefined,
      undefined,
    ]);
  });

  it('include months as names or numbers', () => {
    expect(['Jan', 'january', '1', '12', 'DEC', '0', '13', 'Ja', '01'].map(readMonth)).toEqual([
      'Jan',
      'Jan',
      'Jan',
      'Dec',
      'Dec',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are masked except for the last three characters', () => {
    expect(['', '12', '123', '1234', '12🏔️4'].map(masked)).toEqual(['', '12', '123', '*234', '**🏔️4']);
    expect(isMasked('*234')).toBe(true);
    expect(isMasked('1234')).toBe(false);
  });
});
