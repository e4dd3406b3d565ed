import { describe, expect, it } from '@jest/globals';
import type { LatePair } from '../../src/tokens/grant.ts';
import { nextFallback } from '../../src/tokens/refresh/fallback.ts';
import { confirmAtOf } from '../../src/tokens/refresh/timing.ts';
import { fc } from '../support/random.ts';
import { testProfile } from '../support/profile.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { START } from '../support/clock.ts';

const profile = testProfile();
const minutes = fc.integer({ min: 0, max: 60 * 60_000 });

const latePair = (id: string, parent: string): LatePair => ({
  id,
  grantId: 'g',
  parent,
  accessToken: '',
  accessExpiresAt: 0,
  refreshToken: '',
  arrivedAt: 0,
  expiresAt: 0,
});

describe('the early confirmation of a pair', () => {
  const dueAfter = (answered: number, presentations = 2, grace = 1_800): number | undefined => {
    const now = START + answered * MINUTE;
    const at = confirmAtOf({ since: START, presentations }, now, testProfile({ durations: { grace } }));
    return at === undefined ? undefined : (at - START) / MINUTE;
  };

  it.each([
    [0, 8],
    [3, 8],
    [10, 15],
    [17.5, 22.5],
    [23, 28],
    [26, 28],
    [28.4, 28.4],
    [28.5, undefined],
    [45, undefined],
  ])('is due, for a reply at minute %d, at minute %p', (answered, due) => {
    expect(dueAfter(answered)).toBe(due);
  });

  it('is not needed if the token was presented once, or if there is no grace period', () => {
    expect(dueAfter(0, 1)).toBeUndefined();
    expect(dueAfter(0, 2, 0)).toBeUndefined();
  });

  it('scales with the grace period', () => {
    expect(dueAfter(0, 2, 180)).toBeCloseTo(0.8);
  });

  it('is always due while the predecessor can still help, and never before the reply', () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 50 }), (after, presentations) => {
        const now = START + after;
        const at = confirmAtOf({ since: START, presentations }, now, profile);
        if (at === undefined) return presentations === 1 || after >= 28.5 * MINUTE;
        return at >= now && at - START < 28.5 * MINUTE && at - START <= Math.max(after, 28 * MINUTE);
      }),
    );
  });
});

describe('the fallback chain', () => {
  const parents = fc.constantFrom('refused', 'refused by the old key', 'before', 'somebody else');
  const refused = fc.record({
    latePairs: fc.array(parents, { maxLength: 4 }),
    since: fc.option(minutes, { nil: undefined }),
    after: minutes,
  });

  const rungOf = ({
    latePairs,
    since,
    after,
  }: {
    latePairs: string[];
    since: number | undefined;
    after: number;
  }) =>
    nextFallback(
      {
        latePairs: latePairs.map((parent, index) => latePair(String(index), parent)),
        token: ['refused', 'refused by the old key'],
        predecessor: since === undefined ? undefined : { since: START + since, token: ['before'] },
      },
      START + after,
      profile,
    );

  it('presents the predecessor only within 95 % of its grace period, and if no late pair is left', () => {
    fc.assert(
      fc.property(refused, (given) => {
        const fallback = rungOf(given);
        if (fallback.fallback !== 'predecessor') return true;
        const { latePairs, since = Infinity, after } = given;
        return after - since < 28.5 * MINUTE && latePairs.every((parent) => parent === 'somebody else');
      }),
    );
  });

  it('never keeps the predecessor of a token whose late pair shows that it had been accepted', () => {
    fc.assert(
      fc.property(refused, (given) => {
        const fallback = rungOf(given);
        return (
          fallback.fallback !== 'late-pair' ||
          (fallback.predecessor === 'dropped') === fallback.latePair.parent.startsWith('refused')
        );
      }),
    );
  });

  it('ends only if nothing is left that could help', () => {
    fc.assert(
      fc.property(refused, (given) => {
        if (rungOf(given).fallback !== 'none') return true;
        const { latePairs, since, after } = given;
        const siblings = latePairs.some((parent) => parent === 'before') && since !== undefined;
        const usable = since !== undefined && after - since < 28.5 * MINUTE;
        return !siblings && !usable && !latePairs.some((parent) => parent.startsWith('refused'));
      }),
    );
  });

  it('takes the newest of several late pairs', () => {
    expect(rungOf({ latePairs: ['before', 'before'], since: 0, after: 0 })).toMatchObject({
      latePair: { id: '0' },
    });
  });
});
