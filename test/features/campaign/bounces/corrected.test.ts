import { describe, expect, it } from '@jest/globals';
import {
  invitationWords,
  oneInvitationWords,
} from '../../../../src/features/status/report/invitation-words.ts';
import { DAY, HOUR } from '../../../../src/lib/time/clock.ts';
import { statusReportOf } from '../../status/rows.ts';
import { openPostOffice, type PostOffice } from '../harness.ts';

const ADA = 'ada@example.com';

interface Scene {
  readonly office: PostOffice;
  readonly id: string;
}
type Step = (scene: Scene) => Promise<unknown>;

const send: Step = async ({ office }) => {
  await office.job.run();
  office.clock.advance(1);
};
const invite: Step = ({ office, id }) => office.campaign.invite(id, 'operator');
const remind: Step = ({ office, id }) => office.campaign.remind(id, 'operator');
const waitAnHour: Step = async ({ office }) => {
  office.clock.advance(HOUR);
};
const comesBack: Step = ({ office }) =>
  office.store.bounces.take({ address: ADA, kind: 'dead', words: '550' }, 'test', office.clock.now());
const addressIs =
  (email: string): Step =>
  ({ office, id }) =>
    office.accounts.set(id, { email });
const correct = addressIs('ada@new.example.com');
/** The last reminder ends the run when it is queued. */
const lastReminder: Step = async (scene) => {
  scene.office.clock.advance(3 * DAY);
  await send(scene);
};
const refuse: Step = async ({ office }) => {
  office.postman.answer = () => ({ verdict: 'refused', reason: '550 no such user' });
};

async function toldAfter(steps: readonly Step[]) {
  const office = await openPostOffice({ schedule: { life: 30 * DAY, reminderDays: [3] } });
  const id = await office.add(ADA);
  for (const step of steps) await step({ office, id });
  const now = office.clock.now();
  const { accounts, funnel } = statusReportOf(await office.store.statusReport.read(now), { now });
  const [account] = accounts;
  const facts = await office.store.campaign.facts(id);
  const messages = facts?.messages.toReversed() ?? [];
  const around = { messages, email: facts?.details.email, now, isAwaited: false };
  const bounced = (await office.store.accounts.timeline(id)).filter(({ kind }) => kind === 'mail.bounced');
  return {
    list: account && [invitationWords(account), account.mail],
    stuck: account?.stuck && [account.stuck.reason, account.stuck.detail],
    next: account?.next?.action,
    page: facts?.invitations.map((invitation) => oneInvitationWords(invitation, around)),
    counts: { invited: funnel.invited, bounced: bounced.length },
    run: facts?.run?.state,
  };
}

const FORMER = 'it came back from the former address';
const NONE_SINCE = `${FORMER}, and none has been sent to the new one yet`;

describe('an account whose address was changed', () => {
  it.each([
    {
      what: 'nothing came back, its link was withdrawn, and an invitation waits for the new address',
      steps: [invite, send, correct, remind],
      told: {
        ...{ list: ['sent', 'waiting'], stuck: null, next: 'send-mail', page: ['withdrawn', 'not sent yet'] },
        ...{ counts: { invited: 1, bounced: 0 }, run: 'running' },
      },
    },
    {
      what: 'the last reminder came back after the run',
      steps: [invite, send, lastReminder, comesBack, correct],
      told: {
        ...{ list: ['not delivered', 'failed'], stuck: ['mail-failed', NONE_SINCE], next: 'invite-again' },
        ...{ page: ['sent', `not delivered: ${NONE_SINCE}`] },
        ...{ counts: { invited: 0, bounced: 1 }, run: 'stopped' },
      },
    },
    {
      what: 'the same, and somebody has reminded since, which begins the schedule anew',
      steps: [invite, send, lastReminder, comesBack, correct, waitAnHour, remind, send],
      told: {
        ...{ list: ['sent', 'sent'], stuck: null, next: 'remind' },
        ...{ page: ['sent', `not delivered: ${FORMER}`, 'sent'] },
        ...{ counts: { invited: 1, bounced: 1 }, run: 'running' },
      },
    },
    {
      what: 'it was removed after the invitation came back',
      steps: [invite, send, comesBack, addressIs('')],
      told: {
        ...{ list: ['not delivered', 'failed'], stuck: ['mail-failed', FORMER], next: 'add-address' },
        ...{ page: [`not delivered: ${FORMER}`], counts: { invited: 0, bounced: 1 }, run: 'stopped' },
      },
    },
    {
      what: 'the invitation came back after the correction, which had withdrawn its link',
      steps: [invite, send, correct, comesBack],
      told: {
        ...{ list: ['withdrawn', 'sent'], stuck: ['mail-failed', NONE_SINCE], next: 'invite-again' },
        ...{ page: ['withdrawn'], counts: { invited: 1, bounced: 1 }, run: 'running' },
      },
    },
    {
      what: 'a reminder went to the new address after the invitation came back',
      steps: [invite, send, comesBack, correct, remind, send],
      told: {
        ...{
          list: ['sent', 'sent'],
          stuck: null,
          next: 'remind',
          page: [`not delivered: ${FORMER}`, 'sent'],
        },
        ...{ counts: { invited: 1, bounced: 1 }, run: 'running' },
      },
    },
    {
      what: 'the mail server refused the former one at once',
      steps: [refuse, invite, send, correct],
      told: {
        ...{ list: ['not delivered', 'failed'], next: 'invite-again', page: ['not delivered'] },
        stuck: ['mail-failed', 'it was refused, and its address has been corrected since'],
        ...{ counts: { invited: 0, bounced: 0 }, run: 'stopped' },
      },
    },
  ] satisfies { what: string; steps: Step[]; told: unknown }[])(
    'has the state of its own e-mails: $what',
    async ({ steps, told }) => {
      expect(await toldAfter(steps)).toEqual(told);
    },
  );
});
