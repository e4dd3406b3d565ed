import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { RememberedPairs } from '../../src/mapping/crosswalk/remembered-pairs.ts';

const client = (number: number, uuid: string = randomUUID()): Pair => ({ kind: 'client', number, uuid });

describe('remembered pairs', () => {
  it('work both ways, however often their room grows', () => {
    const remembered = new RememberedPairs();
    const pairs = Array.from({ length: 20_000 }, (_, index) => client(index));
    for (const pair of pairs) remembered.remember('a', pair);
    expect(pairs.filter(({ number, uuid }) => remembered.numberOf('a', 'client', uuid) !== number)).toEqual(
      [],
    );
    expect(pairs.filter(({ number, uuid }) => remembered.uuidOf('a', 'client', number) !== uuid)).toEqual([]);
  });

  it('belong to an account and a kind', () => {
    const remembered = new RememberedPairs();
    const [pair, other] = [client(7), client(7)];
    remembered.remember('a', pair);
    expect(remembered.numberOf('b', 'client', pair.uuid)).toBeUndefined();
    expect(remembered.numberOf('a', 'contact', pair.uuid)).toBeUndefined();
    expect(remembered.uuidOf('b', 'client', 7)).toBeUndefined();
    remembered.remember('b', other);
    expect(remembered.numberOf('b', 'client', other.uuid)).toBe(7);
    expect(remembered.numberOf('b', 'client', pair.uuid)).toBeUndefined();
    expect(remembered.uuidOf('a', 'client', 7)).toBe(pair.uuid);
    expect(remembered.uuidOf('b', 'client', 7)).toBe(other.uuid);
  });

  it('are equal in any case, and never what only looks like a UUID', () => {
    const remembered = new RememberedPairs();
    const uuid = '0123abcd-89ef-4000-8000-fedcba987654';
    remembered.remember('a', client(2_147_483_647, uuid.toUpperCase()));
    expect(remembered.numberOf('a', 'client', uuid)).toBe(2_147_483_647);
    expect(remembered.uuidOf('a', 'client', 2_147_483_647)).toBe(uuid);
    for (const near of [
      '0123abcd-89ef-4000-8000-fedcba98765',
      '0123abcd-89ef-4000-8000-fedcba98765g',
      '0123abcd-89ef-4000-8000-fedcba98765:',
      '0123abcd-89ef-4000-8000-fedcba98765\u0034\u0301',
      '0123abcd089ef04000080000fedcba987654',
      '0123abc!-89ef-4000-8000-fedcba987654',
      '0123abc\u0144-89ef-4000-8000-fedcba987654',
    ]) {
      remembered.remember('a', client(1, near));
      expect(remembered.numberOf('a', 'client', near)).toBeUndefined();
    }
    expect(remembered.uuidOf('a', 'client', 1)).toBeUndefined();
  });

  it('stay correct when there are more than there is room for', () => {
    const remembered = new RememberedPairs(2_048);
    const pairs = Array.from({ length: 10_000 }, (_, index) => client(index));
    for (const pair of pairs) remembered.remember('a', pair);
    const numbers = pairs.map(({ uuid }) => remembered.numberOf('a', 'client', uuid));
    const uuids = pairs.map(({ number }) => remembered.uuidOf('a', 'client', number));
    expect(numbers.filter((number, index) => number !== undefined && number !== index)).toEqual([]);
    expect(uuids.filter((uuid, index) => uuid !== undefined && uuid !== pairs[index]?.uuid)).toEqual([]);
    expect(numbers.filter((number) => number !== undefined).length).toBeGreaterThan(1_000);
    expect(uuids.filter((uuid) => uuid !== undefined).length).toBeGreaterThan(500);
    // The same list once more finds some of it: what is pushed out is chosen by chance.
    expect(numbers.slice(0, 5_000).some((number) => number !== undefined)).toBe(true);
  });

  it('start again when there are more accounts than there is room for', () => {
    const remembered = new RememberedPairs();
    const first = client(1);
    remembered.remember('first', first);
    const pair = client(2);
    for (let index = 0; index < 50_000; index += 1) remembered.remember(`account ${index}`, pair);
    expect(remembered.numberOf('first', 'client', first.uuid)).toBeUndefined();
    expect(remembered.numberOf('account 49999', 'client', pair.uuid)).toBe(2);
    expect(remembered.numberOf('account 0', 'client', pair.uuid)).toBeUndefined();
  });
});
