import { afterEach, describe, it } from '@jest/globals';
import { graces, LATE } from './judge.ts';
import { alive, closeAll, scene, story } from './scene.ts';

afterEach(closeAll);

const faults = {
  'lost before it was carried out': { do: 'reset-before' },
  'carried out, its answer lost': { do: 'reset-after' },
  'carried out late': { do: 'late', ms: LATE },
  'answered 500 before': { do: 'status', status: 500 },
  'answered 502 after': { do: 'status', status: 502, when: 'after' },
  'answered in HTML with 200': { do: 'status', status: 200, body: 'html', when: 'after' },
  'answered in JSON that is no pair': { do: 'status', status: 200, body: 'json', when: 'after' },
  'told to slow down': { do: 'status', status: 429, retryAfter: 30 },
  'refused the client': { do: 'status', status: 401 },
  'cut half way': { do: 'cut' },
} as const;

type FaultName = keyof typeof faults;
const names = Object.keys(faults) as FaultName[];

/** Every grace with every first fault and every second one, each pair once. */
const pairs = graces.flatMap((grace, g) =>
  names.map((first, n) => [grace, first, names[(n + 3 * g + 1) % names.length] ?? first] as const),
);

describe('a refresh under each grace model', () => {
  it.each(pairs)('keeps the grant alive: %s: %s, then %s', async (grace, first, second) => {
    const at = await scene(grace);
    await at.judge.fault(faults[first]);
    await at.judge.fault(faults[second]);
    await story(at);
    await alive(at);
  });

  it.each(graces)('keeps the grant alive without a refresh token in the reply: %s', async (grace) => {
    const at = await scene(grace, {
      verdict: (given, nth) =>
        nth === 1 && given.verdict === 'renewed'
          ? { verdict: 'unanswered', cause: 'no refresh_token' }
          : given,
    });
    await story(at);
    await alive(at);
  });
});
