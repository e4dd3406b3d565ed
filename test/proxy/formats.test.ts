import { describe, expect, it } from '@jest/globals';
import { formatOf, type FormatName } from '../../src/mapping/formats.ts';

const read = (format: FormatName, ...values: readonly unknown[]): string | undefined =>
  formatOf(format).fromV2(values, () => undefined);

describe('a product of amounts', () => {
  it.each([
    [['2.5', 10.05], '25.13'],
    [[-1, 12.5], '-12.50'],
    [[3, '0.335'], '1.01'],
    [['-3', '0.335'], '-1.01'],
    [[0, 7], '0.00'],
    [['9007199254740993', '1.10'], '9907919180215092.30'],
  ])('of %j is %s', (values, product) => {
    expect(read('product', ...values)).toBe(product);
  });

  it.each([[[1, null]], [[undefined, 1]], [['', 1]], [['two', 1]]])('of %j does not exist', (values) => {
    expect(read('product', ...values)).toBeUndefined();
  });
});

describe('the tax of a line', () => {
  it.each([
    [[180, [15]], '27.00', '207.00'],
    [[37.63, [12.5]], '4.70', '42.33'],
    [['2.5', '10.05', ['15']], '3.77', '28.90'],
    [[-12.5, [15]], '-1.88', '-14.38'],
    [[100, [10, '2.5']], '12.50', '112.50'],
    [[100, []], '0.00', '100.00'],
  ])('of %j is %s, in total %s', (values, tax, total) => {
    expect(read('lineTax', ...values)).toBe(tax);
    expect(read('lineTotal', ...values)).toBe(total);
  });

  it.each([[[180, undefined]], [[null, [15]]], [[1, null, [15]]]])('of %j is not known', (values) => {
    expect(read('lineTax', ...values)).toBeUndefined();
    expect(read('lineTotal', ...values)).toBeUndefined();
  });
});

describe('the jobs of an invoice as text', () => {
  it('are number and name, one after the other', () => {
    const jobs = [{ number: 'J000101', name: 'Shop front & sign' }, { number: '007', name: null }, {}];
    expect(read('jobText', jobs)).toBe('J000101 Shop front & sign, 007');
  });

  it('are empty if there are none', () => {
    expect(read('jobText', [])).toBe('');
    expect(read('jobText', undefined)).toBe('');
  });
});

describe('a number that the caller can choose', () => {
  it.each([
    ['J000101', 'J000101'],
    [' 007 ', '007'],
    ['0', undefined],
    [' 0 ', undefined],
  ])('%j is sent as %j', (text, number) => {
    expect(formatOf('chosenNumber').toV2?.(text)).toEqual([number]);
    expect(read('chosenNumber', text.trim())).toBe(text.trim());
  });
});

describe('a text with capital initials', () => {
  it.each([
    ['progress invoice', 'Progress Invoice'],
    ['final invoice', 'Final Invoice'],
    ['öre-note  2', 'Öre-note  2'],
    ['', ''],
  ])('of %j is %j', (given, text) => {
    expect(read('titled', given)).toBe(text);
  });
});

describe('a text in minutes', () => {
  const write = formatOf('minutes').toV2;

  it.each([
    ['90', 90],
    [' 0 ', 0],
    ['007', 7],
  ])('of %j is %i', (text, minutes) => {
    expect(write?.(text)).toEqual([minutes]);
  });

  it.each(['-1', '1.5', '1e5', '0x10', 'soon', '9999999999'])('of %j is refused', (text) => {
    expect(write?.(text)).toBeUndefined();
  });

  it('is rounded to whole minutes, and rounding is reported', () => {
    const lost: string[] = [];
    expect(formatOf('minutes').fromV2([90.5], () => lost.push('lost'))).toBe('90');
    expect(formatOf('minutes').fromV2([90], () => lost.push('lost'))).toBe('90');
    expect(lost).toEqual(['lost']);
  });
});

