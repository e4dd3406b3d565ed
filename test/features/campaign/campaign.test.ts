import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { secondIn } from '../../../src/lib/time/zone.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { NO_HOLIDAYS } from '../../../src/features/campaign/schedule/holidays.ts';
import type { CallRecord } from '../../../src/features/usage/call-log.ts';
import { v1Events } from '../../../src/features/identifiers/learning.ts';
import { callRecord } from '../../db/records.ts';
import { linkOf, openPostOffice, tokenOf, type PostOffice } from './harness.ts';

const invited = async (office: PostOffice, email?: string): Promise<string> => {
  const id = await office.add(email);
  await office.campaign.invite(id, 'operator');
  await office.job.run();
  return id;
};

/** Day after day, as a running bridge would. */
async function days(office: PostOffice, count: number): Promise<void> {
  for (let day = 0; day < count; day += 1) {
    office.clock.advance(DAY);
    await office.job.run();
  }
}

describe('an invitation', () => {
  it('is an e-mail whose link opens the invitation, and of which only a hash is stored', async () => {
    const office = await openPostOffice();
    const id = await invited(office);
    const [message] = office.postman.letters;
    if (message === undefined) throw new Error('no letter');
    expect(message).toMatchObject({
      kind: 'invitation',
      to: { address: 'ada@example.com' },
      messageId: `<${message.id}@causeway.example.com>`,
      expiresAt: office.clock.now() + 30 * DAY,
    });
    const byLink = await office.store.invitations.byLink(
      office.seal.index(new Secret(linkOf(message)), 'invitation'),
    );
    expect(byLink?.accountId).toBe(id);
    expect(await office.fates(id)).toEqual(['invitation sent']);
    expect(JSON.stringify(await office.store.campaign.messages(id))).not.toContain(linkOf(message));
  });

  it('works until the end of the day that its e-mail names, in the zone in which it names it', async () => {
    const office = await openPostOffice();
    const ends = async (zone: string) => {
      const id = await office.add(`${zone.replace('/', '.')}@example.com`, zone);
      await office.accounts.set(id, { zone });
      await office.campaign.invite(id, 'operator');
      await office.job.run();
      return secondIn(zone, office.postman.letters.at(-1)?.expiresAt ?? 0);
    };
    // It is nine o'clock on 20 November in UTC.
    expect(await ends('Pacific/Auckland')).toBe('2026-12-20 23:59:59');
    expect(await ends('America/New_York')).toBe('2026-12-20 23:59:59');
    expect(await ends('Pacific/Kiritimati')).toBe('2026-12-20 23:59:59');
  });

  it('is written once, however often it is requested', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    const answers = [
      await office.campaign.invite(id, 'operator'),
      await office.campaign.invite(id, 'operator'),
    ];
    await office.job.run();
    answers.push(await office.campaign.invite(id, 'operator'));
    expect(answers).toEqual([
      { outcome: 'queued', kind: 'invitation', to: 'ada@example.com' },
      { outcome: 'left', reason: 'waiting' },
      { outcome: 'left', reason: 'underWay' },
    ]);
    expect(office.kinds()).toEqual(['invitation']);
  });

  it('is written once, and again a day later, if there are no reminders', async () => {
    const office = await openPostOffice({ schedule: { life: 30 * DAY, reminderDays: [] } });
    const id = await invited(office);
    expect(await office.campaign.invite(id, 'operator')).toEqual({ outcome: 'left', reason: 'underWay' });
    office.clock.advance(DAY);
    expect(await office.campaign.invite(id, 'operator')).toMatchObject({ outcome: 'queued' });
  });

  it('is written once if two operators request it at the same moment', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    await Promise.all([1, 2, 3, 4].map(() => office.campaign.invite(id, 'operator')));
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation']);
  });

  it('is only announced by a dry run', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    expect(await office.campaign.invite(id, 'operator', true)).toMatchObject({ outcome: 'queued' });
    expect(await office.campaign.withdraw(id, 'operator', true)).toEqual({
      outcome: 'left',
      reason: 'nothing',
    });
    await office.job.run();
    expect(office.postman.letters).toEqual([]);
    expect(await office.store.invitations.ofAccount(id)).toEqual([]);
  });

  it('is not sent to an account without an address', async () => {
    const office = await openPostOffice();
    const id = await office.add('');
    expect(await office.campaign.invite(id, 'operator')).toEqual({ outcome: 'left', reason: 'noAddress' });
  });

  it('is not sent to an account that is closed or connected', async () => {
    const office = await openPostOffice();
    const [closed, connected] = [await office.add(), await office.add()];
    await office.accounts.close(closed);
    await office.connect(connected);
    expect(await office.campaign.invite(closed, 'operator')).toEqual({ outcome: 'left', reason: 'closed' });
    expect(await office.campaign.invite(connected, 'operator')).toEqual({
      outcome: 'left',
      reason: 'connected',
    });
  });

  it('follows a change of the address while it waits', async () => {
    const office = await openPostOffice();
    const id = await office.add('typo@example.com');
    await office.campaign.invite(id, 'operator');
    await office.accounts.set(id, { email: 'ada@example.com' });
    await office.job.run();
    expect(office.postman.letters.map(({ to }) => to.address)).toEqual(['ada@example.com']);
  });

  it.each([
    ['closed', (office: PostOffice, id: string) => office.accounts.close(id)],
    ['connected', (office: PostOffice, id: string) => office.connect(id)],
    ['withdrawn', (office: PostOffice, id: string) => office.campaign.withdraw(id, 'operator')],
    ['without an address', (office: PostOffice, id: string) => office.accounts.set(id, { email: '' })],
    [
      'unsubscribed',
      (office: PostOffice) =>
        office.store.campaign.suppress({
          address: 'ADA@example.com',
          reason: 'unsubscribed',
          detail: '',
          at: 1,
        }),
    ],
  ])('is not sent if its account is %s meanwhile', async (_name, change) => {
    const office = await openPostOffice();
    const id = await office.add();
    await office.campaign.invite(id, 'operator');
    await change(office, id);
    await office.job.run();
    expect(office.postman.letters).toEqual([]);
    expect(await office.fates(id)).toEqual(['invitation withdrawn']);
  });
});

