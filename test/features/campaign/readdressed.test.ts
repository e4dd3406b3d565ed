import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../../src/lib/time/clock.ts';
import { linkOf, openPostOffice, type PostOffice } from './harness.ts';

/** Invited at a mistyped address. */
async function mistyped(office: PostOffice): Promise<string> {
  const id = await office.add('stranger@example.com');
  await office.campaign.invite(id, 'operator');
  await office.job.run();
  office.clock.advance(1);
  return id;
}

const states = async (office: PostOffice, id: string) =>
  (await office.store.invitations.ofAccount(id)).map(({ state }) => state);
const withdrawals = async (office: PostOffice, id: string) =>
  (await office.store.accounts.timeline(id)).filter(({ kind }) => kind === 'withdrawn');
const mails = (office: PostOffice) => office.postman.letters.map(({ kind, to }) => `${kind} ${to.address}`);

const TO_STRANGER = 'invitation stranger@example.com';
const FIRST = 'invitation ada@example.com';

describe('an invitation that was mailed to a former address', () => {
  it('is withdrawn when the address changes, but not a link that was made by hand', async () => {
    const office = await openPostOffice();
    const id = await mistyped(office);
    await office.accounts.invite(id, 'operator');
    await office.accounts.set(id, { email: 'STRANGER@example.com' });
    expect(await states(office, id)).toEqual(['issued', 'issued']);
    await office.accounts.set(id, { email: 'ada@example.com' }, 'grace');
    expect((await states(office, id)).toSorted()).toEqual(['issued', 'withdrawn']);
    expect(await withdrawals(office, id)).toMatchObject([
      {
        actor: 'grace',
        detail: 'the address was changed: links that were mailed to the former one no longer work',
      },
    ]);
  });

  it.each([
    ['the operator invites', (office: PostOffice, id: string) => office.campaign.invite(id, 'operator')],
    ['the operator reminds', (office: PostOffice, id: string) => office.campaign.remind(id, 'operator')],
    [
      'a reminder would be due',
      async (office: PostOffice) => {
        office.clock.advance(3 * DAY);
        await office.job.run();
      },
    ],
  ])(
    'is followed by a first invitation to the new one when %s, and by its reminders',
    async (_when, next) => {
      const office = await openPostOffice();
      const id = await mistyped(office);
      await office.accounts.set(id, { email: 'ada@example.com' });
      await office.job.run();
      expect(mails(office)).toEqual([TO_STRANGER]);
      await next(office, id);
      await office.job.run();
      expect(mails(office)).toEqual([TO_STRANGER, FIRST]);
      expect(await office.campaign.invite(id, 'operator')).toEqual({ outcome: 'left', reason: 'underWay' });
      office.clock.advance(3 * DAY);
      await office.job.run();
      expect(mails(office)).toEqual([TO_STRANGER, FIRST, 'reminder ada@example.com']);
    },
  );

  it('brings a new link to the new address if somebody asks for one with its link', async () => {
    const office = await openPostOffice();
    const id = await mistyped(office);
    const [message] = office.postman.letters;
    await office.accounts.set(id, { email: 'ada@example.com' });
    await office.freshLinks.freshLink(message === undefined ? '' : linkOf(message));
    await office.freshLinks.settled();
    await office.job.run();
    expect(mails(office)).toEqual([TO_STRANGER, 'fresh ada@example.com']);
  });

  it('is withdrawn with the address, and followed by none until there is another', async () => {
    const office = await openPostOffice();
    const id = await mistyped(office);
    await office.accounts.set(id, { email: '' });
    expect(await states(office, id)).toEqual(['withdrawn']);
    office.clock.advance(4 * DAY);
    await office.job.run();
    expect(mails(office)).toEqual([TO_STRANGER]);
    await office.accounts.set(id, { email: 'ada@example.com' });
    office.clock.advance(DAY);
    await office.job.run();
    expect(mails(office)).toEqual([TO_STRANGER, FIRST]);
  });
});
