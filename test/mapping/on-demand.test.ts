import { describe, expect, it } from '@jest/globals';
import { routedMethods } from '../../src/app/tools/routing.ts';
import { onDemand } from '../../src/mapping/compile/on-demand.ts';
import { kindsIn } from '../../src/mapping/compile/compile.ts';
import { deliveredMapping, mappingFolder } from '../support/mapping.ts';

describe('a mapping on demand', () => {
  it('is compiled when it is first used, and once', () => {
    let compiled = 0;
    const mapping = onDemand(() => {
      compiled += 1;
      return deliveredMapping();
    });
    const methods = routedMethods(mapping);
    expect(compiled).toBe(0);
    expect(methods()).toHaveLength(deliveredMapping().methods.length);
    expect(methods()).toBe(methods());
    expect({ ...mapping }).toEqual(deliveredMapping());
    expect(compiled).toBe(1);
  });

  it('gives the kinds without the rest', () => {
    const delivered = deliveredMapping();
    const mapping = onDemand(
      () => {
        throw new Error('line 3 is wrong');
      },
      () => kindsIn(mappingFolder),
    );
    expect(mapping.kinds).toEqual(delivered.kinds);
    expect(() => mapping.methods).toThrow('line 3 is wrong');
  });

  it('throws its fault each time it is used', () => {
    const mapping = onDemand(() => {
      throw new Error('line 3 is wrong');
    });
    expect(() => mapping.kinds).toThrow('line 3 is wrong');
    expect(() => mapping.methods).toThrow('line 3 is wrong');
  });
});