describe('a reminder of a link that the operator passed on', () => {
  it('is a first invitation, because nobody has written yet, and is followed by the reminders', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    await office.accounts.invite(id, 'operator');
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({
      outcome: 'queued',
      kind: 'invitation',
    });
    expect(await office.campaign.remind(id, 'operator')).toEqual({ outcome: 'left', reason: 'waiting' });
    await days(office, 4);
    expect(office.kinds()).toEqual(['invitation', 'reminder']);
    expect(office.postman.letters.map(({ reminder }) => reminder)).toEqual([undefined, 1]);
  });

  it('is the only e-mail to a customer who has declined', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    const { invitation } = await office.accounts.invite(id, 'operator');
    const event = { at: office.clock.now(), kind: 'consentRefused', actor: 'customer', detail: 'declined' };
    expect(await office.store.consents.decline(invitation.id, id, event)).toBe(true);
    await days(office, 1);
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({ kind: 'invitation' });
    await days(office, 30);
    expect(office.kinds()).toEqual(['invitation']);
  });

  it('is a first invitation, too, if the e-mails before were withdrawn before they left', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    await office.campaign.invite(id, 'operator');
    await office.accounts.set(id, { email: '' });
    await office.job.run();
    await office.accounts.set(id, { email: 'ada@example.com' });
    await office.accounts.invite(id, 'operator');
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({ kind: 'invitation' });
  });
});

