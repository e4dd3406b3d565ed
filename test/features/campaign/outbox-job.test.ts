import { describe, expect, it } from '@jest/globals';
import type { CampaignRepository, OutboxRepository } from '../../../src/features/campaign/model.ts';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import type { PostVerdict } from '../../../src/features/campaign/outbox.ts';
import { backOff, type OutboxParts } from '../../../src/features/campaign/outbox-job.ts';
import { dying, linkOf, openPostOffice, type PostOffice } from './harness.ts';

const queued = async (office: PostOffice, count = 1, email?: string): Promise<readonly string[]> => {
  const ids = [];
  for (let n = 0; n < count; n += 1) {
    const id = await office.add(email ?? `person-${n}@example.com`);
    await office.campaign.invite(id, 'operator');
    ids.push(id);
  }
  return ids;
};

const reasonOf = async (office: PostOffice, id: string): Promise<string | undefined> => {
  const [message] = await office.store.campaign.messages(id);
  return message !== undefined && 'reason' in message.fate ? message.fate.reason : undefined;
};

describe('a process that dies while it sends', () => {
  /** Dies in one round, and goes on with a whole one: the lease of the dead one is over. */
  const dieAndGoOn = async (
    office: PostOffice,
    dead: { readonly repository?: CampaignRepository; readonly outbox?: OutboxRepository },
  ): Promise<void> => {
    await office.jobWith({ ...dead, lease: 0 }).run();
    await office.jobWith({ lease: 0 }).run();
    office.clock.advance(HOUR);
    await office.jobWith({ lease: 0 }).run();
  };

  it.each([
    ['before it claims', 'claim', 'before'],
    ['before it marks what others left', 'strand', 'before'],
  ] as const)('%s loses nothing', async (_name, method, when) => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    await dieAndGoOn(office, { outbox: dying(office.store.outbox, method, when) });
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it.each([
    ['after it claimed', (office: PostOffice) => ({ outbox: dying(office.store.outbox, 'claim', 'after') })],
    [
      'before the last look, when it cannot give the claim back either',
      (office: PostOffice) => ({
        repository: dying(office.store.campaign, 'facts', 'before'),
        outbox: dying(office.store.outbox, 'settle', 'before'),
      }),
    ],
    [
      'before it notes that it hands the e-mail over',
      (office: PostOffice) => ({
        outbox: dying(dying(office.store.outbox, 'handOver', 'before'), 'settle', 'before'),
      }),
    ],
  ] as const)('%s leaves an e-mail that is sent once its claim has expired', async (_name, dead) => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    await dieAndGoOn(office, dead(office));
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it.each([
    [
      'after it noted that it hands the e-mail over',
      (office: PostOffice) => ({
        outbox: dying(dying(office.store.outbox, 'handOver', 'after'), 'settle', 'before'),
      }),
      0,
    ],
    [
      'after the letter left and before that was written',
      (office: PostOffice) => ({ outbox: dying(office.store.outbox, 'settle', 'before') }),
      1,
    ],
  ] as const)('%s leaves an e-mail marked unknown, which is not sent again', async (_name, dead, letters) => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    await dieAndGoOn(office, dead(office));
    expect(office.kinds()).toHaveLength(letters);
    expect(await office.fates(id)).toEqual(['invitation unknown']);
    expect(
      (await office.store.accounts.timeline(id)).filter(({ kind }) => kind === 'mail.unknown'),
    ).toHaveLength(1);
  });

  it('after it recorded that the e-mail left has sent it once', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    await dieAndGoOn(office, { outbox: dying(office.store.outbox, 'settle', 'after') });
    expect(office.kinds()).toHaveLength(1);
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it.each(['before', 'after'] as const)('%s a decision is written writes it once', async (when) => {
    const office = await openPostOffice();
    const id = await office.add();
    const campaign = office.campaignOn(dying(office.store.campaign, 'decide', when));
    await expect(campaign.invite(id, 'operator')).rejects.toThrow('died');
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.store.invitations.ofAccount(id)).toHaveLength(1);
  });

  it('leaves an unknown e-mail to the operator, who can remind, and to the schedule', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    await dieAndGoOn(office, { outbox: dying(office.store.outbox, 'settle', 'before') });
    expect(await office.campaign.remind(id, 'operator')).toMatchObject({ outcome: 'queued' });
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation unknown', 'reminder sent']);
  });

  it('keeps its claim while it is alive', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    const { promise, resolve } = Promise.withResolvers<PostVerdict>();
    office.postman.answer = () => promise;
    const slow = office.job.run();
    while (office.postman.letters.length === 0) await new Promise(setImmediate);
    await office.jobWith().run();
    expect(await office.fates(id)).toEqual(['invitation sending']);
    resolve({ verdict: 'sent', response: '' });
    await slow;
    expect(office.kinds()).toHaveLength(1);
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it('is corrected if it was only slow', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    office.postman.answer = async () => {
      await office.store.outbox.strand(office.clock.now());
      expect(await office.fates(id)).toEqual(['invitation unknown']);
      return { verdict: 'sent', response: '' };
    };
    await office.jobWith({ lease: 0 }).run();
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });
});

