import { describe, expect, it } from '@jest/globals';
import { randomSource } from '../../scripts/chaos/random.ts';
import { simulateScale } from '../../scripts/simulate/scale/part.ts';
import { renewals } from '../../scripts/simulate/scale/renewals.ts';
import { restarted } from '../../scripts/simulate/scale/restart.ts';
import { VirtualTime } from '../../scripts/simulate/virtual-time.ts';
import { DAY, MINUTE } from '../../src/lib/time/clock.ts';

describe('many accounts on a virtual clock', () => {
  it('lose no grant, keep the limit and delay no one, and the same seed gives the same result', async () => {
    const play = async (): Promise<readonly unknown[]> => {
      const lines: string[] = [];
      const findings = await simulateScale({ seed: 3, accounts: 300, say: (line) => lines.push(line) });
      return [findings, lines];
    };
    const [findings, lines] = await play();
    expect(findings).toMatchObject({ lost: 0, overLimit: 0, violations: 0 });
    expect(lines).toEqual(expect.arrayContaining([expect.stringMatching(/the limit, 300 accounts/)]));
    expect(await play()).toEqual([findings, lines]);
  });

  it('lose grants if the server is down until after the sixtieth day', async () => {
    const time = new VirtualTime(0);
    const random = randomSource(1);
    const putBack = time.install(random);
    try {
      const away = { from: 29 * DAY, until: 60 * DAY };
      const consents = [0, 0, 2 * DAY];
      const came = await renewals(time, random, { consents, away, until: 60 * DAY + 20 * MINUTE });
      expect(came).toMatchObject({ lost: 2, renewed: 3 });
    } finally {
      putBack();
    }
  });

  it('wait for a processor if the remaining bridges cannot do the work', () => {
    expect(restarted(randomSource(1), 2, 200).longest).toBeGreaterThan(1_000);
    expect(restarted(randomSource(1), 6, 200).longest).toBeLessThan(1_000);
  });
});
