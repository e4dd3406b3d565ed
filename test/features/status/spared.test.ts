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
const names = ['new', ...answered, 'in a wave'];

function campaign(): readonly ReportedAccount[] {
  const { accounts } = statusReportOf({
    accounts: names.map((id) => line({ id, name: id })),
    invitations: answered.map((id) => invitation(id, id === 'said no' ? 'declined' : 'issued')),
    runs: [
      ...['said no', 'said no, V1 refuses'].map((id) => run(id, 'declined')),
      ...['silent', 'tried'].map((id) => run(id, 'done')),
      run('unsubscribed', 'unsubscribed'),
    ],
    hindrances: [{ accountId: 'tried', kind: 'consent', detail: 'noPrivilege', at: NOW }],
    v1Refused: new Map([['said no, V1 refuses', NOW]]),
  });
  const wave = {
    ...{ name: 'One', position: 1, state: 'planned' as const, since: NOW, reason: '', query: 'tag=one' },
    brake: { holdHours: 0, mostErrorPercent: 0, mostTroubledPercent: 0 },
  };
  return withWaves(accounts, [{ wave: { ...wave, most: undefined, start: undefined }, ids: ['in a wave'] }]);
}

describe('an invitation to all', () => {
  it('leaves alone who has declined or had every reminder, and what a wave will invite', () => {
    expect(Object.fromEntries(sparedIn(campaign(), [{}]))).toEqual({
      'said no': 'declined',
      'said no, V1 refuses': 'declined',
      silent: 'everyReminder',
      tried: 'everyReminder',
      'in a wave': 'inWave',
    });
  });

  it.each([
    [{ reason: ['declined'] }, ['silent', 'tried', 'in a wave']],
    [{ invitation: ['declined'] }, ['silent', 'tried', 'in a wave']],
    [{ reason: ['no-answer'] }, ['said no', 'said no, V1 refuses', 'in a wave']],
    [{ next: ['contact'] }, ['in a wave']],
    [{ wave: ['one'] }, ['said no', 'said no, V1 refuses', 'silent', 'tried']],
    [{ stage: ['legacy'], reason: ['v1-refuses'] }, answered.slice(0, 4).concat('in a wave' as never)],
  ])('invites them all the same if the filter %j names that', (filter, left) => {
    expect([...sparedIn(campaign(), [{}, filter]).keys()]).toEqual(left);
  });
});
