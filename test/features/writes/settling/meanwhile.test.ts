import { describe, expect, it } from '@jest/globals';
import { mayHide } from '../../../../src/features/writes/settling/meanwhile.ts';

describe('a change of a record', () => {
  it.each([
    ['with a number that was met after the write began', { isRemoval: false, number: '12' }, 11, true],
    ['with a number that was known before', { isRemoval: true, number: '11' }, 11, false],
    ['that was removed, and of whose age nobody knows', { isRemoval: true, number: '12' }, undefined, true],
    [
      'that is still there, and of whose age nobody knows',
      { isRemoval: false, number: '12' },
      undefined,
      false,
    ],
    ['that goes by a text, and was removed', { isRemoval: true, number: 'J000101' }, 11, true],
    ['that goes by a text, and is still there', { isRemoval: false, number: 'J000101' }, 11, false],
    ['that nobody names', { isRemoval: true, number: undefined }, 11, true],
  ] as const)('%s can or cannot hide what a write has created', (_words, change, knownTo, hides) => {
    expect(mayHide(change, { knownTo })).toBe(hides);
  });
});
