import { describe, expect, it } from '@jest/globals';
import type { ReportedAccount } from '../../../src/features/status/model.ts';
import type { StatusRows } from '../../../src/features/status/report-rows.ts';
import { withWaves } from '../../../src/features/status/report/in-wave.ts';
import { sparedIn } from '../../../src/features/status/report/spared.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { line, NOW, statusReportOf } from './rows.ts';

const run = (accountId: string, stopped: StatusRows['runs'][number]['stopped']) => ({
  ...{ accountId, beganAt: NOW - DAY, reminders: 3, nextAt: undefined, stopped },
});
const invitation = (accountId: string, state: 'issued' | 'opened' | 'declined' = 'issued') => ({
  ...{ id: `of ${accountId}`, accountId, state, issuedAt: NOW - DAY, expiresAt: NOW + DAY },
});
const answered = ['said no', 'said no, V1 refuses', 'silent', 'tried', 'unsubscribed'] as const;
const expired = ['let expire', 'let expire, V1 refuses', 'let expire, consent lost'] as const;
const names = ['new', ...answered, ...expired, 'only a link', 'in a wave'];

const rows: Partial<StatusRows> = {
  accounts: names.map((id) =>
    line({ id, name: id, stage: id === 'let expire, consent lost' ? 'lost' : 'legacy' }),
  ),
  invitations: [
    ...answered.map((id) => invitation(id, id === 'said no' ? 'declined' : 'issued')),
    ...[...expired, 'only a link'].map((id) => ({ ...invitation(id), expiresAt: NOW - 1 })),
  ],
  runs: [
    ...['said no', 'said no, V1 refuses'].map((id) => run(id, 'declined')),
    ...['silent', 'tried', ...expired].map((id) => run(id, 'done')),
    run('unsubscribed', 'unsubscribed'),
  ],
  hindrances: [{ accountId: 'tried', kind: 'consent', detail: 'noPrivilege', at: NOW }],
  v1Refused: new Map(['said no, V1 refuses', 'let expire, V1 refuses'].map((id) => [id, NOW])),
};
const ended = new Map(rows.runs?.map(({ accountId, stopped }) => [accountId, stopped]));

function campaign(): readonly ReportedAccount[] {
  const { accounts } = statusReportOf(rows);
  const wave = {
    ...{ name: 'One', position: 1, state: 'planned' as const, since: NOW, reason: '', query: 'tag=one' },
    brake: { holdHours: 0, mostErrorPercent: 0, mostTroubledPercent: 0 },
  };
  return withWaves(accounts, [{ wave: { ...wave, most: undefined, start: undefined }, ids: ['in a wave'] }]);
}

const declined = ['said no', 'said no, V1 refuses'];
const silent = ['silent', 'tried', ...expired];

describe('an invitation to all', () => {
  it('leaves alone who has declined or had every reminder, and what a wave will invite', () => {
    expect(Object.fromEntries(sparedIn(campaign(), [{}], ended))).toEqual({
      ...Object.fromEntries(declined.map((id) => [id, 'declined'])),
      ...Object.fromEntries(silent.map((id) => [id, 'everyReminder'])),
      'in a wave': 'inWave',
    });
  });

  it.each([
    [{ reason: ['declined'] }, [...silent, 'in a wave']],
    [{ invitation: ['declined'] }, [...silent, 'in a wave']],
    [{ reason: ['no-answer'] }, [...declined, 'in a wave']],
    [{ reason: ['expired'] }, [...declined, 'in a wave']],
    [{ next: ['invite-again'] }, [...declined, 'in a wave']],
    [{ next: ['contact'] }, ['in a wave']],
    [{ wave: ['one'] }, [...declined, ...silent]],
    [{ stage: ['legacy'], reason: ['v1-refuses'] }, [...declined, ...silent, 'in a wave']],
  ])('invites them all the same if the filter %j names that', (filter, left) => {
    expect([...sparedIn(campaign(), [{}, filter], ended).keys()]).toEqual(left);
  });
});
