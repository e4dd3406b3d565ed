import { describe, expect, it } from '@jest/globals';
import { simulateLimit } from '../../scripts/simulate/limit/part.ts';

const quiet = { say: () => undefined };

describe('the limit on a virtual clock', () => {
  it('is kept by one bridge that is killed, stopped and frozen, at a service that is half dead', async () => {
    const findings = await simulateLimit({
      seed: 2,
      calls: 6_000,
      without: undefined,
      instances: 1,
      ...quiet,
    });
    expect(findings).toMatchObject({ overLimit: 0, seed: 2 });
    expect(findings.calls).toBeGreaterThanOrEqual(6_000);
    expect(findings.kills).toBeGreaterThan(0);
  });

  it('plays the same for the same seed', async () => {
    const once = (): Promise<unknown> =>
      simulateLimit({ seed: 5, calls: 1_000, without: undefined, instances: 1, ...quiet });
    expect(await once()).toEqual(await once());
  });

  it.each(['held', 'reserve'])('is broken without %s', async (without) => {
    const findings = await simulateLimit({ seed: 2, calls: 12_000, without, instances: 1, ...quiet });
    expect(findings.overLimit).toBeGreaterThan(0);
  });
});
