import { describe, expect, it } from '@jest/globals';
import { formatOf } from '../../src/mapping/formats.ts';
import {
  decimalText,
  differenceOf,
  isPlainDecimal,
  productOf,
  sumOf,
  twoPlaces,
} from '../../src/mapping/numbers.ts';
import { fc } from '../support/random.ts';

const money = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }))
  .map(([negative, cents]) => (negative ? -cents : cents));

function written(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

describe('a difference of amounts', () => {
  it('is exact to the cent, for any size and sign', () => {
    fc.assert(
      fc.property(money, money, (a, b) => {
        expect(differenceOf(written(a), written(b))).toBe(written(a - b));
      }),
    );
  });

  it.each([
    ['115', '100', '15.00'],
    ['0.3', '0.1', '0.20'],
    ['1.1', '1.10', '0.00'],
    ['1.005', '0', '1.01'],
    ['-1.005', '0', '-1.01'],
    ['0.001', '0.002', '0.00'],
    [' 9007199254740993.01 ', '0.02', '9007199254740992.99'],
    ['7.', '2', '5.00'],
  ])('%s - %s is %s', (a, b, difference) => {
    expect(differenceOf(a, b)).toBe(difference);
  });

  it.each(['', 'x', '1e5', '1,000', '--1', '.5', 'NaN'])('of %j does not exist', (text) => {
    expect(isPlainDecimal(text)).toBe(false);
    expect(() => differenceOf(text, '1')).toThrow(RangeError);
    expect(() => differenceOf('1', text)).toThrow(RangeError);
  });
});

describe('a number as text', () => {
  it.each([
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    [-1.5e-7, '-0.00000015'],
    [1.23e2, '123'],
    ['1.50e3', '1500'],
    ['1.5E-3', '0.0015'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['0012.50', '0012.50'],
    [0, '0'],
  ])('of %j is %s', (value, text) => {
    expect(decimalText(value)).toBe(text);
  });

  it.each(['9'.repeat(20_000), `0.${'9'.repeat(20_000)}`, `-${'1'.repeat(20_000)}`])(
    'is not an amount if it is too large, and stays unchanged (number %#)',
    (text) => {
      expect(decimalText(text)).toBeUndefined();
      expect(twoPlaces(text)).toBe(text);
      const nobody = (): void => undefined;
      expect(formatOf('money').fromV2([text], nobody)).toBe(text);
      expect(formatOf('product').fromV2([text, text], nobody)).toBeUndefined();
      expect(formatOf('lineTotal').fromV2([text, '1', [text]], nobody)).toBeUndefined();
    },
  );

  it.each([undefined, null, true, '', 'x', NaN, Infinity, '1e400000', {}])(
    'of %p does not exist',
    (value) => {
      expect(decimalText(value)).toBeUndefined();
    },
  );

  it('means the same double, without an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = decimalText(value) ?? '';
        expect(text).not.toContain('e');
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe('a product and a sum', () => {
  it('are exact, for any size and sign', () => {
    fc.assert(
      fc.property(money, fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), money, (a, times, b) => {
        expect(productOf([written(a), String(times)])).toBe(written(a * times));
        expect(sumOf([written(a), written(b)])).toBe(written(a + b));
      }),
    );
  });

  it.each([
    [['2.50', '10.05'], '25.13'],
    [['-2.50', '10.05'], '-25.13'],
    [['0.1', '0.04'], '0.00'],
    [['-0.1', '0.04'], '0.00'],
    [[], '1.00'],
  ])('include the product of %j, which is %s', (factors, product) => {
    expect(productOf(factors)).toBe(product);
  });

  it('keep the most decimal places in a sum', () => {
    expect(sumOf(['12.5', '0.125'])).toBe('12.625');
    expect(sumOf([])).toBe('0.00');
  });

  it.each(['', 'x', '1e5'])('of %j do not exist', (text) => {
    expect(() => productOf([text, '1'])).toThrow(RangeError);
    expect(() => sumOf([text])).toThrow(RangeError);
  });
});