describe('reminders', () => {
  it('are sent on their days, each with its own link, and end', async () => {
    const office = await openPostOffice();
    const id = await invited(office);
    await days(office, 40);
    expect(office.kinds()).toEqual(['invitation', 'reminder', 'reminder', 'reminder']);
    expect(office.postman.letters.map(({ reminder }) => reminder)).toEqual([undefined, 1, 2, 3]);
    expect(new Set(office.postman.letters.map(linkOf)).size).toBe(4);
    expect(new Set(office.postman.letters.map(({ messageId }) => messageId)).size).toBe(4);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'done' });
  });

  it.each([
    ['consented', 'consented', (office: PostOffice, id: string) => office.connect(id)],
    ['closed', 'closed', (office: PostOffice, id: string) => office.accounts.close(id)],
    ['withdrawn', 'withdrawn', (office: PostOffice, id: string) => office.campaign.withdraw(id, 'operator')],
    [
      'declined',
      'declined',
      async (office: PostOffice, id: string) => {
        const [invitation] = await office.store.invitations.ofAccount(id);
        await office.store.invitations.setState(invitation?.id ?? '', 'declined', office.clock.now());
      },
    ],
    [
      'unsubscribed',
      'unsubscribed',
      async (office: PostOffice) => {
        const [message] = office.postman.letters;
        if (message !== undefined) await office.unsubscriber.unsubscribe(tokenOf(message));
      },
    ],
  ])('end if the account is %s', async (_name, reason, change) => {
    const office = await openPostOffice();
    const id = await invited(office);
    await change(office, id);
    await days(office, 20);
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason });
  });

  it('end with the last link that works', async () => {
    const office = await openPostOffice({ schedule: { life: 5 * DAY, reminderDays: [3, 7, 14] } });
    const id = await invited(office);
    await days(office, 20);
    expect(office.kinds()).toEqual(['invitation', 'reminder', 'reminder']);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'expired' });
  });

  it('are not sent all at once after a standstill', async () => {
    const office = await openPostOffice();
    await invited(office);
    office.clock.advance(8 * DAY);
    await office.job.run();
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'reminder']);
  });

  it('are not sent again by an instance that read what is due before another sent them', async () => {
    const office = await openPostOffice();
    const id = await invited(office);
    office.clock.advance(3 * DAY);
    const { campaign: repository } = office.store;
    const lookedBefore = new Proxy(repository, {
      get: (target, name) => {
        if (name === 'due') return async () => [id];
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    await office.job.run();
    await office.jobWith({ campaign: office.campaignOn(lookedBefore) }).run();
    expect(office.kinds()).toEqual(['invitation', 'reminder']);
  });

  it('wait for the e-mail before them', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    office.postman.answer = () => ({ verdict: 'postponed', reason: 'no connection' });
    await office.campaign.invite(id, 'operator');
    office.clock.advance(4 * DAY);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation failed']);
  });

  it('can be sent early, and keep their interval', async () => {
    const office = await openPostOffice();
    const id = await invited(office);
    office.clock.advance(3 * DAY - HOUR);
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({
      outcome: 'queued',
      kind: 'reminder',
    });
    await office.job.run();
    office.clock.advance(HOUR - MINUTE);
    // The command given twice, or its page loaded anew.
    expect(await office.campaign.remind(id, 'operator')).toEqual({ outcome: 'left', reason: 'reminded' });
    office.clock.advance(HOUR + MINUTE);
    expect(await office.campaign.remind(id, 'operator', true)).toMatchObject({ outcome: 'queued' });
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'reminder']);
    await days(office, 1);
    expect(office.kinds()).toEqual(['invitation', 'reminder', 'reminder']);
  });

  it('have links that count under the key they were made with, also if they leave later and are opened', async () => {
    const office = await openPostOffice();
    const id = await office.add('late@example.com');
    await office.campaign.invite(id, 'operator');
    const newKey = office.clock.now() + HOUR;
    office.clock.advance(2 * HOUR);
    await office.job.run();
    const [link] = await office.store.invitations.ofAccount(id);
    await office.store.invitations.setState(link?.id ?? '', 'opened', office.clock.now());
    const terms = { now: office.clock.now(), writesKept: 0 };
    const { invitations } = await office.store.sealed.indexedBefore(newKey, terms);
    expect(invitations.count).toBe(1);
  });

  it('end when a customer declines by a link from while the invitation waited', async () => {
    const office = await openPostOffice();
    const id = await office.add('declines@example.com');
    office.postman.answer = () => ({ verdict: 'postponed', reason: '421' });
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    office.clock.advance(30 * MINUTE);
    await office.accounts.invite(id);
    const byHand = (await office.store.invitations.ofAccount(id)).at(-1)?.id ?? '';
    office.postman.answer = () => ({ verdict: 'sent', response: '250' });
    office.clock.advance(5 * HOUR);
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'invitation']);
    office.clock.advance(HOUR);
    await office.store.invitations.setState(byHand, 'declined', office.clock.now());
    for (let day = 0; day < 20; day += 1) {
      office.clock.advance(DAY);
      await office.job.run();
    }
    expect(office.kinds()).toEqual(['invitation', 'invitation']);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'declined' });
  });

  it('come a day after one that waited for the sending hours', async () => {
    const days = new Set([1, 2, 3, 4, 5]);
    const hours = { days, from: 9 * 60, to: 17 * 60, holidays: NO_HOLIDAYS, zone: 'UTC' };
    const office = await openPostOffice({ hours });
    const friday = office.clock.now();
    const id = await invited(office);
    office.clock.advance(27 * HOUR);
    await office.campaign.remind(id, 'operator');
    const runUntil = async (end: number) => {
      while (office.clock.now() < end) {
        await office.job.run();
        office.clock.advance(HOUR);
      }
      return office.kinds();
    };
    expect(await runUntil(friday + 3 * DAY + 6 * HOUR)).toEqual(['invitation', 'reminder']);
    expect(await runUntil(friday + 4 * DAY + 6 * HOUR)).toEqual(['invitation', 'reminder', 'reminder']);
  });

  it('end at once if the customer declines, even by a link from before the campaign', async () => {
    const office = await openPostOffice();
    const id = await office.add('ada@example.com');
    await office.accounts.invite(id);
    const [old] = await office.store.invitations.ofAccount(id);
    office.clock.advance(HOUR);
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    office.clock.advance(2 * HOUR);
    await office.campaign.remind(id, 'operator');
    const event = { at: office.clock.now(), kind: 'consentRefused', actor: 'customer', detail: 'declined' };
    expect(await office.store.consents.decline(old?.id ?? '', id, event)).toBe(true);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'declined' });
    await days(office, 20);
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.fates(id)).toEqual(['invitation sent', 'reminder withdrawn']);
  });

  it('by hand are limited to three a day', async () => {
    const office = await openPostOffice();
    const id = await office.add('ada@example.com');
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    for (let hour = 1; hour <= 3; hour += 1) {
      office.clock.advance(2 * HOUR);
      expect(await office.campaign.remind(id, 'operator')).toMatchObject({ outcome: 'queued' });
      await office.job.run();
    }
    office.clock.advance(2 * HOUR);
    expect(await office.campaign.remind(id, 'operator')).toEqual({
      outcome: 'left',
      reason: 'remindedOften',
    });
    office.clock.advance(DAY);
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({ outcome: 'queued' });
  });

  it('are sent only to customers who were invited', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    expect(await office.campaign.remind(id, 'operator')).toEqual({ outcome: 'left', reason: 'notInvited' });
    await office.campaign.invite(id, 'operator');
    await office.campaign.withdraw(id, 'operator');
    expect(await office.campaign.remind(id, 'operator')).toEqual({ outcome: 'left', reason: 'withdrawn' });
  });
});

