import { describe, expect, it } from '@jest/globals';
import { messageFaults } from '../../scripts/check/commits.ts';

const commit = (subject: string, body = 'Because.'): Parameters<typeof messageFaults>[0][number] => ({
  hash: 'abc1234',
  subject,
  body,
});

describe('the check of commit messages', () => {
  it.each(['feat(campaign): pause a wave', 'fix: answer HEAD', 'refactor(proxy)!: one path for a call'])(
    'accepts "%s"',
    (subject) => {
      expect(messageFaults([commit(subject)])).toEqual([]);
    },
  );

  it.each(['Formatting', 'feat pause', 'feat(Campaign): pause', 'fix: ', `fix: ${'a'.repeat(101)}`])(
    'refuses the subject "%s"',
    (subject) => {
      expect(messageFaults([commit(subject)])).toEqual([
        `abc1234: the subject is not "type(scope): what changes": ${subject}`,
      ]);
    },
  );

  it('refuses a commit that does not say why', () => {
    expect(messageFaults([commit('fix: answer HEAD', ' \n')])).toEqual([
      'abc1234: the body that says why is missing: fix: answer HEAD',
    ]);
  });
});
