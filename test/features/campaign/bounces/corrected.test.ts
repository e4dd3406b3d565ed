import { describe, expect, it } from '@jest/globals';
import { invitationWords } from '../../../../src/features/status/report/invitation-words.ts';
import { statusReportOf } from '../../status/rows.ts';
import { openPostOffice, type PostOffice } from '../harness.ts';

interface Scene {
  readonly office: PostOffice;
  readonly id: string;
}
type Step = (scene: Scene) => Promise<unknown>;

const inviteAndSend: Step = async ({ office, id }) => {
  await office.campaign.invite(id, 'operator');
  await office.job.run();
  office.clock.advance(1);
};
const correct: Step = ({ office, id }) => office.accounts.set(id, { email: 'ada@new.example.com' });
const remind: Step = ({ office, id }) => office.campaign.remind(id, 'operator');

async function toldAfter(steps: readonly Step[]) {
  const office = await openPostOffice();
  const id = await office.add('ada@example.com');
  for (const step of steps) await step({ office, id });
  const now = office.clock.now();
  const { accounts, funnel } = statusReportOf(await office.store.statusReport.read(now), { now });
  const [account] = accounts;
  return {
    list: account && invitationWords(account),
    invited: funnel.invited,
    stuck: account?.stuck?.reason,
    next: account?.next?.action,
  };
}

describe('an account whose address was changed', () => {
  it.each([
    {
      what: 'nothing came back, and a reminder waits for the new address',
      steps: [inviteAndSend, correct, remind],
      told: { list: 'sent', invited: 1, stuck: undefined, next: 'send-mail' },
    },
  ])('is told by what became of its own e-mails: $what', async (one) => {
    expect(await toldAfter(one.steps)).toEqual(one.told);
  });
});