describe('a lost grant', () => {
  it('enters the campaign by itself, once, with its own text, and leaves it when repaired', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    await office.connect(id);
    office.clock.advance(DAY);
    await office.lose(id);
    await office.job.run();
    await office.job.run();
    await days(office, 3);
    expect(office.kinds()).toEqual(['lost', 'lost-reminder']);
    await office.bind(id);
    await days(office, 20);
    expect(office.kinds()).toEqual(['lost', 'lost-reminder']);
    expect(await office.store.campaign.run(id)).toMatchObject({ cause: 'lost', reason: 'consented' });
  });

  it('enters it again when it is lost again', async () => {
    const office = await openPostOffice();
    const id = await invited(office);
    await office.connect(id);
    await days(office, 1);
    for (let turn = 0; turn < 2; turn += 1) {
      await office.lose(id);
      await days(office, 1);
      await office.bind(id);
      await days(office, 1);
    }
    expect(office.kinds()).toEqual(['invitation', 'lost', 'lost']);
  });

  it.each([
    ['starts half an hour ahead and is set right', 30 * MINUTE],
    ['is another instance’s and 25 seconds ahead', 25 * SECOND],
  ])('is told once if the clock that notes it %s', async (_name, ahead) => {
    const office = await openPostOffice();
    const id = await invited(office);
    await office.connect(id);
    await office.job.run();
    office.clock.advance(HOUR + ahead);
    await office.lose(id);
    office.clock.advance(-ahead);
    for (let minute = 0; minute < 40; minute += 1) {
      await office.job.run();
      office.clock.advance(MINUTE);
    }
    expect(office.kinds()).toEqual(['invitation', 'lost']);
    await days(office, 3);
    expect(office.kinds()).toEqual(['invitation', 'lost', 'lost-reminder']);
  });

  it('is told before the start of an invitation that another link made needless', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    const start = new Date(office.clock.now() + 7 * DAY).toISOString().slice(0, 16);
    await office.campaign.invite(id, 'operator', false, start);
    await days(office, 1);
    await office.connect(id);
    await days(office, 1);
    await office.lose(id);
    await days(office, 1);
    expect(office.kinds()).toEqual(['lost']);
  });

  /** Approved, then lost before the cut-over. Without calls, V1 is taken to answer. */
  async function lostEarly(office: PostOffice, ...answers: readonly Partial<CallRecord>[]): Promise<string> {
    const id = await invited(office);
    const [invitation] = await office.store.invitations.ofAccount(id);
    office.clock.advance(DAY);
    await office.store.invitations.setState(invitation?.id ?? '', 'accepted', office.clock.now());
    await office.bind(id);
    await office.job.run();
    for (const answer of answers) {
      office.clock.advance(HOUR);
      office.store.calls.record(callRecord(id, { at: office.clock.now(), ...answer }));
    }
    for (let untilCounted = 6; untilCounted > 0; untilCounted -= 1) await office.store.calls.flush();
    office.clock.advance(DAY);
    await office.lose(id);
    return id;
  }

  it.each([
    ['nobody has called', []],
    ['V1 has answered since', [{ source: 'v3' }, { source: 'v1' }]],
  ] as const)('invites again if it was lost before the cut-over and %s', async (_when, answers) => {
    const office = await openPostOffice();
    const id = await lostEarly(office, ...answers);
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'invitation']);
    office.clock.advance(3 * DAY);
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'invitation', 'reminder']);
    expect(await office.store.campaign.run(id)).toMatchObject({ cause: 'lost' });
  });

  it('tells that the programs have stopped if V1 refused the keys of the approved account', async () => {
    const office = await openPostOffice();
    const id = await lostEarly(office, { source: 'v1' }, { source: 'v3' }, { source: 'v1', failed: true });
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'lost']);
    const event = { at: office.clock.now(), kind: v1Events.accepted, actor: 'bridge', detail: 'again' };
    await office.store.accounts.note(id, event);
    office.clock.advance(3 * DAY);
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'lost', 'reminder']);
  });

  it('waits for an address', async () => {
    const office = await openPostOffice();
    const id = await office.add('');
    await office.connect(id);
    office.clock.advance(DAY);
    await office.lose(id);
    await office.job.run();
    expect(office.kinds()).toEqual([]);
    await office.accounts.set(id, { email: 'ada@example.com' });
    await office.job.run();
    expect(office.kinds()).toEqual(['lost']);
  });
});

