import { describe, expect, it } from '@jest/globals';
import type { StatusRows } from '../../../src/features/status/report-rows.ts';
import type { StatusReport } from '../../../src/features/status/model.ts';
import { UNANSWERED, UNSENT } from '../../../src/features/status/report/filter-text.ts';
import { invitationWords, oneInvitationWords } from '../../../src/features/status/report/invitation-words.ts';
import { nobodyWords } from '../../../src/features/status/report/invite-ready.ts';
import { viewOf } from '../../../src/features/status/report/view.ts';
import { DAY, HOUR } from '../../../src/lib/time/clock.ts';
import { line, NOW, statusReportOf } from './rows.ts';

const ID = line().id;
const message = (state: StatusRows['messages'][number]['state'], anySent = state === 'sent') => [
  {
    accountId: ID,
    invitationId: 'i1',
    state,
    anySent,
    isToDead: false,
    nextAt: undefined,
    reason: undefined,
  },
];
const invitation: StatusRows['invitations'][number] = {
  id: 'i1',
  accountId: ID,
  state: 'issued',
  issuedAt: NOW - DAY,
  expiresAt: NOW + DAY,
};
const only = (rows: Partial<StatusRows>, options = {}) => statusReportOf(rows, options).accounts[0];

describe('readiness for an invitation', () => {
  const known = { identified: new Set([ID]), accounts: [line({ lastCallAt: NOW - HOUR })] };

  it('is said of one account as of one', () => {
    const { accounts } = statusReportOf({ accounts: [line({ hasAddress: false })] });
    expect(nobodyWords([], accounts, [])).toMatch(
      /^the one uninvited account that meets its other filters is not ready \(1: /,
    );
  });

  it('requires known numbers, an answer of V1, an address and a call', () => {
    expect(only(known)?.inviteReady).toEqual({ ready: true, lacks: [] });
    expect(only({ accounts: [line({ hasAddress: false })] })?.inviteReady).toEqual({
      ready: false,
      lacks: ['identifiers', 'v1', 'address', 'usage'],
    });
    expect(only({ ...known, v1Refused: new Map([[ID, NOW]]) })?.inviteReady?.lacks).toEqual(['v1']);
    const dead = line({ lastCallAt: NOW, suppressed: 'refused' });
    expect(only({ ...known, accounts: [dead] })).toMatchObject({
      mail: 'dead',
      inviteReady: { lacks: ['address'] },
    });
  });

  it('requires nothing of V1 if there is none, if the keys are ours, or if the account has moved before', () => {
    const lost = line({ stage: 'lost' });
    expect(only({ accounts: [line({ origin: 'issued' })] })?.inviteReady?.ready).toBe(true);
    expect(only({ accounts: [lost] })?.inviteReady?.ready).toBe(true);
    expect(only({ accounts: [line()] }, { v1: { answers: false, numbers: true } })?.inviteReady?.ready).toBe(
      true,
    );
    expect(only({ accounts: [line({ stage: 'migrated' })] })?.inviteReady).toBeNull();
  });
});

/** Invited, not answered, and not sent, as the overview and the list count them. */
const countsIn = (report: StatusReport): readonly number[] => [
  report.funnel.invited,
  viewOf(report, UNANSWERED).accounts.length,
  viewOf(report, UNSENT).accounts.length,
];

describe('the campaign funnel', () => {
  it.each([
    ['waits to be sent', message('queued'), 0],
    ['was refused', message('refused'), 0],
    ['was sent', message('sent'), 1],
    ['was sent, and a reminder waits', message('queued', true), 1],
    ['was passed on by hand', [], 1],
  ] as const)(
    'counts as invited and unanswered only customers that were reached: the e-mail %s',
    (_what, messages, invited) => {
      const report = statusReportOf({ accounts: [line()], invitations: [invitation], messages });
      expect(countsIn(report)).toEqual([invited, invited, 1 - invited]);
    },
  );

  it('counts no customer with a dead address as invited, unless the invitation was opened', () => {
    const rows = {
      accounts: [line({ suppressed: 'refused' })],
      messages: message('sent', false).map((one) => ({ ...one, isToDead: true })),
      runs: [{ accountId: ID, beganAt: NOW, reminders: 0, nextAt: undefined, stopped: 'refused' as const }],
    };
    const [unopened, opened] = (['issued', 'opened'] as const).map((state) =>
      statusReportOf({ ...rows, invitations: [{ ...invitation, state }] }),
    );
    expect([unopened, opened].map((report) => report && countsIn(report))).toEqual([
      [0, 0, 1],
      [1, 1, 0],
    ]);
    expect(unopened?.accounts.map(invitationWords)).toEqual(['not delivered']);
    // A link that was made since may have been passed on.
    const passedOn = statusReportOf({ ...rows, invitations: [{ ...invitation, id: 'i2' }] });
    expect(countsIn(passedOn)).toEqual([1, 1, 0]);
    expect(passedOn.accounts.map(invitationWords)).toEqual(['a link was made']);
  });

  it('judges each invitation by the newest: only the last e-mail to a dead address came back', () => {
    const sent = { to: 'Ada@mill.example', fate: { state: 'sent', at: NOW } } as const;
    const around = { now: NOW, isAwaited: false, email: 'ada@mill.example' };
    const words = (isToDead: boolean) => {
      const messages = ['i2', 'i1'].map((invitationId) => ({ ...sent, invitationId, isToDead }));
      return ['i1', 'i2', 'i3'].map((id) =>
        oneInvitationWords({ ...invitation, id }, { ...around, messages }),
      );
    };
    expect(words(true)).toEqual(['sent', 'not delivered', 'a link was made']);
    expect(words(false)).toEqual(['sent', 'sent', 'a link was made']);
  });

  it('shows a customer who waits for the operator as approved, also once the link has expired', () => {
    const past = { ...invitation, state: 'opened' as const, expiresAt: NOW - 1 };
    const words = (stage: 'legacy' | 'awaiting-operator') => {
      const report = statusReportOf({ accounts: [line({ stage })], invitations: [past] });
      return [...report.accounts.map(invitationWords), report.totals.invitations.expired];
    };
    expect(words('awaiting-operator')).toEqual(['approved, to be confirmed', 0]);
    expect(words('legacy')).toEqual(['expired', 1]);
  });

  it('counts no customer as invited before the scheduled hour', () => {
    const later = { ...invitation, issuedAt: NOW + HOUR };
    const report = statusReportOf({ accounts: [line()], invitations: [later], messages: message('queued') });
    expect(countsIn(report)).toEqual([0, 0, 1]);
    expect(report.totals.invitations).toMatchObject({ unsent: 1, issued: 0 });
  });
});
