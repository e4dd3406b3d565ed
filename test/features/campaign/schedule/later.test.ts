import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '../../../../src/lib/time/clock.ts';
import { NO_HOLIDAYS } from '../../../../src/features/campaign/schedule/holidays.ts';
import { parseHours, type SendingHours } from '../../../../src/features/campaign/schedule/hours.ts';
import { openPostOffice, type PostOffice } from '../harness.ts';

const parsed = parseHours('mon-fri 09:00-17:00');
if (parsed === undefined) throw new Error('these are hours');
const hours: SendingHours = { ...parsed, zone: 'UTC', holidays: NO_HOLIDAYS };

/** The clock stands at nine on a Friday. */
const MONDAY = Date.parse('2026-11-23T09:00:00Z');

async function until(office: PostOffice, moment: number): Promise<void> {
  while (office.clock.now() < moment) {
    office.clock.advance(Math.min(HOUR, moment - office.clock.now()));
    await office.job.run();
  }
}

describe('an invitation for Monday at nine', () => {
  it("is sent then in its customer's time zone; reminders and link count from there", async () => {
    const office = await openPostOffice({ hours });
    const [london, auckland] = [
      await office.add('l@example.com', 'London'),
      await office.add('a@example.com', 'Auckland'),
    ];
    await office.accounts.set(auckland, { zone: 'Pacific/Auckland' });
    const answers = [london, auckland].map((id) =>
      office.campaign.invite(id, 'operator', false, '2026-11-23T09:00'),
    );
    const midnightThere = Date.parse('2026-11-22T20:00:00Z');
    expect(await Promise.all(answers)).toMatchObject([{ at: MONDAY }, { at: midnightThere }]);
    await until(office, midnightThere);
    expect(office.postman.letters.map(({ to }) => to.address)).toEqual(['a@example.com']);
    await until(office, MONDAY);
    expect(office.postman.letters.map(({ to }) => to.address)).toEqual(['a@example.com', 'l@example.com']);
    expect(office.postman.letters.at(-1)?.expiresAt).toBe(MONDAY + 30 * DAY);
    expect(await office.store.campaign.run(london)).toMatchObject({
      beganAt: MONDAY,
      nextAt: MONDAY + 3 * DAY,
    });
    await until(office, MONDAY + 3 * DAY + HOUR);
    expect(office.kinds().filter((kind) => kind === 'reminder')).toHaveLength(2);
  });

  it('can be withdrawn before, and is then never sent', async () => {
    const office = await openPostOffice({ hours });
    const id = await office.add();
    await office.campaign.invite(id, 'operator', false, '2026-11-23T09:00');
    await office.campaign.withdraw(id, 'operator');
    await until(office, MONDAY + DAY);
    expect(office.postman.letters).toEqual([]);
  });

  it('is refused for a time that has passed or does not exist', async () => {
    const { campaign } = await openPostOffice({ hours });
    expect(campaign.startFault('2026-11-20T08:59')).toMatch(/has passed: it is 2026-11-20 09:00 in UTC/);
    expect(campaign.startFault('2026-02-30T09:00')).toMatch(/must be a time like/);
    expect(campaign.startFault('2026-11-20T09:00')).toBeUndefined();
  });
});

describe('an e-mail that is due outside the hours', () => {
  it('waits, and counts neither as an attempt nor for the sending rate', async () => {
    const office = await openPostOffice({ hours });
    const ids = [await office.add('one@example.com'), await office.add('two@example.com')];
    for (const id of ids) await office.campaign.invite(id, 'operator');
    // The hours end while the queue is long.
    office.clock.advance(9 * HOUR);
    await office.job.run();
    expect(office.postman.letters).toEqual([]);
    const facts = await office.store.outbox.facts(0);
    expect(facts.waiting.map(({ nextAt }) => nextAt)).toEqual([MONDAY, MONDAY]);
    await until(office, MONDAY);
    const messages = await Promise.all(ids.map((id) => office.store.campaign.messages(id)));
    expect(messages.flat().map(({ attempts, fate }) => [attempts, fate.state])).toEqual([
      [1, 'sent'],
      [1, 'sent'],
    ]);
  });

  it('is sent at once if a customer waits for it', async () => {
    const office = await openPostOffice({ hours });
    const id = await office.add();
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    office.clock.advance(HOUR);
    await office.connect(id);
    await office.lose(id);
    office.clock.advance(9 * HOUR);
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'lost']);
  });
});

describe('an invitation that the mail server has never taken', () => {
  it('is followed by an invitation, since nobody was written to, and that by a reminder', async () => {
    const office = await openPostOffice();
    const id = await office.add();
    office.postman.answer = () => ({ verdict: 'postponed', reason: '421' });
    await office.campaign.invite(id, 'operator');
    await until(office, office.clock.now() + 4 * DAY);
    expect(await office.fates(id)).toEqual(['invitation abandoned']);
    office.postman.answer = () => ({ verdict: 'sent', response: '250' });
    await until(office, office.clock.now() + 20 * DAY);
    expect((await office.fates(id)).slice(1)).toEqual(['invitation sent', 'reminder sent', 'reminder sent']);
  });
});
