/** Decides whether a customer whose link no longer works gets a new one. */
import type { Invitation } from '../accounts/invitation.ts';
import { HOUR, MINUTE } from '../../lib/time/clock.ts';
import type { CampaignFacts } from './model.ts';
import { isReport, type Message } from './outbox.ts';
import { keepsHours } from './schedule/hours.ts';
import { isInNeed, isOpen, type Writing } from './plan.ts';

/** Messages that customers get on request, in any hour. */
const FRESH_PER_HOUR = 3;
/** The page of the old link promises the new one within a few minutes. */
const SOON = 5 * MINUTE;

/** Whether a working link is on its way. A message that waits for its hours, its wave or its turn brings none soon. */
function isLeaving({ kind, fate }: Message, now: number): boolean {
  if (isReport(kind)) return false;
  if (fate.state !== 'queued' && fate.state !== 'failed') return fate.state === 'sending';
  return kind === 'fresh' || (!keepsHours[kind] && fate.nextAt <= now + SOON);
}

/**
 * The customer asks for a new link with one that no longer works. What the operator withdrew stays withdrawn.
 * Customers who unsubscribed get this message, because they asked for it. Other messages that wait go out in their time.
 */
export function planFresh(facts: CampaignFacts, old: Invitation, now: number): Writing | undefined {
  const { account, details, suppression, run, messages } = facts;
  if (!isInNeed(account) || details.email === undefined || suppression?.reason === 'refused')
    return undefined;
  if (run?.state === 'stopped' && run.reason === 'withdrawn') return undefined;
  if (isOpen(old, now) || messages.some((message) => isLeaving(message, now))) return undefined;
  const lately = messages.filter(({ kind, queuedAt }) => kind === 'fresh' && queuedAt > now - HOUR);
  if (lately.length >= FRESH_PER_HOUR) return undefined;
  return { outcome: 'write', kind: 'fresh', to: details.email, reminder: undefined, run: undefined };
}
