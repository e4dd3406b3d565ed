import { describe, expect, it } from '@jest/globals';
import { insert, merge } from '../../src/lib/text/sorted.ts';

describe('lists in ascending order', () => {
  it('insert a value after its equals and before greater ones', () => {
    const sorted = [2, 4, 4, 9];
    for (const value of [4, 1, 10]) insert(sorted, value);
    expect(sorted).toEqual([1, 2, 4, 4, 4, 9, 10]);
  });

  it.each([
    [[], []],
    [[1, 5], []],
    [[], [1, 5]],
    [
      [1, 5, 5, 8],
      [0, 5, 7, 9, 11],
    ],
    [[20, 30], [1]],
  ])('are merged: %j and %j', (one, other) => {
    expect(merge(one, other)).toEqual([...one, ...other].sort((a, b) => a - b));
  });
});