describe('an address that the server refused', () => {
  it('is recorded, and not used again until it changes', async () => {
    const office = await openPostOffice();
    office.postman.answer = () => ({ verdict: 'refused', reason: '550 no such\r\nuser' });
    const id = await invited(office);
    expect(await office.fates(id)).toEqual(['invitation refused']);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'refused' });
    expect((await office.store.accounts.timeline(id)).at(-1)).toMatchObject({
      kind: 'mail.refused',
      detail: 'ada@example.com was refused: 550 no such user',
    });
    await days(office, 20);
    expect(await office.campaign.invite(id, 'operator')).toEqual({ outcome: 'left', reason: 'refused' });
    office.postman.answer = () => ({ verdict: 'sent', response: '' });
    await office.accounts.set(id, { email: 'grace@example.com' });
    expect(await office.campaign.invite(id, 'operator', true)).toMatchObject({ outcome: 'queued' });
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({ outcome: 'queued' });
    await days(office, 4);
    // Reminders go on.
    expect(await office.fates(id)).toEqual(['invitation refused', 'reminder sent', 'reminder sent']);
    expect(office.postman.letters.map(({ to }) => to.address)).toEqual([
      'ada@example.com',
      'grace@example.com',
      'grace@example.com',
    ]);
  });
});

describe('unsubscribing', () => {
  it('applies to the whole address, with the token of any e-mail, and of nothing else', async () => {
    const office = await openPostOffice();
    const [one, other] = [await invited(office), await invited(office, 'ADA@Example.com')];
    const [message] = office.postman.letters;
    if (message === undefined) throw new Error('no letter');
    const token = tokenOf(message);
    for (const forged of [`${token}x`, token.replace('.', ''), `x${token}`, '', '.', 'é.é'])
      expect(await office.unsubscriber.reader(forged)).toBeUndefined();
    expect(await office.unsubscriber.reader(token)).toEqual({ language: undefined, isDone: false });
    await office.unsubscriber.unsubscribe(`${token}x`);
    expect(await office.store.campaign.suppression('ada@example.com')).toBeUndefined();
    await office.unsubscriber.unsubscribe(token);
    await office.unsubscriber.unsubscribe(token);
    expect(await office.unsubscriber.reader(token)).toEqual({ language: undefined, isDone: true });
    for (const id of [one, other])
      expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'unsubscribed' });
    expect(await office.campaign.remind(one, 'operator')).toEqual({
      outcome: 'left',
      reason: 'unsubscribed',
    });
  });
});

