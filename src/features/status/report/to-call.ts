import type { NextAction, StuckReason } from '../codes.ts';
import type { ReportedAccount } from '../model.ts';

/** E-mail cannot help any further: somebody has to speak to the customer, or to ask for an address that works. */
const stepsByPhone: readonly NextAction[] = ['contact', 'add-address'];
/** Whatever comes next: the customer has tried and could not, or has let the invitation pass. */
const reasonsToCall: readonly StuckReason[] = ['consent-failed', 'no-answer', 'expired', 'unsubscribed'];

/** Why somebody has to call the customer; undefined: nobody has to. Whoever is to be spoken to next is called. */
export const reasonToCall = ({
  stuck,
  next,
}: Pick<ReportedAccount, 'stuck' | 'next'>): StuckReason | undefined =>
  stuck !== null &&
  (reasonsToCall.includes(stuck.reason) || (next !== null && stepsByPhone.includes(next.action)))
    ? stuck.reason
    : undefined;
