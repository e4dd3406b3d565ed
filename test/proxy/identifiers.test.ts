import { describe, expect, it } from '@jest/globals';
import { Identifiers } from '../../src/proxy/identifiers.ts';
import { idKey, type Crosswalk } from '../../src/mapping/crosswalk/identifier.ts';
import { RememberedPairs } from '../../src/mapping/crosswalk/remembered-pairs.ts';
import { pair, uuid } from './world.ts';

/** Remembers clients from 1 to `count`, and says how often it was asked for more than it remembers. */
function remembering(count: number) {
  const pairs = Array.from({ length: count }, (_, at) => pair('client', at + 1, uuid('c1', at + 1)));
  const asked = { times: 0 };
  const remembered = new RememberedPairs();
  for (const one of pairs) remembered.remember('account', one);
  const crosswalk: Pick<Crosswalk, 'remembered' | 'uuids' | 'numbers'> = {
    remembered,
    uuids: async () => {
      asked.times += 1;
      return new Map(pairs.map((one) => [idKey('client', one.number), one.uuid]));
    },
    numbers: async () => {
      asked.times += 1;
      return new Map(pairs.map((one) => [idKey('client', one.uuid), one.number]));
    },
  };
  return { pairs, asked, ids: new Identifiers(crosswalk as Crosswalk, new Map(), 'account') };
}

describe('identifiers in memory', () => {
  it.each([
    ['a thousand are translated without the crosswalk', 1_000, 0],
    ['of more the crosswalk is asked, which gives everybody else a turn', 1_001, 2],
  ])('save crosswalk queries: %s', async (_, count, times) => {
    const { pairs, asked, ids } = remembering(count);
    const numbers = pairs.map(({ number }) => String(number));
    const uuids = pairs.map((one) => one.uuid);
    expect(await ids.toV3((toV3) => numbers.map((one) => toV3('client', one)))).toEqual(uuids);
    expect(await ids.toLegacy((toLegacy) => uuids.map((one) => toLegacy('client', one)))).toEqual(numbers);
    expect(asked.times).toBe(times);
  });
});

describe('one identifier of a call on the fast path', () => {
  it('is translated as on the general path, or left to that path', () => {
    const { pairs, ids } = remembering(1);
    const [known] = pairs;
    expect(ids.present('client', '1')).toBe(known?.uuid);
    expect(ids.present('client', known?.uuid ?? '')).toBe(known?.uuid);
    for (const refused of ['01', '2', '0', 'x', '']) expect(ids.present('client', refused)).toBeUndefined();
  });
});
