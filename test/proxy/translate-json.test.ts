import { describe, expect, it } from '@jest/globals';
import { parseJson } from '../../src/proxy/translate/json/json.ts';
import { JsonFault } from '../../src/proxy/translate/json/json-scan.ts';
import { fc } from '../support/random.ts';

describe('JSON of V2', () => {
  it('is written as it was read, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(parseJson(JSON.stringify(value, null, 2))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is written as it was read beside a number that a double would change', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = `[${JSON.stringify(value)},12345678901234567890]`;
        expect(parseJson(text)).toEqual([JSON.parse(JSON.stringify(value)), '12345678901234567890']);
      }),
    );
  });

  it('keeps every digit of every number', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.bigInt({ min: 0n, max: 10n ** 30n }),
        fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: undefined }),
        fc.option(fc.integer({ min: -400, max: 400 }), { nil: undefined }),
        (negative, whole, fraction, exponent) => {
          const text = [
            negative ? '-' : '',
            whole,
            fraction === undefined ? '' : `.${fraction}`,
            exponent === undefined ? '' : `e${exponent}`,
          ].join('');
          const got = parseJson(text);
          if (typeof got === 'string') expect(got).toBe(text);
          else expect(sameDecimal(text, String(got))).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['0', 0],
    ['-12.50', -12.5],
    ['596000.0000', 596_000],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', '9007199254740993'],
    ['0.30000000000000004', 0.1 + 0.2],
    ['0.300000000000000041', '0.300000000000000041'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['1e5', 100_000],
    ['1E+5', 100_000],
    ['1.50e3', 1_500],
    ['1e400', '1e400'],
    ['-1e400', '-1e400'],
    ['1e-400', '1e-400'],
    ['0e400', 0],
    [`1.${'0'.repeat(50)}`, `1.${'0'.repeat(50)}`],
  ])('has the value %s', (text, value) => {
    expect(parseJson(text)).toBe(value);
    expect(parseJson(`{"a":[ ${text} ,"${text}"]}`)).toEqual({ a: [value, text] });
  });

  it('can have a number of any length, read in linear time', () => {
    const digits = `1${'0'.repeat(2_000_000)}1`;
    expect(parseJson(`[${digits}]`)).toEqual([digits]);
  });

  it('can have the name of a prototype as a key', () => {
    for (const text of ['{"__proto__":{"admin":true}}', '{"__proto__":{"admin":true},"n":1e400}']) {
      const value = parseJson(text) as object;
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)[0]).toBe('__proto__');
    }
    expect('admin' in {}).toBe(false);
  });

  it.each([
    ['{"a":"\\"[[[[","b":"\\\\"}', { a: '"[[[[', b: '\\' }],
    ['["\\\\\\"{",1e400]', ['\\"{', '1e400']],
  ])('is not confused by the content of strings: %s', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it.each(['', ' ', '{', '[1,]', '{"a":01}', "{'a':1}", '{"a":1}}', 'NaN', '"\n"', '"abc', '"\\', '<x/>'])(
    'that is malformed is refused: %j',
    (text) => {
      expect(() => parseJson(text)).toThrow(JsonFault);
    },
  );

  it('is never quoted in the refusal', () => {
    expect(() => parseJson('{"name": CANARY}')).toThrow(/^the JSON is malformed$/);
  });

  it('can be nested at most 64 deep', () => {
    const nested = (depth: number): string => '[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2);
    expect(() => parseJson(nested(64))).not.toThrow();
    expect(() => parseJson(nested(66))).toThrow('too deep');
    expect(() => parseJson('['.repeat(5_000_000))).toThrow('too deep');
    expect(parseJson('[[],[],[]]'.repeat(1))).toEqual([[], [], []]);
    expect(parseJson(`[${'[],'.repeat(100)}[]]`)).toHaveLength(101);
  });
});

/** Compared as units of the smaller power of ten. */
function sameDecimal(a: string, b: string): boolean {
  const [left, right] = [unitsOf(a), unitsOf(b)];
  const least = Math.min(left.power, right.power);
  const at = ({ units, power }: typeof left): bigint => units * 10n ** BigInt(power - least);
  return at(left) === at(right);
}

function unitsOf(text: string): { units: bigint; power: number } {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { units: BigInt(whole.replace('-', '') + fraction), power: Number(exponent) - fraction.length };
}