describe('an error before the e-mail is handed over', () => {
  it.each([
    ['in the last look', 'facts'],
    ['in the renewal of its link', 'decide'],
  ] as const)('%s delays it, and the others go out', async (_name, method) => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    // The mail server was away: a link that is sent late is renewed.
    office.clock.advance(2 * HOUR);
    const repository = dying(office.store.campaign, method, 'before');
    await office.jobWith({ repository, campaign: office.campaignOn(repository) }).run();
    expect(await office.fates(id)).toEqual(['invitation failed']);
    const [other = ''] = await queued(office, 1, 'other@example.com');
    await office.job.run();
    expect(await office.fates(other)).toEqual(['invitation sent']);
    expect(await office.fates(id)).toEqual(['invitation failed']);
    office.clock.advance(MINUTE);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it('does not delay it for longer than the longest interval, even if the clock was ahead', async () => {
    const office = await openPostOffice({ schedule: { life: 900 * DAY, reminderDays: [] } });
    const [id = ''] = await queued(office);
    office.clock.advance(365 * DAY);
    await office.jobWith({ repository: dying(office.store.campaign, 'facts', 'before') }).run();
    office.clock.advance(-365 * DAY);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it('that comes back at every attempt ends them after two days, visibly for the operator', async () => {
    const office = await openPostOffice({ schedule: { life: 30 * DAY, reminderDays: [] } });
    const [id = ''] = await queued(office);
    const [other = ''] = await queued(office, 1, 'other@example.com');
    const { campaign } = office;
    let attempts = 0;
    const failing: OutboxParts['campaign'] = {
      job: (...given) => campaign.job(...given),
      leaves: async (message, facts) => {
        if (message.accountId !== id) return campaign.leaves(message, facts);
        attempts += 1;
        throw new Error('the text has no plural');
      },
    };
    const job = office.jobWith({ campaign: failing });
    for (let hour = 0; hour < 24 * 5; hour += 1) {
      await job.run();
      office.clock.advance(HOUR);
    }
    expect(attempts).toBe(15);
    expect(await office.fates(id)).toEqual(['invitation abandoned']);
    expect(await reasonOf(office, id)).toBe('it could not be prepared: the text has no plural');
    expect((await office.store.accounts.timeline(id)).map(({ kind }) => kind)).toContain('mail.abandoned');
    // The mail server was never asked, so nothing counts towards a pause of all sending.
    expect(await office.store.outbox.sending(office.clock.now())).toEqual({
      errors: 0,
      pausedUntil: undefined,
    });
    expect(await office.fates(other)).toEqual(['invitation sent']);
  });

  it('in a process that was slow leaves the e-mail to the one that sends it meanwhile', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    const { campaign } = office;
    const slow: OutboxParts['campaign'] = {
      job: () => Promise.resolve(),
      leaves: async (...given) => {
        await office.job.run();
        return campaign.leaves(...given);
      },
    };
    await office.jobWith({ campaign: slow, lease: 0 }).run();
    expect(office.kinds()).toEqual(['invitation']);
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });
});

describe('the reminder schedule', () => {
  it('is checked from time to time, while e-mails are sent in every run', async () => {
    const office = await openPostOffice({ schedule: { life: 30 * DAY, reminderDays: [1] } });
    const job = office.jobWith({ scheduleEvery: MINUTE });
    await queued(office);
    await job.run();
    office.clock.advance(DAY);
    const { campaign } = office.store;
    const due = campaign.due.bind(campaign);
    let looks = 0;
    campaign.due = (now) => {
      looks += 1;
      return due(now);
    };
    await job.run();
    await job.run();
    await queued(office, 1, 'late@example.com');
    await job.run();
    expect(looks).toBe(1);
    expect(office.kinds()).toEqual(['invitation', 'reminder', 'invitation']);
    office.clock.advance(MINUTE);
    await job.run();
    expect(looks).toBe(2);
  });
});

describe('two processes', () => {
  it('send each e-mail once', async () => {
    const office = await openPostOffice();
    await queued(office, 20);
    await Promise.all([office.jobWith().run(), office.jobWith().run(), office.jobWith().run()]);
    expect(office.postman.letters).toHaveLength(20);
    expect(new Set(office.postman.letters.map(({ id }) => id)).size).toBe(20);
  });

  it('share the sending rate', async () => {
    const office = await openPostOffice();
    await queued(office, 20);
    const pace = { perMinute: 7, perAddress: 100 };
    const both = () => Promise.all([office.jobWith({ pace }).run(), office.jobWith({ pace }).run()]);
    await both();
    expect(office.postman.letters).toHaveLength(7);
    office.clock.advance(MINUTE);
    await both();
    expect(office.postman.letters).toHaveLength(14);
  });
});

describe('the sending rate', () => {
  it('slows one address, and lets the others pass', async () => {
    const office = await openPostOffice();
    await queued(office, 3, 'accountant@example.com');
    await queued(office, 1, 'other@example.com');
    const job = office.jobWith({ pace: { perMinute: 100, perAddress: 2 } });
    await job.run();
    const to = (address: string) =>
      office.postman.letters.filter((message) => message.to.address === address);
    expect(to('accountant@example.com')).toHaveLength(2);
    expect(to('other@example.com')).toHaveLength(1);
    const { waiting, attempts } = await office.store.outbox.facts(office.clock.now());
    expect(waiting.map((message) => message.to)).toEqual(['accountant@example.com']);
    expect(attempts.map((attempt) => attempt.to).sort()).toEqual([
      ...['accountant@example.com', 'accountant@example.com', 'other@example.com'],
    ]);
    office.clock.advance(HOUR);
    await job.run();
    expect(to('accountant@example.com')).toHaveLength(3);
  });

  it('lets a new link and a lost connection pass the queue of a wave', async () => {
    const office = await openPostOffice();
    const [silent = '', lost = ''] = await queued(office, 2);
    await office.job.run();
    const old = office.postman.letters.find(({ to }) => to.address === 'person-0@example.com');
    if (old === undefined) throw new Error('no letter');
    await office.connect(lost);
    office.clock.advance(31 * DAY);
    await office.job.run();
    for (const name of ['a', 'b', 'c'])
      await office.campaign.invite(await office.add(`${name}@example.com`), 'wave');
    await office.campaign.remind(silent, 'operator');
    office.clock.advance(1);
    await office.freshLinks.freshLink(linkOf(old));
    await office.freshLinks.settled();
    await office.lose(lost);
    const before = office.postman.letters.length;
    await office.jobWith({ pace: { perMinute: 2, perAddress: 100 } }).run();
    expect(office.kinds().slice(before).toSorted()).toEqual(['fresh', 'lost']);
  });

  it('allows a stop between two e-mails', async () => {
    const office = await openPostOffice();
    await queued(office, 3);
    const stop = new AbortController();
    office.postman.answer = () => {
      stop.abort();
      return { verdict: 'sent', response: '' };
    };
    await office.job.run(stop.signal);
    expect(office.postman.letters).toHaveLength(1);
  });
});

describe('an e-mail that is not accepted', () => {
  it('is tried again at longer and longer intervals, with the same Message-ID', async () => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    office.postman.answer = () => ({ verdict: 'postponed', reason: '451 later' });
    await office.job.run();
    await office.job.run();
    expect(office.postman.letters).toHaveLength(1);
    office.clock.advance(MINUTE);
    await office.job.run();
    expect(office.postman.letters).toHaveLength(2);
    office.clock.advance(MINUTE);
    await office.job.run();
    expect(office.postman.letters).toHaveLength(2);
    office.postman.answer = () => ({ verdict: 'sent', response: '' });
    office.clock.advance(MINUTE);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation sent']);
    expect(new Set(office.postman.letters.map(({ messageId }) => messageId)).size).toBe(1);
    expect(new Set(office.postman.letters.map(({ link }) => link?.reveal())).size).toBe(1);
  });

  it('is abandoned after two days', async () => {
    const office = await openPostOffice({ schedule: { life: 30 * DAY, reminderDays: [] } });
    const [id = ''] = await queued(office);
    office.postman.answer = () => ({ verdict: 'postponed', reason: '451 later' });
    const breaker = { after: 1_000, millis: 1 };
    for (let hour = 0; hour < 24 * 5; hour += 1) {
      await office.jobWith({ breaker }).run();
      office.clock.advance(HOUR);
    }
    expect(await office.fates(id)).toEqual(['invitation abandoned']);
    expect(office.postman.letters).toHaveLength(15);
    expect(backOff(1)).toBe(MINUTE);
    expect(backOff(40)).toBe(6 * HOUR);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('wires\ncrossed')), 'wires crossed'],
    [
      'never answers',
      () => new Promise<PostVerdict>(() => undefined),
      'the mail server did not answer in time',
    ],
    ['was cut', () => ({ verdict: 'unknown' as const, reason: 'cut' }), 'cut'],
  ])('is unknown if the mail client %s', async (_name, answer, reason) => {
    const office = await openPostOffice();
    const [id = ''] = await queued(office);
    office.postman.answer = answer;
    await office.jobWith({ patience: 20 }).run();
    office.clock.advance(DAY);
    await office.jobWith({ patience: 20 }).run();
    expect(await office.fates(id)).toEqual(['invitation unknown']);
    expect(await reasonOf(office, id)).toBe(reason);
    expect(office.postman.letters).toHaveLength(1);
  });

  it('stops all sending for a while after many in a row, which then resumes', async () => {
    const office = await openPostOffice();
    await queued(office, 10);
    office.postman.answer = () => ({ verdict: 'postponed', reason: 'no connection' });
    await office.job.run();
    expect(office.postman.letters).toHaveLength(5);
    expect(await office.store.outbox.sending(office.clock.now())).toEqual({
      errors: 5,
      pausedUntil: office.clock.now() + 15 * MINUTE,
    });
    office.clock.advance(14 * MINUTE);
    await office.job.run();
    expect(office.postman.letters).toHaveLength(5);
    office.clock.advance(2 * MINUTE);
    await office.job.run();
    expect(office.postman.letters).toHaveLength(6);
    office.postman.answer = () => ({ verdict: 'sent', response: '' });
    office.clock.advance(16 * MINUTE);
    await office.job.run();
    expect(await office.store.outbox.sending(office.clock.now())).toEqual({
      errors: 0,
      pausedUntil: undefined,
    });
    expect(new Set(office.postman.letters.map(({ id }) => id)).size).toBe(10);
  });
});
