import { describe, expect, it } from '@jest/globals';
import type { CheckName } from '../../src/features/cutover/checks.ts';
import { cutOver } from '../../src/replay/moving.ts';

describe('the move of a rehearsal', () => {
  it.each([
    ['no check if all have passed', [], {}, 'moved'],
    ['one that has failed', ['samples'], { despite: ['samples'] }, 'moved (despite samples)'],
    ['missing numbers', ['identifiers'], { acceptUnlearned: true }, 'moved (despite identifiers)'],
    [
      'both',
      ['identifiers', 'v2'],
      { acceptUnlearned: true, despite: ['v2'] },
      'moved (despite identifiers and v2)',
    ],
  ] as const)(
    'overrides only what its words name: %s',
    async (_, names: readonly CheckName[], override, words) => {
      const sent: unknown[] = [];
      const bridge = {
        api: <Answer>(verb: string, path: string, body?: unknown): Promise<Answer> => {
          sent.push([verb, path, body]);
          return Promise.resolve({ accounts: [{ outcome: 'done', words: 'moved' }] } as Answer);
        },
      };
      const failed = names.map((name) => ({ name, result: 'failed', detail: '' }) as const);
      expect(await cutOver(bridge, 'an-account', failed)).toBe(words);
      expect(sent).toEqual([['POST', '/actions/cutover', { accounts: ['an-account'], ...override }]]);
    },
  );
});