describe('the value of a custom field', () => {
  it.each([
    ['-17', '-17', undefined],
    ['0', '0', undefined],
    [7, '7', undefined],
    ['1234.5', undefined, '1234.50'],
    ['5.00', undefined, '5.00'],
    [-0.05, undefined, '-0.05'],
    [null, undefined, undefined],
  ])('with the number %j is whole: %j, or a fraction: %j', (value, whole, fraction) => {
    expect(read('whole', value)).toBe(whole);
    expect(read('fraction', value)).toBe(fraction);
  });

  it.each([
    ['whole', 'Number', '1.50', '1.50'],
    ['whole', 'Number', '7', '7'],
    ['fraction', 'Decimal', '7', '7.00'],
    ['whole', 'Text', '1.5', undefined],
    ['fraction', 'Text', '7', undefined],
  ] as const)('as %s, which is %s on V1, shows %j as %j', (format, told, value, text) => {
    expect(formatOf(format).fromV2([value, told], () => undefined)).toBe(text);
  });

  it.each([
    ['dayOrText', '20261224', '2026-12-24'],
    ['dayOrText', '2026-12-24T00:00:00', '2026-12-24'],
    ['dayOrText', 'tomorrow', 'tomorrow'],
    ['flagOrText', 'TRUE', 'true'],
    ['flagOrText', 'no', 'false'],
    ['flagOrText', 'perhaps', 'perhaps'],
    ['whole', 'many', 'many'],
    ['fraction', '1,5', '1,5'],
  ] as const)('as %s sends %j as %j: the service judges by the field', (format, text, sent) => {
    expect(formatOf(format).toV2?.(text)).toEqual([sent]);
  });

  it.each([
    ['text', 'Text'],
    ['dropdown', 'Text'],
    ['number', 'Decimal'],
    ['date', 'Date'],
    ['Checkbox', 'Boolean'],
    ['constructor', 'Text'],
    ['__proto__', 'Text'],
  ])('of the type %s is in %s', (type, element) => {
    expect(read('valueElement', type)).toBe(element);
  });
});

describe('completion of a task', () => {
  it.each([
    [[true], 'true'],
    [['true', null], 'true'],
    [[false, null], 'false'],
    [[undefined, '2026-11-20'], 'true'],
    [[undefined, ''], 'false'],
    [[undefined, undefined], 'false'],
  ])('is read from a flag or a date: %j is %s', (values, done) => {
    expect(formatOf('isDone').fromV2(values, () => undefined)).toBe(done);
  });
});

describe('a date with the zone of its writer', () => {
  it.each(['2026-11-27T00:00:00+13:00', '2026-11-27T23:30:00-0800', '2026-11-27T00:00:00.000Z'])(
    'is the written day: %s',
    (text) => {
      for (const format of ['date', 'plainDate', 'compactDate'] as const)
        expect(formatOf(format).toV2?.(text)).toEqual(['2026-11-27']);
    },
  );

  it('is the same moment in UTC where V2 has a time', () => {
    const toV2 = formatOf('utcDateTime').toV2;
    expect(toV2?.('2026-11-27T00:00:00+13:00')).toEqual(['2026-11-26T11:00:00Z']);
    expect(toV2?.('2026-11-27T09:00:00')).toEqual(['2026-11-27T09:00:00Z']);
  });

  it.each(['2026-11-27+13:00', '2026-11-27T00:00:00+13', '2026-02-30T00:00:00+13:00'])(
    'is refused if it is none: %s',
    (text) => {
      expect(formatOf('date').toV2?.(text)).toBeUndefined();
    },
  );

  it.each(['2026-11-27T09:15', '2026-11-27T09:15Z', '2026-11-27T25:00:00', '2026-11-27T09:60:00+13:00'])(
    'is refused with a time that V1 does not read: %s',
    (text) => {
      for (const format of ['date', 'plainDate', 'compactDate', 'utcDateTime'] as const)
        expect(formatOf(format).toV2?.(text)).toBeUndefined();
      expect(formatOf('dayOrText').toV2?.(text)).toEqual([text]);
    },
  );
});