describe('an address that came back before', () => {
  it.each([
    ['unsubscribed', (office: PostOffice, token: string) => office.unsubscriber.unsubscribe(token)],
    [
      'called a message spam',
      (office: PostOffice) =>
        office.store.bounces.take(
          { address: 'ada@example.com', kind: 'complaint', words: '' },
          'ses',
          office.clock.now(),
        ),
    ],
  ])('is not tried again once its owner has %s', async (_what, stop) => {
    const office = await openPostOffice();
    await invited(office);
    const [message] = office.postman.letters;
    const token = message === undefined ? '' : tokenOf(message);
    const dead = { address: 'ada@example.com', kind: 'dead', words: '5.1.1' } as const;
    expect(await office.store.bounces.take(dead, 'report', office.clock.now())).toMatchObject({
      accounts: 1,
    });
    await stop(office, token);
    expect(await office.unsubscriber.reader(token)).toMatchObject({ isDone: true });
    expect(await office.store.bounces.take(dead, 'report', office.clock.now())).toEqual({
      outcome: 'ignored',
    });
    expect(await office.store.campaign.relent('ada@example.com')).toBe(false);
  });
});

describe('a request for a new link', () => {
  const ask = async (office: PostOffice, link: string) => {
    await office.freshLinks.freshLink(link);
    await office.freshLinks.settled();
    await office.job.run();
  };
  const firstLink = (office: PostOffice): string => {
    const [message] = office.postman.letters;
    if (message === undefined) throw new Error('no letter');
    return linkOf(message);
  };

  it('sends it to the account’s own address if the old link has expired', async () => {
    const office = await openPostOffice({ schedule: { life: DAY, reminderDays: [] } });
    const id = await invited(office);
    office.clock.advance(2 * DAY);
    await office.accounts.set(id, { email: 'grace@example.com' });
    await ask(office, firstLink(office));
    expect(office.kinds()).toEqual(['invitation', 'fresh']);
    expect(office.postman.letters.at(-1)?.to.address).toBe('grace@example.com');
  });

  it('sends it at once although a reminder waits for the sending hours', async () => {
    const hours = { days: new Set([5]), from: 0, to: 24 * 60, holidays: NO_HOLIDAYS, zone: 'UTC' };
    const office = await openPostOffice({ hours, schedule: { life: DAY, reminderDays: [0.9, 7] } });
    const id = await invited(office);
    const [first] = office.kinds();
    office.clock.advance(0.95 * DAY);
    await office.job.run();
    expect(await office.fates(id)).toEqual([`${first} sent`, 'reminder queued']);
    office.clock.advance(0.1 * DAY);
    await ask(office, firstLink(office));
    expect(office.kinds()).toEqual([first, 'fresh']);
    expect(await office.fates(id)).toContain('reminder queued');
  });

  it('sends none for an unknown link, nor for one that works', async () => {
    const office = await openPostOffice();
    await invited(office);
    for (const link of ['x'.repeat(43), '', 'y'.repeat(100_000), firstLink(office)]) await ask(office, link);
    expect(office.kinds()).toEqual(['invitation']);
  });

  it.each([
    ['connected', (office: PostOffice, id: string) => office.connect(id)],
    ['closed', (office: PostOffice, id: string) => office.accounts.close(id)],
    ['withdrawn', (office: PostOffice, id: string) => office.campaign.withdraw(id, 'operator')],
  ])('sends none if the account is %s', async (_name, change) => {
    const office = await openPostOffice({ schedule: { life: DAY, reminderDays: [] } });
    const id = await invited(office);
    await change(office, id);
    office.clock.advance(2 * DAY);
    await ask(office, firstLink(office));
    expect(office.kinds()).toEqual(['invitation']);
  });

  it('also works for unsubscribed customers, because they asked, at most three times an hour', async () => {
    const office = await openPostOffice({ schedule: { life: MINUTE, reminderDays: [] } });
    await invited(office);
    const [message] = office.postman.letters;
    if (message !== undefined) await office.unsubscriber.unsubscribe(tokenOf(message));
    for (let turn = 0; turn < 5; turn += 1) {
      office.clock.advance(2 * MINUTE);
      await ask(office, firstLink(office));
    }
    expect(office.kinds()).toEqual(['invitation', 'fresh', 'fresh', 'fresh']);
    office.clock.advance(HOUR);
    await ask(office, firstLink(office));
    expect(office.kinds()).toHaveLength(5);
  });
});
