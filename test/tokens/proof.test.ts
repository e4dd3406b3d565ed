import { describe, expect, it } from '@jest/globals';
import type { Spare } from '../../src/tokens/grant.ts';
import { confirmAtOf, nextRung } from '../../src/tokens/refresh/early-confirmation.ts';
import { fc } from '../support/chance.ts';
import { MINUTE, START, testProfile } from './harness.ts';

const profile = testProfile();
const minutes = fc.integer({ min: 0, max: 60 * 60_000 });

const spare = (id: string, parent: string): Spare => ({
  id,
  grantId: 'g',
  parent,
  accessToken: '',
  accessExpiresAt: 0,
  refreshToken: '',
  arrivedAt: 0,
  expiresAt: 0,
});

describe('when a pair is proved', () => {
  const dueAfter = (answered: number, presentations = 2, grace = 1_800): number | undefined => {
    const now = START + answered * MINUTE;
    const at = confirmAtOf({ since: START, presentations }, now, testProfile({ grace }));
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
  ])('answered at minute %d: minute %p', (answered, due) => {
    expect(dueAfter(answered)).toBe(due);
  });

  it('is never, when the token was presented once, or where there is no grace', () => {
    expect(dueAfter(0, 1)).toBeUndefined();
    expect(dueAfter(0, 2, 0)).toBeUndefined();
  });

  it('scales with the grace', () => {
    expect(dueAfter(0, 2, 180)).toBeCloseTo(0.8);
  });

  it('is always while the predecessor can still help, and never before the answer', () => {
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

describe('the ladder', () => {
  const parents = fc.constantFrom('refused', 'refused by the old key', 'before', 'somebody else');
  const refused = fc.record({
    spares: fc.array(parents, { maxLength: 4 }),
    since: fc.option(minutes, { nil: undefined }),
    after: minutes,
  });

  const rungOf = ({ spares, since, after }: { spares: string[]; since: number | undefined; after: number }) =>
    nextRung(
      {
        spares: spares.map((parent, index) => spare(String(index), parent)),
        token: ['refused', 'refused by the old key'],
        predecessor: since === undefined ? undefined : { since: START + since, token: ['before'] },
      },
      START + after,
      profile,
    );

  it('presents the predecessor only within 95 % of its grace, and when no spare is left', () => {
    fc.assert(
      fc.property(refused, (given) => {
        const rung = rungOf(given);
        if (rung.rung !== 'predecessor') return true;
        const { spares, since = Infinity, after } = given;
        return after - since < 28.5 * MINUTE && spares.every((parent) => parent === 'somebody else');
      }),
    );
  });

  it('never keeps the predecessor beside the child of the refused token, which shows that it had been accepted', () => {
    fc.assert(
      fc.property(refused, (given) => {
        const rung = rungOf(given);
        return (
          rung.rung !== 'spare' ||
          (rung.predecessor === 'dropped') === rung.spare.parent.startsWith('refused')
        );
      }),
    );
  });

  it('ends only where nothing is left that could help', () => {
    fc.assert(
      fc.property(refused, (given) => {
        if (rungOf(given).rung !== 'none') return true;
        const { spares, since, after } = given;
        const siblings = spares.some((parent) => parent === 'before') && since !== undefined;
        const usable = since !== undefined && after - since < 28.5 * MINUTE;
        return !siblings && !usable && !spares.some((parent) => parent.startsWith('refused'));
      }),
    );
  });

  it('takes the youngest of several', () => {
    expect(rungOf({ spares: ['before', 'before'], since: 0, after: 0 })).toMatchObject({
      spare: { id: '0' },
    });
  });
});
