import { describe, expect, it } from '@jest/globals';
import { skippedWords } from '../../../src/cli/commands/campaign/messages.ts';
import { leftWords } from '../../../src/features/admin/actions/words.ts';
import type { ReportedAccount } from '../../../src/features/status/model.ts';
import type { StatusRows } from '../../../src/features/status/report-rows.ts';
import { meets } from '../../../src/features/status/report/filters.ts';
import { plannedWave, sentWave, withWaves } from '../../../src/features/status/report/in-wave.ts';
import { isUnnamed, skippedIn } from '../../../src/features/status/report/skipped.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { line, NOW, statusReportOf } from './rows.ts';

const run = (accountId: string, stopped: StatusRows['runs'][number]['stopped']) => ({
  ...{ accountId, beganAt: NOW - DAY, reminders: 3, nextAt: undefined, stopped },
});
const invitation = (accountId: string, state: 'issued' | 'opened' | 'declined' = 'issued') => ({
  ...{ id: `of ${accountId}`, accountId, state, issuedAt: NOW - DAY, expiresAt: NOW + DAY },
});
const declined = ['said no', 'said no, V1 refuses', 'said no to an older link, consent lost'] as const;
const answered = [...declined, 'silent', 'tried', 'unsubscribed'] as const;
const expired = ['let expire', 'let expire, V1 refuses', 'let expire, consent lost'] as const;
const ours = ['tried, withdrawn', 'tried, unsubscribed', 'unsubscribed, V1 refuses'] as const;
const linked = ['has a link', 'has opened a link'] as const;
const names = [
  'new',
  ...answered,
  ...expired,
  ...ours,
  'only a link',
  ...linked,
  'in a wave',
  'next in a wave',
];

const rows: Partial<StatusRows> = {
  accounts: names.map((id) => line({ id, name: id, stage: id.endsWith('consent lost') ? 'lost' : 'legacy' })),
  invitations: [
    ...[...answered, ...ours].map((id) => invitation(id, id === 'said no' ? 'declined' : 'issued')),
    ...linked.map((id) => invitation(id, id === 'has a link' ? 'issued' : 'opened')),
    ...[...expired, 'only a link'].map((id) => ({ ...invitation(id), expiresAt: NOW - 1 })),
  ],
  runs: [
    ...declined.map((id) => run(id, 'declined')),
    ...['silent', 'tried', ...expired].map((id) => run(id, 'done')),
    run('tried, withdrawn', 'withdrawn'),
    ...['unsubscribed', ...ours.slice(1)].map((id) => run(id, 'unsubscribed')),
  ],
  hindrances: [...declined, 'tried', 'tried, withdrawn', 'tried, unsubscribed'].map((accountId) => ({
    ...{ accountId, kind: 'consent' as const, at: NOW },
    detail: accountId.startsWith('tried') ? 'noPrivilege' : 'declined',
  })),
  v1Refused: new Map(names.filter((id) => id.endsWith('V1 refuses')).map((id) => [id, NOW])),
};
const ended = new Map(rows.runs?.map(({ accountId, stopped }) => [accountId, stopped]));

function campaign(): readonly ReportedAccount[] {
  const { accounts } = statusReportOf(rows);
  const wave = {
    ...{ name: 'One', position: 1, state: 'planned' as const, since: NOW, reason: '', query: 'tag=one' },
    brake: { holdHours: 0, mostErrorPercent: 0, mostTroubledPercent: 0 },
    ...{ most: undefined, start: undefined },
  };
  const member = { accountId: 'next in a wave', invitedAt: undefined, isLeft: false, isQueued: false };
  const out = sentWave({ ...wave, state: 'sent', members: [member] });
  return withWaves(accounts, [out, plannedWave({ ...wave, members: [] }, ['in a wave'])]);
}

const inWaves = ['in a wave', 'next in a wave'];
const silent = ['silent', 'tried', ...expired];

describe('an invitation to all', () => {
  it('skips customers who declined, had every reminder or have a link, and those whom a wave will invite', () => {
    expect(Object.fromEntries(skippedIn(campaign(), [{}], ended))).toEqual({
      ...Object.fromEntries(declined.map((id) => [id, 'declined'])),
      ...Object.fromEntries(silent.map((id) => [id, 'everyReminder'])),
      ...Object.fromEntries(linked.map((id) => [id, 'linkMade'])),
      'in a wave': 'inWave',
      'next in a wave': 'inWave',
    });
  });

  it.each([
    [{ reason: ['declined'] }, [...silent, ...linked, ...inWaves]],
    [{ invitation: ['declined'] }, [...silent, ...linked, ...inWaves]],
    [{ reason: ['no-answer'] }, [...declined, ...linked, ...inWaves]],
    [{ reason: ['expired'] }, [...declined, ...linked, ...inWaves]],
    [{ next: ['invite-again'] }, [...declined, ...linked, ...inWaves]],
    [{ next: ['contact'] }, [...linked, ...inWaves]],
    [{ wave: ['one'] }, [...declined, ...silent, ...linked]],
    [{ stage: ['legacy'], reason: ['v1-refuses'] }, [...declined, ...silent, ...linked, ...inWaves]],
    [{ next: ['contact', 'invite-again'] }, [...linked, ...inWaves]],
    [{ invitation: ['issued', 'opened'] }, [...declined, ...silent, ...inWaves]],
    [{ next: ['consent'] }, [...declined, ...silent, ...inWaves]],
  ])('includes them if the filter %j names that', (filter, left) => {
    expect([...skippedIn(campaign(), [{}, filter], ended).keys()]).toEqual(left);
  });

  it('looks again whether somebody has declined meanwhile, unless a filter names them', () => {
    expect(isUnnamed([{ tag: ['one'] }, {}], 'declined')).toBe(true);
    expect(isUnnamed([{ tag: ['one'] }, { next: ['contact'] }], 'declined')).toBe(false);
  });

  it.each([
    ['declined', declined, ['contact']] as const,
    ['everyReminder', silent, ['contact', 'invite-again']] as const,
    ['linkMade', linked, ['consent']] as const,
  ])('skips for %s only accounts that the named filter selects', (reason, accounts, next) => {
    expect(leftWords[reason]).toContain('its next step');
    expect(skippedWords[reason].row).toContain(`--next ${next.join()} `);
    const chosen = campaign().filter((account) => meets(account, { next }));
    expect(chosen.map(({ id }) => id)).toEqual(expect.arrayContaining([...accounts]));
  });
});
