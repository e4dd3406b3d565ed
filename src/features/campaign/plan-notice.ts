/**
 * Decides who is told what became of an approval: the contact of a connected account, by a notice, and the approver, by a
 * receipt; or the contact, if the operator refused it. All are pure functions of everything known about the account, and
 * are stored in the transaction that connects it or refuses the approval.
 */
import { addressKey, parseAddress } from '../accounts/details.ts';
import type { CampaignFacts } from './model.ts';
import type { Run } from './outbox.ts';
import { freshRun, hindrance, type Schedule, type Writing } from './plan.ts';
import { leaveWords } from './asking/leave-reason.ts';

const aboutOf = (invitations: CampaignFacts['invitations']): string | undefined =>
  (invitations.findLast(({ state }) => state === 'accepted') ?? invitations.at(-1))?.id;

const NO_MAIL = 'no mail server is configured (CAUSEWAY_SMTP_URL)';

/**
 * Somebody has connected the account, or has ended the connection. A link may be forwarded, so the contact is told
 * each time who it was. That includes two cases: the approver's address is the contact's own, which is only what that
 * person entered at the service; and the contact has unsubscribed, since this is not a reminder. If no e-mail can
 * reach the contact, the operator is told instead.
 */
export function planNotice(facts: CampaignFacts, mails: boolean): NoticePlan | undefined {
  const { account, suppression, invitations } = facts;
  const { email } = facts.details;
  if (account.life.stage === 'closed') return undefined;
  if (!mails) return { untold: NO_MAIL };
  if (email === undefined) return { untold: 'the account has no e-mail address' };
  if (suppression?.reason === 'refused') return { untold: `the mail server refused ${email} before` };
  const about = aboutOf(invitations);
  return about === undefined ? { untold: 'the account was never invited' } : { to: email, about };
}

/** The approver gets a receipt, unless that is the contact, who gets the notice; undefined: no receipt is due. */
export function planReceipt(
  { account, details, invitations }: CampaignFacts,
  mails: boolean,
  address: string | undefined,
): { readonly to: string; readonly about: string } | undefined {
  // The service may give any text as an address.
  const to = address === undefined ? undefined : parseAddress(address);
  const about = aboutOf(invitations);
  if (!mails || account.life.stage === 'closed' || to === undefined || about === undefined) return undefined;
  return addressKey(to) === addressKey(details.email ?? '') ? undefined : { to, about };
}

/**
 * The recipient of a notice and the invitation it is about; or why the contact cannot be told, as a text for the
 * operator.
 */
export type NoticePlan = { readonly to: string; readonly about: string } | { readonly untold: string };

/** The contact cannot be told of a refusal. `run`: the account's run afterwards; undefined leaves it unchanged. */
interface Untold {
  readonly untold: string;
  readonly run: Run | undefined;
}

/**
 * The operator has refused what somebody approved, whose page said that there is nothing left to do. Only the contact is
 * told, as in an invitation: the approver may be the reason for the refusal.
 */
export function planRefusal(
  facts: CampaignFacts,
  schedule: Schedule,
  mails: boolean,
  now: number,
): Writing | Untold {
  const { email } = facts.details;
  const run = keptWithdrawal(facts, schedule, now);
  if (!mails) return { untold: NO_MAIL, run };
  const held = hindrance(facts) ?? (run && 'withdrawn');
  if (held !== undefined || email === undefined) return { untold: leaveWords[held ?? 'noAddress'], run };
  return {
    outcome: 'write',
    kind: 'unconfirmed',
    to: email,
    reminder: undefined,
    run: freshRun(facts, schedule, now),
    recall: 'the approval was refused in the meantime',
  };
}

/** The stage begins anew: an earlier run would seem to leave the customer of a lost connection untold. */
function keptWithdrawal(facts: CampaignFacts, schedule: Schedule, now: number): Run | undefined {
  const { run } = facts;
  if (run?.state !== 'stopped' || run.reason !== 'withdrawn') return undefined;
  const { cause, beganAt } = freshRun(facts, schedule, now);
  return { ...run, cause, beganAt };
}
