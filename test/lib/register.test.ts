import { describe, expect, it } from '@jest/globals';
import { Register } from '../../src/lib/register.ts';

const members = Array.from({ length: 5 }, () => ({ place: -1 }));
const [first, second, third] = members as [(typeof members)[0], (typeof members)[0], (typeof members)[0]];

describe('a register', () => {
  it('holds entries that were added and not removed, in whatever order they are removed', () => {
    const register = new Register<{ place: number }>();
    for (const member of members) register.add(member);
    expect([second, first, members[4]].map((member) => member && register.delete(member))).toEqual([
      true,
      true,
      true,
    ]);
    expect(new Set(register)).toEqual(new Set([third, members[3]]));
    expect(register.size).toBe(2);
    expect([register.has(third), register.has(first)]).toEqual([true, false]);
    expect(register.delete(first)).toBe(false);
    register.add(first);
    expect([...register]).toHaveLength(3);
    for (const member of register) expect(register.delete(member)).toBe(true);
    expect(register.size).toBe(0);
  });
});
