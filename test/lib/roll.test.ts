import { describe, expect, it } from '@jest/globals';
import { Roll } from '../../src/lib/roll.ts';

const members = Array.from({ length: 5 }, () => ({ place: -1 }));
const [first, second, third] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]];

describe('a roll', () => {
  it('holds those that were added and have not left, in whatever order they leave', () => {
    const roll = new Roll<{ place: number }>();
    for (const member of members) roll.add(member);
    expect([second, first, members[4]].map((member) => member && roll.delete(member))).toEqual([
      true,
      true,
      true,
    ]);
    expect(new Set(roll)).toEqual(new Set([third, members[3]]));
    expect(roll.size).toBe(2);
    expect([roll.has(third), roll.has(first)]).toEqual([true, false]);
    expect(roll.delete(first)).toBe(false);
    roll.add(first);
    expect([...roll]).toHaveLength(3);
    for (const member of roll) expect(roll.delete(member)).toBe(true);
    expect(roll.size).toBe(0);
  });
});
