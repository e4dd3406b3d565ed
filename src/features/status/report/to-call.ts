import type { NextAction, StuckReason } from '../codes.ts';
import type { ReportedAccount } from '../model.ts';

/** E-mail does not help here: somebody has to speak to the customer, or to ask for a working address. */
const stepsByPhone: readonly NextAction[] = ['contact', 'add-address'];
/** Reasons for a call whatever the next step: the customer has tried and failed, or has let the invitation pass. */
const reasonsToCall: readonly StuckReason[] = ['consent-failed', 'no-answer', 'expired', 'unsubscribed'];

/**
 * Why somebody has to call the customer; undefined if nobody has to. A next step that needs a conversation always
 * counts.
 */
export const reasonToCall = ({
  stuck,
  next,
}: Pick<ReportedAccount, 'stuck' | 'next'>): StuckReason | undefined =>
  stuck !== null &&
  (reasonsToCall.includes(stuck.reason) || (next !== null && stepsByPhone.includes(next.action)))
    ? stuck.reason
    : undefined;
